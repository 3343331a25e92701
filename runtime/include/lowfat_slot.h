/* lowfat_slot.h - what the fast paths of malloc and free work on, and a small object without a call.
 *
 * No interface of the library: its own files include this, and cyc_rt.h, for emitted code knows the size of most objects, and
 * with it the class that malloc would look up. It takes the slot by itself from the thread's window. That is empty before the
 * thread's first object, when an option wants to see each object (past_end is one of these in programs of Cyclone, because it
 * changes the classes of sizes), and always where the C library's malloc is the heap's floor (unique/unique.c): then, as for larger
 * objects, a call does it. Includes nothing, so that it brings no names into emitted code.
 */
#ifndef LOWFAT_SLOT_H
#define LOWFAT_SLOT_H

#define LOWFAT_SMALL_CLASSES 76      /* classes 1..76, up to 128 KiB, live in spans and thread caches */
#define LOWFAT_TABLE_MAX 16384       /* bytes; the class of a request up to here comes from a table */
#define LOWFAT_UNIT 16               /* bytes; the sizes of the first classes are its multiples, */
#define LOWFAT_UNITS_MAX 128         /* up to here */

/* What the fast paths read besides the map, behind one address. */
struct lowfat_fast {
    unsigned char class_of_16[LOWFAT_TABLE_MAX / LOWFAT_UNIT + 2]; /* of a request in units, rounded up */
    __UINT64_TYPE__ size[LOWFAT_SMALL_CLASSES + 1];
    unsigned char *state[LOWFAT_SMALL_CLASSES + 1];
};
extern struct lowfat_fast lowfat_fast;

/* A window is a stack of free slots of one class: top[class] points behind the last entry; the entry below the first
 * is 0 and ends it; it is full at most when `top` reaches a boundary, which windows of the smallest sizes have
 * several of (the slow path knows the last).  Both tests are one instruction, and windows of every capacity share
 * the code.  A thread without a cache has all its tops at the dead window, which is empty and full at once. */
struct lowfat_tls {
    __UINT64_TYPE__ *top[LOWFAT_SMALL_CLASSES + 1];
    __UINT64_TYPE__ tag_of[LOWFAT_SMALL_CLASSES + 1]; /* `tag`, as far from each top; of class 0, which has no objects, NO_TAG */
    struct lowfat_tcache *cache;
    unsigned char tag; /* NO_TAG: this thread has no cache, or a hardening option wants every call on the slow path */
    _Bool exited; /* this thread's exit has begun: only an allocation makes a cache again */
};
extern __thread struct lowfat_tls lowfat_tls __attribute__((tls_model("initial-exec")));

/* An object of `size` bytes, at most LOWFAT_UNITS_MAX and known to the compiler, as malloc takes it; false when the window is
 * empty. */
static inline __attribute__((always_inline, unused)) int lowfat_slot_take(__SIZE_TYPE__ size, void **object) {
    __SIZE_TYPE__ c = (size + !size + LOWFAT_UNIT - 1) / LOWFAT_UNIT;
    __UINT64_TYPE__ *top = lowfat_tls.top[c];
    __UINT64_TYPE__ slot = top[-1];
    if (__builtin_expect(slot == 0, 0))
        return 0;
    lowfat_tls.top[c] = top - 1;
    /* A collector may stop the thread anywhere: the address must be known before the slot counts as live, and stay known as
     * such. Nothing else would keep the compiler from carrying the slot's number about and multiplying later. */
    void *address = (void *)(slot * (c * LOWFAT_UNIT));
    __asm__("" : "+r"(address), "+r"(slot));
    lowfat_fast.state[c][slot] = lowfat_tls.tag;
    *object = address;
    return 1;
}

#endif

/* Hidden metadata (Duck and Yap, section 4.3, figure 6): a record at the base of an object,
 * in front of what the program sees, found again from any interior pointer.
 *
 *     | meta | object .........|
 *     ^base  ^what the program holds
 *
 * Heap objects come from meta_malloc, stack objects from META_STACK, globals from
 * META_GLOBAL, which defines the program's symbol inside a wrapper so that other
 * translation units need not know.
 */
#ifndef HIDDEN_META_H
#define HIDDEN_META_H

#include <errno.h>
#include <lowfat.h>
#include <stdlib.h>

/* What is remembered about each object. 16 bytes keep the object's alignment. */
struct meta {
    const char *type;
    uint64_t length; /* exact, in bytes: what the slot's size does not tell */
};
_Static_assert(sizeof(struct meta) == 16, "an object behind its metadata stays aligned");

/* The metadata of the object that p points into; p must come from this header. */
static inline struct meta *meta_of(const void *p) { return (struct meta *)lowfat_base(p); }

/* Bytes from p to the exact end of its object. */
static inline size_t meta_room(const void *p) {
    return sizeof(struct meta) + meta_of(p)->length - lowfat_offset(p);
}

/* One byte more than is used, so that the pointer one past the end still finds its object. */
static inline size_t meta_total(size_t size) { return sizeof(struct meta) + size + 1; }

static inline void *meta_init(struct meta *at, size_t size, const char *type) {
    if (!at) return NULL;
    *at = (struct meta){type, size};
    return at + 1;
}

/* NULL with errno ENOMEM when there is no memory. */
static inline void *meta_malloc(size_t size, const char *type) {
    if (size > PTRDIFF_MAX - sizeof(struct meta) - 1) {
        errno = ENOMEM;
        return NULL;
    }
    return meta_init((struct meta *)lowfat_malloc(meta_total(size)), size, type);
}

static inline void meta_free(void *p) {
    if (p) lowfat_free(meta_of(p));
}

/* type *name: an object on the low-fat stack, released at the end of the block. */
#define META_STACK(kind, name)                                                            \
    LOWFAT_SCOPE_VARIABLE_(LOWFAT_CAT_(meta_scope_, name));                               \
    kind *const name = (kind *)meta_init((struct meta *)lowfat_alloca(meta_total(sizeof(kind))), sizeof(kind), #kind)

/* Defines the global `name` of type `kind` with its metadata in a slot of `slot` bytes. The
 * linker symbol `name` is an address inside the wrapper, so `extern kind name;` elsewhere
 * is all that users need. (Through LOWFAT_REF in code with 32-bit addresses.) */
#define META_GLOBAL(kind, name, slot, ...)                                                \
    struct meta_wrapper_##name {                                                          \
        struct meta meta;                                                                 \
        kind data;                                                                        \
    } __attribute__((packed));                                                            \
    LOWFAT_GLOBAL(struct meta_wrapper_##name, meta_wrapped_##name, slot) = {              \
        {#kind, sizeof(kind)}, __VA_ARGS__};                                              \
    __asm__(".globl " #name "\n.set " #name ", meta_wrapped_" #name " + 16")

#endif

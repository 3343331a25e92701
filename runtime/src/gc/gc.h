/* gc.h - the vocabulary of the traced heap's own files; the interface is lowfat_gc.h.
 *
 * Spaces.  Each size class has, for each kind of traced object, a region of its own, so the top bits of an address say what
 * to do with the object: scan all of it, scan it by a layout, or nothing.  A space's slots are numbered from its first; an
 * index leads to two bits, which lie side by side:
 *     alloc   the slot belongs to a thread's run or holds an object
 *     mark    the last collection (or the one under way) reached the object
 * A block is 2^shift consecutive slots, at least 64, so blocks share no word of bits.
 *
 * Life of a slot.  A thread takes a run (free slots of one word) of a block it owns, sets their alloc bits at once, zeroes
 * them, and hands them out by clearing bits of its own, the lowest first: the fast path, which does not depend on how the free
 * slots lie.  A collection marks; blocks are swept (alloc &= mark, mark = 0) when an allocation next comes to them, or before
 * the next collection begins.  There are no free lists through dead memory: what is free is read off the bits, 64 slots at a
 * time.
 *
 * Invariants:
 *   - a block whose epoch is the heap's has been swept since the last collection, and all its mark bits are 0;
 *   - runs survive collections: their slots are marked, so a thread that is stopped between choosing an object and
 *     taking it from its run has an object that is allocated;
 *   - the slots of a run, and free slots of a clean block, are zero (atomic kind: unspecified);
 *   - mark bits are written by the collecting thread only, which holds the lock;
 *   - memory of large slots (above 128 KiB) that hold no object is not committed, and reads zero when it is next.
 *
 * Locks: `cyc_gc.lock` guards all but the alloc bits, and is held for a whole collection.  A thread is not stopped while it is
 * `busy` (it takes a run, or frees): it stops itself afterwards.  A busy thread takes no lock, but for the collecting one, which
 * is busy so that it does not stop itself.  Order: the collector's lock, then liblowfat's.  While the world is stopped nothing is allocated and no lock is taken.
 *
 * In the run time of Cyclone (CYC_GC_OF_CYCLONE) the collector starts at the first traced allocation, whichever thread makes it, and
 * then knows every thread that has objects, of whatever kind (threads.c).  Pointers past an object's end
 * are the business of who allocates it, and objects of malloc that are lost are freed: they are unique and counted objects, and
 * pages of regions.
 *
 * The collector's variables lie in a section of their own that is not scanned. */
#ifndef CYC_GC_H
#define CYC_GC_H

#include "../lowfat/internal.h"
#include <lowfat_gc.h>

#pragma GCC visibility push(hidden)

enum { CYC_GC_SCANNED, CYC_GC_LAYOUT, CYC_GC_ATOMIC, CYC_GC_KINDS, CYC_GC_MALLOCED = CYC_GC_KINDS };

#define CYC_GC_SPACES (1 + (CYC_GC_KINDS + 1) * LOWFAT_CLASSES) /* 0: not an object; then by kind; then malloc's */
#define CYC_GC_LARGEST (LOWFAT_REGION_SIZE / 2) /* classes above have no spaces */
#define CYC_GC_SIGNAL SIGPWR
#define CYC_GC_STATE __attribute__((section("cyc_gc_state")))

/* Reads memory that belongs to others, who are stopped: sanitizers would report it. */
#if defined __clang__
#define CYC_GC_UNCHECKED __attribute__((no_sanitize("address", "thread", "undefined")))
#else
#define CYC_GC_UNCHECKED __attribute__((no_sanitize_address, no_sanitize_thread, no_sanitize_undefined))
#endif

/* ThreadSanitizer does not see that threads are stopped: what is free again has no history. */
#ifdef LOWFAT_TSAN
void __tsan_java_alloc(unsigned long at, unsigned long bytes) __attribute__((visibility("default")));
#define CYC_GC_FORGET_ACCESSES(at, bytes) __tsan_java_alloc(at, bytes)
#else
#define CYC_GC_FORGET_ACCESSES(at, bytes) ((void)0)
#endif

struct cyc_gc_bits {
    uint64_t alloc; /* changed by atomic operations; of malloc's spaces: objects found lost by the last collection */
    uint64_t mark;
};

#define CYC_GC_SWEEPING 0
struct cyc_gc_block {
    uint32_t epoch; /* of the last sweep, or SWEEPING */
    uint32_t next;  /* in the list of partly used blocks without owner: number + 1 */
    uint32_t from;  /* in that list: slots of the block below this are not free */
    uint32_t reached; /* slots of the block below this were offered since tails were last returned */
    uint32_t touched; /* memory of those from here on has been returned, or never was in use */
    bool clean;     /* its memory is zero wherever slots are free */
    bool purged;    /* its long free stretches have been returned to the system */
    bool idle;      /* no allocation came to it between the last two collections */
};

struct cyc_gc_space {
    /* what marking reads */
    uint64_t magic;  /* 0 in a space that does not exist */
    slot_t first;    /* number of the slot with index 0 */
    _Atomic uint64_t count; /* slots that belong to blocks */
    struct cyc_gc_bits *bits;
    uint8_t *state;  /* of malloc's: state[slot] */
    uint64_t size;
    uint8_t kind, class_id, shift, run_slots; /* most slots of a run */
    bool special;    /* anything but a small object that is scanned conservatively */
    uint64_t map;    /* the words of a slot that may be pointers, by the common layout, if no slot has more than 64; 0: not known */
    /* the rest */
    uint64_t limit;       /* slots that fit */
    uint32_t *layout;     /* of kind LAYOUT: id by index; 0: the common one */
    _Atomic uint32_t common; /* the layout that was used first here; 0: none yet */
    _Atomic bool mixed;      /* there have been others: before that nothing of `layout` is touched */
    uint64_t *requested;  /* of large slots: bytes by index */
    struct cyc_gc_block *blocks; /* but for the first few: cyc_gc_block_at */
    uint32_t cursor;      /* blocks below this have been offered since the last collection; of large slots: index */
    uint32_t partial;     /* list of blocks that threads left behind: number + 1 */
    uintptr_t committed, bits_committed, layout_committed, requested_committed, blocks_committed;
    uint64_t again_from, again_to; /* marked slots whose contents may not have been scanned: the mark stack was full */
} __attribute__((aligned(64)));

struct cyc_gc_run {
    slot_t first;  /* number of the first slot of a word; its address, left in a register, would keep what may be an object */
    uint64_t free; /* slots of the word that are this thread's and no objects yet; 0 at first */
};
struct cyc_gc_own {
    uint64_t at, end; /* indices: the rest of the block this thread owns */
    bool clean;
    struct cyc_gc_freed *freed; /* objects this thread freed by hand; their alloc bits are still set */
};
/* What an object freed by hand holds; otherwise it is zero.  The next one is complemented, so that it keeps nothing. */
struct cyc_gc_freed {
    uintptr_t next, stamp;
};

/* A thread's block; in the list of threads while registered. */
struct cyc_gc_thread {
    struct cyc_gc_run run[CYC_GC_KINDS][LOWFAT_SMALL_CLASSES + 1];
    struct cyc_gc_own own[CYC_GC_KINDS][LOWFAT_SMALL_CLASSES + 1];
    struct cyc_gc_thread *next, *prev;
    _Atomic uint32_t busy, pending; /* see cyc_gc_leave */
    uint32_t answered;              /* the last phase of a stopped world that the thread has acknowledged */
    _Atomic uintptr_t sp;           /* while stopped: the lowest address of its stack that is in use */
    uintptr_t stack_low, stack_high, pointer; /* bounds of the stack; thread pointer */
    int64_t allocated;              /* bytes of runs taken that the heap does not know of yet */
    int32_t id;                     /* the kernel's */
    uint32_t rounds;                /* of destructors that its end has come to */
    bool registered, no_heap;
};
extern _Thread_local struct cyc_gc_thread cyc_gc_self __attribute__((tls_model("initial-exec")));

struct cyc_gc_range {
    uintptr_t from, to;
};
struct cyc_gc_ranges { /* grows by mapping, so also while the world is stopped */
    struct cyc_gc_range *at;
    size_t count, capacity;
};
bool cyc_gc_ranges_add(struct cyc_gc_ranges *ranges, uintptr_t from, uintptr_t to);

enum { CYC_GC_RATIO = 160 };

/* The heap.  `epoch` counts collections and starts at 1. */
struct cyc_gc_heap {
    lowfat_lock lock;
    bool ready;     /* regions are there */
    bool collecting;
    bool freed_by_hand; /* ever */
    bool alone;         /* one thread is registered */
    uint32_t epoch;
    uint32_t disabled; /* depth */
    size_t past_end;
    uintptr_t key; /* random */
    uint64_t option[LOWFAT_GC_OPTIONS_];
    uint64_t ticks; /* allocations since the last collection, with option every */
    _Atomic int64_t since;
    int64_t trigger;
    int64_t quantum; /* bytes a thread takes before it tells */
    struct cyc_gc_thread *threads;
    struct cyc_gc_ranges roots;
    _Atomic(lowfat_gc_event_handler *) on_event;
    struct lowfat_gc_stats stats;
    struct lowfat_gc_layout **layouts; /* by id */
    uint32_t layout_count;
    uintptr_t layouts_committed;
};
extern struct cyc_gc_heap cyc_gc;
extern struct cyc_gc_space cyc_gc_space[CYC_GC_SPACES];
extern struct cyc_gc_space *cyc_gc_opened[CYC_GC_SPACES]; /* those that have been in use: the others are zero */
extern unsigned cyc_gc_opened_count;
extern uint16_t cyc_gc_row[LOWFAT_ROWS / 2]; /* number of the space, by address >> LOWFAT_REGION_SHIFT */

/* The first blocks of each space lie side by side: in a small heap a table of its own would be a page for a few bytes. */
#define CYC_GC_FIRST_BLOCKS 4
extern struct cyc_gc_block cyc_gc_first_blocks[CYC_GC_KINDS][LOWFAT_SMALL_CLASSES + 1][CYC_GC_FIRST_BLOCKS];
static inline struct cyc_gc_block *cyc_gc_block_at(struct cyc_gc_space *s, uint64_t number) {
    return number < CYC_GC_FIRST_BLOCKS ? &cyc_gc_first_blocks[s->kind][s->class_id][number] : &s->blocks[number];
}

/* A thread is done with the block it owns, if it owns one, for now. */
CYC_GC_UNCHECKED static inline void cyc_gc_leave_block(struct cyc_gc_space *s, const struct cyc_gc_own *own) {
    if (own->end == 0)
        return;
    uint64_t number = (own->end >> s->shift) - 1;
    struct cyc_gc_block *block = cyc_gc_block_at(s, number);
    uint32_t reached = (uint32_t)(own->at - (number << s->shift));
    if (reached > block->reached)
        block->reached = reached;
    if (reached > block->touched)
        block->touched = reached;
}

static inline struct cyc_gc_space *cyc_gc_space_of(unsigned kind, unsigned c) {
    return &cyc_gc_space[1 + kind * LOWFAT_CLASSES + c - 1];
}
static inline uintptr_t cyc_gc_freed_stamp(const struct cyc_gc_freed *object) { return (uintptr_t)object ^ cyc_gc.key; }
static inline uintptr_t cyc_gc_address(const struct cyc_gc_space *s, uint64_t index) { return (s->first + index) * s->size; }
static inline bool cyc_gc_large(const struct cyc_gc_space *s) { return s->class_id > LOWFAT_SMALL_CLASSES; }
/* The space and index of a user-space address; false when it is none of a slot that belongs to a block. */
static inline bool cyc_gc_find(uintptr_t address, struct cyc_gc_space **space, uint64_t *index) {
    if (address >> 47 != 0)
        return false;
    struct cyc_gc_space *s = &cyc_gc_space[cyc_gc_row[address >> LOWFAT_REGION_SHIFT]];
    *space = s;
    *index = (uint64_t)(((lowfat_u128_)address * s->magic) >> 64) - s->first;
    return *index < atomic_load_explicit(&s->count, memory_order_relaxed);
}

/* An object's layout.  Until its own is written, a slot has that of its former object or the common one, which find nothing
 * in zeros. */
static inline uint32_t cyc_gc_layout_of(const struct cyc_gc_space *s, uint64_t index) {
    uint32_t own = 0;
    if (atomic_load_explicit(&s->mixed, memory_order_relaxed))
        own = __atomic_load_n(&s->layout[index], __ATOMIC_RELAXED);
    return own != 0 ? own : atomic_load_explicit(&s->common, memory_order_relaxed);
}
/* Slots that had other layouts are free again only after a collection, so a thread that finds no others has none to erase. */
static inline bool cyc_gc_layout_is_common(const struct cyc_gc_space *s, uint32_t id) {
    return atomic_load_explicit(&s->common, memory_order_relaxed) == id &&
           !atomic_load_explicit(&s->mixed, memory_order_relaxed);
}
static inline void cyc_gc_set_layout(struct cyc_gc_space *s, uint64_t index, uint32_t id) {
    uint32_t none = 0;
    if (cyc_gc_layout_is_common(s, id) || atomic_compare_exchange_strong(&s->common, &none, id))
        return;
    if (id == atomic_load_explicit(&s->common, memory_order_relaxed))
        id = 0;
    else if (!atomic_load_explicit(&s->mixed, memory_order_relaxed))
        atomic_store(&s->mixed, true);
    __atomic_store_n(&s->layout[index], id, __ATOMIC_RELAXED);
}

/* ---- space.c: regions and tables */

void cyc_gc_start(void); /* once, before main or at the first use */
/* Before a space's first use; the lock is held. */
void cyc_gc_open(unsigned kind, unsigned c);
/* Makes the next block, or the next large slot's tables, usable; the lock is held. */
bool cyc_gc_grow(struct cyc_gc_space *s, uint64_t slots);
/* A layout's id, given at its first use; 0 when memory is out. */
uint32_t cyc_gc_layout_id(struct lowfat_gc_layout *layout);

/* ---- alloc.c, large.c: allocation */

void *cyc_gc_alloc(size_t size, unsigned kind); /* any size; zero unless atomic */
/* A thread that ends leaves its runs and the rest of its blocks to others; the lock is held. */
void cyc_gc_alloc_abandon(struct cyc_gc_thread *t);
void *cyc_gc_large_alloc(unsigned c, size_t size, unsigned kind, size_t alignment);
void cyc_gc_large_free(struct cyc_gc_space *s, uint64_t index);
bool cyc_gc_large_resize(struct cyc_gc_space *s, uint64_t index, size_t size);
/* Tells the heap of `bytes` about to be allocated; collects when it is time. False when the limit forbids them. */
bool cyc_gc_account(int64_t bytes);

/* ---- sweep.c */

uint32_t cyc_gc_sweep_block(struct cyc_gc_space *s, uint32_t number); /* free slots of it */
void cyc_gc_sweep_rest(bool trim); /* every block not swept yet; returns idle memory, or all that is free; no thread is stopped */
void cyc_gc_sweep_large(void);     /* at once, after marking */
void cyc_gc_sweep_all(void);       /* at once; for option poison */
void cyc_gc_return_tails(void);    /* after marking; no thread owns a block */
size_t cyc_gc_purge_all(void);

/* ---- mark.c */

bool cyc_gc_mark_begin(void); /* false: no memory; the world runs */
void cyc_gc_mark_range(uintptr_t from, uintptr_t to);
void cyc_gc_mark_words(uintptr_t from, uintptr_t to, const struct cyc_gc_range *hole);
void cyc_gc_mark_slot_numbers(uintptr_t from, uintptr_t to);
void cyc_gc_mark_run(struct cyc_gc_space *s, const struct cyc_gc_run *run);
void cyc_gc_mark_end(void); /* everything reachable is marked; figures are in the heap's */

/* ---- roots.c */

/* Lists what is loaded, then calls `stop`, so that nothing is unloaded in between. */
void cyc_gc_roots_list(void (*stop)(void));
void cyc_gc_roots_mark(void);

/* ---- threads.c, stop_linux.c */

/* The calling thread, registered; null and errno in a no-heap thread. */
struct cyc_gc_thread *cyc_gc_thread_here(void);
void cyc_gc_thread_forget(struct cyc_gc_thread *t); /* takes it off the list; the lock is held */
void cyc_gc_threads_init(void);
bool cyc_gc_register_first(void); /* false: its stack is not known */
void cyc_gc_starting_mark(void);
void cyc_gc_stop_init(void);
void cyc_gc_stop_world(struct cyc_gc_thread *collector);
void cyc_gc_restart_world(void);
void cyc_gc_park(struct cyc_gc_thread *thread);
int32_t cyc_gc_os_thread_id(void);
uint64_t cyc_gc_os_nanoseconds(void);

static inline void cyc_gc_enter(struct cyc_gc_thread *t) {
    atomic_store_explicit(&t->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}
static inline void cyc_gc_leave(struct cyc_gc_thread *t) {
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&t->busy, 0, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (UNLIKELY(atomic_load_explicit(&t->pending, memory_order_relaxed) != 0))
        cyc_gc_park(t);
}

/* ---- collect.c, control.c, lost.c */

void cyc_gc_collect(struct cyc_gc_thread *self); /* the lock is held */
void cyc_gc_set_trigger(void);
void cyc_gc_options_init(void);
void cyc_gc_print_collection(void);
void cyc_gc_lost_find(void);    /* the world is stopped, all is marked */
void cyc_gc_lost_reclaim(void); /* the world runs */
void cyc_gc_lost_expect(void);  /* from here on objects of malloc count towards the next collection; the lock is held */

#pragma GCC visibility pop

#endif

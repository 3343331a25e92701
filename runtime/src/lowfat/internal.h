/* internal.h - the vocabulary of liblowfat's own files.
 *
 * Who owns what:
 *   - the map and the class table are written at start-up only (and, for huge objects, row by row);
 *   - a span with slots to give belongs to one thread cache, or to its class (owner null); a full one to nobody: who frees
 *     enough of it passes it on;
 *   - a slot that is not live is in exactly one place: its span (state FREE), a thread's window (CACHED) or its list of
 *     what it freed for others (AWAY), the quarantine (QUARANTINED), or never handed out (NEVER).
 * All free lists are out of band: nothing the allocator relies on lies in memory the program can reach through a
 * dangling or overflowing pointer.
 *
 * Lock order: registry > busy caches (lowfat_enter) > class; huge, stack and quarantine locks are leaves. */
#ifndef LOWFAT_INTERNAL_H
#define LOWFAT_INTERNAL_H

#define LOWFAT_MAP_CONST_
#include <lowfat.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))
#define COLD __attribute__((noinline, cold))
#define HIDDEN __attribute__((visibility("hidden")))

#pragma GCC visibility push(hidden)

#include "lowfat_slot.h"

/* ---- invariants ---------------------------------------------------------------------------
 *
 * Builds with -DCYC_DEBUG=N check those up to level N and end the program where one does not hold: 1 those of slow paths, 2 those of
 * blocks and spans, 3 those that look at each slot or word.  Without it they are not compiled. */
#ifndef CYC_DEBUG
#define CYC_DEBUG 0
#endif
#define INVARIANT(level, condition) \
    ((level) <= CYC_DEBUG && UNLIKELY(!(condition)) ? lowfat_broken(#condition, __FILE__, __LINE__) : (void)0)
void lowfat_broken(const char *condition, const char *file, unsigned line) __attribute__((cold, noreturn));

/* ---- sizes ------------------------------------------------------------------------------- */

#define LOWFAT_SMALL_MAX 131072      /* bytes */
#define LOWFAT_PAGE 4096
#define LOWFAT_WINDOW 32             /* entries between two window boundaries; a power of two */
#define LOWFAT_WIDE_WINDOWS 64       /* further LOWFAT_WINDOW entries of the smallest classes' windows */
#define LOWFAT_WINDOWS_ENTRIES ((1 + LOWFAT_SMALL_CLASSES + LOWFAT_WIDE_WINDOWS) * LOWFAT_WINDOW) /* of a thread */
#define LOWFAT_HUGE_MAX ((uint64_t)1 << 46)

#define LOWFAT_AWAY_MAX 32           /* most slots of one class that a thread holds back for other threads' spans */
#define LOWFAT_AWAY_CLASSES 32       /* up to 1 KiB; larger ones are given back at once */
#define LOWFAT_AWAY_BYTES 4096       /* of one class */

typedef uint64_t slot_t; /* absolute slot number: address / class size */

/* ---- slot states --------------------------------------------------------------------------- */

/* One byte per slot.  Live slots carry the tag of the thread that allocated them, so that `free` learns with one
 * comparison that the object is live and this thread's own. */
enum {
    LOWFAT_NEVER = 0,
    LOWFAT_FREE = 1,
    LOWFAT_CACHED = 2,
    LOWFAT_QUARANTINED = 3,
    LOWFAT_AWAY = 4, /* held back by a thread that does not own the span */
    LOWFAT_NO_TAG = 7, /* never the state of a slot */
    LOWFAT_LIVE = 8, /* this and above: live */
    LOWFAT_FIRST_TAG = 16,
    LOWFAT_TAGS = 240
};

/* The owner of a slot writes its state while the span's owner reads the neighbours' and its own; only FREE, written
 * with release order, passes information between threads.  ThreadSanitizer is told so. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LOWFAT_TSAN 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define LOWFAT_TSAN 1
#endif
#ifdef LOWFAT_TSAN
#define STATE_GET(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define STATE_SET(p, v) __atomic_store_n((p), (uint8_t)(v), __ATOMIC_RELEASE)
#else
#define STATE_GET(p) (*(p))
#define STATE_SET(p, v) (*(p) = (uint8_t)(v))
#endif

/* ---- locks --------------------------------------------------------------------------------- */

typedef struct {
    _Atomic uint32_t word; /* 0 free, 1 held, 2 held and awaited */
    uint32_t nested;       /* further acquisitions by the thread that forks and holds every lock */
} lowfat_lock;

void lowfat_lock_wait(lowfat_lock *lock);
void lowfat_lock_wake(lowfat_lock *lock);

static inline void lowfat_acquire(lowfat_lock *lock) {
    uint32_t expected = 0;
    if (UNLIKELY(!atomic_compare_exchange_strong_explicit(&lock->word, &expected, 1, memory_order_acquire,
                                                          memory_order_relaxed)))
        lowfat_lock_wait(lock);
}
static inline bool lowfat_try_acquire(lowfat_lock *lock) {
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(&lock->word, &expected, 1, memory_order_acquire, memory_order_relaxed);
}
static inline void lowfat_release(lowfat_lock *lock) {
    if (UNLIKELY(lock->nested != 0)) {
        lock->nested--;
        return;
    }
    if (UNLIKELY(atomic_exchange_explicit(&lock->word, 0, memory_order_release) == 2))
        lowfat_lock_wake(lock);
}

/* ---- spans --------------------------------------------------------------------------------- */

struct lowfat_tcache;

/* Who looks after a span.
 * ACTIVE: its owner.
 * FULL: nobody. It has fewer free slots than its class's threshold and is on no list; whoever frees the slot that reaches
 *   the threshold turns it to CLAIMED.
 * CLAIMED: the thread that did so. It makes the span ACTIVE again if it is (still) the owner and short of such spans, so
 *   that a thread reuses its own memory, and else pushes it to the class's inbox, so that memory whose owner sleeps
 *   serves others.
 * Only a thread makes itself owner. So a span that is seen ACTIVE and, after that, owned by the thread that looks has
 * been its own all the time. */
enum { LOWFAT_ACTIVE = 0, LOWFAT_FULL = 1, LOWFAT_CLAIMED = 2 };

/* 2^shift consecutive slots of one class.  Invariants: slots [0, fresh) have been handed out once, the rest are
 * NEVER; local + remote (mod 2^32) is the number of FREE slots; `local` is written by the owner of an ACTIVE span only.
 * The slots of a large class are spans of one slot, where `requested` and `dirty` count bytes. */
struct lowfat_span {
    _Atomic(struct lowfat_tcache *) owner;
    struct lowfat_span *next, *prev; /* owner's partial list; class's empty, clean or abandoned list */
    struct lowfat_span *inbox_next;
    union {
        struct {
            _Atomic uint32_t local;
            _Atomic uint32_t remote;
        };
        uint64_t requested;
    };
    slot_t first;
    uint64_t dirty; /* bytes that may be resident, while on the empty list or in a large slot; or LOWFAT_ABANDONED */
    uint32_t stamp; /* milliseconds at which it became empty */
    uint16_t fresh;
    uint8_t class_id;
    _Atomic uint8_t queue;
};
#define LOWFAT_ABANDONED UINT64_MAX /* in place of `dirty`, while on the list of that name */
_Static_assert(sizeof(struct lowfat_span) <= 64, "a span's metadata is one cache line");

struct lowfat_span_list {
    struct lowfat_span *head, *tail;
};

/* ---- classes ------------------------------------------------------------------------------- */

#define LOWFAT_FIRST_SPANS 4 /* spans per class whose metadata share pages with other classes' */

struct lowfat_class_central {
    /* constant after start-up */
    uint64_t size;
    slot_t first, limit;      /* slot numbers of the region */
    uint8_t *state;           /* biased: state[slot] */
    uint32_t *exact;          /* biased: requested bytes, with option exact=1 */
    struct lowfat_span *spans;/* by span number, from LOWFAT_FIRST_SPANS on */
    uint32_t span_count;      /* spans that fit the region */
    uint8_t shift;            /* log2 of slots per span */
    uint16_t capacity;        /* slots per span */
    uint16_t threshold;       /* free slots that make a full span worth looking at */
    uint16_t window;          /* entries of a thread's window */
    uint16_t window_end;      /* where it ends among all of the thread's windows; a multiple of LOWFAT_WINDOW */
    uint16_t batch;           /* slots fetched at a time */
    uint16_t keep;            /* slots left in a window that was full */
    uint16_t away;            /* slots of other threads' spans held back; at most LOWFAT_AWAY_MAX */
    uint8_t plenty;           /* spans with freed slots that a thread keeps for itself */
    /* under the lock */
    lowfat_lock lock;
    _Atomic uint32_t spans_used;    /* spans [0, spans_used) have been handed out */
    uintptr_t committed;            /* heap addresses below this are usable */
    uintptr_t state_committed;      /* likewise state bytes */
    uintptr_t spans_committed;      /* likewise span metadata */
    struct lowfat_span_list empty;  /* wholly free, pages maybe resident; newest first */
    _Atomic uint32_t empty_count;   /* length of `empty`, also read without the lock */
    struct lowfat_span_list clean;  /* wholly free, pages returned */
    struct lowfat_span_list abandoned; /* no owner, some free slots */
    _Atomic(struct lowfat_span *) inbox; /* spans that reached the threshold */
} __attribute__((aligned(64)));

extern struct lowfat_class_central lowfat_central[LOWFAT_CLASSES + 1];
extern struct lowfat_span lowfat_first_spans[LOWFAT_FIRST_SPANS][LOWFAT_CLASSES + 1];
void lowfat_classes_init(void);

static inline struct lowfat_span *lowfat_span_at(struct lowfat_class_central *cl, uint32_t number) {
    return number < LOWFAT_FIRST_SPANS ? &lowfat_first_spans[number][cl - lowfat_central] : &cl->spans[number];
}
static inline struct lowfat_span *lowfat_span_of(struct lowfat_class_central *cl, slot_t slot) {
    return lowfat_span_at(cl, (uint32_t)((slot - cl->first) >> cl->shift));
}
/* FREE slots of a span that have been counted.  Another thread makes a slot FREE before it counts it, and the owner may
 * take it in between: then the sum is below zero for a moment. */
static inline uint32_t lowfat_span_free(struct lowfat_span *span) {
    uint32_t sum = atomic_load_explicit(&span->local, memory_order_relaxed) +
                   atomic_load_explicit(&span->remote, memory_order_seq_cst);
    return (int32_t)sum < 0 ? 0 : sum;
}

static inline bool lowfat_span_is_own(struct lowfat_span *span, struct lowfat_tcache *tc) {
    return atomic_load_explicit(&span->queue, memory_order_acquire) == LOWFAT_ACTIVE &&
           atomic_load_explicit(&span->owner, memory_order_relaxed) == tc;
}
/* Sees to a span that waits for an owner, and whose last slot has just become FREE. */
void lowfat_span_settle(struct lowfat_class_central *cl, struct lowfat_span *span);
/* Notes that `count` slots of a span that is not the caller's became FREE; true when it is the caller's to pass on. */
static inline bool lowfat_span_freed(struct lowfat_class_central *cl, struct lowfat_span *span, uint32_t count) {
    uint32_t free_slots = atomic_fetch_add_explicit(&span->remote, count, memory_order_seq_cst) + count +
                          atomic_load_explicit(&span->local, memory_order_relaxed);
    uint8_t queue = atomic_load_explicit(&span->queue, memory_order_seq_cst);
    if (queue != LOWFAT_FULL) {
        if (UNLIKELY(free_slots == __atomic_load_n(&span->fresh, __ATOMIC_RELAXED)) &&
            (queue == LOWFAT_CLAIMED || atomic_load_explicit(&span->owner, memory_order_seq_cst) == NULL))
            lowfat_span_settle(cl, span);
        return false;
    }
    if (free_slots < cl->threshold)
        return false;
    uint8_t full = LOWFAT_FULL;
    return atomic_compare_exchange_strong(&span->queue, &full, LOWFAT_CLAIMED);
}
void lowfat_span_pass_on(struct lowfat_class_central *cl, struct lowfat_span *span);

/* ---- thread caches ------------------------------------------------------------------------- */

extern uint64_t lowfat_dead_window[2 * LOWFAT_WINDOW];

struct lowfat_owned {
    struct lowfat_span *current;
    uint32_t cursor; /* slots of `current` below this have been looked at */
    uint32_t sweep;  /* of the cache, when its window was last filled or flushed */
    struct lowfat_span_list partial; /* those with freed slots first, then those with fresh ones only */
};

struct lowfat_stack {
    slot_t top, end, base;
};

struct lowfat_tcache {
    _Atomic uint32_t busy; /* the owner is on a slow path; see lowfat_enter */
    uint8_t tag;
    bool in_use;
    uint32_t id;
    struct lowfat_tcache *next;      /* registry */
    struct lowfat_tcache *next_free; /* dead caches */
    uint64_t **top;                  /* where this thread's tops are: its tls, or hard_top */
    uint32_t sweep, swept;           /* number and time of the last one: lowfat_tcache_sweep */
    struct lowfat_owned owned[LOWFAT_SMALL_CLASSES + 1];
    uint8_t away_count[LOWFAT_AWAY_CLASSES + 1];
    uint64_t windows[LOWFAT_WINDOWS_ENTRIES] __attribute__((aligned(LOWFAT_WINDOW * 8)));
    /* From here on what few threads need: pages that stay untouched. */
    /* Slots of other threads' spans that this thread freed (state AWAY), until there are enough to give back at once. */
    uint64_t away[LOWFAT_AWAY_CLASSES + 1][LOWFAT_AWAY_MAX];
    uint64_t *hard_top[LOWFAT_SMALL_CLASSES + 1]; /* used instead of the tls with hardening options */
    /* low-fat stacks */
    uint8_t *stack_record; /* class of each stack object, oldest first */
    size_t stack_depth;
    _Atomic uint64_t stack_bytes; /* of live stack objects; a figure for others */
    struct lowfat_stack stack[LOWFAT_SMALL_CLASSES + 1];
};

/* A thread's slow paths exclude only fork, so the two instructions of a lock that are slow are left to fork: it sets
 * `lowfat_forking`, makes every thread see that (membarrier), and waits until no cache is busy. */
extern _Atomic uint32_t lowfat_forking;
extern bool lowfat_fence_needed; /* the system has no membarrier */
void lowfat_wait_for_fork(struct lowfat_tcache *tc);
static inline void lowfat_enter(struct lowfat_tcache *tc) {
    atomic_store_explicit(&tc->busy, 1, memory_order_relaxed);
    if (UNLIKELY(lowfat_fence_needed))
        atomic_exchange_explicit(&tc->busy, 1, memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    if (UNLIKELY(atomic_load_explicit(&lowfat_forking, memory_order_acquire) != 0))
        lowfat_wait_for_fork(tc);
}
static inline void lowfat_leave(struct lowfat_tcache *tc) {
    atomic_store_explicit(&tc->busy, 0, memory_order_release);
}

static inline uint64_t *lowfat_window_bottom(struct lowfat_tcache *tc, unsigned c) {
    return tc->windows + lowfat_central[c].window_end - lowfat_central[c].window;
}
static inline bool lowfat_window_at_boundary(const uint64_t *top) {
    return ((uintptr_t)top & (LOWFAT_WINDOW * 8 - 1)) == 0;
}
static inline bool lowfat_window_full(struct lowfat_tcache *tc, unsigned c) {
    return tc->top[c] == tc->windows + lowfat_central[c].window_end;
}

/* The calling thread's cache, made when needed; null when memory is out or the thread is past its end. */
struct lowfat_tcache *lowfat_tcache_get(void);
/* Fills the window of class c; false when the class and memory are exhausted. */
bool lowfat_tcache_refill(struct lowfat_tcache *tc, unsigned c);
/* Gives back what the thread holds of classes it has not wanted for `age` milliseconds and more; it is on a slow path. */
void lowfat_tcache_sweep(struct lowfat_tcache *tc, uint32_t now, uint32_t age);
/* Moves the older part of a full window back to the spans. */
void lowfat_tcache_flush(struct lowfat_tcache *tc, unsigned c);
/* Gives back what this thread freed for other threads; reports what another thread has freed as well. */
void lowfat_tcache_send_away(struct lowfat_tcache *tc, unsigned c);
/* The report alone, for all classes. */
void lowfat_tcache_check_away(struct lowfat_tcache *tc);
/* Forgets what another thread has freed as well: writes those slots, returns how many. */
unsigned lowfat_tcache_keep_away(struct lowfat_tcache *tc, unsigned c, slot_t *lost);
/* Gives back one slot to its span from any thread; its state is FREE already. */
void lowfat_span_free_remote(struct lowfat_class_central *cl, slot_t slot);
void lowfat_tcache_init(void);
void lowfat_tcache_flush_all(struct lowfat_tcache *tc);
void lowfat_tcache_abandon(struct lowfat_tcache *tc);
void lowfat_tcache_bury(struct lowfat_tcache *tc);
extern lowfat_lock lowfat_registry_lock;
extern struct lowfat_tcache *lowfat_registry;
/* Called, if not null, when a thread has got a cache, before it has an object; without a lock. */
extern void (*lowfat_on_cache)(void);

/* ---- spans' central part (span.c) ----------------------------------------------------------- */

void lowfat_list_push(struct lowfat_span_list *list, struct lowfat_span *span);
void lowfat_list_append(struct lowfat_span_list *list, struct lowfat_span *span);
void lowfat_list_remove(struct lowfat_span_list *list, struct lowfat_span *span);
/* The class's list of free spans whose `dirty` bytes may be resident. */
void lowfat_empty_push(struct lowfat_class_central *cl, struct lowfat_span *span);
void lowfat_empty_remove(struct lowfat_class_central *cl, struct lowfat_span *span);
struct lowfat_span *lowfat_span_acquire(unsigned c, struct lowfat_tcache *tc);
/* `idle`: for how many milliseconds nobody has wanted it. */
void lowfat_span_release_empty(struct lowfat_span *span, uint32_t idle);
void lowfat_span_abandon(struct lowfat_span *span);
/* Leaves a span without free slots to whoever frees some.  False when somebody has: it is the owner's again. */
bool lowfat_span_leave(struct lowfat_class_central *cl, struct lowfat_span *span, struct lowfat_tcache *owner);
struct lowfat_span *lowfat_span_fresh(struct lowfat_class_central *cl, unsigned c);
/* Returns all resident free memory to the system; bytes given back. */
size_t lowfat_purge_all(void);
/* Returns what has been idle for a while, before `tc` touches new memory. */
void lowfat_purge_idle(struct lowfat_tcache *tc);
/* Returns what the policy does not want kept, now that `span` with so many resident bytes has become empty. */
void lowfat_purge_maybe(const struct lowfat_span *span, uint64_t dirty);
/* Returns what threads that ended have left, if it is much. */
void lowfat_purge_departed(void);
extern _Atomic uint64_t lowfat_warm_bytes, lowfat_used_bytes, lowfat_purges;
/* Called before a slow allocation, without a lock, while more than `lowfat_growth_limit` bytes are in use. */
extern _Atomic uint64_t lowfat_growth_limit;
extern void (*lowfat_on_growth)(void);

/* ---- arena (arena.c) ------------------------------------------------------------------------- */

extern _Atomic int lowfat_ready; /* 0 not started, 1 starting, 2 ready */
extern enum lowfat_mode lowfat_mode_;
extern bool lowfat_commit_needed; /* memory must be committed before use */
void lowfat_start(void);
static inline void lowfat_ensure(void) {
    if (UNLIKELY(atomic_load_explicit(&lowfat_ready, memory_order_acquire) != 2))
        lowfat_start();
}
/* Makes the next span of a class usable: its slots, state bytes and metadata. */
bool lowfat_arena_commit_span(struct lowfat_class_central *cl, unsigned c, uint32_t number);
/* Makes [from, from+length) of a large slot usable / gives it back wholly. */
bool lowfat_arena_commit_large(uintptr_t from, size_t length);
void lowfat_arena_decommit_large(uintptr_t from, size_t length);
void lowfat_map_set(uintptr_t address, uint64_t size, unsigned class_id, enum lowfat_kind kind, uint8_t *state);
void lowfat_map_clear(uintptr_t address);
uint64_t lowfat_random(void);

/* Stack regions, by class: slots [first, limit). */
struct lowfat_stack_region {
    slot_t first, limit;
    uint8_t *state;
};
extern struct lowfat_stack_region lowfat_stack_regions[LOWFAT_SMALL_CLASSES + 1];

/* ---- allocation ------------------------------------------------------------------------------ */

void *lowfat_malloc_slow(size_t size);
void lowfat_free_slow(void *ptr, const char *operation);
void *lowfat_alloc_class(unsigned c, size_t requested);
void *lowfat_large_alloc(unsigned c, size_t size, bool *zeroed);
void lowfat_large_free(unsigned c, slot_t slot, const char *operation);
bool lowfat_large_resize(unsigned c, slot_t slot, size_t size);
/* Brings the contents of a live object, `length` bytes, to a larger one that was made for them; it is then to be freed. */
void lowfat_large_move(unsigned c, slot_t slot, void *to, size_t length);
size_t lowfat_large_requested(unsigned c, slot_t slot);
void *lowfat_huge_alloc(size_t size, size_t alignment);
bool lowfat_huge_free(void *ptr);
size_t lowfat_huge_size(const void *ptr); /* requested bytes; 0 when unknown */
bool lowfat_huge_resize(void *ptr, size_t size);
uint64_t lowfat_huge_total(uint64_t *count);
int lowfat_huge_walk(lowfat_visitor *visit, void *context);
bool lowfat_huge_nth(uint64_t n, uintptr_t *base, size_t *bytes); /* of those that live; the lock is held; false: there are fewer */
extern lowfat_lock lowfat_huge_lock;
void *lowfat_out_of_memory(void);

/* ---- hardening (harden.c) -------------------------------------------------------------------- */

void *lowfat_harden_alloc(unsigned c, size_t requested);
void lowfat_harden_free(unsigned c, slot_t slot, void *ptr, const char *operation);
extern lowfat_lock lowfat_quarantine_lock;

/* ---- plain allocator (plain.c) ---------------------------------------------------------------- */

void *lowfat_plain_alloc(size_t size, size_t alignment);
void lowfat_plain_free(void *ptr, const char *operation);
size_t lowfat_plain_size(const void *ptr);
extern lowfat_lock lowfat_plain_lock;
void lowfat_plain_totals(uint64_t *objects, uint64_t *bytes);

/* ---- stack, globals, fork ---------------------------------------------------------------------- */

void lowfat_stack_thread_exit(struct lowfat_tcache *tc);
extern lowfat_lock lowfat_stack_lock;
extern _Atomic uint64_t lowfat_stack_chunk;
void lowfat_globals_init(void);
void lowfat_fork_init(void);
bool lowfat_this_thread_forks(void);

/* ---- options, reports, statistics --------------------------------------------------------------- */

#define LOWFAT_KEEP ((uint64_t)4 << 20) /* `keep`, unless set */
struct lowfat_options {
    bool exact, fill, randomise, guards, past_end, stats, hardened;
    uint64_t quarantine; /* bytes */
    uint64_t decay;      /* milliseconds before free memory is returned */
    uint64_t keep;       /* bytes of free memory kept resident whatever its age */
    int arena;           /* enum lowfat_mode to start at */
};
extern struct lowfat_options lowfat_options;
void lowfat_options_init(void);
/* Reads an environment variable's name=value pairs; what `set_option` refuses is reported and ignored. */
typedef bool lowfat_option_setter(const char *name, size_t name_length, const char *value, size_t length);
void lowfat_options_read(const char *variable, lowfat_option_setter *set_option);
/* A number, perhaps with one of the suffixes k, m, g. */
bool lowfat_option_number(const char *s, size_t length, uint64_t *value);
void lowfat_error_at(enum lowfat_error error, const char *operation, const volatile void *ptr);
void lowfat_stats_at_exit(void);

/* Formats text without allocating and writes it to a file descriptor. */
struct lowfat_text {
    int fd;
    size_t used;
    bool failed;
    char buffer[1024];
};
void lowfat_text_put(struct lowfat_text *text, const char *string);
void lowfat_text_number(struct lowfat_text *text, uint64_t value, int width);
void lowfat_text_hex(struct lowfat_text *text, uint64_t value);
void lowfat_text_flush(struct lowfat_text *text);

/* ---- operating system (os_linux.c) ------------------------------------------------------------- */

/* All return false / null on failure and leave errno to the caller. */
void *lowfat_os_map(size_t size);                         /* zeroed, readable and writable, anywhere */
void lowfat_os_unmap(void *address, size_t size);
bool lowfat_os_map_at(uintptr_t address, size_t size);    /* fails rather than replace a mapping */
bool lowfat_os_reserve_at(uintptr_t address, size_t size, bool writable);
uintptr_t lowfat_os_reserve(size_t size, bool writable);  /* anywhere; 0 on failure */
bool lowfat_os_commit(uintptr_t address, size_t size);    /* within a reservation */
bool lowfat_os_account(uintptr_t address, size_t size);   /* replaces by memory the system vouches for */
void lowfat_os_decommit(uintptr_t address, size_t size);
void lowfat_os_purge(uintptr_t address, size_t size);     /* contents become zero, memory is returned */
/* The pages replace those at `to`; where they were the memory is zero. On failure there may be nothing at `to`. */
bool lowfat_os_move(uintptr_t from, uintptr_t to, size_t size);
void lowfat_os_dump(uintptr_t address, size_t size, bool dump);
bool lowfat_os_guard(uintptr_t address, size_t size);
void lowfat_os_unguard(uintptr_t address, size_t size);
void lowfat_os_name(uintptr_t address, size_t size, const char *name);
uint32_t lowfat_os_milliseconds(void);
uint64_t lowfat_os_random(void);
void lowfat_os_write(int fd, const char *bytes, size_t count, bool *failed);
void lowfat_os_yield(void);
bool lowfat_os_simulated(void);                           /* does the program run under Valgrind? */
bool lowfat_os_barrier_register(void);                    /* false: the system has no membarrier */
void lowfat_os_barrier(void);                             /* every running thread of the process passes a full fence */

#pragma GCC visibility pop

/* The thread's block as the fast paths see it, named through its segment: no instruction goes into its address. (clang 14 loses
 * the segment of an assembler operand.) Moving `top` by one instruction in memory would be one less than loading, adding and
 * storing, but reads what the load before has read, and took programs of little else a twelfth longer.
 *
 * A cell is the place of a class's top. The map has its address in the thread's block for each region of small heap
 * objects, as a number that is the same for all threads; other regions have class 0's, whose tag no slot has. With one register
 * for an address, processors that rename memory see a call of free read what the one before wrote, and take no time between
 * them (else six cycles, where objects are of one size). */
#if defined(__x86_64__) && defined(__SEG_FS) && !defined(__clang__) && !defined(LOWFAT_TSAN)
typedef struct lowfat_tls __seg_fs lowfat_tls_here;
static inline lowfat_tls_here *lowfat_here(void) {
    uintptr_t offset;
    __asm__("movq lowfat_tls@gottpoff(%%rip), %0" : "=r"(offset));
    return (lowfat_tls_here *)offset;
}
typedef uint64_t *__seg_fs lowfat_cell;
static inline int32_t lowfat_cell_number(unsigned c) { return (int32_t)((uintptr_t)lowfat_here() + c * sizeof(lowfat_cell)); }
static inline lowfat_cell *lowfat_cell_numbered(int32_t number) { return (lowfat_cell *)(intptr_t)number; }
#define LOWFAT_CELL_TAG(cell) (*(uint8_t __seg_fs *)((uintptr_t)(cell) + LOWFAT_TAG_OFFSET))
#else
typedef struct lowfat_tls lowfat_tls_here;
static inline lowfat_tls_here *lowfat_here(void) { return &lowfat_tls; }
typedef uint64_t *lowfat_cell;
static inline int32_t lowfat_cell_number(unsigned c) { return (int32_t)c; }
static inline lowfat_cell *lowfat_cell_numbered(int32_t number) { return &lowfat_tls.top[number]; }
#define LOWFAT_CELL_TAG(cell) (*(uint8_t *)((uintptr_t)(cell) + LOWFAT_TAG_OFFSET))
#endif
#define LOWFAT_TAG_OFFSET offsetof(struct lowfat_tls, tag_of) /* from a cell to its tag's lowest byte */
_Static_assert(offsetof(struct lowfat_tls, top) == 0 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "see LOWFAT_TAG_OFFSET");

/* Slot number of an address and whether it is the base of its slot, with the reciprocal in memory: two instructions,
 * which compilers do not find because they load the reciprocal first.  See classes.c for why this is exact. */
static inline bool lowfat_slot_and_base(uintptr_t address, const uint64_t *magic, slot_t *slot) {
#if defined(__x86_64__) && !defined(LOWFAT_TSAN)
    bool below;
    __asm__("mulq %[magic]\n\tcmpq %[magic], %%rax"
            : "=&d"(*slot), "+&a"(address), "=@ccb"(below)
            : [magic] "m"(*magic));
    return below;
#else
    lowfat_u128_ product = (lowfat_u128_)address * *magic;
    *slot = (slot_t)(product >> 64);
    return (uint64_t)product < *magic;
#endif
}

static inline uintptr_t lowfat_round_up(uintptr_t value, uintptr_t unit) { return (value + unit - 1) & ~(unit - 1); }
static inline uintptr_t lowfat_round_down(uintptr_t value, uintptr_t unit) { return value & ~(unit - 1); }

#endif

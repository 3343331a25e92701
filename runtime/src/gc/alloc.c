/* alloc.c - allocation of traced objects up to 128 KiB: the fast path, and how a thread gets its runs. */
#ifndef CYC_HEAP_LIBC
#include "gc.h"

#include <errno.h>
#include <string.h>

_Thread_local struct cyc_gc_thread cyc_gc_self __attribute__((tls_model("initial-exec")));

/* ---- runs ---- */

/* The lowest `most` of these slots. */
static inline uint64_t lowest(uint64_t slots, unsigned most) {
    uint64_t rest = slots;
    if (LIKELY(most == 64))
        return slots;
    for (; most > 0; most--)
        rest &= rest - 1;
    return slots & ~rest;
}

/* Free slots of the first word in [*at, end) that has any, up to `most` of them: the word's first index, alloc bits set; 0 when
 * there are none.  Slots that are free stay so: only the owner of the block, the caller, takes any. */
static inline uint64_t find_run(struct cyc_gc_space *s, uint64_t *at, uint64_t end, unsigned most, uint64_t *first) {
    for (uint64_t i = *at; i < end; i = (i | 63) + 1) {
        struct cyc_gc_bits *bits = &s->bits[i / 64];
        uint64_t free_now = ~__atomic_load_n(&bits->alloc, __ATOMIC_RELAXED), free_slots = free_now & (~0ull << (i % 64));
        if (free_slots == 0)
            continue;
        uint64_t taken = lowest(free_slots, most);
        /* A thread that is registered meanwhile has no run in this block before the next collection. */
        if (LIKELY(__atomic_load_n(&cyc_gc.alone, __ATOMIC_RELAXED)))
            __atomic_store_n(&bits->alloc, ~free_now | taken, __ATOMIC_RELAXED);
        else
            __atomic_fetch_or(&bits->alloc, taken, __ATOMIC_RELAXED);
        *first = i & ~63ull;
        *at = taken == free_slots ? *first + 64 : *first + (unsigned)__builtin_ctzll(free_slots & ~taken);
        return taken;
    }
    *at = end;
    return 0;
}

static bool is_zero(uintptr_t from, uintptr_t to) {
    for (; from < to; from += sizeof(uint64_t))
        if (*(const uint64_t *)from != 0)
            return false;
    return true;
}

/* [from, to) becomes part of a run. */
static inline void prepare(struct cyc_gc_space *s, uintptr_t from, uintptr_t to, bool zero) {
    CYC_GC_FORGET_ACCESSES(from, to - from);
    if (zero)
        memset((void *)from, 0, to - from);
    else if (s->kind == CYC_GC_ATOMIC && UNLIKELY(__atomic_load_n(&cyc_gc.freed_by_hand, __ATOMIC_RELAXED)))
        for (uintptr_t at = from; at < to; at += s->size) /* no stamps of former objects */
            *(struct cyc_gc_freed *)at = (struct cyc_gc_freed){0};
    INVARIANT(3, s->kind == CYC_GC_ATOMIC || is_zero(from, to));
}

/* An object this thread freed is a run by itself. */
COLD static void reuse(struct cyc_gc_own *own, struct cyc_gc_space *s, struct cyc_gc_run *run) {
    struct cyc_gc_freed *object = own->freed;
    slot_t slot = (slot_t)(((lowfat_u128_)(uintptr_t)object * s->magic) >> 64);
    unsigned at = (unsigned)((slot - s->first) % 64);
    own->freed = (struct cyc_gc_freed *)~object->next;
    *object = (struct cyc_gc_freed){0};
    *run = (struct cyc_gc_run){slot - at, 1ull << at};
}

/* Gives the thread a run from what it freed or owns.  The thread is busy. */
static inline __attribute__((always_inline)) bool refill(struct cyc_gc_thread *t, unsigned kind, unsigned c) {
    struct cyc_gc_own *own = &t->own[kind][c];
    struct cyc_gc_space *s = cyc_gc_space_of(kind, c);
    struct cyc_gc_run *run = &t->run[kind][c];
    if (UNLIKELY(own->freed != NULL)) {
        reuse(own, s, run);
        t->allocated += (int64_t)s->size;
        return true;
    }
    if (own->at == own->end) /* nor has anybody else to have opened the space */
        return false;
    uint64_t first, taken = find_run(s, &own->at, own->end, cyc_gc.option[LOWFAT_GC_EVERY] ? 1 : s->run_slots, &first);
    if (taken == 0)
        return false;
    uint64_t bytes = 0;
    for (uint64_t rest = taken, last; rest != 0; rest &= last) { /* stretches */
        unsigned from = (unsigned)__builtin_ctzll(rest);
        uint64_t beyond = ~rest & ~0ull << from;
        unsigned to = beyond ? (unsigned)__builtin_ctzll(beyond) : 64;
        last = to == 64 ? 0 : ~0ull << to;
        bytes += (to - from) * s->size;
        prepare(s, cyc_gc_address(s, first + from), cyc_gc_address(s, first + to), kind != CYC_GC_ATOMIC && !own->clean);
    }
    INVARIANT(2, (__atomic_load_n(&s->bits[first / 64].alloc, __ATOMIC_RELAXED) & taken) == taken);
    *run = (struct cyc_gc_run){s->first + first, taken};
    t->allocated += (int64_t)bytes;
    return true;
}

/* The first object of a run that has one.  It is in a register before it leaves the run: a collection that comes in between
 * finds it. */
static inline uintptr_t take(struct cyc_gc_run *run, unsigned c) {
    uint64_t rest = run->free;
    uintptr_t object = (run->first + (unsigned)__builtin_ctzll(rest)) * lowfat_fast.size[c];
    rest &= rest - 1;
    __asm__ volatile("" : "+r"(object), "+r"(rest));
    run->free = rest;
    return object;
}

/* A block of the space for the thread to own: one another thread left, the next with free slots, or a new one.  The lock is
 * held.  Blocks with hardly a free slot are passed over until the next collection. */
static bool take_block(struct cyc_gc_thread *t, unsigned kind, unsigned c) {
    struct cyc_gc_space *s = cyc_gc_space_of(kind, c);
    struct cyc_gc_own *own = &t->own[kind][c];
    INVARIANT(1, cyc_gc.lock.word != 0 && t->busy == 0);
    if (UNLIKELY(s->limit == 0))
        cyc_gc_open(kind, c);
    uint64_t slots = 1ull << s->shift;
    uint32_t used = (uint32_t)(s->count >> s->shift), number;
    uint64_t from = 0;
    cyc_gc_leave_block(s, own);
    if (s->partial != 0) {
        number = s->partial - 1;
        s->partial = cyc_gc_block_at(s, number)->next;
        from = cyc_gc_block_at(s, number)->from;
    } else {
        for (; s->cursor < used; s->cursor++)
            if (cyc_gc_sweep_block(s, s->cursor) * 32 >= slots)
                break;
        number = s->cursor;
        if (number == used) {
            if (!cyc_gc_grow(s, s->count + slots))
                return false;
            *cyc_gc_block_at(s, number) = (struct cyc_gc_block){.epoch = cyc_gc.epoch, .clean = true};
            atomic_store_explicit(&s->count, s->count + slots, memory_order_relaxed);
            cyc_gc.stats.heap_bytes += s->size << s->shift;
        }
        s->cursor++;
    }
    struct cyc_gc_block *block = cyc_gc_block_at(s, number);
    own->at = ((uint64_t)number << s->shift) + from;
    own->end = ((uint64_t)number + 1) << s->shift;
    own->clean = block->clean;
    block->clean = block->purged = block->idle = false;
    return true;
}

void cyc_gc_alloc_abandon(struct cyc_gc_thread *t) {
    for (unsigned kind = 0; kind < CYC_GC_KINDS; kind++)
        for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++) {
            struct cyc_gc_own *own = &t->own[kind][c];
            struct cyc_gc_run *run = &t->run[kind][c];
            struct cyc_gc_space *s = cyc_gc_space_of(kind, c);
            if (run->free != 0)
                __atomic_fetch_and(&s->bits[(run->first - s->first) / 64].alloc, ~run->free, __ATOMIC_RELAXED);
            cyc_gc_leave_block(s, own);
            if (own->at < own->end) {
                uint32_t number = (uint32_t)(own->at >> s->shift);
                struct cyc_gc_block *block = cyc_gc_block_at(s, number);
                block->from = (uint32_t)(own->at - ((uint64_t)number << s->shift));
                block->clean = own->clean;
                block->next = s->partial;
                s->partial = number + 1;
            }
            *own = (struct cyc_gc_own){0};
            *run = (struct cyc_gc_run){0};
        }
    atomic_fetch_add_explicit(&cyc_gc.since, t->allocated, memory_order_relaxed);
    t->allocated = 0;
}

/* ---- when to collect ---- */

static bool over_limit(int64_t bytes) {
    uint64_t limit = cyc_gc.option[LOWFAT_GC_LIMIT];
    return limit != 0 && (int64_t)cyc_gc.stats.live_bytes + cyc_gc.since + bytes > (int64_t)limit;
}

bool cyc_gc_account(int64_t bytes) {
    int64_t since = atomic_load_explicit(&cyc_gc.since, memory_order_relaxed) + bytes;
    bool room = true;
    if (UNLIKELY(since > __atomic_load_n(&cyc_gc.trigger, __ATOMIC_RELAXED))) {
        lowfat_acquire(&cyc_gc.lock);
        if (cyc_gc.since + bytes > cyc_gc.trigger && cyc_gc.disabled == 0)
            cyc_gc_collect(&cyc_gc_self);
        room = !over_limit(bytes);
        lowfat_release(&cyc_gc.lock);
    }
    if (room)
        atomic_fetch_add_explicit(&cyc_gc.since, bytes, memory_order_relaxed);
    return room;
}

/* Option every: collects at each N-th allocation.  False when the limit forbids so many bytes more. */
COLD static bool tick(size_t size) {
    lowfat_acquire(&cyc_gc.lock);
    if (++cyc_gc.ticks >= cyc_gc.option[LOWFAT_GC_EVERY] && cyc_gc.disabled == 0) {
        cyc_gc.ticks = 0;
        cyc_gc_collect(&cyc_gc_self);
    }
    bool room = size <= INT64_MAX && !over_limit((int64_t)size);
    lowfat_release(&cyc_gc.lock);
    return room;
}

/* ---- the slow path ---- */

static bool new_run(struct cyc_gc_thread *t, unsigned kind, unsigned c) {
    for (;;) {
        if (UNLIKELY(t->allocated + (int64_t)lowfat_fast.size[c] > __atomic_load_n(&cyc_gc.quantum, __ATOMIC_RELAXED))) {
            int64_t bytes = t->allocated;
            t->allocated = 0;
            if (!cyc_gc_account(bytes)) {
                t->allocated = bytes;
                return false;
            }
        }
        cyc_gc_enter(t);
        bool done = refill(t, kind, c);
        cyc_gc_leave(t);
        if (LIKELY(done))
            return true;
        lowfat_acquire(&cyc_gc.lock);
        if (cyc_gc.since > cyc_gc.trigger && cyc_gc.disabled == 0) /* threads that end before they tell */
            cyc_gc_collect(t);
        done = take_block(t, kind, c);
        if (!done && cyc_gc.disabled == 0) {
            cyc_gc_collect(t);
            done = take_block(t, kind, c);
        }
        lowfat_release(&cyc_gc.lock);
        if (!done)
            return false;
    }
}

/* Where there are no regions. */
static void *plain_alloc(size_t size, unsigned kind) {
    return kind == CYC_GC_ATOMIC ? lowfat_malloc(size) : lowfat_calloc(1, size);
}

/* Class of a size up to LOWFAT_TABLE_MAX: the table is indexed by the size and the byte behind it, in units of 16. */
static inline unsigned table_class(size_t size) { return lowfat_fast.class_of_16[(size + 15 + cyc_gc.past_end) >> 4]; }

NOINLINE static void *alloc_slowly(size_t size, unsigned kind) {
    int saved = errno;
    cyc_gc_start();
    if (UNLIKELY(!cyc_gc.ready))
        return plain_alloc(size, kind);
    struct cyc_gc_thread *t = cyc_gc_thread_here();
    if (UNLIKELY(t == NULL))
        return NULL;
    if (UNLIKELY(cyc_gc.option[LOWFAT_GC_EVERY] != 0) && !tick(size))
        return lowfat_out_of_memory();
    if (UNLIKELY(size > LOWFAT_SMALL_MAX - cyc_gc.past_end))
        return cyc_gc_large_alloc(0, size, kind, 1);
    unsigned c = size <= LOWFAT_TABLE_MAX ? table_class(size) : lowfat_class_of_size(size + cyc_gc.past_end);
    struct cyc_gc_run *run = &t->run[kind][c];
    if (run->free == 0 && !new_run(t, kind, c))
        return lowfat_out_of_memory();
    errno = saved;
    return (void *)take(run, c);
}

/* Between the fast path and the slow one: the next run of the block that the thread owns anyway should cost little.  A
 * registered thread finds the heap started. */
NOINLINE void *cyc_gc_alloc(size_t size, unsigned kind) {
    struct cyc_gc_thread *t = &cyc_gc_self;
    if (LIKELY(size <= LOWFAT_TABLE_MAX && __atomic_load_n(&t->registered, __ATOMIC_ACQUIRE) && cyc_gc.option[LOWFAT_GC_EVERY] == 0)) {
        unsigned c = table_class(size);
        struct cyc_gc_run *run = &t->run[kind][c];
        int64_t bytes = t->allocated + (int64_t)lowfat_fast.size[c];
        if (LIKELY(run->free == 0 && bytes <= __atomic_load_n(&cyc_gc.quantum, __ATOMIC_RELAXED))) {
            cyc_gc_enter(t);
            bool done = refill(t, kind, c);
            cyc_gc_leave(t);
            if (LIKELY(done))
                return (void *)take(run, c);
        }
    }
    return alloc_slowly(size, kind);
}

/* ---- the interface ---- */

/* A thread that is not registered has empty runs. */
static inline void *fast(size_t size, unsigned kind) {
    if (LIKELY(size <= LOWFAT_TABLE_MAX)) {
        unsigned c = table_class(size);
        struct cyc_gc_run *run = &cyc_gc_self.run[kind][c];
        if (LIKELY(run->free != 0))
            return (void *)take(run, c);
    }
    return cyc_gc_alloc(size, kind);
}

LOWFAT_API void *lowfat_gc_malloc(size_t size) LOWFAT_NOEXCEPT_ { return fast(size, CYC_GC_SCANNED); }

LOWFAT_API void *lowfat_gc_malloc_atomic(size_t size) LOWFAT_NOEXCEPT_ { return fast(size, CYC_GC_ATOMIC); }

LOWFAT_API void *lowfat_gc_calloc(size_t count, size_t size) LOWFAT_NOEXCEPT_ {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return lowfat_out_of_memory();
    return fast(total, CYC_GC_SCANNED);
}

COLD static void *malloc_layout(size_t size, struct lowfat_gc_layout *layout) {
    cyc_gc_start();
    uint32_t id = cyc_gc_layout_id(layout);
    if (UNLIKELY(id == 0))
        return cyc_gc.ready ? lowfat_out_of_memory() : plain_alloc(size, CYC_GC_LAYOUT);
    void *object = fast(size, CYC_GC_LAYOUT);
    struct cyc_gc_space *s;
    uint64_t index;
    if (LIKELY(object != NULL && cyc_gc_find((uintptr_t)object, &s, &index)) && s->kind == CYC_GC_LAYOUT)
        cyc_gc_set_layout(s, index, id);
    return object;
}

NOINLINE static void *with_layout(uintptr_t object, struct cyc_gc_space *s, uint32_t id) {
    cyc_gc_set_layout(s, (uint64_t)(((lowfat_u128_)object * s->magic) >> 64) - s->first, id);
    return (void *)object;
}

LOWFAT_API void *lowfat_gc_malloc_layout(size_t size, struct lowfat_gc_layout *layout) LOWFAT_NOEXCEPT_ {
    uint32_t id = __atomic_load_n(&layout->id, __ATOMIC_ACQUIRE);
    if (LIKELY(size <= LOWFAT_TABLE_MAX && id != 0)) {
        unsigned c = table_class(size);
        struct cyc_gc_run *run = &cyc_gc_self.run[CYC_GC_LAYOUT][c];
        uintptr_t object;
        if (LIKELY(run->free != 0)) {
            object = take(run, c);
        } else {
            object = (uintptr_t)cyc_gc_alloc(size, CYC_GC_LAYOUT);
            if (UNLIKELY(object == 0 || !cyc_gc.ready))
                return (void *)object;
        }
        struct cyc_gc_space *s = cyc_gc_space_of(CYC_GC_LAYOUT, c);
        return LIKELY(cyc_gc_layout_is_common(s, id)) ? (void *)object : with_layout(object, s, id);
    }
    return malloc_layout(size, layout);
}

static char *duplicate(const char *s, size_t length) {
    char *copy = lowfat_gc_malloc_atomic(length + 1);
    if (copy) {
        memcpy(copy, s, length);
        copy[length] = '\0';
    }
    return copy;
}
LOWFAT_API char *lowfat_gc_strdup(const char *s) LOWFAT_NOEXCEPT_ { return duplicate(s, strlen(s)); }
LOWFAT_API char *lowfat_gc_strndup(const char *s, size_t n) LOWFAT_NOEXCEPT_ { return duplicate(s, strnlen(s, n)); }

/* A class serves the alignments that divide its size; an aligned object fills a run of its own class. */
LOWFAT_API void *lowfat_gc_aligned_alloc(size_t alignment, size_t size) LOWFAT_NOEXCEPT_ {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    cyc_gc_start();
    if (alignment <= 16)
        return fast(size, CYC_GC_SCANNED);
    if (!cyc_gc.ready)
        return lowfat_out_of_memory();
    if (size <= LOWFAT_SMALL_MAX - cyc_gc.past_end)
        for (unsigned c = lowfat_class_of_size(size + cyc_gc.past_end); c <= LOWFAT_SMALL_CLASSES; c++)
            if (lowfat_fast.size[c] % alignment == 0)
                return cyc_gc_alloc(lowfat_fast.size[c] - cyc_gc.past_end, CYC_GC_SCANNED);
    return cyc_gc_thread_here() ? cyc_gc_large_alloc(0, size, CYC_GC_SCANNED, alignment) : NULL;
}

/* ---- giving back, changing sizes ---- */

/* The live object whose base is `ptr`; else the misuse is reported. */
static bool check_base(void *ptr, const char *operation, struct cyc_gc_space **s, uint64_t *index) {
    bool found = cyc_gc_find((uintptr_t)ptr, s, index) && (*s)->kind < CYC_GC_KINDS;
    enum lowfat_error error = LOWFAT_ERROR_FOREIGN_FREE;
    if (found) {
        if (!lowfat_is_base(ptr))
            error = LOWFAT_ERROR_INTERIOR_FREE;
        else if (lowfat_gc_is_live(ptr))
            return true;
        else
            error = LOWFAT_ERROR_DOUBLE_FREE;
    }
    lowfat_error_at(error, operation, ptr);
    return false;
}

/* A freed slot stays the freeing thread's, its alloc bit set, until that thread uses it again or a collection finds it
 * unreachable: the block around it may be another thread's.  The exchange settles which of two threads that free the same object is the
 * second: then nothing happens. */
static void free_checked(void *ptr, struct cyc_gc_space *s, uint64_t index, const char *operation) {
    struct cyc_gc_thread *t = cyc_gc_thread_here();
    if (t == NULL)
        return;
    if (cyc_gc_large(s)) {
        cyc_gc_large_free(s, index);
        return;
    }
    struct cyc_gc_freed *object = ptr;
    bool poison = cyc_gc.option[LOWFAT_GC_POISON] != 0;
    uintptr_t stamp = cyc_gc_freed_stamp(object);
    __atomic_store_n(&cyc_gc.freed_by_hand, true, __ATOMIC_RELAXED);
    cyc_gc_enter(t);
    bool first = __atomic_exchange_n(&object->stamp, stamp, __ATOMIC_RELAXED) != stamp;
    if (first) {
        struct cyc_gc_own *own = &t->own[s->kind][s->class_id];
        memset(object + 1, poison ? 0xdb : 0, s->size - sizeof *object);
        t->allocated -= (int64_t)s->size;
        object->next = ~(uintptr_t)own->freed;
        if (!poison)
            own->freed = object;
    }
    cyc_gc_leave(t);
    if (!first)
        lowfat_error_at(LOWFAT_ERROR_DOUBLE_FREE, operation, ptr);
}

LOWFAT_API void lowfat_gc_free(void *ptr) LOWFAT_NOEXCEPT_ {
    struct cyc_gc_space *s;
    uint64_t index;
    if (ptr == NULL)
        return;
    cyc_gc_start();
    if (!cyc_gc.ready)
        lowfat_free(ptr);
    else if (check_base(ptr, "lowfat_gc_free", &s, &index))
        free_checked(ptr, s, index, "lowfat_gc_free");
}

static void *allocate_like(struct cyc_gc_space *s, uint64_t index, size_t size) {
    if (s->kind == CYC_GC_LAYOUT)
        return lowfat_gc_malloc_layout(size, cyc_gc.layouts[cyc_gc_layout_of(s, index)]);
    return fast(size, s->kind);
}

LOWFAT_API void *lowfat_gc_realloc(void *ptr, size_t size) LOWFAT_NOEXCEPT_ {
    struct cyc_gc_space *s;
    uint64_t index;
    if (ptr == NULL)
        return lowfat_gc_malloc(size);
    if (size == 0) {
        lowfat_gc_free(ptr);
        return NULL;
    }
    cyc_gc_start();
    if (!cyc_gc.ready)
        return lowfat_realloc(ptr, size);
    if (size > PTRDIFF_MAX || !check_base(ptr, "lowfat_gc_realloc", &s, &index))
        return size > PTRDIFF_MAX ? lowfat_out_of_memory() : NULL;
    size_t old = s->size - cyc_gc.past_end;
    if (cyc_gc_large(s)) {
        old = s->requested[index];
        if (cyc_gc_large_resize(s, index, size))
            return ptr;
    } else if (size <= old && size >= old / 2) {
        if (s->kind != CYC_GC_ATOMIC) /* what a later, larger size brings back must be zero */
            memset((char *)ptr + size, 0, s->size - size);
        return ptr;
    }
    void *fresh = allocate_like(s, index, size);
    if (fresh == NULL)
        return NULL;
    memcpy(fresh, ptr, old < size ? old : size);
    free_checked(ptr, s, index, "lowfat_gc_realloc");
    return fresh;
}

LOWFAT_API int lowfat_gc_is_live(const volatile void *ptr) LOWFAT_NOEXCEPT_ {
    struct cyc_gc_space *s;
    uint64_t index;
    if (!cyc_gc_find((uintptr_t)ptr, &s, &index) || s->kind >= CYC_GC_KINDS)
        return 0;
    struct cyc_gc_bits *bits = &s->bits[index / 64];
    uint64_t bit = 1ull << (index % 64);
    if (cyc_gc_large(s))
        return (__atomic_load_n(&bits->alloc, __ATOMIC_RELAXED) & bit) != 0;
    /* Another thread may sweep the block meanwhile. */
    uint32_t *epoch = &cyc_gc_block_at(s, index >> s->shift)->epoch, before;
    const struct cyc_gc_freed *object = (const void *)cyc_gc_address(s, index);
    do {
        before = __atomic_load_n(epoch, __ATOMIC_ACQUIRE);
        if ((__atomic_load_n(&bits->alloc, __ATOMIC_RELAXED) & bit) == 0)
            return 0;
        if (before == __atomic_load_n(&cyc_gc.epoch, __ATOMIC_RELAXED) ||
            (__atomic_load_n(&bits->mark, __ATOMIC_ACQUIRE) & bit) != 0)
            return __atomic_load_n(&object->stamp, __ATOMIC_RELAXED) != cyc_gc_freed_stamp(object);
    } while (before == CYC_GC_SWEEPING || before != __atomic_load_n(epoch, __ATOMIC_RELAXED));
    return 0;
}
#endif

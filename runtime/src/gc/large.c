/* large.c - traced objects above 128 KiB: slots of a power of two whose tail beyond the request is never touched.  All of
 * it under the lock; memory is committed for each object and returned with it, so it is zero when it comes. */
#ifndef CYC_HEAP_LIBC
#include "gc.h"

/* A free slot's index; the lock is held. */
static bool find_slot(struct cyc_gc_space *s, uint64_t *index) {
    for (uint64_t i = s->cursor; i < s->count; i = (i | 63) + 1) {
        uint64_t free_slots = ~s->bits[i / 64].alloc & (~0ull << (i % 64));
        *index = (i & ~63ull) + (unsigned)(free_slots ? __builtin_ctzll(free_slots) : 64);
        if (free_slots != 0 && *index < s->count)
            return true;
    }
    if (!cyc_gc_grow(s, s->count + 1))
        return false;
    *index = atomic_fetch_add_explicit(&s->count, 1, memory_order_relaxed);
    return true;
}

static uint64_t length_of(size_t size) { return lowfat_round_up(size == 0 ? 1 : size, LOWFAT_PAGE); }

static void *take(unsigned kind, unsigned c, size_t size) {
    struct cyc_gc_space *s = cyc_gc_space_of(kind, c);
    uint64_t index, length = length_of(size);
    void *object = NULL;
    lowfat_acquire(&cyc_gc.lock);
    if (s->limit == 0)
        cyc_gc_open(kind, c);
    if (find_slot(s, &index) && lowfat_arena_commit_large(cyc_gc_address(s, index), length)) {
        object = (void *)cyc_gc_address(s, index);
        CYC_GC_FORGET_ACCESSES((uintptr_t)object, length);
        s->requested[index] = size;
        if (s->layout)
            s->layout[index] = 0;
        __atomic_fetch_or(&s->bits[index / 64].alloc, 1ull << (index % 64), __ATOMIC_RELAXED);
        s->cursor = (uint32_t)index;
        cyc_gc.stats.heap_bytes += length;
    }
    lowfat_release(&cyc_gc.lock);
    return object;
}

/* `c` is 0: by size. */
void *cyc_gc_large_alloc(unsigned c, size_t size, unsigned kind, size_t alignment) {
    if (size > lowfat_class_size(LOWFAT_CLASSES) - 1 || alignment > lowfat_class_size(LOWFAT_CLASSES))
        return lowfat_out_of_memory();
    if (!cyc_gc_account((int64_t)length_of(size)))
        return lowfat_out_of_memory();
    if (c == 0)
        c = lowfat_class_of_size(size + cyc_gc.past_end);
    if (c <= LOWFAT_SMALL_CLASSES)
        c = LOWFAT_SMALL_CLASSES + 1;
    for (; c <= LOWFAT_CLASSES; c++) {
        void *object = lowfat_class_size(c) <= CYC_GC_LARGEST && lowfat_class_size(c) % alignment == 0 ? take(kind, c, size) : NULL;
        if (object)
            return object;
    }
    atomic_fetch_sub_explicit(&cyc_gc.since, (int64_t)length_of(size), memory_order_relaxed);
    return lowfat_out_of_memory();
}

void cyc_gc_large_free(struct cyc_gc_space *s, uint64_t index) {
    uint64_t bit = 1ull << (index % 64), length = length_of(s->requested[index]);
    lowfat_acquire(&cyc_gc.lock);
    if (__atomic_fetch_and(&s->bits[index / 64].alloc, ~bit, __ATOMIC_RELAXED) & bit) {
        lowfat_arena_decommit_large(cyc_gc_address(s, index), length);
        cyc_gc.stats.heap_bytes -= length;
        atomic_fetch_sub_explicit(&cyc_gc.since, (int64_t)length, memory_order_relaxed);
        if (index < s->cursor)
            s->cursor = (uint32_t)index;
    }
    lowfat_release(&cyc_gc.lock);
}

/* Changes the size in place; the caller knows the object to be live.  What shrinking frees is returned, so growing finds
 * zeros there, except in the last page kept. */
bool cyc_gc_large_resize(struct cyc_gc_space *s, uint64_t index, size_t size) {
    if (size + cyc_gc.past_end > s->size || size <= s->size / 4)
        return false;
    uint64_t before = s->requested[index], old = length_of(before), length = length_of(size);
    uintptr_t base = cyc_gc_address(s, index);
    if (length > old && !cyc_gc_account((int64_t)(length - old)))
        return false;
    lowfat_acquire(&cyc_gc.lock);
    bool done = length <= old || lowfat_arena_commit_large(base + old, length - old);
    if (done) {
        if (length < old)
            lowfat_arena_decommit_large(base + length, old - length);
        if (size < before)
            __builtin_memset((void *)(base + size), 0, (before < length ? before : length) - size);
        s->requested[index] = size;
        cyc_gc.stats.heap_bytes += length - old;
    }
    lowfat_release(&cyc_gc.lock);
    return done;
}
#endif

/* sweep.c - from mark bits to free slots, 64 at a time, and idle memory back to the system. */
#ifndef CYC_HEAP_LIBC
#include "gc.h"

#include <string.h>

#define PURGE_BYTES ((uintptr_t)32 * 1024) /* stretches of free slots from here on are returned */

/* Option poison: what was freed becomes a pattern that is no pointer. */
COLD static void poison(struct cyc_gc_space *s, uint64_t index, uint64_t dead) {
    for (; dead != 0; dead &= dead - 1) {
        uintptr_t object = cyc_gc_address(s, index + (unsigned)__builtin_ctzll(dead));
        CYC_GC_FORGET_ACCESSES(object, s->size);
        memset((void *)object, 0xdb, s->size);
    }
}

/* Sweeps the block unless that is done.  Its owner, if it has one, has only runs in it, which are marked. */
uint32_t cyc_gc_sweep_block(struct cyc_gc_space *s, uint32_t number) {
    struct cyc_gc_block *block = cyc_gc_block_at(s, number);
    uint64_t first = (uint64_t)number << s->shift, end = first + (1ull << s->shift);
    uint32_t used = 0;
    bool swept = block->epoch == cyc_gc.epoch;
    INVARIANT(1, cyc_gc.lock.word != 0);
    if (!swept)
        __atomic_exchange_n(&block->epoch, CYC_GC_SWEEPING, __ATOMIC_SEQ_CST);
    for (uint64_t i = first; i < end; i += 64) {
        struct cyc_gc_bits *bits = &s->bits[i / 64];
        uint64_t alloc = __atomic_load_n(&bits->alloc, __ATOMIC_RELAXED);
        INVARIANT(2, !swept || bits->mark == 0);
        if (!swept) {
            uint64_t before = alloc;
            if ((alloc & ~bits->mark) != 0)
                before = __atomic_fetch_and(&bits->alloc, bits->mark, __ATOMIC_RELAXED);
            alloc = before & bits->mark;
            if (UNLIKELY(cyc_gc.option[LOWFAT_GC_POISON] != 0 && s->kind < CYC_GC_KINDS))
                poison(s, i, before & ~bits->mark);
            if (bits->mark != 0)
                __atomic_store_n(&bits->mark, 0, __ATOMIC_RELAXED);
        }
        if (alloc != 0)
            used += (unsigned)__builtin_popcountll(alloc);
    }
    if (!swept)
        __atomic_store_n(&block->epoch, cyc_gc.epoch, __ATOMIC_RELEASE);
    return (uint32_t)(end - first) - used;
}

/* ---- returning memory ---- */

/* Returns the whole pages of slots [from, to), which are free and nobody's, if they are `least` bytes. */
static size_t purge_slots(struct cyc_gc_space *s, uint64_t from, uint64_t to, uintptr_t least) {
    uintptr_t low = cyc_gc_address(s, from), high = cyc_gc_address(s, to);
    uintptr_t first = lowfat_round_up(low, LOWFAT_PAGE), last = lowfat_round_down(high, LOWFAT_PAGE);
    if (last <= first || last - first < least)
        return 0;
    CYC_GC_FORGET_ACCESSES(low, high - low);
    lowfat_os_purge(first, last - first);
    cyc_gc.stats.purged_bytes += last - first;
    return last - first;
}

/* The first slot from `i` on, below `to`, that is free, or is not. */
static uint64_t find(const struct cyc_gc_space *s, uint64_t i, uint64_t to, bool is_free) {
    while (i < to) {
        uint64_t alloc = __atomic_load_n(&s->bits[i / 64].alloc, __ATOMIC_RELAXED);
        uint64_t sought = (is_free ? ~alloc : alloc) >> (i % 64);
        if (sought != 0) {
            i += (unsigned)__builtin_ctzll(sought);
            return i < to ? i : to;
        }
        i = (i | 63) + 1;
    }
    return to;
}

/* The stretches of free slots in [from, to), swept slots that no thread owns. */
static size_t purge_stretches(struct cyc_gc_space *s, uint64_t from, uint64_t to, uintptr_t least) {
    size_t returned = 0;
    while ((from = find(s, from, to, true)) < to) {
        uint64_t end = find(s, from, to, false);
        returned += purge_slots(s, from, end, least);
        from = end;
    }
    return returned;
}

/* A block that no thread owns, swept, with so many free slots. */
static size_t purge_block(struct cyc_gc_space *s, uint32_t number, uint64_t free_slots) {
    struct cyc_gc_block *block = cyc_gc_block_at(s, number);
    uint64_t first = (uint64_t)number << s->shift, end = first + (1ull << s->shift);
    if (block->purged || block->clean)
        return 0;
    size_t returned = purge_stretches(s, first, end, PURGE_BYTES);
    block->purged = true;
    if (free_slots == end - first && returned > 0) {
        uintptr_t low = cyc_gc_address(s, first), high = cyc_gc_address(s, end);
        uintptr_t last = lowfat_round_down(high, LOWFAT_PAGE);
        memset((void *)low, 0, lowfat_round_up(low, LOWFAT_PAGE) - low);
        memset((void *)last, 0, high - last);
        block->clean = true;
    }
    return returned;
}

/* ---- tails ----
 *
 * Threads take the lowest free slots first, so a space that once had more in use has memory at its blocks' ends that nothing comes
 * to, and many spaces with a little each are much beside a small heap. */

static void return_tails(struct cyc_gc_space *s) {
    for (uint32_t number = 0; number < s->count >> s->shift; number++) {
        struct cyc_gc_block *block = cyc_gc_block_at(s, number);
        uint64_t first = (uint64_t)number << s->shift;
        if (block->touched > block->reached) {
            cyc_gc_sweep_block(s, number);
            purge_stretches(s, first + block->reached, first + (1ull << s->shift), LOWFAT_PAGE);
            block->touched = block->reached;
        }
        block->reached = 0;
    }
}

void cyc_gc_return_tails(void) {
    for (unsigned i = 0; i < cyc_gc_opened_count; i++)
        if (cyc_gc_opened[i]->kind < CYC_GC_KINDS && !cyc_gc_large(cyc_gc_opened[i]))
            return_tails(cyc_gc_opened[i]);
}

/* What no allocation has come to since the last collection: the next one begins with no mark set.  Memory that was free for
 * two such times, or now if `trim`, and lies in long stretches goes back: what is needed every other time would cost a fault
 * for each page. */
void cyc_gc_sweep_rest(bool trim) {
    for (unsigned i = 0; i < cyc_gc_opened_count; i++) {
        struct cyc_gc_space *s = cyc_gc_opened[i];
        if (s->kind >= CYC_GC_KINDS || cyc_gc_large(s) || s->count == 0)
            continue;
        uint32_t used = (uint32_t)(s->count >> s->shift);
        for (uint32_t number = s->cursor; number < used; number++) {
            uint64_t free_slots = cyc_gc_sweep_block(s, number);
            struct cyc_gc_block *block = cyc_gc_block_at(s, number);
            if (free_slots * s->size >= PURGE_BYTES && (trim || block->idle))
                purge_block(s, number, free_slots);
            block->idle = true;
        }
        s->cursor = used;
    }
}

void cyc_gc_sweep_all(void) {
    for (unsigned i = 0; i < cyc_gc_opened_count; i++) {
        struct cyc_gc_space *s = cyc_gc_opened[i];
        if (s->kind < CYC_GC_KINDS && !cyc_gc_large(s))
            for (uint32_t number = 0; number < s->count >> s->shift; number++)
                cyc_gc_sweep_block(s, number);
    }
}

void cyc_gc_sweep_large(void) {
    for (unsigned i = 0; i < cyc_gc_opened_count; i++) {
        struct cyc_gc_space *s = cyc_gc_opened[i];
        if (s->kind >= CYC_GC_KINDS || !cyc_gc_large(s))
            continue;
        for (uint64_t at = 0; at < s->count; at += 64) {
            struct cyc_gc_bits *bits = &s->bits[at / 64];
            uint64_t dead = bits->alloc & ~bits->mark;
            for (; dead != 0; dead &= dead - 1) {
                uint64_t index = at + (unsigned)__builtin_ctzll(dead);
                uint64_t length = lowfat_round_up(s->requested[index] + !s->requested[index], LOWFAT_PAGE);
                lowfat_arena_decommit_large(cyc_gc_address(s, index), length);
                cyc_gc.stats.heap_bytes -= length;
            }
            __atomic_fetch_and(&bits->alloc, bits->mark, __ATOMIC_RELAXED);
            bits->mark = 0;
        }
        s->cursor = 0;
    }
}

/* The lock is held; blocks below the cursor may be owned by threads, and are left alone. */
size_t cyc_gc_purge_all(void) {
    uint64_t before = cyc_gc.stats.purged_bytes;
    cyc_gc_sweep_rest(true);
    return cyc_gc.stats.purged_bytes - before;
}
#endif

/* collect.c - one collection, and when the next one is due. */
#ifndef CYC_HEAP_LIBC
#include "gc.h"

#include <errno.h>

#ifdef CYC_GC_OF_CYCLONE
#include "../region/page.h"
#endif

static void tell(enum lowfat_gc_event event) {
    lowfat_gc_event_handler *handler = atomic_load_explicit(&cyc_gc.on_event, memory_order_acquire);
    if (handler)
        handler(event);
}

LOWFAT_API lowfat_gc_event_handler *lowfat_gc_on_event(lowfat_gc_event_handler *handler) LOWFAT_NOEXCEPT_ {
    return atomic_exchange(&cyc_gc.on_event, handler);
}

/* A heap without a ratio of its own doubles at least, but by the second figure at most. It becomes three times as large as what
 * it holds beyond SMALL, but by the first figure at most: twice as much as a small heap holds is much beside the rest of a small
 * program. */
#define THREEFOLD ((uint64_t)6 << 20)
#define TWOFOLD ((uint64_t)12 << 20)
#define SMALL ((uint64_t)512 << 10)

static uint64_t less(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The heap grows to `ratio` percent of what a collection has to go through, but no collection comes before `start` bytes
 * were allocated, and none later than the limit. */
void cyc_gc_set_trigger(void) {
    const struct lowfat_gc_stats *stats = &cyc_gc.stats;
    uint64_t through = stats->live_bytes + stats->malloced_bytes;
    uint64_t trigger = through / 100 * (cyc_gc.option[LOWFAT_GC_RATIO] - 100);
    uint64_t limit = cyc_gc.option[LOWFAT_GC_LIMIT];
    if (cyc_gc.option[LOWFAT_GC_RATIO] == CYC_GC_RATIO) {
        uint64_t threefold = less(2 * through - less(through, SMALL), THREEFOLD), twofold = less(through, TWOFOLD);
        uint64_t generous = threefold > twofold ? threefold : twofold;
        trigger = trigger > generous ? trigger : generous;
    }
    if (trigger < cyc_gc.option[LOWFAT_GC_START])
        trigger = cyc_gc.option[LOWFAT_GC_START];
    if (limit != 0 && stats->live_bytes + trigger > limit)
        trigger = stats->live_bytes < limit ? limit - stats->live_bytes : 0;
    __atomic_store_n(&cyc_gc.trigger, (int64_t)trigger, __ATOMIC_RELAXED);
    cyc_gc_lost_expect();
    int64_t quantum = limit != 0 && limit / 64 < 32768 ? (int64_t)(limit / 64) : 32768;
    __atomic_store_n(&cyc_gc.quantum, quantum, __ATOMIC_RELAXED);
}

/* ---- the stopped world ---- */

/* Threads keep their runs and give up their blocks; what they have allocated is part of what was found. */
CYC_GC_UNCHECKED static void reset_threads(void) {
    for (struct cyc_gc_thread *t = cyc_gc.threads; t; t = t->next) {
        cyc_gc.stats.total_bytes += (uint64_t)t->allocated;
        t->allocated = 0;
        for (unsigned kind = 0; kind < CYC_GC_KINDS; kind++)
            for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++) {
                cyc_gc_leave_block(cyc_gc_space_of(kind, c), &t->own[kind][c]);
                t->own[kind][c] = (struct cyc_gc_own){0};
            }
    }
}

static void reset_spaces(void) {
    for (unsigned i = 0; i < cyc_gc_opened_count; i++) {
        struct cyc_gc_space *s = cyc_gc_opened[i];
        while (s->partial != 0) {
            struct cyc_gc_block *block = cyc_gc_block_at(s, s->partial - 1);
            block->clean = false; /* only the part nobody had used was */
            s->partial = block->next;
        }
        s->cursor = 0;
    }
}

CYC_GC_STATE static struct cyc_gc_thread *collector;
CYC_GC_STATE static uint64_t stopped_at;

static void stop(void) {
    lowfat_acquire(&lowfat_huge_lock); /* whoever holds it can let go only while it runs */
    stopped_at = cyc_gc_os_nanoseconds();
    cyc_gc_stop_world(collector);
}

/* Everything between stop and restart.  The caller's frame holds its caller's registers. */
CYC_GC_UNCHECKED NOINLINE static void collect_stopped(void) {
    atomic_store_explicit(&collector->sp, (uintptr_t)__builtin_frame_address(0), memory_order_relaxed);
    cyc_gc_enter(collector);
    cyc_gc_roots_list(stop);
    tell(LOWFAT_GC_STOPPED);
    cyc_gc_roots_mark();
    cyc_gc_mark_end();
    cyc_gc_lost_find();
    cyc_gc.stats.total_bytes += (uint64_t)atomic_load_explicit(&cyc_gc.since, memory_order_relaxed);
    atomic_store_explicit(&cyc_gc.since, 0, memory_order_relaxed);
    reset_threads();
    reset_spaces();
    __atomic_store_n(&cyc_gc.epoch, cyc_gc.epoch + 1, __ATOMIC_RELAXED);
    uint64_t pause = cyc_gc_os_nanoseconds() - stopped_at;
    cyc_gc_restart_world();
    lowfat_release(&lowfat_huge_lock);
    cyc_gc_leave(collector);
    cyc_gc.stats.pause_last_ns = pause;
    cyc_gc.stats.pause_total_ns += pause;
    if (pause > cyc_gc.stats.pause_longest_ns)
        cyc_gc.stats.pause_longest_ns = pause;
}

#define WINDOW 8 /* collections between two that return tails */

/* The lock is held, `self` registered and not busy.  Without memory for tables nothing happens. */
NOINLINE void cyc_gc_collect(struct cyc_gc_thread *self) {
    int saved = errno;
    if (cyc_gc.collecting) /* an event handler allocated */
        return;
    cyc_gc.collecting = true;
    INVARIANT(1, cyc_gc.lock.word != 0 && self->registered && self->busy == 0);
    collector = self;
    tell(LOWFAT_GC_BEGIN);
#ifdef CYC_GC_OF_CYCLONE
    cyc_rgn_empty_cache(); /* what free pages hold keeps nothing */
#endif
    cyc_gc_sweep_rest(false);
    if (cyc_gc_mark_begin()) {
        __builtin_unwind_init();
        collect_stopped();
        cyc_gc.stats.collections++;
        cyc_gc_sweep_large();
        if (cyc_gc.stats.collections % WINDOW == 0)
            cyc_gc_return_tails();
        if (cyc_gc.option[LOWFAT_GC_POISON])
            cyc_gc_sweep_all();
        cyc_gc_lost_reclaim();
        cyc_gc_set_trigger();
        tell(LOWFAT_GC_RUNNING);
        if (cyc_gc.option[LOWFAT_GC_VERBOSE])
            cyc_gc_print_collection();
    }
    cyc_gc.collecting = false;
    tell(LOWFAT_GC_END);
    errno = saved;
}
#endif

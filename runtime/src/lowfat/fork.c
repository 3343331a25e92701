/* fork.c - fork from a program with threads.
 *
 * Before the fork slow paths are stopped and every lock is taken, in lock order, so that no structure is in the middle
 * of a change.  In the child
 * only the forking thread exists: the caches of the others are given up, and what was cached in them is free. (A slot
 * another thread was just taking from or putting into its window, which needs no lock, is lost.) */
#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>

_Atomic uint32_t lowfat_forking;
bool lowfat_fence_needed;

/* The thread that is forking, by its block.  Prepare handlers of others may run after ours, and they may allocate: the
 * forking thread passes all that is stopped or locked, having done it itself. */
static _Atomic(struct lowfat_tls *) forker;
bool lowfat_this_thread_forks(void) { return atomic_load_explicit(&forker, memory_order_relaxed) == &lowfat_tls; }

/* A thread that wanted to enter a slow path while another forks. */
COLD void lowfat_wait_for_fork(struct lowfat_tcache *tc) {
    if (lowfat_this_thread_forks())
        return;
    do {
        atomic_store_explicit(&tc->busy, 0, memory_order_release);
        while (atomic_load_explicit(&lowfat_forking, memory_order_acquire) != 0)
            lowfat_os_yield();
        atomic_exchange_explicit(&tc->busy, 1, memory_order_seq_cst);
    } while (atomic_load_explicit(&lowfat_forking, memory_order_seq_cst) != 0);
}

static void stop_caches(void) {
    bool others = false;
    for (struct lowfat_tcache *tc = lowfat_registry; tc; tc = tc->next)
        others |= tc->in_use && tc != lowfat_tls.cache;
    atomic_store_explicit(&lowfat_forking, 1, memory_order_seq_cst);
    if (others && !lowfat_fence_needed) {
        lowfat_os_barrier_register(); /* again: this process may be a child of the one that did */
        lowfat_os_barrier();
    }
    for (struct lowfat_tcache *tc = lowfat_registry; tc; tc = tc->next)
        while (atomic_load_explicit(&tc->busy, memory_order_acquire) != 0)
            lowfat_os_yield();
}

static void lock_all(void) {
    lowfat_acquire(&lowfat_registry_lock);
    stop_caches();
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        lowfat_acquire(&lowfat_central[c].lock);
    lowfat_acquire(&lowfat_huge_lock);
    lowfat_acquire(&lowfat_stack_lock);
    lowfat_acquire(&lowfat_quarantine_lock);
    lowfat_acquire(&lowfat_plain_lock);
    atomic_store_explicit(&forker, &lowfat_tls, memory_order_relaxed);
}

static void unlock_all(void) {
    atomic_store_explicit(&forker, NULL, memory_order_relaxed);
    lowfat_release(&lowfat_plain_lock);
    lowfat_release(&lowfat_quarantine_lock);
    lowfat_release(&lowfat_stack_lock);
    lowfat_release(&lowfat_huge_lock);
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        lowfat_release(&lowfat_central[c].lock);
    atomic_store_explicit(&lowfat_forking, 0, memory_order_release);
    lowfat_release(&lowfat_registry_lock);
}

/* A window may have been caught between its two writes; what is not CACHED, or AWAY, is not given back. */
static void keep_cached(struct lowfat_tcache *tc) {
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++) {
        uint64_t *bottom = lowfat_window_bottom(tc, c), *top = tc->top[c], *out = bottom;
        for (uint64_t *in = bottom; in < top; in++)
            if (STATE_GET(&lowfat_central[c].state[*in]) == LOWFAT_CACHED)
                *out++ = *in;
        tc->hard_top[c] = out;
        slot_t lost[LOWFAT_AWAY_MAX];
        if (c <= LOWFAT_AWAY_CLASSES)
            lowfat_tcache_keep_away(tc, c, lost);
    }
    tc->top = tc->hard_top;
}

static void child(void) {
    unlock_all();
    for (struct lowfat_tcache *tc = lowfat_registry; tc; tc = tc->next) {
        if (!tc->in_use || tc == lowfat_tls.cache)
            continue;
        keep_cached(tc);
        lowfat_tcache_abandon(tc);
        lowfat_tcache_bury(tc);
    }
}

void lowfat_fork_init(void) {
    lowfat_fence_needed = !lowfat_os_barrier_register();
    pthread_atfork(lock_all, unlock_all, child);
}

/* fork.c - fork from a program with threads.
 *
 * Before the fork every lock is taken, in lock order, so that no structure is in the middle of a change.  In the child
 * only the forking thread exists: the caches of the others are given up, and what was cached in them is free. (A slot
 * another thread was just taking from or putting into its window, which needs no lock, is lost.) */
#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>

static void lock_all(void) {
    lowfat_acquire(&lowfat_registry_lock);
    for (struct lowfat_tcache *tc = lowfat_registry; tc; tc = tc->next)
        lowfat_acquire(&tc->lock);
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        lowfat_acquire(&lowfat_central[c].lock);
    lowfat_acquire(&lowfat_huge_lock);
    lowfat_acquire(&lowfat_stack_lock);
    lowfat_acquire(&lowfat_quarantine_lock);
    lowfat_acquire(&lowfat_plain_lock);
}

static void unlock_all(void) {
    lowfat_release(&lowfat_plain_lock);
    lowfat_release(&lowfat_quarantine_lock);
    lowfat_release(&lowfat_stack_lock);
    lowfat_release(&lowfat_huge_lock);
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        lowfat_release(&lowfat_central[c].lock);
    for (struct lowfat_tcache *tc = lowfat_registry; tc; tc = tc->next)
        lowfat_release(&tc->lock);
    lowfat_release(&lowfat_registry_lock);
}

/* A window may have been caught between its two writes; what is not CACHED is not given back. */
static void keep_cached(struct lowfat_tcache *tc) {
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++) {
        uint64_t *bottom = lowfat_window_bottom(tc, c), *top = tc->top[c], *out = bottom;
        for (uint64_t *in = bottom; in < top; in++)
            if (STATE_GET(&lowfat_central[c].state[*in]) == LOWFAT_CACHED)
                *out++ = *in;
        tc->hard_top[c] = out;
    }
    tc->top = tc->hard_top;
}

static void child(void) {
    unlock_all();
    for (struct lowfat_tcache *tc = lowfat_registry; tc; tc = tc->next) {
        if (!tc->in_use || tc == lowfat_tls.cache)
            continue;
        lowfat_acquire(&tc->lock);
        keep_cached(tc);
        lowfat_tcache_abandon(tc);
        lowfat_release(&tc->lock);
        lowfat_tcache_bury(tc);
    }
}

void lowfat_fork_init(void) { pthread_atfork(lock_all, unlock_all, child); }

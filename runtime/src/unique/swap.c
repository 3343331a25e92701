/* `:=:` between threads (memory, section 14.2). The machine exchanges one word at once, and two words where they are
 * aligned, but never two places that others reach; so all exchanges take turns by locks, chosen by the address, which
 * costs one atomic instruction as well. Nothing is lost, and nothing is there twice. */
#include "cyc_rt.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

enum { LOCKS = 64, LINE = 64, PATIENCE = 100 };

/* A cache line each. */
static struct { char taken __attribute__((aligned(LINE))); } locks[LOCKS];

/* Addresses in one line of the cache share a lock. */
static unsigned lock_of(const void *place) {
  cyc_u64 line = (__UINTPTR_TYPE__)place / LINE;
  return (unsigned)((line ^ line / LOCKS) % LOCKS);
}

static void take(unsigned lock) {
  int tries = 0;
  while (__atomic_test_and_set(&locks[lock].taken, __ATOMIC_ACQUIRE)) {
    if (++tries % PATIENCE == 0) sched_yield();
  }
}

static void give_back(unsigned lock) { __atomic_clear(&locks[lock].taken, __ATOMIC_RELEASE); }

/* A process that forks has no exchange under way in its other threads: the child would never see its end. */
static void take_all(void) {
  for (unsigned lock = 0; lock < LOCKS; lock++) take(lock);
}

static void give_all_back(void) {
  for (unsigned lock = 0; lock < LOCKS; lock++) give_back(lock);
}

__attribute__((constructor(103))) static void forks(void) { pthread_atfork(take_all, give_all_back, give_all_back); }

/* Word by word where they are aligned: somebody who only reads a pointer sees the old one or the new one. */
static void exchange(void *a, void *b, cyc_size size) {
  if (((__UINTPTR_TYPE__)a | (__UINTPTR_TYPE__)b | size) % sizeof(cyc_u64) == 0) {
    cyc_u64 *x = a, *y = b;
    for (cyc_size i = 0; i < size / sizeof *x; i++) {
      cyc_u64 old = __atomic_load_n(&x[i], __ATOMIC_RELAXED);
      __atomic_store_n(&x[i], __atomic_load_n(&y[i], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
      __atomic_store_n(&y[i], old, __ATOMIC_RELAXED);
    }
    return;
  }
  char old[CYC_SWAP_MOST];
  memcpy(old, a, size);
  memcpy(a, b, size);
  memcpy(b, old, size);
}

void cyc_swap_with_own(void *place, void *own, cyc_size size) {
  unsigned lock = lock_of(place);
  take(lock);
  exchange(place, own, size);
  give_back(lock);
}

void cyc_swap_shared(void *a, void *b, cyc_size size) {
  unsigned one = lock_of(a), other = lock_of(b);
  unsigned first = one < other ? one : other, last = one < other ? other : one;
  take(first);
  if (last != first) take(last);
  exchange(a, b, size);
  if (last != first) give_back(last);
  give_back(first);
}

/* What the files of threads share (lib/include/thread.h; docs/adr/005).
 *
 * What several threads use is a body with a count of the handles that lead to it; a handle is a unique object of the
 * heap of its own, so that each can be moved and given up by itself. A handle that was freed by hand or lost takes
 * nothing with it: the body stays until the collector finds that nothing leads to it.
 *
 * Invariant: the count of a body is at least the number of its handles that may still be used. */
#ifndef CYC_THREAD_H
#define CYC_THREAD_H

#include "../region/owned.h"
#include "cyc_heap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct cyc_shared {
  _Atomic cyc_u64 handles;
  void (*end)(void *body); /* frees it and all it owns */
};

struct cyc_thread_handle {
  struct cyc_shared *body;
};

/* A zeroed body of `size` bytes behind its first handle. Raises Bad_alloc. */
struct cyc_thread_handle *cyc_thread_body(cyc_size size, void (*end)(void *body), const char *function);

/* The moment so many milliseconds from now, by the clock that conditions of cyc_thread_condition go by. */
struct timespec cyc_thread_moment(long milliseconds);
void cyc_thread_condition(pthread_cond_t *condition);

#endif

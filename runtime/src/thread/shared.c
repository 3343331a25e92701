/* Handles, and time. */
#include "thread.h"

static struct cyc_thread_handle *handle(struct cyc_shared *body, const char *function) {
  struct cyc_thread_handle *made = cyc_unique(sizeof *made, function, 0);
  made->body = body;
  return made;
}

struct cyc_thread_handle *cyc_thread_body(cyc_size size, void (*end)(void *), const char *function) {
  struct cyc_shared *body = cyc_heap_alloc_zeroed(size);
  if (CYC_UNLIKELY(!body)) cyc_fail_alloc(1, size, function, 0);
  body->end = end;
  atomic_init(&body->handles, 1);
  return handle(body, function);
}

/* One more handle to the same body. */
static void *copy(struct cyc_thread_handle *h) {
  struct cyc_thread_handle *made = handle(h->body, "copy");
  atomic_fetch_add_explicit(&h->body->handles, 1, memory_order_relaxed);
  return made;
}

/* What other threads did with the body comes before its end. */
static void drop(struct cyc_thread_handle *h) {
  struct cyc_shared *body = h->body;
  cyc_ufree(h);
  if (atomic_fetch_sub_explicit(&body->handles, 1, memory_order_acq_rel) == 1) body->end(body);
}

/* A name for each type of handle, as C has no polymorphism. */
#define HANDLES(kind)                                                                                \
  void *cyc_thread_copy_##kind(struct cyc_thread_handle *h) { return copy(h); }                      \
  void cyc_thread_drop_##kind(struct cyc_thread_handle *h) { drop(h); }
HANDLES(channel)
HANDLES(mutex)
HANDLES(rwlock)
HANDLES(slot)
HANDLES(atomic)

struct timespec cyc_thread_moment(long milliseconds) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  if (milliseconds < 0) milliseconds = 0;
  if (milliseconds > 1000000000000) milliseconds = 1000000000000; /* thirty years */
  at.tv_sec += milliseconds / 1000;
  at.tv_nsec += milliseconds % 1000 * 1000000;
  if (at.tv_nsec >= 1000000000) {
    at.tv_sec++;
    at.tv_nsec -= 1000000000;
  }
  return at;
}

void cyc_thread_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

void cyc_thread_sleep(long milliseconds) {
  struct timespec until = cyc_thread_moment(milliseconds);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0) != 0) {}
}

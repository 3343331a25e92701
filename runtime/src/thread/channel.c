/* Channels: queues of words that threads put values into and take them out of.
 *
 * A ring that starts small and doubles up to the channel's bound. A condition is signalled only when somebody waits for it.
 * Invariant: `count` words from `first` on, modulo `room`, are the values in the channel. */
#include "thread.h"

struct channel {
  struct cyc_shared shared;
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  unsigned takers, givers; /* who wait */
  int closed;
  cyc_u64 bound; /* at most so many values */
  cyc_u64 first, count, room;
  void **ring;
};
enum { FIRST_ROOM = 16 };

/* What the functions tell: also in lib/src/thread.cyc. */
enum { DONE, CLOSED, TOO_LATE };

static struct channel *of(struct cyc_thread_handle *h) { return (struct channel *)h->body; }

static void end(void *body) {
  struct channel *c = body;
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->not_empty);
  pthread_cond_destroy(&c->not_full);
  cyc_heap_free(c->ring);
  cyc_heap_free(c);
}

void *cyc_thread_channel(cyc_u64 bound) {
  struct cyc_thread_handle *h = cyc_thread_body(sizeof(struct channel), end, "Thread::channel");
  struct channel *c = of(h);
  pthread_mutex_init(&c->lock, 0);
  cyc_thread_condition(&c->not_empty);
  cyc_thread_condition(&c->not_full);
  c->bound = bound;
  return h;
}

/* Room for one more; 0 when there is no memory. */
static int grow(struct channel *c) {
  cyc_u64 room = c->room ? 2 * c->room : FIRST_ROOM;
  void **ring = cyc_heap_alloc_zeroed(room * sizeof *ring);
  if (!ring) return 0;
  for (cyc_u64 i = 0; i < c->count; i++) ring[i] = c->ring[(c->first + i) % c->room];
  cyc_heap_free(c->ring);
  c->ring = ring;
  c->first = 0;
  c->room = room;
  return 1;
}

/* Waits, until `at` if there is one; false when that is past. */
static int wait(struct channel *c, pthread_cond_t *condition, unsigned *waiting, const struct timespec *at) {
  ++*waiting;
  int result = at ? pthread_cond_timedwait(condition, &c->lock, at) : pthread_cond_wait(condition, &c->lock);
  --*waiting;
  return result == 0;
}

static int put(struct channel *c, void *value, const struct timespec *until) {
  int result = DONE;
  pthread_mutex_lock(&c->lock);
  while (!c->closed && c->count >= c->bound && wait(c, &c->not_full, &c->givers, until)) {}
  if (c->closed) {
    result = CLOSED;
  } else if (c->count >= c->bound) {
    result = TOO_LATE;
  } else if (c->count == c->room && !grow(c)) {
    cyc_u64 room = c->room;
    pthread_mutex_unlock(&c->lock);
    cyc_fail_alloc(1, 2 * room * sizeof *c->ring, "Thread::send", 0);
  } else {
    c->ring[(c->first + c->count++) % c->room] = value;
    if (c->takers) pthread_cond_signal(&c->not_empty);
  }
  pthread_mutex_unlock(&c->lock);
  return result;
}

static int take(struct channel *c, void **value, const struct timespec *until) {
  int result = DONE;
  pthread_mutex_lock(&c->lock);
  while (!c->closed && !c->count && wait(c, &c->not_empty, &c->takers, until)) {}
  if (c->count) {
    *value = c->ring[c->first];
    c->ring[c->first] = 0; /* the channel keeps it alive no longer */
    c->first = (c->first + 1) % c->room;
    c->count--;
    if (c->givers) pthread_cond_signal(&c->not_full);
  } else {
    result = c->closed ? CLOSED : TOO_LATE;
  }
  pthread_mutex_unlock(&c->lock);
  return result;
}

int cyc_thread_send(struct cyc_thread_handle *h, void *value) { return put(of(h), value, 0); }

/* The value back; it counts only if DONE is not told. */
void *cyc_thread_offer(struct cyc_thread_handle *h, void *value, long milliseconds, int *told) {
  struct timespec until = cyc_thread_moment(milliseconds);
  *told = put(of(h), value, &until);
  return value;
}

/* The value counts only if DONE is told. */
void *cyc_thread_receive(struct cyc_thread_handle *h, int *told) {
  void *value = 0;
  *told = take(of(h), &value, 0);
  return value;
}

/* The same within some time. */
void *cyc_thread_receive_within(struct cyc_thread_handle *h, long milliseconds, int *told) {
  struct timespec until = cyc_thread_moment(milliseconds);
  void *value = 0;
  *told = take(of(h), &value, &until);
  return value;
}

void cyc_thread_close(struct cyc_thread_handle *h) {
  struct channel *c = of(h);
  pthread_mutex_lock(&c->lock);
  c->closed = 1;
  pthread_cond_broadcast(&c->not_empty);
  pthread_cond_broadcast(&c->not_full);
  pthread_mutex_unlock(&c->lock);
}

cyc_u64 cyc_thread_pending(struct cyc_thread_handle *h) {
  struct channel *c = of(h);
  pthread_mutex_lock(&c->lock);
  cyc_u64 count = c->count;
  pthread_mutex_unlock(&c->lock);
  return count;
}

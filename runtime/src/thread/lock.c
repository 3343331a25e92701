/* Locks that own what they protect, and words that are changed at once.
 *
 * The object behind a lock is a unique one, whose only pointer the lock has. */
#include "thread.h"

#include <errno.h>

static void must(int result) {
  if (CYC_UNLIKELY(result)) __builtin_trap(); /* the lock is ours, and used as it must be */
}

/* ---------------------------------------------------------------- mutexes, with a condition */

struct mutex {
  struct cyc_shared shared;
  pthread_mutex_t lock; /* knows its owner: nobody can lock it twice */
  pthread_cond_t changed;
  unsigned waiting;
  void *object;
};

static struct mutex *mutex_of(struct cyc_thread_handle *h) { return (struct mutex *)h->body; }

static void mutex_end(void *body) {
  struct mutex *m = body;
  pthread_mutex_destroy(&m->lock);
  pthread_cond_destroy(&m->changed);
  cyc_ufree(m->object);
  cyc_heap_free(m);
}

void *cyc_thread_mutex(void *object) {
  struct cyc_thread_handle *h = cyc_thread_body(sizeof(struct mutex), mutex_end, "Thread::mutex");
  struct mutex *m = mutex_of(h);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  cyc_thread_condition(&m->changed);
  m->object = object;
  return h;
}

/* 0 when this thread has it already. */
int cyc_thread_lock(struct cyc_thread_handle *h) { return pthread_mutex_lock(&mutex_of(h)->lock) == 0; }

/* Those who wait for a change look again. */
void cyc_thread_unlock(struct cyc_thread_handle *h) {
  struct mutex *m = mutex_of(h);
  if (m->waiting) pthread_cond_broadcast(&m->changed);
  must(pthread_mutex_unlock(&m->lock));
}

/* Gives the lock up until somebody else who had it gives it up; 0 when the moment has come that cyc_thread_deadline told. */
int cyc_thread_wait(struct cyc_thread_handle *h, long deadline) {
  struct mutex *m = mutex_of(h);
  struct timespec at = {.tv_sec = deadline / 1000, .tv_nsec = deadline % 1000 * 1000000};
  m->waiting++;
  int result = deadline < 0 ? pthread_cond_wait(&m->changed, &m->lock) : pthread_cond_timedwait(&m->changed, &m->lock, &at);
  m->waiting--;
  return result == 0;
}

/* So many milliseconds from now, as what cyc_thread_wait takes; forever stays so. */
long cyc_thread_deadline(long milliseconds) {
  if (milliseconds < 0) return -1;
  struct timespec at = cyc_thread_moment(milliseconds);
  return at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

void *cyc_thread_locked(struct cyc_thread_handle *h) { return mutex_of(h)->object; }

/* ---------------------------------------------------------------- locks for many readers */

struct rwlock {
  struct cyc_shared shared;
  pthread_rwlock_t lock;
  void *object;
};

static struct rwlock *rwlock_of(struct cyc_thread_handle *h) { return (struct rwlock *)h->body; }

static void rwlock_end(void *body) {
  struct rwlock *l = body;
  pthread_rwlock_destroy(&l->lock);
  cyc_ufree(l->object);
  cyc_heap_free(l);
}

void *cyc_thread_rwlock(void *object) {
  struct cyc_thread_handle *h = cyc_thread_body(sizeof(struct rwlock), rwlock_end, "Thread::rwlock");
  pthread_rwlock_init(&rwlock_of(h)->lock, 0);
  rwlock_of(h)->object = object;
  return h;
}

/* 0 when this thread has it already, as far as the C library knows; it never lets in who must not be. */
int cyc_thread_lock_read(struct cyc_thread_handle *h) { return pthread_rwlock_rdlock(&rwlock_of(h)->lock) == 0; }
int cyc_thread_lock_write(struct cyc_thread_handle *h) { return pthread_rwlock_wrlock(&rwlock_of(h)->lock) == 0; }
void cyc_thread_unlock_rw(struct cyc_thread_handle *h) { must(pthread_rwlock_unlock(&rwlock_of(h)->lock)); }
const void *cyc_thread_readable(struct cyc_thread_handle *h) { return rwlock_of(h)->object; }
void *cyc_thread_writable(struct cyc_thread_handle *h) { return rwlock_of(h)->object; }

/* ---------------------------------------------------------------- slots, and atomic integers */

struct slot {
  struct cyc_shared shared;
  void *_Atomic value;
};

static void *_Atomic *held_by(struct cyc_thread_handle *h) { return &((struct slot *)h->body)->value; }

void *cyc_thread_slot(void *value) {
  struct cyc_thread_handle *h = cyc_thread_body(sizeof(struct slot), cyc_heap_free, "Thread::slot");
  atomic_store(held_by(h), value);
  return h;
}

/* What was there. */
void *cyc_thread_swap(struct cyc_thread_handle *h, void *value) { return atomic_exchange(held_by(h), value); }

struct atomic {
  struct cyc_shared shared;
  _Atomic long value;
};

static _Atomic long *value_of(struct cyc_thread_handle *h) { return &((struct atomic *)h->body)->value; }

void *cyc_thread_atomic(long value) {
  struct cyc_thread_handle *h = cyc_thread_body(sizeof(struct atomic), cyc_heap_free, "Thread::atomic");
  atomic_store(value_of(h), value);
  return h;
}

long cyc_thread_get(struct cyc_thread_handle *h) { return atomic_load(value_of(h)); }
void cyc_thread_set(struct cyc_thread_handle *h, long value) { atomic_store(value_of(h), value); }
long cyc_thread_add(struct cyc_thread_handle *h, long value) { return atomic_fetch_add(value_of(h), value); }
long cyc_thread_exchange(struct cyc_thread_handle *h, long value) { return atomic_exchange(value_of(h), value); }
int cyc_thread_compare_exchange(struct cyc_thread_handle *h, long expected, long value) {
  return atomic_compare_exchange_strong(value_of(h), &expected, value);
}

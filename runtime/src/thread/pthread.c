/* The threads, locks and conditions of lib/include/pthread.h.
 *
 * A program has numbers only, which it may copy, send, keep too long or make up: each is looked up here. A number is used once.
 *
 * Invariant: what `threads` leads to is reachable for the collector from here; a thread that nobody can join any more is not in
 * it. Locks and conditions are never freed, so that one that was destroyed while somebody waits for it is still one. */
#include "thread.h"

#include <errno.h>
#include <stdlib.h>

struct thread; /* thread.c */
struct thread *cyc_thread_spawn(void *(*body)(void *), void *argument);
int cyc_thread_is_self(struct thread *t);
void *cyc_thread_join(struct thread *t);
void cyc_thread_give_up(struct thread *t);

struct entry {
  unsigned long number;
  struct thread *thread;
  struct entry *next;
};

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct entry *threads;
static _Atomic unsigned long last_thread;
static __thread unsigned long self;

static unsigned long next_thread(void) { return atomic_fetch_add(&last_thread, 1) + 1; }

unsigned long cyc_pthread_self(void) {
  if (!self) self = next_thread();
  return self;
}

int cyc_pthread_equal(unsigned long a, unsigned long b) { return a == b; }

/* What a new thread begins with. */
struct beginning {
  unsigned long number;
  void *(*body)(void *);
  void *argument;
};

static void *begin(void *unique) {
  struct beginning b = *(struct beginning *)unique;
  cyc_ufree(unique);
  self = b.number;
  return b.body(b.argument);
}

int cyc_pthread_create(unsigned long *number, const void *none, void *(*body)(void *), void *argument) {
  (void)none;
  *number = 0;
  struct beginning *b = cyc_unique(sizeof *b, "pthread_create", 0);
  struct entry *e = cyc_unique(sizeof *e, "pthread_create", 0);
  *b = (struct beginning){next_thread(), body, argument};
  unsigned long made = b->number;
  *e = (struct entry){.number = made};
  /* With the guard, as the first that a thread does may be to detach itself. */
  pthread_mutex_lock(&guard);
  cyc_handler handler;
  if (CYC_TRY(handler)) { /* Bad_alloc: there can be no more threads */
    pthread_mutex_unlock(&guard);
    cyc_ufree(b);
    cyc_ufree(e);
    return EAGAIN;
  }
  e->thread = cyc_thread_spawn(begin, b);
  CYC_POP(handler);
  e->next = threads;
  threads = e;
  pthread_mutex_unlock(&guard);
  *number = made;
  return 0;
}

/* Takes a thread out of those that can be joined; null if it is not among them. */
static struct thread *take(unsigned long number) {
  struct thread *found = 0;
  pthread_mutex_lock(&guard);
  for (struct entry **at = &threads; *at; at = &(*at)->next) {
    struct entry *e = *at;
    if (e->number != number) continue;
    found = e->thread;
    *at = e->next;
    cyc_ufree(e);
    break;
  }
  pthread_mutex_unlock(&guard);
  return found;
}

int cyc_pthread_join(unsigned long number, void **result) {
  if (number == cyc_pthread_self()) return EDEADLK;
  struct thread *t = take(number);
  if (!t) return ESRCH;
  void *returned = cyc_thread_join(t);
  if (result) *result = returned;
  return 0;
}

int cyc_pthread_detach(unsigned long number) {
  struct thread *t = take(number);
  if (!t) return ESRCH;
  cyc_thread_give_up(t);
  return 0;
}

/* ---------------------------------------------------------------- locks and conditions */

/* Numbers begin at 1; null: destroyed. */
struct table {
  void **objects;
  unsigned long used, room;
};

static struct table mutexes, conditions;

/* Enters a new object; 0 if there is no memory. With the guard. */
static unsigned long enter(struct table *t, void *object) {
  if (!object) return 0;
  if (t->used == t->room) {
    unsigned long room = t->room ? 2 * t->room : 16;
    void **more = realloc(t->objects, room * sizeof *more);
    if (!more) {
      free(object);
      return 0;
    }
    t->objects = more;
    t->room = room;
  }
  t->objects[t->used++] = object;
  return t->used;
}

/* Invariant: the owner is the thread that has the lock, 0 if none has it. Only the owner writes its own number here, so who reads
 * it sees whether it is its own. */
struct mutex {
  pthread_mutex_t lock;
  _Atomic unsigned long owner;
};

static void *new_mutex(void) {
  struct mutex *m = calloc(1, sizeof *m);
  if (m) pthread_mutex_init(&m->lock, 0);
  return m;
}

static void *new_condition(void) {
  pthread_cond_t *c = malloc(sizeof *c);
  if (c) pthread_cond_init(c, 0);
  return c;
}

/* The object of a number. What was only set to its initializer gets one with its first use. */
static void *object(struct table *t, unsigned long *number, void *new(void)) {
  void *found = 0;
  pthread_mutex_lock(&guard);
  if (!*number) *number = enter(t, new());
  if (*number && *number <= t->used) found = t->objects[*number - 1];
  pthread_mutex_unlock(&guard);
  return found;
}

static void forget(struct table *t, unsigned long number) {
  pthread_mutex_lock(&guard);
  t->objects[number - 1] = 0;
  pthread_mutex_unlock(&guard);
}

static struct mutex *mutex(unsigned long *m) { return object(&mutexes, m, new_mutex); }
static pthread_cond_t *condition(unsigned long *c) { return object(&conditions, c, new_condition); }
static int owned(struct mutex *m) { return atomic_load(&m->owner) == cyc_pthread_self(); }

int cyc_pthread_mutex_init(unsigned long *m, const void *none) {
  (void)none;
  *m = 0;
  return mutex(m) ? 0 : ENOMEM;
}

int cyc_pthread_mutex_lock(unsigned long *m) {
  struct mutex *found = mutex(m);
  if (!found) return EINVAL;
  if (owned(found)) return EDEADLK;
  int failed = pthread_mutex_lock(&found->lock);
  if (!failed) atomic_store(&found->owner, cyc_pthread_self());
  return failed;
}

int cyc_pthread_mutex_trylock(unsigned long *m) {
  struct mutex *found = mutex(m);
  if (!found) return EINVAL;
  int failed = pthread_mutex_trylock(&found->lock);
  if (!failed) atomic_store(&found->owner, cyc_pthread_self());
  return failed;
}

int cyc_pthread_mutex_unlock(unsigned long *m) {
  struct mutex *found = mutex(m);
  if (!found) return EINVAL;
  if (!owned(found)) return EPERM;
  atomic_store(&found->owner, 0);
  return pthread_mutex_unlock(&found->lock);
}

/* Only a lock that nobody has: who has got hold of it meanwhile goes on with it. */
int cyc_pthread_mutex_destroy(unsigned long *m) {
  struct mutex *found = mutex(m);
  if (!found) return EINVAL;
  if (pthread_mutex_trylock(&found->lock)) return EBUSY;
  forget(&mutexes, *m);
  return pthread_mutex_unlock(&found->lock);
}

int cyc_pthread_cond_init(unsigned long *c, const void *none) {
  (void)none;
  *c = 0;
  return condition(c) ? 0 : ENOMEM;
}

static int wait_for(unsigned long *c, unsigned long *m, const struct timespec *until) {
  pthread_cond_t *found = condition(c);
  struct mutex *lock = mutex(m);
  if (!found || !lock) return EINVAL;
  if (!owned(lock)) return EPERM;
  atomic_store(&lock->owner, 0);
  int result = until ? pthread_cond_timedwait(found, &lock->lock, until) : pthread_cond_wait(found, &lock->lock);
  atomic_store(&lock->owner, cyc_pthread_self());
  return result;
}

int cyc_pthread_cond_wait(unsigned long *c, unsigned long *m) { return wait_for(c, m, 0); }

int cyc_pthread_cond_timedwait(unsigned long *c, unsigned long *m, const struct timespec *until) { return wait_for(c, m, until); }

int cyc_pthread_cond_signal(unsigned long *c) {
  pthread_cond_t *found = condition(c);
  return found ? pthread_cond_signal(found) : EINVAL;
}

int cyc_pthread_cond_broadcast(unsigned long *c) {
  pthread_cond_t *found = condition(c);
  return found ? pthread_cond_broadcast(found) : EINVAL;
}

int cyc_pthread_cond_destroy(unsigned long *c) {
  if (!condition(c)) return EINVAL;
  forget(&conditions, *c);
  return 0;
}

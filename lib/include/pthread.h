// Threads as POSIX has them; thread.h has more, and says what may be sent to a thread.
//
// Threads, locks and conditions are numbers: a copy stands for the same one, and can be sent. What thread.h demands holds here: an
// argument that is sent cannot be reached by anybody else, and what a thread runs mentions no variable that may change. So locks
// keep threads from working at the same time on what lies outside, such as files; objects that threads share lie in a
// Thread::mutex_t. Functions that fail return a number of errno.h, as in C.
//
//     #include <errno.h>
//     static int square(int n) { return n * n; }
#ifndef _CYC_PTHREAD_H
#define _CYC_PTHREAD_H

#include <sys/types.h>
#include <time.h>

typedef unsigned long pthread_t;
typedef struct _cyc_pthread_mutex {
  unsigned long _cyc_number;
} pthread_mutex_t;
typedef struct _cyc_pthread_cond {
  unsigned long _cyc_number;
} pthread_cond_t;
#define PTHREAD_MUTEX_INITIALIZER {0}
#define PTHREAD_COND_INITIALIZER {0}

// There are no attributes: null is passed for them.
typedef struct _cyc_pthread_attr pthread_attr_t;
typedef struct _cyc_pthread_mutexattr pthread_mutexattr_t;
typedef struct _cyc_pthread_condattr pthread_condattr_t;

extern "C" {
  // Starts a thread that runs f(x); EAGAIN if there can be no more.
  //
  //     pthread_t t;
  //     assert(pthread_create(&t, NULL, square, 7) == 0 && pthread_join(t, NULL) == 0);
  int pthread_create(pthread_t @t, const pthread_attr_t *none, `b\T f(`a) __attribute__((consume(1))), `a\T x)
    __attribute__((initializes(1), runs(3), sends(4), consume(4))) asm("cyc_pthread_create");
  // Waits for the end of a thread; what it returned is stored as an address, unless `result` is null. What it raised is raised here.
  // ESRCH for a number that is no thread's that can be joined, EDEADLK for that of the thread itself.
  //
  //     pthread_t t;
  //     void *result = NULL;
  //     assert(pthread_create(&t, NULL, square, 7) == 0 && pthread_join(t, &result) == 0 && (long)result == 49);
  //     assert(pthread_join(t, NULL) == ESRCH && pthread_join(pthread_self(), NULL) == EDEADLK);
  int pthread_join(pthread_t t, void **result) asm("cyc_pthread_join");
  // The thread will not be joined: what it returns is lost, and an exception ends it alone. ESRCH as before.
  //
  //     pthread_t t;
  //     assert(pthread_create(&t, NULL, square, 7) == 0 && pthread_detach(t) == 0 && pthread_detach(t) == ESRCH);
  int pthread_detach(pthread_t t) asm("cyc_pthread_detach");
  // This thread; are two the same; lets others run.
  //
  //     assert(pthread_equal(pthread_self(), pthread_self()) && pthread_yield() == 0);
  pthread_t pthread_self(void) asm("cyc_pthread_self");
  int pthread_equal(pthread_t a, pthread_t b) asm("cyc_pthread_equal");
  int pthread_yield(void) asm("sched_yield");

  // Locks, which know who has them: EDEADLK to lock again, EPERM to unlock what another thread has, EBUSY to try a lock that is
  // taken or to destroy it, EINVAL for one that was destroyed.
  //
  //     pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  //     assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == EDEADLK && pthread_mutex_trylock(&m) == EBUSY);
  //     assert(pthread_mutex_destroy(&m) == EBUSY && pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == EPERM);
  //     assert(pthread_mutex_destroy(&m) == 0 && pthread_mutex_lock(&m) == EINVAL && pthread_mutex_init(&m, NULL) == 0);
  int pthread_mutex_init(pthread_mutex_t @m, const pthread_mutexattr_t *none) __attribute__((initializes(1)))
    asm("cyc_pthread_mutex_init");
  int pthread_mutex_lock(pthread_mutex_t @m) asm("cyc_pthread_mutex_lock");
  int pthread_mutex_trylock(pthread_mutex_t @m) asm("cyc_pthread_mutex_trylock");
  int pthread_mutex_unlock(pthread_mutex_t @m) asm("cyc_pthread_mutex_unlock");
  int pthread_mutex_destroy(pthread_mutex_t @m) asm("cyc_pthread_mutex_destroy");

  // Conditions: waits, without the lock, for a signal, at most until a moment of CLOCK_REALTIME (ETIMEDOUT); wakes one who waits, or
  // all. EPERM if this thread does not have the lock, EINVAL for a condition that was destroyed.
  //
  //     pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  //     pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  //     struct timespec past = timespec{1, 0};
  //     assert(pthread_cond_wait(&c, &m) == EPERM && pthread_mutex_lock(&m) == 0);
  //     assert(pthread_cond_timedwait(&c, &m, &past) == ETIMEDOUT && pthread_mutex_unlock(&m) == 0);
  //     assert(pthread_cond_signal(&c) == 0 && pthread_cond_broadcast(&c) == 0 && pthread_cond_destroy(&c) == 0);
  //     assert(pthread_cond_signal(&c) == EINVAL && pthread_cond_init(&c, NULL) == 0);
  int pthread_cond_init(pthread_cond_t @c, const pthread_condattr_t *none) __attribute__((initializes(1)))
    asm("cyc_pthread_cond_init");
  int pthread_cond_wait(pthread_cond_t @c, pthread_mutex_t @m) asm("cyc_pthread_cond_wait");
  int pthread_cond_timedwait(pthread_cond_t @c, pthread_mutex_t @m, const struct timespec @until)
    asm("cyc_pthread_cond_timedwait");
  int pthread_cond_signal(pthread_cond_t @c) asm("cyc_pthread_cond_signal");
  int pthread_cond_broadcast(pthread_cond_t @c) asm("cyc_pthread_cond_broadcast");
  int pthread_cond_destroy(pthread_cond_t @c) asm("cyc_pthread_cond_destroy");
}

#endif

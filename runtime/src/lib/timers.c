/* Shims of the timers of <time.h>.
 *
 * A timer_t of C is a number of the kernel's, or the address of what the C library knows about a thread that it starts. Only the
 * first kind is made here, and only a number of the first kind is handed back to C. */
#define _GNU_SOURCE
#include "lib.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

/* What sys/sigevent.h has as `struct sigevent`. */
struct cyc_sigevent {
  int notify, number;
};

_Static_assert(sizeof(struct itimerspec) == 32, "struct itimerspec");

static int refused(void) {
  errno = EINVAL;
  return -1;
}

static timer_t known(int timer) { return (timer_t)(intptr_t)timer; }

int cyc_lib_timer_create(clockid_t clock, const struct cyc_sigevent *wanted, int *timer) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  timer_t made;
  if (wanted) {
    if (wanted->notify != SIGEV_SIGNAL && wanted->notify != SIGEV_NONE) return refused();
    event.sigev_notify = wanted->notify;
    event.sigev_signo = wanted->number;
  }
  if (timer_create(clock, &event, &made) < 0) return -1;
  *timer = (int)(intptr_t)made;
  return 0;
}

int cyc_lib_timer_settime(int timer, int flags, const struct itimerspec *next, struct itimerspec *old) {
  return timer < 0 ? refused() : timer_settime(known(timer), flags, next, old);
}

int cyc_lib_timer_gettime(int timer, struct itimerspec *left) { return timer < 0 ? refused() : timer_gettime(known(timer), left); }
int cyc_lib_timer_getoverrun(int timer) { return timer < 0 ? refused() : timer_getoverrun(known(timer)); }
int cyc_lib_timer_delete(int timer) { return timer < 0 ? refused() : timer_delete(known(timer)); }

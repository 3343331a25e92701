// Time of day, waiting for descriptors, and timers.
#ifndef _CYC_SYS_TIME_H
#define _CYC_SYS_TIME_H

#include <sys/select.h>

struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};

extern "C" {
  // The time since 1970. What is asked of the time zone is not answered.
  //
  //     struct timeval now;
  //     assert(gettimeofday(&now, NULL) == 0 && now.tv_sec > 1600000000);
  int gettimeofday(struct timeval @now, struct timezone *zone) __attribute__((initializes(1))) asm("cyc_lib_gettimeofday");
  // The signals SIGALRM, SIGVTALRM, SIGPROF after a time; -1 if there is no such timer.
  //
  //     struct itimerval timer;
  //     assert(getitimer(ITIMER_REAL, &timer) == 0 && setitimer(ITIMER_REAL, &timer, NULL) == 0);
  int getitimer(int which, struct itimerval @now) __attribute__((initializes(2))) asm("cyc_lib_getitimer");
  int setitimer(int which, const struct itimerval @next, struct itimerval *old);
  // The times of last access and of last change; now if `times` is null.
  //
  //     assert(utimes("/no/such/file", NULL) == -1);
  int utimes(const char @path, const struct timeval *{2} times);
}

#endif

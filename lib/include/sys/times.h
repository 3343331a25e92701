// Times of a process, in ticks.
#ifndef _CYC_SYS_TIMES_H
#define _CYC_SYS_TIMES_H

#include <sys/types.h>

struct tms {
  clock_t tms_utime;
  clock_t tms_stime;
  clock_t tms_cutime;
  clock_t tms_cstime;
};

// Ticks since some moment; sysconf(2) of them are a second.
extern "C" clock_t times(struct tms @used) __attribute__((initializes(1)));

#endif

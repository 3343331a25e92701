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
//
//     struct tms used;
//     assert(times(&used) != -1 && used.tms_utime >= 0);
extern "C" clock_t times(struct tms @used) __attribute__((initializes(1)));

#endif

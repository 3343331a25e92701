// The time with thousandths of a second; gettimeofday of sys/time.h is finer.
#ifndef _CYC_SYS_TIMEB_H
#define _CYC_SYS_TIMEB_H

#include <sys/types.h>

struct timeb {
  time_t time;
  unsigned short millitm;
  short timezone;
  short dstflag;
};

// The time since 1970. The time zone is 0.
//
//     struct timeb now;
//     assert(ftime(&now) == 0 && now.millitm < 1000);
extern "C" int ftime(struct timeb @now) __attribute__((initializes(1))) asm("cyc_lib_ftime");

#endif

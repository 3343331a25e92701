// What a process may use, and has used.
#ifndef _CYC_SYS_RESOURCE_H
#define _CYC_SYS_RESOURCE_H

#include <sys/time.h>

#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_RSS 5
#define RLIMIT_NPROC 6
#define RLIMIT_NOFILE 7
#define RLIMIT_MEMLOCK 8
#define RLIMIT_AS 9
#define RLIM_INFINITY 0xffffffffffffffffUL
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#define PRIO_PROCESS 0
#define PRIO_PGRP 1
#define PRIO_USER 2

typedef unsigned long rlim_t;
struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};
struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long ru_maxrss;
  long ru_ixrss;
  long ru_idrss;
  long ru_isrss;
  long ru_minflt;
  long ru_majflt;
  long ru_nswap;
  long ru_inblock;
  long ru_oublock;
  long ru_msgsnd;
  long ru_msgrcv;
  long ru_nsignals;
  long ru_nvcsw;
  long ru_nivcsw;
};

extern "C" {
  // After a failure the structure is all zero.
  //
  //     struct rlimit limit;
  //     struct rusage usage;
  //     assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && setrlimit(RLIMIT_NOFILE, &limit) == 0);
  //     assert(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > 0);
  //     assert(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)) == 0);
  int getrlimit(int resource, struct rlimit @limit) __attribute__((initializes(2))) asm("cyc_lib_getrlimit");
  int setrlimit(int resource, const struct rlimit @limit);
  int getrusage(int who, struct rusage @usage) __attribute__((initializes(2))) asm("cyc_lib_getrusage");
  int getpriority(int which, unsigned int who);
  int setpriority(int which, unsigned int who, int priority);
}

#endif

// Types of the system interface.
#ifndef _CYC_SYS_TYPES_H
#define _CYC_SYS_TYPES_H

#include <stddef.h>

typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long time_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef int clockid_t;
typedef long clock_t;

// A set of signals; signal.h has what is done with it.
typedef struct _cyc_sigset {
  unsigned long _cyc_words[16];
} sigset_t;

#endif

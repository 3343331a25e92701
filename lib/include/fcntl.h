// Opening files as descriptors.
#ifndef _CYC_FCNTL_H
#define _CYC_FCNTL_H

#include <sys/types.h>

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_CLOEXEC 02000000

extern "C" {
  // The mode of a file that is made is the argument after the flags; 0 if there is none.
  int open(const char @path, int flags, ... mode_t) asm("cyc_lib_open");
  int creat(const char @path, mode_t mode);
}

#endif

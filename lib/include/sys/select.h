// Waiting for descriptors below FD_SETSIZE; poll.h takes all.
//
//     #include <unistd.h>
#ifndef _CYC_SYS_SELECT_H
#define _CYC_SYS_SELECT_H

#include <sys/types.h>
#include <time.h>

#define FD_SETSIZE 1024

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
typedef struct _cyc_fd_set {
  unsigned long _cyc_words[16];
} fd_set;

extern "C" {
  // How many are ready, and the sets have only them; 0 after the time; EINVAL if n is above FD_SETSIZE.
  //
  //     int ends[2];
  //     fd_set set;
  //     FD_ZERO(&set);
  //     assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
  //     FD_SET(ends[0], &set);
  //     assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
  int select(int n, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *most) asm("cyc_lib_select");
  // The same, with nanoseconds, and while it waits other signals are blocked, unless `blocked` is null.
  //
  //     fd_set set;
  //     FD_ZERO(&set);
  //     struct timespec soon = timespec{0, 1000};
  //     assert(pselect(0, &set, NULL, NULL, &soon, NULL) == 0);
  int pselect(int n, fd_set *reading, fd_set *writing, fd_set *failing, const struct timespec *most, const sigset_t *blocked)
      asm("cyc_lib_pselect");
  // Sets of descriptors. One that no set can hold is in none.
  //
  //     fd_set set;
  //     FD_ZERO(&set);
  //     FD_SET(3, &set);
  //     FD_SET(4, &set);
  //     FD_CLR(4, &set);
  //     assert(FD_ISSET(3, &set) && !FD_ISSET(4, &set));
  void FD_ZERO(fd_set @set) __attribute__((initializes(1))) asm("cyc_lib_fd_zero");
  void FD_SET(int fd, fd_set @set) asm("cyc_lib_fd_set");
  void FD_CLR(int fd, fd_set @set) asm("cyc_lib_fd_clr");
  int FD_ISSET(int fd, const fd_set @set) asm("cyc_lib_fd_isset");
}

#endif

// Waiting for descriptors.
//
//     #include <unistd.h>
#ifndef _CYC_POLL_H
#define _CYC_POLL_H

struct pollfd {
  int fd;
  short events;
  short revents;
};
typedef unsigned long nfds_t;

#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32

// Array_bounds if there are fewer than n.
//
//     int ends[2];
//     assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
//     struct pollfd ?fds = new {pollfd{ends[0], POLLIN, 0}};
//     assert(poll(fds, 1, 0) == 1 && fds[0].revents == POLLIN);
extern "C" int poll(struct pollfd ?fds, nfds_t n, int milliseconds) asm("cyc_lib_poll");

#endif

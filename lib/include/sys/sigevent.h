// How a process is told that something has come: of signal.h and time.h.
#ifndef _CYC_SYS_SIGEVENT_H
#define _CYC_SYS_SIGEVENT_H

#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1

// By a signal, or not at all. (Not by a new thread: what that ran could touch anything.)
struct sigevent {
  int sigev_notify;
  int sigev_signo;
};

#endif

// Signals.
//
// A handler of a program's own would run in the middle of anything, an allocation for instance, and could not be safe: a signal
// is ignored, ends the program, or is read from a descriptor (sys/signalfd.h) while it is blocked.
//
//     #include <unistd.h>
#ifndef _CYC_SIGNAL_H
#define _CYC_SIGNAL_H

#include <sys/types.h>

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGABRT 6
#define SIGKILL 9
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

typedef struct _cyc_sigset {
  unsigned long _cyc_words[16];
} sigset_t;

typedef enum { SIG_DFL, SIG_IGN } sigarg_t;

extern "C" {
  // What a signal does from now on. -1 if it cannot be changed.
  //
  //     assert(signal(SIGUSR1, SIG_IGN) == 0 && raise(SIGUSR1) == 0 && kill(getpid(), SIGUSR1) == 0);
  int signal(int number, sigarg_t action) asm("cyc_lib_signal");
  int raise(int number);
  int kill(pid_t pid, int number);

  // Sets of signals: none, all, with one, without one, is one in it?
  //
  //     sigset_t set;
  //     sigset_t all;
  //     assert(sigemptyset(&set) == 0 && sigaddset(&set, SIGUSR1) == 0 && sigismember(&set, SIGUSR1) == 1);
  //     assert(sigfillset(&all) == 0 && sigdelset(&all, SIGUSR1) == 0 && sigismember(&all, SIGUSR1) == 0);
  int sigemptyset(sigset_t @set) __attribute__((initializes(1)));
  int sigfillset(sigset_t @set) __attribute__((initializes(1)));
  int sigaddset(sigset_t @set, int number);
  int sigdelset(sigset_t @set, int number);
  int sigismember(const sigset_t @set, int number);
  // The set that was blocked before is stored in `old`, unless it is null.
  //
  //     sigset_t set;
  //     sigemptyset(&set);
  //     sigaddset(&set, SIGUSR2);
  //     assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0 && raise(SIGUSR2) == 0);
  int sigprocmask(int how, const sigset_t *set, sigset_t *old);
}

#endif

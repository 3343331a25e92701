// Signals.
//
// A handler of a program's own would run in the middle of anything, an allocation for instance, and could not be safe: a signal
// is ignored, ends the program, or is read from a descriptor (sys/signalfd.h) while it is blocked. Signal 30, SIGPWR, is the
// collector's: `sigfillset` leaves it out, the others refuse it.
//
//     #include <unistd.h>
#ifndef _CYC_SIGNAL_H
#define _CYC_SIGNAL_H

#include <sys/sigevent.h>
#include <sys/types.h>

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGPOLL 29
#define SIGSYS 31

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

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
  int sigemptyset(sigset_t @set) __attribute__((initializes(1))) asm("cyc_lib_sigemptyset");
  int sigfillset(sigset_t @set) __attribute__((initializes(1))) asm("cyc_lib_sigfillset");
  int sigaddset(sigset_t @set, int number) asm("cyc_lib_sigaddset");
  int sigdelset(sigset_t @set, int number);
  int sigismember(const sigset_t @set, int number);
  // The set that was blocked before is stored in `old`, unless it is null.
  //
  //     sigset_t set;
  //     sigemptyset(&set);
  //     sigaddset(&set, SIGUSR2);
  //     assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0 && raise(SIGUSR2) == 0);
  int sigprocmask(int how, const sigset_t *set, sigset_t *old);
  // The signals that were sent and are blocked; waits for one of a set, which should be blocked, and takes it.
  //
  //     sigset_t set;
  //     sigset_t waiting;
  //     sigemptyset(&set);
  //     sigaddset(&set, SIGUSR2);
  //     sigprocmask(SIG_BLOCK, &set, NULL);
  //     int number = 0;
  //     assert(raise(SIGUSR2) == 0 && sigpending(&waiting) == 0 && sigismember(&waiting, SIGUSR2) == 1);
  //     assert(sigwait(&set, &number) == 0 && number == SIGUSR2);
  int sigpending(sigset_t @set) __attribute__((initializes(1))) asm("cyc_lib_sigpending");
  int sigwait(const sigset_t @set, int @number);
  // Blocks a signal, lets it come again, ignores it.
  //
  //     assert(sighold(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && sigignore(SIGUSR1) == 0 && sigrelse(SIGUSR1) == 0 && sighold(-1) == -1);
  int sighold(int number) asm("cyc_lib_sighold");
  int sigrelse(int number) asm("cyc_lib_sigrelse");
  int sigignore(int number) asm("cyc_lib_sigignore");
}

#endif

// Signals that are blocked, read from a descriptor as structures of 128 bytes; the first four are the signal's number.
//
//     #include <unistd.h>
#ifndef _CYC_SYS_SIGNALFD_H
#define _CYC_SYS_SIGNALFD_H

#include <signal.h>

#define SFD_NONBLOCK 04000
#define SFD_CLOEXEC 02000000
#define SIGNALFD_SIZE 128

// A new descriptor if `fd` is -1.
//
//     sigset_t set;
//     sigemptyset(&set);
//     sigaddset(&set, SIGUSR1);
//     sigprocmask(SIG_BLOCK, &set, NULL);
//     int fd = signalfd(-1, &set, SFD_CLOEXEC);
//     char what[SIGNALFD_SIZE] @nozeroterm = {for i < SIGNALFD_SIZE : '\0'};
//     assert(raise(SIGUSR1) == 0 && read(fd, what, SIGNALFD_SIZE) == SIGNALFD_SIZE && what[0] == SIGUSR1);
extern "C" int signalfd(int fd, const sigset_t @set, int flags);

#endif

// Signals that are blocked, read from a descriptor as structures of 128 bytes; the first four are the signal's number.
#ifndef _CYC_SYS_SIGNALFD_H
#define _CYC_SYS_SIGNALFD_H

#include <signal.h>

#define SFD_NONBLOCK 04000
#define SFD_CLOEXEC 02000000
#define SIGNALFD_SIZE 128

// A new descriptor if `fd` is -1.
extern "C" int signalfd(int fd, const sigset_t @set, int flags);

#endif

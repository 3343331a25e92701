// Locks of whole files.
#ifndef _CYC_SYS_FILE_H
#define _CYC_SYS_FILE_H

#include <fcntl.h>

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

// Waits for the lock, unless LOCK_NB says that -1 will do.
extern "C" int flock(int fd, int operation);

#endif

// Locks of whole files.
//
//     #include <unistd.h>
#ifndef _CYC_SYS_FILE_H
#define _CYC_SYS_FILE_H

#include <fcntl.h>

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

// Waits for the lock, unless LOCK_NB says that -1 will do.
//
//     FILE *f = tmpfile();
//     if (f == NULL) return;
//     assert(flock(fileno(f), LOCK_EX | LOCK_NB) == 0 && flock(fileno(f), LOCK_UN) == 0);
extern "C" int flock(int fd, int operation);

#endif

// Keys of what processes share.
#ifndef _CYC_SYS_IPC_H
#define _CYC_SYS_IPC_H

#include <sys/types.h>

#define IPC_CREAT 01000
#define IPC_EXCL 02000
#define IPC_NOWAIT 04000
#define IPC_RMID 0
#define IPC_SET 1
#define IPC_STAT 2
#define IPC_PRIVATE 0

typedef int key_t;

// A key for a file and a number; -1 if there is no such file.
//
//     assert(ftok("/", 1) == ftok("/", 1) && ftok("/no/such/file", 1) == -1);
extern "C" key_t ftok(const char @path, int project);

#endif

// Processes that end.
#ifndef _CYC_SYS_WAIT_H
#define _CYC_SYS_WAIT_H

#include <sys/types.h>

#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(s) (((s) >> 8) & 0xff)
#define WTERMSIG(s) ((s) & 0x7f)
#define WSTOPSIG(s) (((s) >> 8) & 0xff)
#define WIFEXITED(s) (((s) & 0x7f) == 0)
#define WIFSIGNALED(s) (((s) & 0x7f) != 0 && ((s) & 0x7f) != 0x7f)
#define WIFSTOPPED(s) (((s) & 0xff) == 0x7f)
#define WCOREDUMP(s) (((s) & 0x80) != 0)

extern "C" {
  // The number of a child that ended; its status is stored, unless `status` is null. -1 if there is none.
  pid_t wait(int *status);
  pid_t waitpid(pid_t pid, int *status, int options);
}

#endif

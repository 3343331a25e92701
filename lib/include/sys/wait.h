// Processes that end.
//
//     #include <unistd.h>
#ifndef _CYC_SYS_WAIT_H
#define _CYC_SYS_WAIT_H

#include <sys/types.h>

// What a status says: ended by itself, with which status, or by which signal; stopped, by which; with a core.
//
//     assert(WIFEXITED(3 << 8) && WEXITSTATUS(3 << 8) == 3 && WIFSIGNALED(9) && WTERMSIG(9) == 9);
//     assert(WIFSTOPPED(19 << 8 | 0x7f) && WSTOPSIG(19 << 8 | 0x7f) == 19 && !WCOREDUMP(9));
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
  //
  //     int status = 0;
  //     if (fork() == 0) _exit(3);
  //     assert(wait(&status) > 0 && WEXITSTATUS(status) == 3 && waitpid(-1, NULL, WNOHANG) == -1);
  pid_t wait(int *status);
  pid_t waitpid(pid_t pid, int *status, int options);
}

#endif

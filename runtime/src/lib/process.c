/* Shims of <sys/time.h>, <sys/select.h>, <sys/resource.h>, <sys/ioctl.h>, <sys/timeb.h>, <sys/syslog.h> and <execinfo.h>, and of what
 * <unistd.h> has for processes. */
#define _GNU_SOURCE
#include "lib.h"

#include <errno.h>
#include <execinfo.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <syslog.h>
#include <unistd.h>

/* `new Core::Failure(what)`, made by lib/src/core.cyc. */
struct cyc_exn *cyc_failure(const char *what) __asm__("Cyc_Core$$failure");

/* lib/include has these structures as they are here. */
_Static_assert(sizeof(fd_set) == 128 && FD_SETSIZE == 1024, "fd_set");
_Static_assert(sizeof(struct timeval) == 16 && sizeof(struct itimerval) == 32, "struct timeval");
_Static_assert(sizeof(struct rusage) == 144 && sizeof(struct rlimit) == 16, "struct rusage");

int cyc_lib_gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  return gettimeofday(now, 0);
}

int cyc_lib_getitimer(int which, struct itimerval *now) {
  memset(now, 0, sizeof *now);
  return getitimer(which, now);
}

/* What sys/timeb.h has as `struct timeb`. */
struct cyc_timeb {
  time_t time;
  unsigned short millitm;
  short timezone, dstflag;
};

int cyc_lib_ftime(struct cyc_timeb *now) {
  struct timeval t;
  gettimeofday(&t, 0);
  *now = (struct cyc_timeb){t.tv_sec, (unsigned short)(t.tv_usec / 1000), 0, 0};
  return 0;
}

int cyc_lib_select(int n, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *most) {
  if (n > FD_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  return select(n, reading, writing, failing, most);
}

int cyc_lib_pselect(int n, fd_set *reading, fd_set *writing, fd_set *failing, const struct timespec *most, const sigset_t *blocked) {
  if (n <= FD_SETSIZE) return pselect(n, reading, writing, failing, most, blocked);
  errno = EINVAL;
  return -1;
}

static int settable(int fd) { return fd >= 0 && fd < FD_SETSIZE; }
void cyc_lib_fd_zero(fd_set *set) { FD_ZERO(set); }
void cyc_lib_fd_set(int fd, fd_set *set) {
  if (settable(fd)) FD_SET(fd, set);
}
void cyc_lib_fd_clr(int fd, fd_set *set) {
  if (settable(fd)) FD_CLR(fd, set);
}
int cyc_lib_fd_isset(int fd, const fd_set *set) { return settable(fd) && FD_ISSET(fd, set); }

int cyc_lib_getrlimit(int resource, struct rlimit *limit) {
  memset(limit, 0, sizeof *limit);
  return getrlimit((__rlimit_resource_t)resource, limit);
}

int cyc_lib_getrusage(int who, struct rusage *usage) {
  memset(usage, 0, sizeof *usage);
  return getrusage((__rusage_who_t)who, usage);
}

int cyc_lib_ioctl(int fd, unsigned long request, int *arg) {
  switch (request) {
  case FIONREAD: case FIONBIO: case TIOCOUTQ: case TIOCEXCL: case TIOCNXCL: return ioctl(fd, request, arg);
  default: errno = EINVAL; return -1;
  }
}

/* C keeps the name it is given. */
void cyc_lib_openlog(const char *name, int options, int facility) {
  static char kept[64];
  snprintf(kept, sizeof kept, "%s", name);
  openlog(kept, options, facility);
}

void cyc_lib_syslog(int priority, const char *text) { syslog(priority, "%s", text); }

int cyc_lib_backtrace(cyc_fat addresses, int n) {
  if (n < 0 || cyc_fat_numelts(addresses) < (cyc_u64)n) cyc_throw(cyc_failure("backtrace"), "backtrace", 0);
  return n == 0 ? 0 : backtrace(cyc_fat_ptr(addresses, sizeof(void *)), n);
}

int cyc_lib_bt(void) {
  void *frames[64];
  int n = backtrace(frames, 64);
  fflush(stdout);
  backtrace_symbols_fd(frames, n, STDOUT_FILENO);
  return 0;
}

/* ---------------------------------------------------------------- programs instead of this one */

/* C's execvp counts the arguments when it hands a script to the shell, so there has to be an array, with a name in it. */
static char *const *given(const char *name, char *const *argv, char *room[2]) {
  if (argv && argv[0]) return argv;
  memcpy(room, &name, sizeof name);
  room[1] = 0;
  return room;
}

int cyc_lib_execvp(const char *file, char *const *argv) {
  char *room[2];
  return execvp(file, given(file, argv, room));
}

int cyc_lib_execv(const char *path, char *const *argv) {
  char *room[2];
  return execv(path, given(path, argv, room));
}

int cyc_lib_execve(const char *path, char *const *argv, char *const *envp) {
  char *room[2], *empty[1] = {0};
  return execve(path, given(path, argv, room), envp ? envp : empty);
}

/* `last`: the arguments behind the first, of which the last has to be null. */
int cyc_lib_execlp(const char *file, const char *first, cyc_fat last) {
  size_t n = cyc_fat_numelts(last);
  char *const *rest = cyc_fat_ptr(last, sizeof(char *));
  if (n == 0 || rest[n - 1]) cyc_throw(cyc_failure("execlp"), "execlp", 0);
  char **argv = calloc(n + 1, sizeof *argv);
  if (!argv) cyc_fail_alloc(n + 1, sizeof *argv, "execlp", 0);
  memcpy(argv, &first, sizeof first);
  memcpy(argv + 1, rest, n * sizeof *argv);
  int result = execvp(file, argv);
  free(argv);
  return result;
}

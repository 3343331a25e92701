/* Shims of <sys/stat.h>, <dirent.h>, <fcntl.h>, <poll.h> and <signal.h>. */
#define _GNU_SOURCE
#include "lib.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>

/* lib/include has these structures as they are here. */
_Static_assert(sizeof(struct stat) == 144 && offsetof(struct stat, st_size) == 48, "struct stat");
_Static_assert(offsetof(struct stat, st_mtim) == 88 && offsetof(struct stat, st_mode) == 24, "struct stat");
_Static_assert(sizeof(struct dirent) == 280 && offsetof(struct dirent, d_name) == 19, "struct dirent");
_Static_assert(sizeof(struct pollfd) == 8 && sizeof(sigset_t) == 128, "struct pollfd, sigset_t");
_Static_assert(sizeof(struct flock) == 32 && offsetof(struct flock, l_start) == 8, "struct flock");

/* The result is all there, whether the call succeeds or not. */
int cyc_lib_stat(const char *path, struct stat *st) {
  memset(st, 0, sizeof *st);
  return stat(path, st);
}

int cyc_lib_lstat(const char *path, struct stat *st) {
  memset(st, 0, sizeof *st);
  return lstat(path, st);
}

int cyc_lib_fstat(int fd, struct stat *st) {
  memset(st, 0, sizeof *st);
  return fstat(fd, st);
}

/* A folder as Cyclone sees it. Invariant: `dir` is open, or null once it was closed; the wrapper is never freed. */
struct cyc_lib_dir {
  DIR *dir;
};

static DIR *open_dir(struct cyc_lib_dir *d, const char *function) {
  if (CYC_UNLIKELY(!d->dir)) cyc_fail_null(function, 0);
  return d->dir;
}

struct cyc_lib_dir *cyc_lib_opendir(const char *path) {
  DIR *dir = opendir(path);
  if (!dir) return 0;
  struct cyc_lib_dir *d = malloc(sizeof *d);
  if (!d) {
    closedir(dir);
    cyc_fail_alloc(1, sizeof *d, "opendir", 0);
  }
  d->dir = dir;
  return d;
}

/* A copy: what C returns ends with the next call. */
struct dirent *cyc_lib_readdir(struct cyc_lib_dir *d) {
  struct dirent *entry = readdir(open_dir(d, "readdir"));
  if (!entry) return 0;
  struct dirent *copy = cyc_alloc_array(CYC_BITS, 1, sizeof *copy, "readdir", 0);
  memset(copy, 0, sizeof *copy);
  copy->d_ino = entry->d_ino;
  copy->d_off = entry->d_off;
  copy->d_reclen = entry->d_reclen;
  copy->d_type = entry->d_type;
  memcpy(copy->d_name, entry->d_name, strnlen(entry->d_name, sizeof copy->d_name - 1));
  return copy;
}

void cyc_lib_rewinddir(struct cyc_lib_dir *d) { rewinddir(open_dir(d, "rewinddir")); }

int cyc_lib_closedir(struct cyc_lib_dir *d) {
  int result = closedir(open_dir(d, "closedir"));
  d->dir = 0;
  return result;
}

/* `modes`: the arguments after the flags. */
int cyc_lib_open(const char *path, int flags, cyc_fat modes) {
  mode_t mode = 0;
  if (cyc_fat_numelts(modes) != 0) mode = *(mode_t *)cyc_fat_ptr(modes, sizeof mode);
  return open(path, flags, mode);
}

int cyc_lib_poll(cyc_fat fds, nfds_t n, int milliseconds) {
  if (CYC_UNLIKELY(n != 0 && !cyc_fat_ok(fds, 0, n))) cyc_fail_fat(fds, 0, n, "poll", 0);
  return poll(cyc_fat_ptr(fds, sizeof(struct pollfd)), n, milliseconds);
}

/* By SIGPWR the collector stops threads (gc/stop_linux.c): programs have no set with it in it, nor does any of them change what it
 * does. */
static int is_free(int number) {
  if (number != SIGPWR) return 1;
  errno = EINVAL;
  return 0;
}

int cyc_lib_signal(int number, int action) {
  return is_free(number) && signal(number, action == 1 ? SIG_IGN : SIG_DFL) != SIG_ERR ? 0 : -1;
}

static int change_mask(int how, int number) {
  sigset_t one;
  sigemptyset(&one);
  return is_free(number) && sigaddset(&one, number) == 0 && sigprocmask(how, &one, 0) == 0 ? 0 : -1;
}
int cyc_lib_sighold(int number) { return change_mask(SIG_BLOCK, number); }
int cyc_lib_sigrelse(int number) { return change_mask(SIG_UNBLOCK, number); }

int cyc_lib_sigignore(int number) { return cyc_lib_signal(number, 1); }

int cyc_lib_sigaddset(sigset_t *set, int number) { return is_free(number) ? sigaddset(set, number) : -1; }

/* C leaves the words for signals that the system does not have as they were. */
static sigset_t *cleared(sigset_t *set) { return memset(set, 0, sizeof *set); }

int cyc_lib_sigemptyset(sigset_t *set) { return sigemptyset(cleared(set)); }
int cyc_lib_sigfillset(sigset_t *set) { return sigfillset(cleared(set)) == 0 ? sigdelset(set, SIGPWR) : -1; }
int cyc_lib_sigpending(sigset_t *set) { return sigpending(cleared(set)); }

void cyc_lib_seekdir(struct cyc_lib_dir *d, long place) { seekdir(open_dir(d, "seekdir"), place); }
long cyc_lib_telldir(struct cyc_lib_dir *d) { return telldir(open_dir(d, "telldir")); }

/* Requests without an argument, with a number, with a lock; what else there is could make the system write more. */
int cyc_lib_fcntl_long(int fd, int request, long argument) {
  switch (request) {
  case F_DUPFD: case F_DUPFD_CLOEXEC: case F_GETFD: case F_SETFD: case F_GETFL: case F_SETFL: case F_GETOWN: case F_SETOWN:
    return fcntl(fd, request, (int)argument);
  default: errno = EINVAL; return -1;
  }
}

int cyc_lib_fcntl_lock(int fd, int request, struct flock *lock) {
  if (request == F_GETLK || request == F_SETLK || request == F_SETLKW) return fcntl(fd, request, lock);
  errno = EINVAL;
  return -1;
}

// Processes, descriptors and directories.  read, write and getcwd raise Array_bounds when the buffer is
// shorter than the count.
#ifndef _CYC_UNISTD_H
#define _CYC_UNISTD_H

#include <getopt.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

extern "C" {
  ssize_t read(int fd, char ?@nozeroterm buf, size_t n) asm("cyc_lib_read");
  ssize_t write(int fd, const char ?@nozeroterm buf, size_t n) asm("cyc_lib_write");
  off_t lseek(int fd, off_t offset, int whence);
  int close(int fd);
  int dup(int fd);
  int dup2(int from, int to);
  int pipe(int @{2} ends);
  int isatty(int fd);
  int fsync(int fd);
  int ftruncate(int fd, off_t length);
  int truncate(const char @path, off_t length);

  // At a place of the file, which stays where it is.
  ssize_t pread(int fd, char ?@nozeroterm buf, size_t n, off_t at) asm("cyc_lib_pread");
  ssize_t pwrite(int fd, const char ?@nozeroterm buf, size_t n, off_t at) asm("cyc_lib_pwrite");
  int fdatasync(int fd);
  void sync(void);
  int lockf(int fd, int request, off_t length);
  long fpathconf(int fd, int name);

  int access(const char @path, int mode);
  int unlink(const char @path);
  int link(const char @from, const char @to);
  int symlink(const char @target, const char @path);
  int rmdir(const char @path);
  int chdir(const char @path);
  int fchdir(int fd);
  int chroot(const char @path);
  int chown(const char @path, uid_t owner, gid_t group);
  int fchown(int fd, uid_t owner, gid_t group);
  // The target of a link, without a final zero: its length.
  ssize_t readlink(const char @path, char ?@nozeroterm buf, size_t n) asm("cyc_lib_readlink");
  char ?`r getcwd(char ?`r buf, size_t n) asm("cyc_lib_getcwd");

  pid_t fork(void);
  // The same as fork.
  pid_t vfork(void) asm("fork");
  // Another program in place of this one; they come back with -1 if it cannot be run. The arguments end with null:
  // Core::Failure if those of execlp do not.
  int execlp(const char @file, const char @`r first, ... const char *`r) asm("cyc_lib_execlp");
  int execvp(const char @file, const char **@zeroterm argv);
  int execv(const char @path, const char **@zeroterm argv);
  int execve(const char @path, const char **@zeroterm argv, const char **@zeroterm envp);
  pid_t getpid(void);
  pid_t getppid(void);
  uid_t getuid(void);
  uid_t geteuid(void);
  gid_t getgid(void);
  gid_t getegid(void);
  pid_t getpgrp(void);
  pid_t getpgid(pid_t pid);
  pid_t getsid(pid_t pid);
  pid_t setsid(void);
  int setpgid(pid_t pid, pid_t group);
  int setuid(uid_t uid);
  int seteuid(uid_t uid);
  int setgid(gid_t gid);
  int setegid(gid_t gid);
  int nice(int more);
  pid_t tcgetpgrp(int fd);
  int tcsetpgrp(int fd, pid_t group);
  int gethostname(char ?@nozeroterm buf, size_t n) asm("cyc_lib_gethostname");
  long gethostid(void);
  unsigned sleep(unsigned seconds);
  int usleep(useconds_t microseconds);
  useconds_t ualarm(useconds_t first, useconds_t every);
  unsigned alarm(unsigned seconds);
  int pause(void);
  long sysconf(int name);
  void _exit(int status) __attribute__((noreturn));
}

#endif

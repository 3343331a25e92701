// Processes, descriptors and directories.  read, write and getcwd raise Array_bounds when the buffer is
// shorter than the count.
#ifndef _CYC_UNISTD_H
#define _CYC_UNISTD_H

#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
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

  int access(const char @path, int mode);
  int unlink(const char @path);
  int link(const char @from, const char @to);
  int symlink(const char @target, const char @path);
  int rmdir(const char @path);
  int chdir(const char @path);
  char ?`r getcwd(char ?`r buf, size_t n) asm("cyc_lib_getcwd");

  pid_t fork(void);
  pid_t getpid(void);
  pid_t getppid(void);
  uid_t getuid(void);
  uid_t geteuid(void);
  gid_t getgid(void);
  gid_t getegid(void);
  unsigned sleep(unsigned seconds);
  int usleep(useconds_t microseconds);
  unsigned alarm(unsigned seconds);
  int pause(void);
  long sysconf(int name);
  void _exit(int status) __attribute__((noreturn));
}

#endif

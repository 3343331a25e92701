// Processes, descriptors and directories.  read, write and getcwd raise Array_bounds when the buffer is
// shorter than the count.
//
//     #include <errno.h>
//     #include <fcntl.h>
//     #include <stdlib.h>
//     #include <sys/wait.h>
//     static int scratch() {
//       FILE *f = tmpfile();
//       return f == NULL ? -1 : fileno(f);
//     }
#ifndef _CYC_UNISTD_H
#define _CYC_UNISTD_H

#include <crypt.h>
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
  // Bytes of a descriptor, how many; its place; its end; another number for it; two ends of a pipe; is it a terminal; what was written, on the disk; other lengths. -1 after a failure, with errno.
  //
  //     int fd = scratch();
  //     char buffer[4] @nozeroterm = {' ', ' ', ' ', ' '};
  //     assert(write(fd, "abcd", 4) == 4 && lseek(fd, 1, SEEK_SET) == 1 && read(fd, buffer, 4) == 3 && buffer[0] == 'b');
  //     int ends[2];
  //     assert(pipe(ends) == 0 && dup(ends[0]) > 2 && dup2(ends[0], ends[1]) == ends[1] && close(ends[0]) == 0);
  //     assert(!isatty(fd) && fsync(fd) == 0 && ftruncate(fd, 2) == 0 && truncate("/no/such/file", 0) == -1);
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
  //
  //     int fd = scratch();
  //     char buffer[2] @nozeroterm = {' ', ' '};
  //     assert(pwrite(fd, "abcd", 4, 0) == 4 && pread(fd, buffer, 2, 2) == 2 && buffer[0] == 'c');
  //     assert(fdatasync(fd) == 0 && lockf(fd, F_TEST, 0) == 0 && fpathconf(fd, _PC_NAME_MAX) > 0);
  //     sync();
  ssize_t pread(int fd, char ?@nozeroterm buf, size_t n, off_t at) asm("cyc_lib_pread");
  ssize_t pwrite(int fd, const char ?@nozeroterm buf, size_t n, off_t at) asm("cyc_lib_pwrite");
  int fdatasync(int fd);
  void sync(void);
  int lockf(int fd, int request, off_t length);
  long fpathconf(int fd, int name);

  // May the file be read, written, run, is it there; its names; folders. 0, or -1 after a failure.
  //
  //     close(creat("example", 0600));
  //     assert(access("example", R_OK) == 0 && link("example", "second") == 0 && symlink("example", "third") == 0);
  //     assert(unlink("second") == 0 && unlink("third") == 0 && unlink("example") == 0);
  //     assert(rmdir("/no/such/folder") == -1 && chdir(".") == 0 && fchdir(-1) == -1 && chroot("/no/such/folder") == -1);
  //     assert(chown("/no/such/file", 0, 0) == -1 && fchown(-1, 0, 0) == -1);
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
  //
  //     char target[16] @nozeroterm = {for i < 16 : '\0'};
  //     char here[4096] @zeroterm;
  //     assert(symlink("target", "example") == 0 && readlink("example", target, 16) == 6 && unlink("example") == 0);
  //     assert(getcwd((char ?)here, 4096) != NULL && here[0] == '/');
  ssize_t readlink(const char @path, char ?@nozeroterm buf, size_t n) asm("cyc_lib_readlink");
  char ?`r getcwd(char ?`r buf, size_t n) asm("cyc_lib_getcwd");

  // A copy of the process, in which the result is 0.
  //
  //     pid_t child = fork();
  //     if (child == 0) _exit(7);
  //     int status = 0;
  //     assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
  pid_t fork(void);
  // The same as fork.
  //
  //     pid_t child = vfork();
  //     if (child == 0) _exit(0);
  //     assert(waitpid(child, NULL, 0) == child);
  pid_t vfork(void) asm("fork");
  // Another program in place of this one; they come back with -1 if it cannot be run. Without arguments it gets its own name, and
  // without an environment an empty one. The arguments end with null:
  // Core::Failure if those of execlp do not.
  //
  //     const char *argv[3] @zeroterm = {"prog", "argument", NULL};
  //     const char *envp[1] @zeroterm = {NULL};
  //     assert(execvp("/no/such/program", argv) == -1 && execv("/no/such/program", argv) == -1 && execve("/no/such/program", argv, envp) == -1);
  //     const char *`H end = NULL;
  //     assert(execlp("/no/such/program", "prog", end) == -1);
  //     assert(getpid() != getppid() && getuid() == geteuid() && getgid() == getegid());
  //     assert(getpgrp() == getpgid(0) && getsid(0) == getsid(getpid()) && setpgid(-1, -1) == -1 && setsid() != 0);
  //     assert(setuid(getuid()) == 0 && seteuid(geteuid()) == 0 && setgid(getgid()) == 0 && setegid(getegid()) == 0);
  //     char host[256] @nozeroterm = {for i < 256 : '\0'};
  //     assert(nice(0) >= -20 && tcgetpgrp(-1) == -1 && tcsetpgrp(-1, 0) == -1 && gethostname(host, 256) == 0 && gethostid() == gethostid());
  //     assert(sleep(0) == 0 && usleep(1) == 0 && ualarm(0, 0) == 0 && alarm(0) == 0 && sysconf(_SC_PAGESIZE) >= 4096);
  //     bool never = false;
  //     if (never) pause();
  //     if (never) _exit(1);
  int execlp(const char @file, const char @`r first, ... const char *`r) asm("cyc_lib_execlp");
  int execvp(const char @file, const char *const *@zeroterm argv) asm("cyc_lib_execvp");
  int execv(const char @path, const char *const *@zeroterm argv) asm("cyc_lib_execv");
  int execve(const char @path, const char *const *@zeroterm argv, const char *const *@zeroterm envp) asm("cyc_lib_execve");
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
  // A line from the terminal, which does not show it, as a fresh string; null if the process has no terminal.
  //
  //     bool asked = false;
  //     if (asked) assert(getpass("Password: ") != NULL);
  char *getpass(const char @prompt) __attribute__((single_threaded)) asm("cyc_lib_getpass");
  // The groups of the process: how many, if `groups` has no room at all. -1 with EINVAL if it has not enough.
  //
  //     gid_t groups[100] = {for i < 100 : 0};
  //     int n = getgroups(0, NULL);
  //     assert(n >= 0 && (n > 100 || getgroups(100, groups) == n));
  int getgroups(tag_t<`n> n, gid_t *{valueof(`n)} groups);
  void _exit(int status) __attribute__((noreturn));
}

#endif

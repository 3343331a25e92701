// Opening files as descriptors.
//
//     #include <unistd.h>
#ifndef _CYC_FCNTL_H
#define _CYC_FCNTL_H

#include <sys/types.h>

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_CLOEXEC 02000000

#define O_SYNC 04010000
#define O_NOCTTY 0400
#define O_ACCMODE 3
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_DUPFD_CLOEXEC 1030
#define FD_CLOEXEC 1
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2

struct flock {
  short l_type;
  short l_whence;
  off_t l_start;
  off_t l_len;
  pid_t l_pid;
};
datatype FcntlArg<`r::E> {
  Flock(struct flock @`r);
  Long(long)
};
typedef datatype FcntlArg<`r> @`r fcntlarg_t<`r::E>;

// Asks about a descriptor, or changes it: a number, or a lock, follows the request where it takes one. -1 with EINVAL for requests
// that are not named here; Core::Failure for more arguments than one.
//
//     struct flock lock = flock{F_WRLCK, SEEK_SET, 0, 0, 0};
//     int fd = creat("example", 0600);
//     assert(fcntl(fd, F_GETFD) == 0 && fcntl(fd, F_SETFD, (long)FD_CLOEXEC) == 0 && fcntl(fd, F_SETLK, &lock) == 0);
//     unlink("example");
int fcntl(int fd, int request, ... inject fcntlarg_t);

extern "C" {
  // The mode of a file that is made is the argument after the flags; 0 if there is none.
  //
  //     int fd = open("example", O_RDWR | O_CREAT, 0600);
  //     assert(fd >= 0 && creat("example", 0600) >= 0 && open("/no/such/file", O_RDONLY) == -1);
  //     unlink("example");
  int open(const char @path, int flags, ... mode_t) asm("cyc_lib_open");
  int creat(const char @path, mode_t mode);
}

#endif

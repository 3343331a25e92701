// What is known of files beside their contents.
//
//     #include <unistd.h>
#ifndef _CYC_SYS_STAT_H
#define _CYC_SYS_STAT_H

#include <sys/types.h>
#include <time.h>

struct stat {
  dev_t st_dev;
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  int _cyc_pad;
  dev_t st_rdev;
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
  long _cyc_reserved[3];
};

#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

// The type in a mode: a file, a folder, a link, a pipe, a socket, a device of characters, one of blocks.
//
//     struct stat st;
//     assert(stat(".", &st) == 0 && S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode));
//     assert(!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode) && !S_ISCHR(st.st_mode) && !S_ISBLK(st.st_mode));
#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFIFO 0010000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXO 0007
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_ISREG(m) (((m) & S_IFMT) == S_IFREG)
#define S_ISDIR(m) (((m) & S_IFMT) == S_IFDIR)
#define S_ISLNK(m) (((m) & S_IFMT) == S_IFLNK)
#define S_ISFIFO(m) (((m) & S_IFMT) == S_IFIFO)
#define S_ISSOCK(m) (((m) & S_IFMT) == S_IFSOCK)
#define S_ISCHR(m) (((m) & S_IFMT) == S_IFCHR)
#define S_ISBLK(m) (((m) & S_IFMT) == S_IFBLK)

extern "C" {
  // After a failure the structure is all zero.
  //
  //     struct stat st;
  //     struct stat link;
  //     struct stat input;
  //     assert(stat("/", &st) == 0 && lstat("/", &link) == 0 && fstat(0, &input) == 0 && st.st_ino == link.st_ino);
  //     umask(022);
  //     assert(mkdir("folder", 0700) == 0 && chmod("folder", 0500) == 0 && fchmod(-1, 0) == -1 && rmdir("folder") == 0);
  //     assert(mkfifo("pipe", 0600) == 0 && unlink("pipe") == 0 && mknod("node", S_IFREG, 0) == 0 && unlink("node") == 0);
  int stat(const char @path, struct stat @st) __attribute__((initializes(2))) asm("cyc_lib_stat");
  int lstat(const char @path, struct stat @st) __attribute__((initializes(2))) asm("cyc_lib_lstat");
  int fstat(int fd, struct stat @st) __attribute__((initializes(2))) asm("cyc_lib_fstat");
  int chmod(const char @path, mode_t mode);
  int fchmod(int fd, mode_t mode);
  int mkdir(const char @path, mode_t mode);
  int mkfifo(const char @path, mode_t mode);
  int mknod(const char @path, mode_t mode, dev_t device);
  mode_t umask(mode_t mask);
}

#endif

// Folders. Every operation on one that was closed raises Null_Exception.
#ifndef _CYC_DIRENT_H
#define _CYC_DIRENT_H

#include <sys/types.h>

typedef struct cyc_lib_dir DIR;

struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256] @zeroterm;
};

extern "C" {
  // A folder, to be read entry by entry; null if it cannot be opened.
  //
  //     DIR *d = opendir("/no/such/folder");
  //     assert(d == NULL);
  DIR *opendir(const char @path) asm("cyc_lib_opendir");
  // The next entry, in an object of its own; null at the end.
  //
  //     DIR *d = opendir(".");
  //     if (d == NULL) return;
  //     int n = 0;
  //     while (readdir(d) != NULL) n++;
  //     rewinddir(d);
  //     assert(n >= 2 && readdir(d) != NULL && closedir(d) == 0);
  struct dirent *readdir(DIR @d) asm("cyc_lib_readdir");
  void rewinddir(DIR @d) asm("cyc_lib_rewinddir");
  // Places in a folder, which only they understand.
  //
  //     DIR *d = opendir(".");
  //     if (d == NULL) return;
  //     long start = telldir(d);
  //     readdir(d);
  //     seekdir(d, start);
  //     assert(readdir(d) != NULL && closedir(d) == 0);
  long telldir(DIR @d) asm("cyc_lib_telldir");
  void seekdir(DIR @d, long place) asm("cyc_lib_seekdir");
  int closedir(DIR @d) asm("cyc_lib_closedir");
}

#endif

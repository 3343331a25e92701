// Times of files.
#ifndef _CYC_UTIME_H
#define _CYC_UTIME_H

#include <sys/types.h>

struct utimbuf {
  time_t actime;
  time_t modtime;
};

// Sets the times of last access and of last change; now if `times` is null.
//
//     struct utimbuf times = utimbuf{1000, 2000};
//     FILE @f = file_open("example", "w");
//     file_close(f);
//     assert(utime("example", &times) == 0 && utime("/no/such/file", NULL) == -1);
extern "C" int utime(const char @path, const struct utimbuf *times);

#endif

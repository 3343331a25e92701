// Times of files.
#ifndef _CYC_UTIME_H
#define _CYC_UTIME_H

#include <sys/types.h>

struct utimbuf {
  time_t actime;
  time_t modtime;
};

// Sets the times of last access and of last change; now if `times` is null.
extern "C" int utime(const char @path, const struct utimbuf *times);

#endif

/* Shims of <unistd.h> and <time.h>. */
#include "lib.h"

#include <errno.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

ssize_t cyc_lib_read(int fd, cyc_fat buffer, size_t n) { return read(fd, lib_need(buffer, n, "read"), n); }

ssize_t cyc_lib_write(int fd, cyc_fat buffer, size_t n) {
  return write(fd, lib_need(buffer, n, "write"), n);
}

/* Through a buffer of our own: what C leaves in `buffer` when the name does not fit is not said. */
cyc_fat cyc_lib_getcwd(cyc_fat buffer, size_t n) {
  char name[PATH_MAX];
  char *to = lib_need(buffer, n, "getcwd");
  if (!getcwd(name, sizeof name)) return CYC_FAT_NULL;
  size_t length = strlen(name);
  if (length + 1 > n) {
    errno = ERANGE;
    return CYC_FAT_NULL;
  }
  memcpy(to, name, length + 1);
  return buffer;
}

size_t cyc_lib_strftime(cyc_fat s, size_t n, const char *format, const struct tm *t) {
  return strftime(lib_need(s, n, "strftime"), n, format, t);
}

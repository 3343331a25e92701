/* Shims of <unistd.h> and <time.h>. */
#define _GNU_SOURCE
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

int cyc_lib_gethostname(cyc_fat buffer, size_t n) { return gethostname(lib_need(buffer, n, "gethostname"), n); }

ssize_t cyc_lib_readlink(const char *path, cyc_fat buffer, size_t n) {
  return readlink(path, lib_need(buffer, n, "readlink"), n);
}

ssize_t cyc_lib_pread(int fd, cyc_fat buffer, size_t n, off_t at) { return pread(fd, lib_need(buffer, n, "pread"), n, at); }
ssize_t cyc_lib_pwrite(int fd, cyc_fat buffer, size_t n, off_t at) { return pwrite(fd, lib_need(buffer, n, "pwrite"), n, at); }

/* Fresh records and strings: C overwrites its own with the next call. */
static struct tm *time_copy(const struct tm *t, const char *function) {
  if (!t) return 0;
  struct tm *copy = cyc_alloc_array_zero(CYC_ANY, 1, sizeof *copy, function, 0);
  *copy = *t;
  return copy;
}

struct tm *cyc_lib_gmtime(const time_t *t) { return time_copy(gmtime(t), "gmtime"); }
struct tm *cyc_lib_localtime(const time_t *t) { return time_copy(localtime(t), "localtime"); }
struct tm *cyc_lib_getdate(const char *text) { return time_copy(getdate(text), "getdate"); }

/* C leaves parts of the record as they were when the year does not fit. */
struct tm *cyc_lib_gmtime_r(const time_t *t, struct tm *result) {
  *result = (struct tm){0};
  return gmtime_r(t, result);
}
struct tm *cyc_lib_localtime_r(const time_t *t, struct tm *result) {
  *result = (struct tm){0};
  return localtime_r(t, result);
}

static char *text_copy(const char *s, const char *function) {
  if (!s) return 0;
  size_t n = strlen(s) + 1;
  return memcpy(cyc_alloc_array(CYC_BITS, n < 26 ? 26 : n, 1, function, 0), s, n);
}

/* C's asctime must not be given numbers that have more digits than it has room for. */
char *cyc_lib_asctime(const struct tm *t) {
  static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const char *day = t->tm_wday >= 0 && t->tm_wday < 7 ? days[t->tm_wday] : "???";
  const char *month = t->tm_mon >= 0 && t->tm_mon < 12 ? months[t->tm_mon] : "???";
  char text[128];
  snprintf(text, sizeof text, "%.3s %.3s%3d %.2d:%.2d:%.2d %ld\n", day, month, t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec,
           1900L + t->tm_year);
  return text_copy(text, "asctime");
}

char *cyc_lib_ctime(const time_t *t) {
  struct tm *local = localtime(t);
  return local ? cyc_lib_asctime(local) : 0;
}

// Calendar time and clocks.
#ifndef _CYC_TIME_H
#define _CYC_TIME_H

#include <sys/types.h>

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

extern "C" {
  time_t time(time_t *t);
  clock_t clock(void);
  double difftime(time_t later, time_t earlier);
  time_t mktime(struct tm @t);
  // A fresh record; null if the year has no number.
  struct tm *gmtime(const time_t @t) asm("cyc_lib_gmtime");
  struct tm *localtime(const time_t @t) asm("cyc_lib_localtime");
  // By the templates in the file that DATEMSK names; null if none fits.
  struct tm *getdate(const char @text) asm("cyc_lib_getdate");
  struct tm *`r gmtime_r(const time_t @t, struct tm @`r result);
  struct tm *`r localtime_r(const time_t @t, struct tm @`r result);
  // A fresh string, with a line break at its end.
  char *asctime(const struct tm @t) asm("cyc_lib_asctime");
  char *ctime(const time_t @t) asm("cyc_lib_ctime");
  // Array_bounds when `s` has fewer than n bytes.
  size_t strftime(char ?@nozeroterm s, size_t n, const char @fmt, const struct tm @t)
      asm("cyc_lib_strftime");

  int clock_getres(clockid_t clock, struct timespec *result);
  int clock_gettime(clockid_t clock, struct timespec @result);
  int clock_settime(clockid_t clock, const struct timespec @now);
  // The time zone, as tzset reads it from TZ: seconds west of Greenwich; is there ever summer time?
  void tzset(void);
  extern long timezone;
  extern int daylight;
  int nanosleep(const struct timespec @span, struct timespec *rest);
}

#endif

// Calendar time and clocks.
//
//     #include <stdlib.h>
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
  // The time in seconds since 1970; processor time that was used; the seconds between two times; a calendar time as seconds.
  //
  //     time_t now = time(NULL);
  //     struct tm *t = localtime(&now);
  //     assert(t != NULL && mktime((struct tm @)t) == now && difftime(now, now - 60) == 60.0 && clock() >= 0);
  time_t time(time_t *t) __attribute__((noheap));
  clock_t clock(void) __attribute__((noheap));
  double difftime(time_t later, time_t earlier) __attribute__((noheap));
  time_t mktime(struct tm @t);
  // A fresh record; null if the year has no number.
  //
  //     time_t day = 86400;
  //     struct tm *t = gmtime(&day);
  //     struct tm *u = localtime(&day);
  //     assert(t != NULL && t->tm_mday == 2 && t->tm_year == 70 && u != NULL);
  struct tm *gmtime(const time_t @t) __attribute__((single_threaded)) asm("cyc_lib_gmtime");
  struct tm *localtime(const time_t @t) __attribute__((single_threaded)) asm("cyc_lib_localtime");
  // By the templates in the file that DATEMSK names; null if none fits.
  //
  //     time_t day = 86400;
  //     struct tm *t = gmtime(&day);
  //     if (t == NULL) return;
  //     struct tm r = *t;
  //     assert(getdate("no date") == NULL && gmtime_r(&day, &r) == &r && localtime_r(&day, &r) == &r);
  struct tm *getdate(const char @text) __attribute__((single_threaded)) asm("cyc_lib_getdate");
  struct tm *`r gmtime_r(const time_t @t, struct tm @`r result);
  struct tm *`r localtime_r(const time_t @t, struct tm @`r result);
  // A fresh string, with a line break at its end.
  //
  //     time_t day = 86400;
  //     struct tm *t = gmtime(&day);
  //     if (t == NULL) return;
  //     assert(strcmp(asctime(t), "Fri Jan  2 00:00:00 1970\n") == 0 && ctime(&day) != NULL);
  char *asctime(const struct tm @t) __attribute__((single_threaded)) asm("cyc_lib_asctime");
  char *ctime(const time_t @t) __attribute__((single_threaded)) asm("cyc_lib_ctime");
  // Array_bounds when `s` has fewer than n bytes.
  //
  //     time_t day = 86400;
  //     struct tm *t = gmtime(&day);
  //     if (t == NULL) return;
  //     char text[16] @nozeroterm = {for i < 16 : '\0'};
  //     assert(strftime(text, 16, "%Y-%m-%d", t) == 10 && strcmp(text, "1970-01-02") == 0);
  size_t strftime(char ?@nozeroterm s, size_t n, const char @fmt, const struct tm @t)
      asm("cyc_lib_strftime");

  // Clocks: how fine, what time; a pause, and what is left of it after a signal.
  //
  //     struct timespec t = timespec{0, 0};
  //     assert(clock_getres(CLOCK_MONOTONIC, &t) == 0 && clock_gettime(CLOCK_MONOTONIC, &t) == 0 && t.tv_nsec < 1000000000);
  //     assert(clock_settime(CLOCK_MONOTONIC, &t) == -1);
  int clock_getres(clockid_t clock, struct timespec *result);
  int clock_gettime(clockid_t clock, struct timespec @result) __attribute__((noheap));
  int clock_settime(clockid_t clock, const struct timespec @now);
  // The time zone, as tzset reads it from TZ: seconds west of Greenwich; is there ever summer time?
  //
  //     setenv("TZ", "CET-1", 1);
  //     tzset();
  //     struct timespec t = timespec{0, 1000};
  //     assert(timezone == -3600 && daylight == 0 && nanosleep(&t, NULL) == 0);
  void tzset(void);
  extern long timezone;
  extern int daylight;
  int nanosleep(const struct timespec @span, struct timespec *rest) __attribute__((noheap));
}

#endif

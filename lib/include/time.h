// Calendar time and clocks.
//
//     #include <stdlib.h>
#ifndef _CYC_TIME_H
#define _CYC_TIME_H

#include <sys/types.h>
#include <sys/sigevent.h>

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct itimerspec {
  struct timespec it_interval; // zero: once
  struct timespec it_value;    // zero: not at all
};

// A timer of this process. A number that belongs to none is refused with EINVAL.
typedef int timer_t;
#define TIMER_ABSTIME 1

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
  //     assert(getdate("no date") == NULL);
  struct tm *getdate(const char @text) __attribute__((single_threaded)) asm("cyc_lib_getdate");
  // Into a record of the caller's; null if the year is too large for it.
  //
  //     time_t day = 86400;
  //     struct tm r;
  //     assert(gmtime_r(&day, &r) == &r && r.tm_mday == 2);
  //     assert(localtime_r(&day, &r) == &r && r.tm_year > 68);
  struct tm *`r gmtime_r(const time_t @t, struct tm @`r result) __attribute__((initializes(2))) asm("cyc_lib_gmtime_r");
  struct tm *`r localtime_r(const time_t @t, struct tm @`r result) __attribute__((initializes(2))) asm("cyc_lib_localtime_r");
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
  // Timers, which send a signal (SIGALRM if `event` is null) or nothing when their time has come: a new one; sets it and tells how
  // it was set, unless `old` is null; what is left; how many signals were one; an end of it. -1 with EINVAL for other numbers.
  //
  //     timer_t timer = 0;
  //     struct sigevent silent = sigevent{SIGEV_NONE, 0};
  //     struct itimerspec hour = itimerspec{timespec{0, 0}, timespec{3600, 0}};
  //     struct itimerspec left = hour;
  //     assert(timer_create(CLOCK_MONOTONIC, &silent, &timer) == 0 && timer_settime(timer, 0, &hour, NULL) == 0);
  //     assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec >= 3590 && timer_getoverrun(timer) == 0);
  //     assert(timer_delete(timer) == 0 && timer_delete(timer) == -1 && timer_gettime(-1, &left) == -1);
  int timer_create(clockid_t clock, const struct sigevent *event, timer_t @timer) asm("cyc_lib_timer_create");
  int timer_settime(timer_t timer, int flags, const struct itimerspec @next, struct itimerspec *old)
      asm("cyc_lib_timer_settime");
  int timer_gettime(timer_t timer, struct itimerspec @left) asm("cyc_lib_timer_gettime");
  int timer_getoverrun(timer_t timer) asm("cyc_lib_timer_getoverrun");
  int timer_delete(timer_t timer) asm("cyc_lib_timer_delete");
}

#endif

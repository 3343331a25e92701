// Messages to the system's log.
//
//     static void note(const char ?fmt, ... inject parg_t args) { vsyslog(LOG_DEBUG, fmt, args); }
#ifndef _CYC_SYS_SYSLOG_H
#define _CYC_SYS_SYSLOG_H

#include <stdio.h>

// One priority in a set, and all up to one.
//
//     assert(LOG_MASK(LOG_ERR) == 8 && LOG_UPTO(LOG_CRIT) == 7);
#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_USER 8
#define LOG_DAEMON 24
#define LOG_AUTH 32
#define LOG_LOCAL0 128
#define LOG_PID 1
#define LOG_CONS 2
#define LOG_NDELAY 8
#define LOG_PERROR 32
#define LOG_MASK(p) (1 << (p))
#define LOG_UPTO(p) ((1 << ((p) + 1)) - 1)

extern "C" {
  // The name that stands before each message is copied.
  //
  //     openlog("example", LOG_PID, LOG_USER);
  //     closelog();
  void openlog(const char @name, int options, int facility) __attribute__((single_threaded)) asm("cyc_lib_openlog");
  void closelog(void);
  // The priorities that are written from now on; those before.
  //
  //     assert(setlogmask(LOG_UPTO(LOG_ERR)) == 255);
  int setlogmask(int mask);
}

// Writes a message, formatted as by printf.
//
//     setlogmask(LOG_UPTO(LOG_ERR));
//     syslog(LOG_DEBUG, "%d files", 5);
//     note("%s", "text");
//     vsyslog(LOG_DEBUG, "text", NULL);
void syslog(int priority, const char ?fmt, ... inject parg_t);
void vsyslog(int priority, const char ?fmt, parg_t ?ap);

#endif

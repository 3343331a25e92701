/* What the run time wants from the operating system; one file per platform implements it. */
#ifndef CYC_OS_H
#define CYC_OS_H

enum { CYC_BACKTRACE_DEPTH = 48 };

/* Return addresses, innermost first; `depth` 0 when none was asked for. */
struct cyc_backtrace {
  int depth;
  void *frames[CYC_BACKTRACE_DEPTH];
};

/* Takes the current backtrace if the user asked for one (`CYC_BACKTRACE=1`), else an empty one. */
void cyc_os_take_backtrace(struct cyc_backtrace *trace);

/* Prints it on standard error, with source lines where debugging information gives them. */
void cyc_os_print_backtrace(const struct cyc_backtrace *trace);

#endif

/* Backtraces on Linux: addresses by glibc's unwinder, lines by binutils' addr2line, which comes
 * with every C compiler that could have built the program. Without it, symbols or bare addresses. */
#define _GNU_SOURCE
#include "os.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int wanted(void) {
  const char *value = getenv("CYC_BACKTRACE");
  return value && *value && strcmp(value, "0") != 0;
}

void cyc_os_take_backtrace(struct cyc_backtrace *trace) {
  trace->depth = wanted() ? backtrace(trace->frames, CYC_BACKTRACE_DEPTH) : 0;
}

/* How far the executable was moved from its link-time addresses. */
static int first_object(struct dl_phdr_info *info, size_t size, void *bias) {
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr;
  return 1;
}

/* Runs addr2line over the addresses; its output goes to `out`. False if it could not be run. */
static int run_addr2line(const struct cyc_backtrace *trace, int out) {
  uintptr_t bias = 0;
  char text[CYC_BACKTRACE_DEPTH][2 + 2 * sizeof(void *) + 1];
  char exe[4096];
  char *argv[CYC_BACKTRACE_DEPTH + 6];
  int argc = 0;
  ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
  if (len <= 0) return 0;
  exe[len] = 0;
  dl_iterate_phdr(first_object, &bias);
  argv[argc++] = "addr2line";
  argv[argc++] = "-fpi"; /* inlined callers are frames to the programmer */
  argv[argc++] = "-e";
  argv[argc++] = exe;
  for (int i = 0; i < trace->depth; i++) {
    /* One less: a return address lies behind its call, perhaps on the next line. */
    snprintf(text[i], sizeof text[i], "0x%lx", (unsigned long)((uintptr_t)trace->frames[i] - bias - 1));
    argv[argc++] = text[i];
  }
  argv[argc] = 0;
  pid_t child = fork();
  if (child == 0) {
    dup2(out, 1);
    unsetenv("LD_PRELOAD");
    execvp(argv[0], argv);
    _exit(127);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Prints `function at file:line` lines, Cyclone names without their prefix, the run time's own frames left out. */
static void print_lines(FILE *lines) {
  char line[4096];
  int shown = 0, in_program = 0;
  while (fgets(line, sizeof line, lines)) {
    static const char inlined[] = " (inlined by) ";
    char *name = line;
    if (!strncmp(name, inlined, sizeof inlined - 1)) name += sizeof inlined - 1;
    if (!strncmp(name, "Cyc_", 4)) {
      in_program = 1;
      name += 4;
    }
    if (!in_program) continue;
    if (!strncmp(name, "cyc_user_main", 13) || !strncmp(name, "??", 2)) break;
    fprintf(stderr, "  #%d %s", shown++, name);
  }
}

void cyc_os_print_backtrace(const struct cyc_backtrace *trace) {
  if (!trace->depth) return;
  FILE *lines = tmpfile();
  fputs("backtrace:\n", stderr);
  fflush(stderr);
  if (lines && run_addr2line(trace, fileno(lines))) {
    rewind(lines);
    print_lines(lines);
  } else {
    backtrace_symbols_fd(trace->frames, trace->depth, 2);
  }
  if (lines) fclose(lines);
}

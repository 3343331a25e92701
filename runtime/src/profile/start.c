/* Where the profile goes: what CYC_MEMORY_PROFILE asks for, from the start of the program to its end.
 *
 * The program itself writes JSON; pictures are drawn by `cyc profile`, which is run if it is on the PATH. What is
 * written appears whole or not at all.
 */
#ifdef CYC_PROFILE
#define _GNU_SOURCE
#include "profile.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[PATH_MAX], place[PATH_MAX + 32];

static int ends_in(const char *text, const char *end) {
  size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && !strcmp(text + length - wanted, end);
}

static void cannot_write(void) { fprintf(stderr, "memory profile: cannot write `%s`: %s\n", path, strerror(errno)); }

/* A device or a pipe is written through. */
static int is_special(void) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/* Draws the profile that is at `place`. */
static void draw(void) {
  char *argv[] = {"cyc", "profile", place, "-o", path, 0};
  extern char **environ;
  pid_t child;
  int status = 0, error = posix_spawnp(&child, argv[0], 0, 0, argv, environ);
  if (!error && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    unlink(place);
    return;
  }
  char kept[sizeof place];
  snprintf(kept, sizeof kept, "%s.json", path);
  if (rename(place, kept)) unlink(place);
  else
    fprintf(stderr, "memory profile: `cyc` is needed to draw `%s`%s%s; the figures are in `%s`\n", path, error ? ": " : "",
            error ? strerror(error) : "", kept);
}

static void write_profile(void) {
  int special = is_special();
  snprintf(place, sizeof place, special ? "%s" : "%s.%ld.tmp", path, (long)getpid());
  FILE *out = fopen(place, special ? "we" : "wxe");
  if (!out) {
    cannot_write();
    return;
  }
  int written = cyc_profile_write(out);
  if (fclose(out)) written = 0;
  if (special) {
    if (!written) cannot_write();
  } else if (!written) {
    cannot_write();
    unlink(place);
  } else if (!ends_in(path, ".json")) {
    draw();
  } else if (rename(place, path)) {
    cannot_write();
    unlink(place);
  }
}

static void finish(void) {
  if (!cyc_profile.on) return;
  fflush(stdout);
  cyc_profile_lock();
  cyc_profile.on = 0;
  cyc_profile_print_leaks();
  write_profile();
  cyc_profile_unlock();
}

/* A child has a program of its own, which nobody asked about. */
static void before_fork(void) { cyc_profile_lock(); }
static void after_fork(void) { cyc_profile_unlock(); }
static void in_child(void) {
  cyc_profile.on = 0;
  cyc_profile_unlock();
}

/* The path, wherever the program goes until it ends; false if it is no place for a profile. */
static int take_path(const char *wish) {
  char folder[PATH_MAX];
  if (*wish == '/') snprintf(path, sizeof path, "%s", wish);
  else if (!getcwd(folder, sizeof folder) || (size_t)snprintf(path, sizeof path, "%s/%s", folder, wish) >= sizeof path) {
    fprintf(stderr, "memory profile: cannot write `%s`: its name is too long\n", wish);
    return 0;
  }
  if (is_special()) return 1;
  if (!ends_in(path, ".html") && !ends_in(path, ".svg") && !ends_in(path, ".json")) {
    fprintf(stderr, "memory profile: `%s` must end in .html, .svg or .json\n", wish);
    return 0;
  }
  struct stat info;
  int is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  if (is_folder) errno = EISDIR;
  snprintf(folder, sizeof folder, "%s", path);
  if (is_folder || access(dirname(folder), W_OK | X_OK)) {
    cannot_write();
    return 0;
  }
  return 1;
}

void cyc_profile_start(void) {
  const char *wish = getenv("CYC_MEMORY_PROFILE");
  if (!wish || !*wish || !take_path(wish)) return;
  unsetenv("CYC_MEMORY_PROFILE"); /* for this program, not for those that it starts */
  cyc_profile.began_ns = cyc_profile_clock();
  cyc_profile.step = cyc_profile.events = 1;
  cyc_profile_watch();
  pthread_atfork(before_fork, after_fork, in_child);
  atexit(finish);
  cyc_profile.on = 1;
}
#endif

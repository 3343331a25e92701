/* Shims of <stdlib.h>. */
#define _GNU_SOURCE
#include "lib.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* `new Core::Failure(what)`, made by lib/src/core.cyc. */
struct cyc_exn *cyc_failure(const char *what) __asm__("Cyc_Core$$failure");

typedef int compare(const void *, const void *);

static void swap(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char c = a[i];
    a[i] = b[i];
    b[i] = c;
  }
}

static void sift_down(char *x, size_t at, size_t n, size_t size, compare *cmp) {
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && cmp(x + child * size, x + (child + 1) * size) < 0) child++;
    if (cmp(x + at * size, x + child * size) >= 0) return;
    swap(x + at * size, x + child * size, size);
  }
}

/* By a heap, in place: the C library's qsort hands pointers to copies that it frees to `cmp`, which may keep them, and one
 * that raises an exception never comes back to it. */
void cyc_lib_qsort(cyc_fat p, size_t n, size_t size, compare *cmp) {
  if (!cyc_fat_nonnull(p, size) || cyc_fat_numelts(p) < n) cyc_throw(cyc_failure("qsort"), "qsort", 0);
  char *x = cyc_fat_ptr(p, size);
  for (size_t i = n / 2; i-- > 0;) sift_down(x, i, n, size, cmp);
  for (size_t end = n; end > 1; end--) {
    swap(x, x + (end - 1) * size, size);
    sift_down(x, 0, end - 1, size, cmp);
  }
}

void cyc_lib_free(cyc_fat p) { (void)p; }

/* What is to happen at the end, the last on top. */
struct action {
  void (*run)(void);
  struct action *below;
};
static struct action *actions;
static pthread_mutex_t actions_lock = PTHREAD_MUTEX_INITIALIZER;

/* No handler is left: an exception that the action raises ends the program, as one in `main` does, and never comes back into
 * the middle of `exit`. */
static void run_last(void) {
  pthread_mutex_lock(&actions_lock);
  struct action *last = actions;
  actions = last->below;
  pthread_mutex_unlock(&actions_lock);
  void (*run)(void) = last->run;
  free(last);
  cyc_handlers = 0;
  run();
}

int cyc_lib_atexit(void (*run)(void)) {
  struct action *a = malloc(sizeof *a);
  if (!a) return -1;
  pthread_mutex_lock(&actions_lock);
  int failed = atexit(run_last);
  if (!failed) {
    *a = (struct action){run, actions};
    actions = a;
  }
  pthread_mutex_unlock(&actions_lock);
  if (failed) free(a);
  return failed;
}

int cyc_lib_is_set(const char *variable) { return getenv(variable) != 0; }

/* A copy: what C returns may end with the next change of the environment. */
char *cyc_lib_getenv(const char *name) {
  const char *value = getenv(name);
  if (!value) return 0;
  size_t n = strlen(value) + 1;
  return memcpy(cyc_alloc_array(CYC_BITS, n, 1, "getenv", 0), value, n);
}

int cyc_lib_putenv(const char *entry) {
  const char *equals = strchr(entry, '=');
  if (!equals) return unsetenv(entry);
  char *name = strndup(entry, (size_t)(equals - entry));
  if (!name) cyc_fail_alloc(1, (size_t)(equals - entry), "putenv", 0);
  int result = setenv(name, equals + 1, 1);
  free(name);
  return result;
}

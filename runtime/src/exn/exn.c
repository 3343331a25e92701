/* Raising, catching and reporting exceptions.
 *
 * Invariant: `cyc_handlers` is null or points to the frame of a `try` whose body is running in this
 * thread. Raising takes the frame off before it jumps, so a throw inside a handler goes outwards; on the way it frees
 * the lexical regions that were entered since the `try`.
 */
#include "exn.h"
#include "../os/os.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

_Static_assert(sizeof(jmp_buf) <= sizeof(((cyc_handler *)0)->jump), "a handler frame holds a jmp_buf");

/* Built-in exceptions are printed with the prefix that programs' expected outputs contain. */
const struct cyc_exn_tag cyc_tag_Null_Exception = {"Cyc_Null_Exception", 0};
const struct cyc_exn_tag cyc_tag_Array_bounds = {"Cyc_Array_bounds", 0};
const struct cyc_exn_tag cyc_tag_Match_Exception = {"Cyc_Match_Exception", 0};
const struct cyc_exn_tag cyc_tag_Bad_alloc = {"Cyc_Bad_alloc", 0};
const struct cyc_exn_tag cyc_tag_Assert = {"Cyc_Assert_Exception", 0};

enum { NULL_EXCEPTION, ARRAY_BOUNDS, MATCH_EXCEPTION, BAD_ALLOC, ASSERT };

struct cyc_exn cyc_exn_builtin[5] = {
    {&cyc_tag_Null_Exception}, {&cyc_tag_Array_bounds}, {&cyc_tag_Match_Exception},
    {&cyc_tag_Bad_alloc},      {&cyc_tag_Assert},
};

__thread cyc_handler *cyc_handlers;

/* What is known about the exception last raised in this thread. The detail is kept as a format and
 * numbers: printing is left to the report, so that raising allocates nothing and stays short. */
static __thread struct {
  struct cyc_exn *exn;
  const char *file;
  unsigned line;
  const char *detail;
  cyc_i64 a, b, c;
  struct cyc_backtrace trace;
} current;

struct cyc_exn *cyc_caught(void) { return current.exn; }
const char *cyc_exn_name_of(struct cyc_exn *exn) { return exn->tag->name; }
const char *cyc_exn_name(void) { return current.exn ? current.exn->tag->name : ""; }
const char *cyc_exn_file(void) { return current.file ? current.file : ""; }
int cyc_exn_line(void) { return (int)current.line; }

/* What the program wants to be called before an exception ends it; not again if it raises one itself. */
static int (*uncaught_hook)(void);
void cyc_exn_set_hook(int (*hook)(void)) { uncaught_hook = hook; }

static CYC_COLD void report_uncaught(void) {
  int (*hook)(void) = uncaught_hook;
  uncaught_hook = 0;
  if (hook) {
    __typeof__(current) raised = current;
    hook();
    current = raised;
  }
  fflush(stdout);
  fprintf(stderr, "Uncaught exception %s", cyc_exn_name());
  if (current.file) fprintf(stderr, " thrown from around %s", current.file);
  if (current.file && current.line) fprintf(stderr, ":%u", current.line); /* the library gives a function's name and no line */
  fputc('\n', stderr);
  if (current.detail) {
    fputs("  ", stderr);
    fprintf(stderr, current.detail, (long long)current.a, (long long)current.b, (long long)current.c);
    fputc('\n', stderr);
  }
  cyc_exn_show(current.exn, stderr);
  cyc_os_print_backtrace(&current.trace);
  exit(1);
}

static CYC_COLD void jump(void) {
  cyc_handler *handler = cyc_handlers;
  if (!handler) report_uncaught();
  cyc_handlers = handler->outer;
  if (cyc_regions != handler->regions) cyc_rgn_unwind(handler->regions);
  _longjmp(*(jmp_buf *)handler->jump, 1);
}

static CYC_COLD void raise_with(struct cyc_exn *exn, const char *file, unsigned line, const char *detail,
                                cyc_i64 a, cyc_i64 b, cyc_i64 c) {
  current.exn = exn;
  current.file = file;
  current.line = line;
  current.detail = detail;
  current.a = a;
  current.b = b;
  current.c = c;
  cyc_os_take_backtrace(&current.trace);
  jump();
}

void cyc_throw(struct cyc_exn *exn, const char *file, unsigned line) {
  raise_with(exn, file, line, 0, 0, 0, 0);
}

void cyc_rethrow(struct cyc_exn *exn) {
  current.exn = exn;
  jump();
}

void cyc_fail_null(const char *file, unsigned line) {
  raise_with(&cyc_exn_builtin[NULL_EXCEPTION], file, line, "a null pointer was used where an object is needed", 0, 0, 0);
}

void cyc_fail_index(cyc_i64 index, cyc_u64 len, const char *file, unsigned line) {
  raise_with(&cyc_exn_builtin[ARRAY_BOUNDS], file, line, "index %lld is outside of the %lld elements", index,
             (cyc_i64)len, 0);
}

void cyc_fail_fat_parts(const void *base, cyc_i64 off, cyc_u64 len, cyc_i64 index, cyc_u64 count, const char *file,
                        unsigned line) {
  struct cyc_exn *exn = &cyc_exn_builtin[ARRAY_BOUNDS];
  cyc_i64 at = (cyc_i64)((cyc_u64)off + (cyc_u64)index);
  if (!base) raise_with(exn, file, line, "the fat pointer is null", 0, 0, 0);
  if (count == 1) raise_with(exn, file, line, "element %lld is outside of the object's %lld elements", at, (cyc_i64)len, 0);
  raise_with(exn, file, line, "%lld elements from element %lld on are not within the object's %lld elements", (cyc_i64)count, at,
             (cyc_i64)len);
}

void cyc_fail_base(cyc_fat ptr, const char *file, unsigned line) {
  raise_with(&cyc_exn_builtin[ARRAY_BOUNDS], file, line,
             "a counted pointer was moved along by %lld elements: thin, it would not find its count", (cyc_i64)ptr.off, 0, 0);
}

void cyc_fail_zero_scan(cyc_i64 index, const char *file, unsigned line) {
  const char *detail = index < 0 ? "index %lld lies before a zero-terminated sequence"
                                 : "element %lld lies beyond the end of a zero-terminated sequence";
  raise_with(&cyc_exn_builtin[ARRAY_BOUNDS], file, line, detail, index, 0, 0);
}

void cyc_fail_zero_write(const char *file, unsigned line) {
  raise_with(&cyc_exn_builtin[ARRAY_BOUNDS], file, line,
             "the final zero of a zero-terminated sequence may only be overwritten by zero", 0, 0, 0);
}

void cyc_fail_match(const char *file, unsigned line) {
  raise_with(&cyc_exn_builtin[MATCH_EXCEPTION], file, line, "no pattern matches the value", 0, 0, 0);
}

void cyc_fail_assert(const char *file, unsigned line) {
  raise_with(&cyc_exn_builtin[ASSERT], file, line, "the assertion does not hold", 0, 0, 0);
}

void cyc_fail_removed(const char *file, unsigned line) {
  fflush(stdout);
  fprintf(stderr, "%s:%u: a check that was removed would have failed: internal error of the compiler\n", file, line);
  abort();
}

void cyc_fail_alloc(cyc_u64 count, cyc_u64 size, const char *file, unsigned line) {
  const char *detail = count == 1 ? "%2$lld bytes could not be allocated"
                                  : "%1$lld elements of %2$lld bytes could not be allocated";
  raise_with(&cyc_exn_builtin[BAD_ALLOC], file, line, detail, (cyc_i64)count, (cyc_i64)size, 0);
}

void cyc_div_by_zero(void) {
  fflush(stdout);
  signal(SIGFPE, SIG_DFL);
  raise(SIGFPE);
  abort();
}

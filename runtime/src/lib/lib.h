/* What the shims under the typed headers (lib/include) share.
 *
 * A shim takes fat pointers where C takes an address and trusts a count. It checks the count against the
 * bounds before it calls the C library, so nothing a Cyclone program passes makes it read or write
 * outside an object. Thin pointers arrive as their Cyclone types promise: `@` is not null, `char @` is
 * zero-terminated. A failed check names the function in place of a file, and no line.
 */
#ifndef CYC_LIB_H
#define CYC_LIB_H

#include "cyc_rt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The address of a fat pointer to bytes. */
static inline char *lib_at(cyc_fat p) { return cyc_fat_ptr(p, 1); }

/* Raises Array_bounds unless `n` bytes from the current position are in bounds. No bytes are in bounds everywhere; C wants an
 * address even then that is one. */
static inline char *lib_need(cyc_fat p, cyc_u64 n, const char *function) {
  if (CYC_UNLIKELY(n == 0)) return (char *)"";
  if (CYC_UNLIKELY(!cyc_fat_ok(p, 0, n))) cyc_fail_fat(p, 0, n, function, 0);
  return lib_at(p);
}

/* A text: the bytes up to the first zero, or to the end of the bounds. */
struct lib_text {
  const char *at;
  size_t n;
};

static inline struct lib_text lib_text(cyc_fat p) {
  cyc_u64 room = cyc_fat_numelts(p);
  struct lib_text text = {lib_at(p), 0};
  if (room != 0) text.n = strnlen(text.at, room);
  return text;
}

/* A stream as Cyclone sees it. Invariant: `stream` is open, or null once the stream was closed; the
 * wrapper itself is never freed, so that a pointer to a closed stream stays valid. */
struct cyc_lib_file {
  FILE *stream;
  enum { LIB_FILE, LIB_PIPE, LIB_STANDARD } kind;
};

/* The C stream; raises Null_Exception when it was closed. */
static inline FILE *lib_stream(struct cyc_lib_file *f, const char *function) {
  if (CYC_UNLIKELY(!f->stream)) cyc_fail_null(function, 0);
  return f->stream;
}

#endif

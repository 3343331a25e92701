/* Shims of <stdio.h>: streams that know when they were closed, and counts that are checked. */
#define _GNU_SOURCE
#include "lib.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct cyc_lib_file file;

/* ---------------------------------------------------------------- the standard streams */

static file standard[3] = {{0, LIB_STANDARD}, {0, LIB_STANDARD}, {0, LIB_STANDARD}};
file *const cyc_lib_stdin = &standard[0];
file *const cyc_lib_stdout = &standard[1];
file *const cyc_lib_stderr = &standard[2];

/* C's streams are not constants of the C language, so they are filled in before
 * the program's own functions that run before `main`. */
__attribute__((constructor(103))) static void open_standard(void) {
  standard[0].stream = stdin;
  standard[1].stream = stdout;
  standard[2].stream = stderr;
}

/* ---------------------------------------------------------------- opening and closing */

/* The wrapper of a new stream; null for null. Keeps errno. */
static file *wrap(FILE *stream, int kind, const char *function) {
  if (!stream) return 0;
  file *f = malloc(sizeof *f);
  if (!f) {
    fclose(stream);
    cyc_fail_alloc(1, sizeof *f, function, 0);
  }
  f->stream = stream;
  f->kind = kind;
  return f;
}

file *cyc_lib_fopen(const char *path, const char *mode) {
  return wrap(fopen(path, mode), LIB_FILE, "fopen");
}

file *cyc_lib_fdopen(int fd, const char *mode) { return wrap(fdopen(fd, mode), LIB_FILE, "fdopen"); }

file *cyc_lib_tmpfile(void) { return wrap(tmpfile(), LIB_FILE, "tmpfile"); }

file *cyc_lib_popen(const char *command, const char *mode) {
  return wrap(popen(command, mode), LIB_PIPE, "popen");
}

file *cyc_lib_from_c_file(FILE *stream) { return wrap(stream, LIB_FILE, "fromCfile"); }

/* C frees a stream that it cannot open again. */
file *cyc_lib_freopen(const char *path, const char *mode, file *f) {
  f->stream = freopen(path, mode, lib_stream(f, "freopen"));
  return f->stream ? f : 0;
}

file *cyc_lib_r_freopen(cyc_handle h, const char *path, const char *mode, file *f) {
  (void)h;
  return cyc_lib_freopen(path, mode, f);
}

cyc_fat cyc_lib_aprintf(const char *format, ...);

/* C warns of it at link time: another program may take the name before this one does. */
cyc_fat cyc_lib_tmpnam(cyc_fat s) {
  char name[L_tmpnam];
  for (int tries = 0;; tries++) {
    snprintf(name, sizeof name, "%s/cyc%05x%05x", P_tmpdir, (unsigned)getpid() & 0xfffff, (unsigned)random() & 0xfffff);
    if (access(name, F_OK) < 0 || tries > TMP_MAX) break;
  }
  if (!cyc_fat_nonnull(s, 1)) return cyc_lib_aprintf("%s", name);
  memcpy(lib_need(s, L_tmpnam, "tmpnam"), name, strlen(name) + 1);
  return s;
}

/* `printf` and `getchar` use C's standard streams directly, so these only lose their descriptor. */
static int close_standard(file *f) {
  FILE *stream = f->stream;
  f->stream = 0;
  int failed = fflush(stream);
  return close(fileno(stream)) < 0 || failed ? EOF : 0;
}

int cyc_lib_fclose(file *f) {
  FILE *stream = lib_stream(f, "fclose");
  if (f->kind == LIB_STANDARD) return close_standard(f);
  f->stream = 0;
  return fclose(stream);
}

int cyc_lib_pclose(file *f) {
  FILE *stream = lib_stream(f, "pclose");
  if (f->kind != LIB_PIPE) {
    errno = EINVAL;
    return -1;
  }
  f->stream = 0;
  return pclose(stream);
}

int cyc_lib_fflush(file *f) { return fflush(f ? lib_stream(f, "fflush") : 0); }

/* ---------------------------------------------------------------- state */

int cyc_lib_feof(file *f) { return feof(lib_stream(f, "feof")); }
int cyc_lib_ferror(file *f) { return ferror(lib_stream(f, "ferror")); }
void cyc_lib_clearerr(file *f) { clearerr(lib_stream(f, "clearerr")); }
int cyc_lib_fileno(file *f) { return fileno(lib_stream(f, "fileno")); }

int cyc_lib_setvbuf(file *f, cyc_fat buffer, int mode, size_t size) {
  (void)buffer; /* may die before the stream does */
  return setvbuf(lib_stream(f, "setvbuf"), 0, mode, size);
}

void cyc_lib_setbuf(file *f, cyc_fat buffer) {
  int mode = cyc_fat_nonnull(buffer, 1) ? _IOFBF : _IONBF;
  setvbuf(lib_stream(f, "setbuf"), 0, mode, BUFSIZ);
}

/* ---------------------------------------------------------------- characters, lines, blocks */

int cyc_lib_getc(file *f) { return getc(lib_stream(f, "getc")); }
int cyc_lib_ungetc(int c, file *f) { return ungetc(c, lib_stream(f, "ungetc")); }
int cyc_lib_putc(int c, file *f) { return putc(c, lib_stream(f, "putc")); }
int cyc_lib_getw(file *f) { return getw(lib_stream(f, "getw")); }
int cyc_lib_putw(int w, file *f) { return putw(w, lib_stream(f, "putw")); }
void cyc_lib_flockfile(file *f) { flockfile(lib_stream(f, "flockfile")); }
int cyc_lib_ftrylockfile(file *f) { return ftrylockfile(lib_stream(f, "ftrylockfile")); }
void cyc_lib_funlockfile(file *f) { funlockfile(lib_stream(f, "funlockfile")); }
int cyc_lib_getc_unlocked(file *f) { return getc_unlocked(lib_stream(f, "getc_unlocked")); }
int cyc_lib_putc_unlocked(int c, file *f) { return putc_unlocked(c, lib_stream(f, "putc_unlocked")); }
int cyc_lib_fputs(const char *s, file *f) { return fputs(s, lib_stream(f, "fputs")); }

cyc_fat cyc_lib_fgets(cyc_fat s, int n, file *f) {
  FILE *stream = lib_stream(f, "fgets");
  if (n <= 0) return CYC_FAT_NULL;
  char *to = lib_need(s, (cyc_u64)n, "fgets");
  return fgets(to, n, stream) ? s : CYC_FAT_NULL;
}

/* `count` elements of `size` bytes; Array_bounds also when the product overflows. */
static char *block(cyc_fat buffer, size_t size, size_t count, const char *function) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes)) bytes = (size_t)-1;
  return lib_need(buffer, bytes, function);
}

size_t cyc_lib_fread(cyc_fat buffer, size_t size, size_t count, file *f) {
  FILE *stream = lib_stream(f, "fread");
  char *to = block(buffer, size, count, "fread");
  return size && count ? fread(to, size, count, stream) : 0;
}

size_t cyc_lib_fwrite(cyc_fat buffer, size_t size, size_t count, file *f) {
  FILE *stream = lib_stream(f, "fwrite");
  char *from = block(buffer, size, count, "fwrite");
  return size && count ? fwrite(from, size, count, stream) : 0;
}

/* ---------------------------------------------------------------- position */

int cyc_lib_fseek(file *f, long offset, int whence) {
  return fseek(lib_stream(f, "fseek"), offset, whence);
}

long cyc_lib_ftell(file *f) { return ftell(lib_stream(f, "ftell")); }
void cyc_lib_rewind(file *f) { rewind(lib_stream(f, "rewind")); }

int cyc_lib_fgetpos(file *f, long *pos) {
  *pos = ftell(lib_stream(f, "fgetpos"));
  return *pos < 0 ? -1 : 0;
}

int cyc_lib_fsetpos(file *f, const long *pos) {
  return fseek(lib_stream(f, "fsetpos"), *pos, SEEK_SET);
}

/* ---------------------------------------------------------------- formatted output
 * The compiler has checked the arguments against the format. */

int cyc_lib_fprintf(file *f, const char *format, ...) {
  FILE *stream = lib_stream(f, "fprintf");
  va_list args;
  va_start(args, format);
  int n = vfprintf(stream, format, args);
  va_end(args);
  return n;
}

int cyc_lib_snprintf(cyc_fat s, size_t size, const char *format, ...) {
  char *to = lib_need(s, size, "snprintf");
  va_list args;
  va_start(args, format);
  int n = vsnprintf(to, size, format, args);
  va_end(args);
  return n;
}

int cyc_lib_sprintf(cyc_fat s, const char *format, ...) {
  cyc_u64 room = cyc_fat_numelts(s);
  va_list args;
  va_start(args, format);
  int n = vsnprintf(lib_at(s), room, format, args);
  va_end(args);
  if (n >= 0) lib_need(s, (cyc_u64)n + 1, "sprintf");
  return n;
}

/* The formatted text, exactly as large as it needs to be, in the region. */
static cyc_fat formatted(cyc_handle h, const char *format, va_list args, const char *function) {
  char small[256];
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(small, sizeof small, format, args);
  if (n < 0) n = 0;
  char *text = cyc_rgn_alloc_array(h, CYC_BITS, (cyc_u64)n + 1, 1, function, 0);
  if ((size_t)n < sizeof small) memcpy(text, small, (size_t)n);
  else vsnprintf(text, (size_t)n + 1, format, again);
  text[n] = 0;
  va_end(again);
  return cyc_fat_make_nonnull(text, (cyc_u64)n + 1);
}

cyc_fat cyc_lib_aprintf(const char *format, ...) {
  va_list args;
  va_start(args, format);
  cyc_fat text = formatted(&cyc_rgn_heap, format, args, "aprintf");
  va_end(args);
  return text;
}

cyc_fat cyc_lib_rprintf(cyc_handle h, const char *format, ...) {
  va_list args;
  va_start(args, format);
  cyc_fat text = formatted(h, format, args, "rprintf");
  va_end(args);
  return text;
}

/* ---------------------------------------------------------------- single conversions
 * The format is put together here, so that whatever the arguments it takes exactly one value of the type that follows. */

/* `%`, flags, `*.*`, modifier and letter, into `to`; 0 if the letter is none of `letters`. */
static int conversion(char to[16], int flags, const char *modifier, int letter, const char *letters) {
  if (letter == 0 || !strchr(letters, letter)) return 0;
  *to++ = '%';
  for (int i = 0; i < 5; i++)
    if (flags & 1 << i) *to++ = "-+ #0"[i];
  to = stpcpy(to, "*.*");
  to = stpcpy(to, modifier);
  *to++ = (char)letter;
  *to = 0;
  return 1;
}

cyc_fat cyc_lib_format_integer(int flags, int width, int precision, int size, int letter, unsigned long value) {
  char format[16];
  if (letter == 'p') { /* an address, in full */
    flags |= 8;
    letter = 'x';
    size = 'l';
  }
  if (!conversion(format, flags, "l", letter, "dioxXu")) return cyc_lib_aprintf("%s", "");
  int is_signed = letter == 'd' || letter == 'i';
  switch (size) {
  case 'l': break;
  case 'h': value = is_signed ? (unsigned long)(short)value : (unsigned short)value; break;
  case 'H': value = is_signed ? (unsigned long)(signed char)value : (unsigned char)value; break;
  default: value = is_signed ? (unsigned long)(int)value : (unsigned)value; break;
  }
  return cyc_lib_aprintf(format, width, precision, value);
}

cyc_fat cyc_lib_format_double(int flags, int width, int precision, int letter, double value) {
  char format[16];
  if (!conversion(format, flags, "", letter, "fFeEgGaA")) return cyc_lib_aprintf("%s", "");
  return cyc_lib_aprintf(format, width, precision, value);
}

cyc_fat cyc_lib_format_long_double(int flags, int width, int precision, int letter, long double value) {
  char format[16];
  if (!conversion(format, flags, "L", letter, "fFeEgGaA")) return cyc_lib_aprintf("%s", "");
  return cyc_lib_aprintf(format, width, precision, value);
}

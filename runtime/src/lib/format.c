/* printf and its like for what most formats consist of: %d %i %u %x %X %c %s %f with the flags - and 0, a width, a precision of %s
 * and %f, and the lengths of integers. A format with anything else goes to the C library, which has the same results for these,
 * but computes them by numbers of any length and stops at each part. The compiler has checked the arguments against the format.
 */
#define _GNU_SOURCE
#include "format.h"

#include <errno.h>
#include <fenv.h>
#include <langinfo.h>
#include <limits.h>
#include <math.h>

/* Where text goes: a buffer, which is given to the stream when it is full, if there is one; what does not fit without one is only
 * counted. */
struct out {
  char *start, *at, *end;
  FILE *stream;
  size_t before; /* bytes that are not in the buffer */
  int failed, locked;
};

static void flush(struct out *out) {
  size_t n = (size_t)(out->at - out->start);
  if (fwrite(out->start, 1, n, out->stream) != n) out->failed = 1;
  out->before += n;
  out->at = out->start;
}

static void put_more(struct out *out, const char *text, size_t n) {
  size_t room = (size_t)(out->end - out->at);
  if (!out->stream) {
    out->at = (char *)memcpy(out->at, text, room) + room;
    out->before += n - room;
    return;
  }
  /* Nobody comes between the parts. */
  if (!out->locked) flockfile(out->stream);
  out->locked = 1;
  flush(out);
  if (n < (size_t)(out->end - out->start)) {
    out->at = (char *)memcpy(out->at, text, n) + n;
    return;
  }
  if (fwrite(text, 1, n, out->stream) != n) out->failed = 1;
  out->before += n;
}

static inline void put(struct out *out, const char *text, size_t n) {
  if (CYC_UNLIKELY(n > (size_t)(out->end - out->at))) {
    put_more(out, text, n);
    return;
  }
  memcpy(out->at, text, n);
  out->at += n;
}

static void pad(struct out *out, char c, long n) {
  for (; n > 0; n--) put(out, &c, 1);
}

/* One conversion: `%`, flags, width, precision (-1: none), length, letter. */
struct conversion {
  int left, zeros, width, precision;
  char length; /* 0, `H` for hh, h, l for all of 64 bits */
  char letter;
};

static int number(const char **at) {
  int n = 0;
  for (; **at >= '0' && **at <= '9'; ++*at) n = n < 100000 ? 10 * n + (**at - '0') : n;
  return n;
}

/* The conversion at `at`, which stands behind its `%`; where it ends, or null if it is none of ours. */
static const char *parse(const char *at, struct conversion *c) {
  *c = (struct conversion){.precision = -1};
  for (;; at++) {
    if (*at == '-') c->left = 1;
    else if (*at == '0') c->zeros = 1;
    else break;
  }
  c->width = number(&at);
  if (*at == '.') {
    at++;
    c->precision = number(&at);
  }
  if (*at == 'h') {
    c->length = at[1] == 'h' ? 'H' : 'h';
    at += at[1] == 'h' ? 2 : 1;
  } else if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't') {
    c->length = 'l';
    at += *at == 'l' && at[1] == 'l' ? 2 : 1;
  }
  c->letter = *at++;
  switch (c->letter) {
  case 'd': case 'i': case 'u': case 'x': case 'X': return c->precision < 0 ? at : 0;
  case 'c': return c->precision < 0 && !c->length && !c->zeros ? at : 0;
  case 's': return !c->length && !c->zeros ? at : 0;
  case 'f': return !c->length && c->precision <= 15 ? at : 0;
  default: return 0;
  }
}

/* Digits, with a sign if it is not 0, padded to the width. */
static void put_number(struct out *out, const struct conversion *c, char sign, const char *digits, size_t n) {
  long padding = c->width - (long)n - (sign != 0);
  if (!c->left && !c->zeros) pad(out, ' ', padding);
  if (sign) put(out, &sign, 1);
  if (!c->left && c->zeros) pad(out, '0', padding);
  put(out, digits, n);
  if (c->left) pad(out, ' ', padding);
}

/* Writes u before `end`; where it begins. */
static char *decimal(char *end, cyc_u64 u) {
  do *--end = (char)('0' + u % 10);
  while (u /= 10);
  return end;
}

static cyc_i64 of_length(const struct conversion *c, va_list *args) {
  if (c->length == 'l') return va_arg(*args, long);
  int i = va_arg(*args, int);
  return c->length == 'h' ? (short)i : c->length == 'H' ? (signed char)i : i;
}

static cyc_u64 of_length_unsigned(const struct conversion *c, va_list *args) {
  if (c->length == 'l') return va_arg(*args, unsigned long);
  unsigned u = va_arg(*args, unsigned);
  return c->length == 'h' ? (unsigned short)u : c->length == 'H' ? (unsigned char)u : u;
}

static void put_integer(struct out *out, const struct conversion *c, va_list *args) {
  char digits[24], *end = digits + sizeof digits, *start = end;
  if (c->letter == 'd' || c->letter == 'i') {
    cyc_i64 i = of_length(c, args);
    start = decimal(end, i < 0 ? -(cyc_u64)i : (cyc_u64)i);
    put_number(out, c, i < 0 ? '-' : 0, start, (size_t)(end - start));
    return;
  }
  cyc_u64 u = of_length_unsigned(c, args);
  if (c->letter == 'u') {
    start = decimal(end, u);
  } else {
    const char *digit = c->letter == 'x' ? "0123456789abcdef" : "0123456789ABCDEF";
    do *--start = digit[u & 15];
    while (u >>= 4);
  }
  put_number(out, c, 0, start, (size_t)(end - start));
}

static void put_text(struct out *out, const struct conversion *c, const char *text, size_t n) {
  if (!c->left) pad(out, ' ', c->width - (long)n);
  put(out, text, n);
  if (c->left) pad(out, ' ', c->width - (long)n);
}

/* x > 0 is m * 2^-k, so that x * 10^p, rounded to the nearest, half to even as C does, is a shift of m * 10^p, whose 53 + 50 bits
 * fit. 0 where that is not so: numbers whose digits do not fit into 64 bits, infinite ones, other roundings, other decimal points. */
static int put_double(struct out *out, const struct conversion *c, double x) {
  static const cyc_u64 powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
                                   100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000};
  int p = c->precision < 0 ? 6 : c->precision, exponent;
  const char *point = nl_langinfo(RADIXCHAR);
  if (!(fabs(x) < 0x1p63 / (double)powers[p]) || fegetround() != FE_TONEAREST || point[0] != '.' || point[1]) return 0;
  unsigned __int128 scaled = (unsigned __int128)(cyc_u64)ldexp(frexp(fabs(x), &exponent), 53) * powers[p];
  int k = 53 - exponent;
  if (k <= 0) {
    scaled <<= -k;
  } else if (k > 120) {
    scaled = 0; /* less than 2^103, a half would be 2^119 or more */
  } else {
    unsigned __int128 half = (unsigned __int128)1 << (k - 1), rest = scaled & (2 * half - 1);
    scaled >>= k;
    scaled += rest > half || (rest == half && (scaled & 1));
  }
  char digits[32], *end = digits + sizeof digits;
  cyc_u64 whole = (cyc_u64)scaled / powers[p], fraction = (cyc_u64)scaled % powers[p];
  if (p > 0) {
    char *from = decimal(end, fraction);
    end = digits + sizeof digits - p;
    while (from > end) *--from = '0';
    *--end = '.';
  }
  char *start = decimal(end, whole);
  put_number(out, c, signbit(x) ? '-' : 0, start, (size_t)(digits + sizeof digits - start));
  return 1;
}

/* 0 if the C library has to do it: then no argument was taken. */
static int put_conversion(struct out *out, const struct conversion *c, va_list *args) {
  switch (c->letter) {
  case 'c': {
    char one = (char)va_arg(*args, int);
    put_text(out, c, &one, 1);
    return 1;
  }
  case 's': {
    const char *text = va_arg(*args, const char *);
    if (!text) text = c->precision < 0 || c->precision >= 6 ? "(null)" : "";
    put_text(out, c, text, c->precision < 0 ? strlen(text) : strnlen(text, (size_t)c->precision));
    return 1;
  }
  case 'f': {
    va_list again;
    va_copy(again, *args);
    int done = put_double(out, c, va_arg(again, double));
    va_end(again);
    if (done) (void)va_arg(*args, double);
    return done;
  }
  default: put_integer(out, c, args); return 1;
  }
}

/* Formats up to the end, or to a conversion that is not ours, which it returns. */
static const char *run(struct out *out, const char *format, va_list *args) {
  for (;;) {
    const char *percent = strchrnul(format, '%');
    put(out, format, (size_t)(percent - format));
    if (!*percent) return 0;
    if (percent[1] == '%') {
      put(out, percent, 1);
      format = percent + 2;
      continue;
    }
    struct conversion c;
    format = parse(percent + 1, &c);
    if (!format || !put_conversion(out, &c, args)) return percent;
  }
}

static int total(struct out *out, int rest) {
  size_t n = out->before + (size_t)(out->at - out->start);
  if (rest < 0 || out->failed) return -1;
  if (n + (size_t)rest <= INT_MAX) return (int)n + rest;
  errno = EOVERFLOW;
  return -1;
}

/* `va_list` may be an array, which a parameter is not. */
struct arguments {
  va_list list;
};

int lib_vfprintf(FILE *stream, const char *format, va_list args) {
  char buffer[1024];
  struct out out = {buffer, buffer, buffer + sizeof buffer, stream, 0, 0, 0};
  struct arguments of;
  va_copy(of.list, args);
  const char *other = run(&out, format, &of.list);
  int n = 0;
  if (other && out.before == 0) {
    /* All at once, as to a stream without a buffer, and other processes, it has to go. */
    out.at = out.start;
    n = vfprintf(stream, format, args);
  } else {
    flush(&out);
    if (other) n = vfprintf(stream, other, of.list);
  }
  if (out.locked) funlockfile(stream);
  va_end(of.list);
  return total(&out, n);
}

int lib_vsnprintf(char *to, size_t room, const char *format, va_list args) {
  if (room == 0) return vsnprintf(to, room, format, args);
  struct out out = {to, to, to + room - 1, 0, 0, 0, 0};
  struct arguments of;
  va_copy(of.list, args);
  const char *other = run(&out, format, &of.list);
  int n = other ? vsnprintf(out.at, (size_t)(out.end - out.at) + 1, other, of.list) : 0;
  if (!other) *out.at = 0;
  va_end(of.list);
  return total(&out, n);
}

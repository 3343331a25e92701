/* scanf, fscanf and sscanf of <stdio.h>.
 *
 * C's scanf trusts the program to have room for %s, %[ and %c. Here these take a fat pointer (passed by
 * value as a variable argument), and a field for which it has no room is a failure of the input. The
 * compiler has checked the arguments against the format. Conversions follow C11, 7.21.6.2: a field is
 * the longest prefix of the input that begins some matching field, so one byte of push-back suffices.
 */
#include "lib.h"

#include <ctype.h>
#include <stdlib.h>

/* Where the input comes from: a stream, or a text. */
struct source {
  FILE *stream;
  struct lib_text text;
  long taken; /* bytes consumed, for %n */
};

static int take(struct source *in) {
  int c = EOF;
  if (in->stream)
    c = getc(in->stream);
  else if (in->text.n > 0)
    c = (in->text.n--, (unsigned char)*in->text.at++);
  if (c != EOF) in->taken++;
  return c;
}

static void give_back(struct source *in, int c) {
  if (c == EOF) return;
  in->taken--;
  if (in->stream)
    ungetc(c, in->stream);
  else
    in->text.n++, in->text.at--;
}

static void skip_space(struct source *in) {
  int c;
  while (isspace(c = take(in))) {}
  give_back(in, c);
}

/* ---------------------------------------------------------------- fields of numbers */

/* The bytes of a number; digits that do not fit end the field. */
struct field {
  struct source *in;
  size_t width; /* bytes that may still be taken */
  size_t n;
  char text[512];
};

/* The next byte of the field, or EOF at its end; it is only looked at. */
static int peek(struct field *f) {
  if (f->width == 0 || f->n + 1 == sizeof f->text) return EOF;
  int c = take(f->in);
  give_back(f->in, c);
  return c;
}

static void accept(struct field *f) {
  f->text[f->n++] = (char)take(f->in);
  f->width--;
}

static int accept_any(struct field *f, const char *set) {
  int c = peek(f);
  if (c == EOF || !strchr(set, c) || c == 0) return 0;
  accept(f);
  return 1;
}

static size_t accept_digits(struct field *f, int base) {
  const char *digits = "0123456789abcdefABCDEF";
  char set[23];
  size_t n = 0, count = base == 16 ? 22 : (size_t)base;
  memcpy(set, digits, count);
  set[count] = 0;
  while (accept_any(f, set)) n++;
  return n;
}

/* integer ::= [ '+' | '-' ] [ '0' [ 'x' ] ] digits ; returns the base to convert with, 0 for no integer */
static int scan_integer(struct field *f, int base) {
  size_t digits = 0;
  accept_any(f, "+-");
  if ((base == 0 || base == 16) && accept_any(f, "0")) {
    digits = 1;
    if (accept_any(f, "xX"))
      base = 16, digits = 0;
    else if (base == 0)
      base = 8;
  }
  if (base == 0) base = 10;
  digits += accept_digits(f, base);
  f->text[f->n] = 0;
  return digits ? base : 0;
}

/* Takes `word` without regard to case; 0 when the input leaves it. */
static int accept_word(struct field *f, const char *word) {
  for (; *word; word++) {
    char set[3] = {*word, (char)toupper((unsigned char)*word), 0};
    if (!accept_any(f, set)) return 0;
  }
  return 1;
}

/* floating ::= [ sign ] ( 'inf' [ 'inity' ] | 'nan' | decimal | '0x' hexadecimal ) */
static int scan_floating(struct field *f) {
  int base = 10, c;
  size_t digits = 0;
  accept_any(f, "+-");
  c = peek(f);
  if (c == 'n' || c == 'N') return accept_word(f, "nan");
  if (c == 'i' || c == 'I') {
    if (!accept_word(f, "inf")) return 0;
    c = peek(f);
    return (c != 'i' && c != 'I') || accept_word(f, "inity");
  }
  if (accept_any(f, "0")) {
    digits = 1;
    if (accept_any(f, "xX")) base = 16, digits = 0;
  }
  digits += accept_digits(f, base);
  if (accept_any(f, ".")) digits += accept_digits(f, base);
  if (digits == 0) return 0;
  if (accept_any(f, base == 16 ? "pP" : "eE")) {
    accept_any(f, "+-");
    return accept_digits(f, 10) > 0;
  }
  return 1;
}

/* ---------------------------------------------------------------- one conversion */

enum size { CHAR, SHORT, INT, LONG, LONG_LONG, LONG_DOUBLE };

struct conversion {
  int suppressed;
  size_t width; /* 0: none given */
  enum size size;
  char letter;
  const char *set; /* of %[: behind the bracket and the circumflex */
  size_t set_n;
  int inverted;
};

/* Outcome of a conversion. */
enum outcome { STORED, MISMATCH, INPUT_ENDED };

static void store_integer(va_list *args, enum size size, unsigned long long value) {
  switch (size) {
  case CHAR: *va_arg(*args, char *) = (char)value; break;
  case SHORT: *va_arg(*args, short *) = (short)value; break;
  case INT: *va_arg(*args, int *) = (int)value; break;
  case LONG: *va_arg(*args, long *) = (long)value; break;
  default: *va_arg(*args, long long *) = (long long)value; break;
  }
}

static enum outcome convert_integer(struct source *in, const struct conversion *c, va_list *args) {
  int base = c->letter == 'i' ? 0 : c->letter == 'o' ? 8 : c->letter == 'x' || c->letter == 'X' ? 16 : 10;
  struct field f = {.in = in, .width = c->width ? c->width : (size_t)-1};
  base = scan_integer(&f, base);
  if (!base) return MISMATCH;
  if (c->suppressed) return STORED;
  int is_signed = c->letter == 'd' || c->letter == 'i';
  store_integer(args, c->size,
                is_signed ? (unsigned long long)strtoll(f.text, 0, base) : strtoull(f.text, 0, base));
  return STORED;
}

static enum outcome convert_floating(struct source *in, const struct conversion *c, va_list *args) {
  struct field f = {.in = in, .width = c->width ? c->width : (size_t)-1};
  int matched = scan_floating(&f);
  f.text[f.n] = 0;
  if (!matched) return MISMATCH;
  if (c->suppressed) return STORED;
  if (c->size == LONG_DOUBLE)
    *va_arg(*args, long double *) = strtold(f.text, 0);
  else if (c->size == LONG)
    *va_arg(*args, double *) = strtod(f.text, 0);
  else
    *va_arg(*args, float *) = strtof(f.text, 0);
  return STORED;
}

/* Whether %[ takes byte `c`: members and ranges of the set. */
static int in_set(const struct conversion *conv, int c) {
  const unsigned char *set = (const unsigned char *)conv->set;
  size_t n = conv->set_n;
  for (size_t i = 0; i < n; i++) {
    if (i + 2 < n && set[i + 1] == '-') {
      if (set[i] <= c && c <= set[i + 2]) return !conv->inverted;
      i += 2;
    } else if (set[i] == c) {
      return !conv->inverted;
    }
  }
  return conv->inverted;
}

static int belongs(const struct conversion *conv, int c) {
  if (conv->letter == 'c') return 1;
  return conv->letter == 's' ? !isspace(c) : in_set(conv, c);
}

/* %c, %s and %[: bytes into a buffer; all but %c add a final zero. */
static enum outcome convert_text(struct source *in, const struct conversion *conv, va_list *args) {
  int exact = conv->letter == 'c';
  size_t width = conv->width ? conv->width : exact ? 1 : (size_t)-1;
  cyc_fat buffer = conv->suppressed ? CYC_FAT_NULL : va_arg(*args, cyc_fat);
  cyc_u64 room = conv->suppressed ? (cyc_u64)-1 : cyc_fat_numelts(buffer);
  char *to = lib_at(buffer);
  size_t n = 0;
  int c = 0;
  while (n < width && (c = take(in)) != EOF) {
    if (!belongs(conv, c) || n + !exact >= room) {
      give_back(in, c);
      break;
    }
    if (!conv->suppressed) to[n] = (char)c;
    n++;
  }
  int full = n < width && c != EOF && belongs(conv, c); /* stopped for want of room */
  if (!conv->suppressed && !exact && n > 0) to[n] = 0;
  if (full || (exact && n < width)) return c == EOF ? INPUT_ENDED : MISMATCH;
  return n > 0 ? STORED : MISMATCH;
}

static enum outcome convert(struct source *in, const struct conversion *c, va_list *args) {
  if (c->letter != 'c' && c->letter != '[') skip_space(in);
  int next = take(in);
  if (next == EOF) return INPUT_ENDED;
  give_back(in, next);
  if (strchr("diouxX", c->letter)) return convert_integer(in, c, args);
  if (strchr("cs[", c->letter)) return convert_text(in, c, args);
  return convert_floating(in, c, args);
}

/* ---------------------------------------------------------------- the format */

static const char *read_size(const char *p, enum size *size) {
  *size = INT;
  switch (*p) {
  case 'h': *size = p[1] == 'h' ? CHAR : SHORT; return p + (p[1] == 'h' ? 2 : 1);
  case 'l': *size = p[1] == 'l' ? LONG_LONG : LONG; return p + (p[1] == 'l' ? 2 : 1);
  case 'j': case 'z': case 't': *size = LONG; return p + 1;
  case 'L': *size = LONG_DOUBLE; return p + 1;
  default: return p;
  }
}

/* conversion ::= [ '*' ] [ width ] [ size ] letter ; `p` is behind the `%`, the result behind the letter */
static const char *read_conversion(const char *p, struct conversion *c) {
  memset(c, 0, sizeof *c);
  if (*p == '*') c->suppressed = 1, p++;
  for (; isdigit((unsigned char)*p); p++)
    if (c->width < 1000000000) c->width = 10 * c->width + (size_t)(*p - '0');
  p = read_size(p, &c->size);
  c->letter = *p++;
  if (c->letter == '[') {
    if (*p == '^') c->inverted = 1, p++;
    c->set = p;
    if (*p == ']') p++; /* a bracket that comes first is a member */
    while (*p && *p != ']') p++;
    c->set_n = (size_t)(p - c->set);
    if (*p) p++;
  }
  return p;
}

/* Runs the format; the number of conversions stored, EOF when the input ended before the first (as glibc). */
static int scan(struct source *in, const char *p, va_list *args) {
  int stored = 0;
  while (*p) {
    if (isspace((unsigned char)*p)) {
      skip_space(in);
      p++;
      continue;
    }
    struct conversion c = {.letter = '%'};
    int literal = (unsigned char)*p++;
    if (literal == '%') {
      p = read_conversion(p, &c);
      if (c.letter == '%') skip_space(in);
      if (c.letter == 0) break;
    }
    if (literal != '%' || c.letter == '%') {
      int next = take(in);
      if (next == literal) continue;
      give_back(in, next);
      return next == EOF && stored == 0 ? EOF : stored;
    }
    if (c.letter == 'n') {
      store_integer(args, c.size, (unsigned long long)in->taken);
      continue;
    }
    enum outcome outcome = convert(in, &c, args);
    if (outcome == INPUT_ENDED && stored == 0) return EOF;
    if (outcome != STORED) return stored;
    stored += !c.suppressed;
  }
  return stored;
}

int cyc_lib_scanf(const char *format, ...) {
  struct source in = {.stream = stdin};
  va_list args;
  va_start(args, format);
  int n = scan(&in, format, &args);
  va_end(args);
  return n;
}

int cyc_lib_fscanf(struct cyc_lib_file *f, const char *format, ...) {
  struct source in = {.stream = lib_stream(f, "fscanf")};
  va_list args;
  va_start(args, format);
  int n = scan(&in, format, &args);
  va_end(args);
  return n;
}

int cyc_lib_sscanf(cyc_fat s, const char *format, ...) {
  struct source in = {.text = lib_text(s)};
  va_list args;
  va_start(args, format);
  int n = scan(&in, format, &args);
  va_end(args);
  return n;
}

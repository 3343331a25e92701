/* scanf, fscanf and sscanf of <stdio.h>, and what lib/src/vscanf.cyc stands on.
 *
 * C's scanf trusts the program to have room for %s, %[ and %c. Here these take a fat pointer (passed by
 * value as a variable argument), and a field for which it has no room is a failure of the input. The
 * compiler has checked variable arguments against the format; those of an array say themselves what they
 * are. Conversions follow C11, 7.21.6.2: a field is
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

/* What a place is for, as vscanf.cyc numbers it. */
enum kind { TO_CHAR, TO_SHORT, TO_INT, TO_LONG, TO_FLOAT, TO_DOUBLE, TO_BYTES, TO_STRING, TO_LONG_DOUBLE };

/* A place for a result: `Target` of vscanf.cyc. */
struct target {
  enum kind kind;
  void *number;
  cyc_fat text;
};

/* Where the results go: variable arguments, or an array of targets. */
struct places {
  va_list *args;
  struct target *targets;
  size_t n;
};

/* `new Core::Invalid_argument(what)`, made by lib/src/core.cyc. */
struct cyc_exn *cyc_invalid_argument(const char *what) __asm__("Cyc_Core$$invalid_argument");

/* The next target, which must be for such a result. None is for a `long double`. */
static struct target *next_target(struct places *to, enum kind kind) {
  static const char *const expected[] = {"scan expects a pointer to char",  "scan expects a pointer to short",
                                         "scan expects a pointer to int",   "scan expects a pointer to long",
                                         "scan expects a pointer to float", "scan expects a pointer to double",
                                         "scan expects a buffer",           "scan expects a buffer",
                                         "scan expects no modifier L"};
  /* As the subscript of an array that is too short. */
  if (to->n == 0) cyc_fail_index(0, 0, "scanf", 0);
  enum kind found = to->targets->kind;
  if (found == TO_STRING) found = TO_BYTES;
  if (found != kind || kind == TO_LONG_DOUBLE) {
    cyc_throw(cyc_invalid_argument(expected[kind]), "scanf", 0);
  }
  to->n--;
  return to->targets++;
}

/* Room for text. The bounds of a string are those without its final zero, which only a zero may overwrite. */
static cyc_fat next_text(struct places *to, int exact, cyc_u64 *room) {
  cyc_fat text;
  int string = 0;
  if (to->args) {
    text = va_arg(*to->args, cyc_fat);
  } else {
    struct target *target = next_target(to, TO_BYTES);
    text = target->text;
    string = target->kind == TO_STRING;
  }
  *room = cyc_fat_numelts(text);
  if (string && !exact && *room > 0) ++*room;
  return text;
}

static void *next_number(struct places *to, enum kind kind) {
  return to->args ? va_arg(*to->args, void *) : next_target(to, kind)->number;
}

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

static void store_integer(struct places *to, enum size size, unsigned long long value) {
  switch (size) {
  case CHAR: *(char *)next_number(to, TO_CHAR) = (char)value; break;
  case SHORT: *(short *)next_number(to, TO_SHORT) = (short)value; break;
  case INT: *(int *)next_number(to, TO_INT) = (int)value; break;
  default: *(long *)next_number(to, TO_LONG) = (long)value; break;
  }
}

static enum outcome convert_integer(struct source *in, const struct conversion *c, struct places *to) {
  int base = c->letter == 'i' ? 0 : c->letter == 'o' ? 8 : c->letter == 'x' || c->letter == 'X' ? 16 : 10;
  struct field f = {.in = in, .width = c->width ? c->width : (size_t)-1};
  base = scan_integer(&f, base);
  if (!base) return MISMATCH;
  if (c->suppressed) return STORED;
  int is_signed = c->letter == 'd' || c->letter == 'i';
  store_integer(to, c->size,
                is_signed ? (unsigned long long)strtoll(f.text, 0, base) : strtoull(f.text, 0, base));
  return STORED;
}

static enum outcome convert_floating(struct source *in, const struct conversion *c, struct places *to) {
  struct field f = {.in = in, .width = c->width ? c->width : (size_t)-1};
  int matched = scan_floating(&f);
  f.text[f.n] = 0;
  if (!matched) return MISMATCH;
  if (c->suppressed) return STORED;
  if (c->size == LONG_DOUBLE)
    *(long double *)next_number(to, TO_LONG_DOUBLE) = strtold(f.text, 0);
  else if (c->size == LONG)
    *(double *)next_number(to, TO_DOUBLE) = strtod(f.text, 0);
  else
    *(float *)next_number(to, TO_FLOAT) = strtof(f.text, 0);
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
static enum outcome convert_text(struct source *in, const struct conversion *conv, struct places *to) {
  int exact = conv->letter == 'c';
  size_t width = conv->width ? conv->width : exact ? 1 : (size_t)-1;
  cyc_u64 room = (cyc_u64)-1;
  char *bytes = conv->suppressed ? 0 : lib_at(next_text(to, exact, &room));
  size_t n = 0;
  int c = 0;
  while (n < width && (c = take(in)) != EOF) {
    if (!belongs(conv, c) || n + !exact >= room) {
      give_back(in, c);
      break;
    }
    if (!conv->suppressed) bytes[n] = (char)c;
    n++;
  }
  int full = n < width && c != EOF && belongs(conv, c); /* stopped for want of room */
  if (!conv->suppressed && !exact && n > 0) bytes[n] = 0;
  if (full || (exact && n < width)) return c == EOF ? INPUT_ENDED : MISMATCH;
  return n > 0 ? STORED : MISMATCH;
}

/* A conversion other than `%n` and `%%`. */
static enum outcome convert(struct source *in, const struct conversion *c, struct places *to) {
  if (c->letter != 'c' && c->letter != '[') skip_space(in);
  int next = take(in);
  if (next == EOF) return INPUT_ENDED;
  give_back(in, next);
  if (strchr("diouxX", c->letter)) return convert_integer(in, c, to);
  if (strchr("cs[", c->letter)) return convert_text(in, c, to);
  return convert_floating(in, c, to);
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
static int scan(struct source *in, const char *p, struct places *to) {
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
      if (!strchr("diouxXfFeEgGaAcs[n%", c.letter))
        cyc_throw(cyc_invalid_argument("scan expects a known conversion"), "scanf", 0);
    }
    if (literal != '%' || c.letter == '%') {
      int next = take(in);
      if (next == literal) continue;
      give_back(in, next);
      return next == EOF && stored == 0 ? EOF : stored;
    }
    if (c.letter == 'n') {
      store_integer(to, c.size, (unsigned long long)in->taken);
      continue;
    }
    enum outcome outcome = convert(in, &c, to);
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
  int n = scan(&in, format, &(struct places){.args = &args});
  va_end(args);
  return n;
}

int cyc_lib_fscanf(struct cyc_lib_file *f, const char *format, ...) {
  struct source in = {.stream = lib_stream(f, "fscanf")};
  va_list args;
  va_start(args, format);
  int n = scan(&in, format, &(struct places){.args = &args});
  va_end(args);
  return n;
}

int cyc_lib_sscanf(cyc_fat s, const char *format, ...) {
  struct source in = {.text = lib_text(s)};
  va_list args;
  va_start(args, format);
  int n = scan(&in, format, &(struct places){.args = &args});
  va_end(args);
  return n;
}

/* ---------------------------------------------------------------- arrays of targets */

int cyc_lib_vfscan(struct cyc_lib_file *f, const char *format, cyc_fat targets) {
  struct source in = {.stream = lib_stream(f, "vfscanf")};
  struct places to = {.targets = cyc_fat_ptr(targets, sizeof(struct target)), .n = cyc_fat_numelts(targets)};
  return scan(&in, format, &to);
}

int cyc_lib_vsscan(cyc_fat s, const char *format, cyc_fat targets) {
  struct source in = {.text = lib_text(s)};
  struct places to = {.targets = cyc_fat_ptr(targets, sizeof(struct target)), .n = cyc_fat_numelts(targets)};
  return scan(&in, format, &to);
}

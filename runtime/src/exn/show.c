/* What an exception carries, for the report of one that nobody caught. */
#include "exn.h"

enum { SHOWN = 400 }; /* bytes of a string */

/* A string as the program would write it, up to its zero, or `most` bytes. */
static void show_text(const char *text, cyc_u64 most, FILE *out) {
  cyc_u64 i;
  if (!text) {
    fputs("NULL", out);
    return;
  }
  fputc('"', out);
  for (i = 0; i < most && i < SHOWN && text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\') fputc('\\', out);
    if (c == '\n') fputs("\\n", out);
    else if (c < ' ' || c == 127) fprintf(out, "\\%03o", c);
    else fputc(c, out);
  }
  fputs(i == SHOWN ? "\"..." : "\"", out);
}

static void show_fat(const cyc_fat *text, FILE *out) {
  int inside = text->base && text->off >= 0 && (cyc_u64)text->off <= text->len;
  if (!text->base) fputs("NULL", out);
  else if (inside) show_text(text->base + text->off, text->len - (cyc_u64)text->off, out);
  else fputs("...", out);
}

/* One component at an offset; the offset behind it. */
static cyc_u64 show_field(char kind, const char *object, cyc_u64 at, FILE *out) {
#define FIELD(letter, type, print)                                                                   \
  case letter: {                                                                                     \
    at = (at + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type);                                \
    const type *it = (const type *)(const void *)(object + at);                                      \
    print;                                                                                           \
    return at + sizeof(type);                                                                        \
  }
  switch (kind) {
    FIELD('c', signed char, fprintf(out, "%d", *it))
    FIELD('C', unsigned char, fprintf(out, "%d", *it))
    FIELD('h', short, fprintf(out, "%d", *it))
    FIELD('H', unsigned short, fprintf(out, "%d", *it))
    FIELD('i', int, fprintf(out, "%d", *it))
    FIELD('I', unsigned, fprintf(out, "%u", *it))
    FIELD('l', cyc_i64, fprintf(out, "%lld", (long long)*it))
    FIELD('L', cyc_u64, fprintf(out, "%llu", (unsigned long long)*it))
    FIELD('f', float, fprintf(out, "%g", (double)*it))
    FIELD('d', double, fprintf(out, "%g", *it))
    FIELD('s', char *, show_text(*it, SHOWN, out))
    FIELD('t', cyc_fat, show_fat(it, out))
    FIELD('p', void *, fputs(*it ? "..." : "NULL", out))
    FIELD('q', cyc_fat, fputs(it->base ? "..." : "NULL", out))
  }
#undef FIELD
  fputs("...", out);
  return at;
}

void cyc_exn_show(const struct cyc_exn *exn, FILE *out) {
  const char *fields = exn->tag->fields;
  cyc_u64 at = sizeof *exn;
  if (!fields) return;
  fprintf(out, "  %s(", exn->tag->name);
  for (const char *kind = fields; *kind; kind++) {
    if (kind != fields) fputs(", ", out);
    at = show_field(*kind, (const char *)exn, at, out);
  }
  fputs(")\n", out);
}

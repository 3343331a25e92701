#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum Kind { ATOM, STRING, ARRAY, OBJECT };

struct Value {
  enum Kind kind;
  const char *name;
  const char *text;
  struct Value *first;
  struct Value *next;
};

struct Reader {
  const char * text;
  int at;
  int end;
  int depth;
  const char *mistake;
};

enum { MAX_DEPTH = 10000 };

static inline int peek(struct Reader *r) { return r->at < r->end ? r->text[r->at] & 255 : -1; }

static struct Value *wrong(struct Reader *r, const char *what) {
  r->mistake = what;
  return NULL;
}

static void skip_space(struct Reader *r) {
  for (;;) {
    int c = peek(r);
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
    r->at++;
  }
}

static int hex_digit(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int read_hex(struct Reader *r) {
  int n = 0;
  for (int i = 0; i < 4; i++) {
    int d = hex_digit(peek(r));
    if (d < 0) return -1;
    n = 16 * n + d;
    r->at++;
  }
  return n;
}

struct Text {
  char *bytes;
  int n;
};

static inline void add(struct Text *t, int c) { t->bytes[t->n++] = (char)c; }

static void add_utf8(struct Text *t, int c) {
  if (c < 0x80) {
    add(t, c);
  } else if (c < 0x800) {
    add(t, 0xc0 | c >> 6);
    add(t, 0x80 | (c & 63));
  } else if (c < 0x10000) {
    add(t, 0xe0 | c >> 12);
    add(t, 0x80 | (c >> 6 & 63));
    add(t, 0x80 | (c & 63));
  } else {
    add(t, 0xf0 | c >> 18);
    add(t, 0x80 | (c >> 12 & 63));
    add(t, 0x80 | (c >> 6 & 63));
    add(t, 0x80 | (c & 63));
  }
}

static void add_escaped(struct Text *t, int c) {
  switch (c) {
  case '"': add(t, '\\'); add(t, '"'); break;
  case '\\': add(t, '\\'); add(t, '\\'); break;
  case '\b': add(t, '\\'); add(t, 'b'); break;
  case '\f': add(t, '\\'); add(t, 'f'); break;
  case '\n': add(t, '\\'); add(t, 'n'); break;
  case '\r': add(t, '\\'); add(t, 'r'); break;
  case '\t': add(t, '\\'); add(t, 't'); break;
  default:
    if (c >= 32 && (c < 0xd800 || c >= 0xe000)) {
      add_utf8(t, c);
      break;
    }
    add(t, '\\');
    add(t, 'u');
    for (int shift = 12; shift >= 0; shift -= 4) add(t, "0123456789abcdef"[c >> shift & 15]);
  }
}

static int read_escape(struct Reader *r, struct Text *t) {
  int c = peek(r);
  r->at++;
  switch (c) {
  case '"': add_escaped(t, '"'); return 1;
  case '\\': add_escaped(t, '\\'); return 1;
  case '/': add(t, '/'); return 1;
  case 'b': add_escaped(t, '\b'); return 1;
  case 'f': add_escaped(t, '\f'); return 1;
  case 'n': add_escaped(t, '\n'); return 1;
  case 'r': add_escaped(t, '\r'); return 1;
  case 't': add_escaped(t, '\t'); return 1;
  case 'u': break;
  default: r->at--; return 0;
  }
  int unit = read_hex(r);
  if (unit < 0) return 0;
  if (unit >= 0xd800 && unit < 0xdc00 && r->at + 1 < r->end && r->text[r->at] == '\\' && r->text[r->at + 1] == 'u') {
    int back = r->at;
    r->at += 2;
    int low = read_hex(r);
    if (low < 0) return 0;
    if (low >= 0xdc00 && low < 0xe000) {
      add_utf8(t, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
      return 1;
    }
    r->at = back;
  }
  add_escaped(t, unit);
  return 1;
}

static const char *read_string(struct Reader *r) {
  int start = ++r->at;
  int end = start;
  int plain = 1;
  while (end < r->end) {
    int c = r->text[end] & 255;
    if (c == '"') break;
    if (c == '\\') {
      plain = 0;
      end++;
    } else if (c < 32) {
      r->at = end;
      wrong(r, "control character in a string");
      return NULL;
    }
    end++;
  }
  if (end >= r->end) {
    r->at = r->end;
    wrong(r, "unfinished string");
    return NULL;
  }
  struct Text t = {malloc(end - start + 1), 0};
  if (plain) {
    memcpy(t.bytes, r->text + start, end - start);
    t.n = end - start;
    r->at = end;
  }
  while (r->at < end) {
    int c = peek(r);
    r->at++;
    if (c != '\\') {
      add(&t, c);
    } else if (!read_escape(r, &t)) {
      wrong(r, "wrong escape in a string");
      return NULL;
    }
  }
  r->at++;
  t.bytes[t.n] = 0;
  return t.bytes;
}

static char *substring(const char *s, int n) {
  char *copy = malloc(n + 1);
  memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

static struct Value *new_value(enum Kind kind, const char *text) {
  struct Value *v = malloc(sizeof *v);
  *v = (struct Value){kind, NULL, text, NULL, NULL};
  return v;
}

static int is_digit(int c) { return c >= '0' && c <= '9'; }

static int scan_number(struct Reader *r) {
  if (peek(r) == '-') r->at++;
  if (!is_digit(peek(r))) return 0;
  if (peek(r) == '0') r->at++;
  else
    while (is_digit(peek(r))) r->at++;
  if (peek(r) == '.') {
    r->at++;
    if (!is_digit(peek(r))) return 0;
    while (is_digit(peek(r))) r->at++;
  }
  if (peek(r) == 'e' || peek(r) == 'E') {
    r->at++;
    if (peek(r) == '+' || peek(r) == '-') r->at++;
    if (!is_digit(peek(r))) return 0;
    while (is_digit(peek(r))) r->at++;
  }
  return 1;
}

static struct Value *read_value(struct Reader *r);

static struct Value *read_word(struct Reader *r, const char *word) {
  int n = (int)strlen(word);
  if (r->end - r->at < n || memcmp(r->text + r->at, word, n) != 0) return wrong(r, "unknown word");
  r->at += n;
  return new_value(ATOM, substring(word, n));
}

static struct Value *read_members(struct Reader *r, enum Kind kind, char close) {
  struct Value *result = new_value(kind, NULL);
  struct Value *last = NULL;
  r->at++;
  skip_space(r);
  if (peek(r) == close) {
    r->at++;
    return result;
  }
  for (;;) {
    const char *name = NULL;
    skip_space(r);
    if (kind == OBJECT) {
      if (peek(r) != '"') return wrong(r, "a member's name is missing");
      name = read_string(r);
      if (name == NULL) return NULL;
      skip_space(r);
      if (peek(r) != ':') return wrong(r, "`:' is missing");
      r->at++;
    }
    struct Value *v = read_value(r);
    if (v == NULL) return NULL;
    v->name = name;
    if (last == NULL) result->first = v;
    else last->next = v;
    last = v;
    skip_space(r);
    int c = peek(r);
    if (c != ',' && c != close) return wrong(r, "`,' or a closing bracket is missing");
    r->at++;
    if (c == close) return result;
  }
}

static struct Value *read_value(struct Reader *r) {
  struct Value *v = NULL;
  skip_space(r);
  int start = r->at;
  if (++r->depth > MAX_DEPTH) return wrong(r, "nested too deeply");
  switch (peek(r)) {
  case '"': {
    const char *text = read_string(r);
    if (text != NULL) v = new_value(STRING, text);
    break;
  }
  case '[': v = read_members(r, ARRAY, ']'); break;
  case '{': v = read_members(r, OBJECT, '}'); break;
  case 't': v = read_word(r, "true"); break;
  case 'f': v = read_word(r, "false"); break;
  case 'n': v = read_word(r, "null"); break;
  default:
    if (scan_number(r)) v = new_value(ATOM, substring(r->text + start, r->at - start));
    else wrong(r, "a value is missing");
  }
  r->depth--;
  return v;
}

static char out[65536];
static int out_n = 0;

static void flush_out(void) {
  fwrite(out, 1, out_n, stdout);
  out_n = 0;
}

static inline void put(char c) {
  if (out_n == (int)sizeof(out)) flush_out();
  out[out_n++] = c;
}

static void put_bytes(const char * bytes, int n) {
  if (n > (int)sizeof(out) - out_n) flush_out();
  if (n > (int)sizeof(out)) {
    fwrite(bytes, 1, n, stdout);
    return;
  }
  memcpy(out + out_n, bytes, n);
  out_n += n;
}

static void put_text(const char *s) {
  put_bytes(s, (int)strlen(s));
}

static void put_line(int indent) {
  put('\n');
  for (; indent > 32; indent -= 32) put_bytes("                                ", 32);
  put_bytes("                                ", indent);
}

static void put_quoted(const char *s) {
  put('"');
  put_text(s);
  put('"');
}

static void print_value(struct Value *v, int indent, int compact) {
  switch (v->kind) {
  case ATOM: put_text(v->text); return;
  case STRING: put_quoted(v->text); return;
  default: break;
  }
  put(v->kind == ARRAY ? '[' : '{');
  for (struct Value *m = v->first; m != NULL; m = m->next) {
    if (!compact) put_line(indent + 4);
    if (v->kind == OBJECT) {
      put_quoted(m->name);
      put(':');
      if (!compact) put(' ');
    }
    print_value(m, indent + 4, compact);
    if (m->next != NULL) put(',');
  }
  if (v->first != NULL && !compact) put_line(indent);
  put(v->kind == ARRAY ? ']' : '}');
}

static char *read_all(FILE *in, int *length) {
  int room = 65536;
  long start = ftell(in);
  if (start >= 0 && fseek(in, 0, SEEK_END) == 0) {
    long size = ftell(in) - start;
    if (size > 0 && size < 1 << 30) room = (int)size + 1;
    fseek(in, start, SEEK_SET);
  }
  char * text = malloc(room * sizeof(char));
  int n = 0;
  for (;;) {
    size_t got = fread(text + n, 1, room - n, in);
    if (got == 0) {
      *length = n;
      return text;
    }
    n += (int)got;
    if (n == room) {
      room *= 2;
      text = realloc(text, room);
    }
  }
}

int main(int argc, char **argv) {
  int i = 1;
  int compact = i < argc && strcmp(argv[i], "-c") == 0;
  if (compact) i++;
  if (argc - i > 1) {
    fprintf(stderr, "usage: json [-c] [FILE]\n");
    return 1;
  }
  FILE *in = stdin;
  if (i < argc && strcmp(argv[i], "-") != 0) in = fopen(argv[i], "rb");
  if (in == NULL) {
    fprintf(stderr, "json: %s: %s\n", argv[i], strerror(errno));
    return 1;
  }
  int n;
  char *text = read_all(in, &n);
  if (ferror(in)) {
    fprintf(stderr, "json: read error: %s\n", strerror(errno));
    return 1;
  }
  struct Reader r = {text, 0, n, 0, NULL};
  struct Value *v = read_value(&r);
  if (v != NULL) {
    skip_space(&r);
    if (r.at < r.end) {
      wrong(&r, "text behind the value");
      v = NULL;
    }
  }
  if (v == NULL) {
    int line = 1;
    int column = 1;
    for (int k = 0; k < r.at; k++) {
      column++;
      if (text[k] == '\n') {
        line++;
        column = 1;
      }
    }
    fprintf(stderr, "json: line %d, column %d: %s\n", line, column, r.mistake);
    return 1;
  }
  print_value(v, 0, compact);
  put('\n');
  flush_out();
  return 0;
}

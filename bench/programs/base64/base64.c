#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static unsigned char out[65536];
static size_t out_n = 0;

static void flush_out(void) {
  fwrite(out, 1, out_n, stdout);
  out_n = 0;
}

static inline void put(int c) {
  if (out_n == sizeof(out)) flush_out();
  out[out_n++] = (unsigned char)c;
}

static unsigned char in_buf[65536];
static size_t in_n = 0;
static size_t in_at = 0;

static inline int get(FILE *in) {
  if (in_at == in_n) {
    in_n = fread(in_buf, 1, sizeof(in_buf), in);
    in_at = 0;
    if (in_n == 0) return EOF;
  }
  return in_buf[in_at++];
}

static void encode(FILE *in) {
  int column = 0;
  for (;;) {
    int a = get(in);
    if (a == EOF) break;
    int b = get(in);
    int c = b == EOF ? EOF : get(in);
    unsigned bits = (unsigned)a << 16 | (b == EOF ? 0u : (unsigned)b << 8) | (c == EOF ? 0u : (unsigned)c);
    put(letters[bits >> 18]);
    put(letters[bits >> 12 & 63]);
    put(b == EOF ? '=' : letters[bits >> 6 & 63]);
    put(c == EOF ? '=' : letters[bits & 63]);
    column += 4;
    if (column == 76) {
      put('\n');
      column = 0;
    }
    if (c == EOF) break;
  }
  if (column > 0) put('\n');
}

static int decode(FILE *in) {
  static signed char value[256];
  for (int i = 0; i < 256; i++) value[i] = -1;
  for (int i = 0; i < 64; i++) value[(unsigned char)letters[i]] = (signed char)i;

  unsigned bits = 0;
  int n = 0;
  int c;
  while ((c = get(in)) != EOF && c != '=') {
    if (c == '\n') continue;
    int v = value[c];
    if (v < 0) return 1;
    bits = bits << 6 | (unsigned)v;
    if (++n == 4) {
      put(bits >> 16 & 255);
      put(bits >> 8 & 255);
      put(bits & 255);
      bits = 0;
      n = 0;
    }
  }
  int padding = 0;
  for (; c != EOF; c = get(in)) {
    if (c == '=') padding++;
    else if (c != '\n') return 1;
  }
  switch (n) {
  case 0: return padding != 0;
  case 2: put(bits >> 4 & 255); return padding != 2;
  case 3: put(bits >> 10 & 255); put(bits >> 2 & 255); return padding != 1;
  default: return 1;
  }
}

int main(int argc, char **argv) {
  int i = 1;
  int decoding = i < argc && strcmp(argv[i], "-d") == 0;
  if (decoding) i++;
  if (argc - i > 1) {
    fprintf(stderr, "usage: base64 [-d] [FILE]\n");
    return 1;
  }
  FILE *in = stdin;
  if (i < argc && strcmp(argv[i], "-") != 0) in = fopen(argv[i], "rb");
  if (in == NULL) {
    fprintf(stderr, "base64: %s: %s\n", argv[i], strerror(errno));
    return 1;
  }
  int wrong = 0;
  if (decoding) wrong = decode(in);
  else encode(in);
  flush_out();
  if (ferror(in)) {
    fprintf(stderr, "base64: read error: %s\n", strerror(errno));
    return 1;
  }
  if (wrong) fprintf(stderr, "base64: invalid input\n");
  return wrong;
}

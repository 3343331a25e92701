#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef unsigned char byte;

enum {
  BYTES = 57,
  LETTERS = 76,
  LINES = 1024
};

static const char letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode_line(const byte *in, char *out) {
  int k = 0;
  for (int i = 0; i < BYTES; i += 3) {
    unsigned bits = (unsigned)in[i] << 16 | (unsigned)in[i + 1] << 8 | (unsigned)in[i + 2];
    out[k] = letters[bits >> 18];
    out[k + 1] = letters[bits >> 12 & 63];
    out[k + 2] = letters[bits >> 6 & 63];
    out[k + 3] = letters[bits & 63];
    k += 4;
  }
  out[LETTERS] = '\n';
}

static void encode_rest(const byte *in, int n) {
  byte line[BYTES] = {0};
  memcpy(line, in, n);
  char out[LETTERS + 1];
  encode_line(line, out);
  int used = (n + 2) / 3 * 4;
  if (n % 3 > 0) out[used - 1] = '=';
  if (n % 3 == 1) out[used - 2] = '=';
  out[used] = '\n';
  fwrite(out, 1, used + 1, stdout);
}

static void encode(FILE *in) {
  static byte buf[BYTES * LINES];
  static char out[(LETTERS + 1) * LINES];
  size_t n;
  do {
    n = fread(buf, 1, sizeof(buf), in);
    size_t lines = n / BYTES;
    for (size_t i = 0; i < lines; i++)
      encode_line((buf + BYTES * i),
                  (out + (LETTERS + 1) * i));
    fwrite(out, 1, (LETTERS + 1) * lines, stdout);
    if (n % BYTES > 0) encode_rest(buf + BYTES * lines, (int)(n % BYTES));
  } while (n == sizeof(buf));
}

static int decode(FILE *in) {
  static byte buf[65536];
  static byte out[65536];
  signed char value[256];
  memset(value, -1, sizeof(value));
  for (int i = 0; i < 64; i++) value[(unsigned char)letters[i]] = (signed char)i;

  unsigned bits = 0;
  int n = 0;
  int padding = 0;
  size_t got;
  while ((got = fread(buf, 1, sizeof(buf), in)) > 0) {
    size_t k = 0;
    for (size_t i = 0; i < got; i++) {
      int c = buf[i];
      if (c == '\n') continue;
      int v = value[c];
      if (c == '=') {
        padding++;
        continue;
      }
      if (v < 0 || padding > 0) return 1;
      bits = bits << 6 | (unsigned)v;
      if (++n == 4) {
        out[k] = (byte)(bits >> 16);
        out[k + 1] = (byte)(bits >> 8);
        out[k + 2] = (byte)bits;
        k += 3;
        bits = 0;
        n = 0;
      }
    }
    fwrite(out, 1, k, stdout);
  }
  switch (n) {
  case 0: return padding != 0;
  case 2: putchar((int)(bits >> 4 & 255)); return padding != 2;
  case 3: putchar((int)(bits >> 10 & 255)); putchar((int)(bits >> 2 & 255)); return padding != 1;
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
  if (ferror(in)) {
    fprintf(stderr, "base64: read error: %s\n", strerror(errno));
    return 1;
  }
  if (wrong) fprintf(stderr, "base64: invalid input\n");
  return wrong;
}

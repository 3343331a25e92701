#include <errno.h>
#include <stdio.h>
#include <string.h>

static const unsigned sines[64] = {
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
  0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
  0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
  0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
  0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
  0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
  0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
  0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391
};

static const int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static inline unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }

static void take_block(unsigned state[4], const unsigned char *block) {
  unsigned x[16];
  for (int i = 0; i < 16; i++)
    x[i] = block[4 * i] | block[4 * i + 1] << 8 | block[4 * i + 2] << 16 |
           (unsigned)block[4 * i + 3] << 24;
  unsigned a = state[0];
  unsigned b = state[1];
  unsigned c = state[2];
  unsigned d = state[3];
  for (int i = 0; i < 64; i++) {
    unsigned f;
    int g;
    int round = i >> 4;
    if (round == 0) {
      f = (b & c) | (~b & d);
      g = i;
    } else if (round == 1) {
      f = (b & d) | (c & ~d);
      g = 5 * i + 1;
    } else if (round == 2) {
      f = b ^ c ^ d;
      g = 3 * i + 5;
    } else {
      f = c ^ (b | ~d);
      g = 7 * i;
    }
    f += a + sines[i] + x[g & 15];
    a = d;
    d = c;
    c = b;
    b += rotate(f, turns[round][i & 3]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

static void digest(FILE *in, unsigned state[4]) {
  static unsigned char buf[65536];
  unsigned char block[64];
  unsigned long length = 0;
  size_t n;
  state[0] = 0x67452301;
  state[1] = 0xefcdab89;
  state[2] = 0x98badcfe;
  state[3] = 0x10325476;
  do {
    n = fread(buf, 1, sizeof(buf), in);
    length += n;
    size_t at = 0;
    for (; at + 64 <= n; at += 64) take_block(state, buf + at);
    for (size_t i = at; i < n; i++) block[i - at] = buf[i];
  } while (n == sizeof(buf));

  size_t rest = length % 64;
  block[rest++] = 0x80;
  if (rest > 56) {
    while (rest < 64) block[rest++] = 0;
    take_block(state, block);
    rest = 0;
  }
  while (rest < 56) block[rest++] = 0;
  for (int i = 0; i < 8; i++) block[56 + i] = (unsigned char)(8 * length >> 8 * i);
  take_block(state, block);
}

static void show(unsigned state[4], const char *name) {
  for (int i = 0; i < 16; i++) printf("%02x", state[i / 4] >> 8 * (i % 4) & 255);
  printf("  %s\n", name);
}

static int md5(const char *name) {
  unsigned state[4];
  if (strcmp(name, "-") == 0) {
    digest(stdin, state);
    show(state, name);
    return 0;
  }
  FILE *f = fopen(name, "rb");
  if (f == NULL) {
    fprintf(stderr, "md5: %s: %s\n", name, strerror(errno));
    return 1;
  }
  digest(f, state);
  int failed = ferror(f);
  if (failed)
    fprintf(stderr, "md5: %s: %s\n", name, strerror(errno));
  else
    show(state, name);
  fclose(f);
  return failed;
}

int main(int argc, char **argv) {
  if (argc < 2) return md5("-");
  int failed = 0;
  for (int i = 1; i < argc; i++)
    if (md5(argv[i])) failed = 1;
  return failed;
}

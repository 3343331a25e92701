#include <stdio.h>
#include <stdlib.h>

static int inside(double cr, double ci) {
  double zr = 0.0;
  double zi = 0.0;
  for (int i = 0; i < 50; i++) {
    double rr = zr * zr;
    double ii = zi * zi;
    if (rr + ii > 4.0) return 0;
    zi = 2.0 * zr * zi + ci;
    zr = rr - ii + cr;
  }
  return 1;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 200;
  if (n < 1 || n > 100000) {
    fprintf(stderr, "usage: mandelbrot N, with N from 1 to 100000\n");
    return 1;
  }
  int width = (n + 7) / 8;
  char *row = malloc(width);
  printf("P4\n%d %d\n", n, n);
  for (int y = 0; y < n; y++) {
    double ci = 2.0 * y / n - 1.0;
    for (int i = 0; i < width; i++) {
      int bits = 0;
      for (int k = 0; k < 8; k++) {
        int x = 8 * i + k;
        bits = bits << 1 | (x < n && inside(2.0 * x / n - 1.5, ci));
      }
      row[i] = (char)bits;
    }
    fwrite(row, 1, width, stdout);
  }
  free(row);
  return 0;
}

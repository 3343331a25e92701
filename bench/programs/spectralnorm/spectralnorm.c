#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline double element(int i, int j) { return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1); }

static void multiply(int n, double *from, double *to) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += element(i, j) * from[j];
    to[i] = sum;
  }
}

static void multiply_transposed(int n, double *from, double *to) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += element(j, i) * from[j];
    to[i] = sum;
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  if (n < 1 || n > 20000) {
    fprintf(stderr, "usage: spectralnorm N, with N from 1 to 20000\n");
    return 1;
  }
  double *u = malloc(n * sizeof(double));
  double *v = calloc(n, sizeof(double));
  double *w = calloc(n, sizeof(double));
  for (int i = 0; i < n; i++) u[i] = 1.0;
  for (int i = 0; i < 10; i++) {
    multiply(n, u, w);
    multiply_transposed(n, w, v);
    multiply(n, v, w);
    multiply_transposed(n, w, u);
  }
  double uv = 0.0;
  double vv = 0.0;
  for (int i = 0; i < n; i++) {
    uv += u[i] * v[i];
    vv += v[i] * v[i];
  }
  printf("%.9f\n", sqrt(uv / vv));
  return 0;
}

#include <stdio.h>
#include <stdlib.h>

static double **new_matrix(int n) {
  double **m = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++) m[i] = calloc(n, sizeof(double));
  return m;
}

static double **transpose(double **m, int n) {
  double **t = new_matrix(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) t[j][i] = m[i][j];
  return t;
}

static double **product(double **a, double **b, int n) {
  double **c = new_matrix(n);
  double **columns = transpose(b, n);
  for (int i = 0; i < n; i++) {
    double *row = a[i];
    double *result = c[i];
    for (int j = 0; j < n; j++) {
      double *column = columns[j];
      double sum = 0.0;
      for (int k = 0; k < n; k++) sum += row[k] * column[k];
      result[j] = sum;
    }
  }
  return c;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  if (n < 2 || n > 4000) {
    fprintf(stderr, "usage: matmul N, with N from 2 to 4000\n");
    return 1;
  }
  double **a = new_matrix(n);
  double **b = new_matrix(n);
  double step = 1.0 / n / n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = step * (i - j) * (i + j);
      b[i][j] = step * (i - j) * (i + j);
    }
  double **c = product(a, b, n);
  double trace = 0.0;
  for (int i = 0; i < n; i++) trace += c[i][i];
  printf("%.9f %.9f\n", c[n / 2][n / 2], trace);
  return 0;
}

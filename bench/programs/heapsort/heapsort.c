#include <stdio.h>
#include <stdlib.h>

static unsigned long seed = 42;

static double next_random(void) {
  seed = (seed * 3877 + 29573) % 139968;
  return (double)seed / 139968.0;
}

static void sink(double *v, int top, int n) {
  double x = v[top];
  for (;;) {
    int child = 2 * top + 1;
    if (child >= n) break;
    if (child + 1 < n && v[child] < v[child + 1]) child++;
    if (x >= v[child]) break;
    v[top] = v[child];
    top = child;
  }
  v[top] = x;
}

static void heapsort(double *v, int n) {
  for (int i = n / 2 - 1; i >= 0; i--) sink(v, i, n);
  for (int i = n - 1; i > 0; i--) {
    double greatest = v[0];
    v[0] = v[i];
    v[i] = greatest;
    sink(v, 0, i);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  if (n < 1) {
    fprintf(stderr, "usage: heapsort N\n");
    return 1;
  }
  double *v = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) v[i] = next_random();
  heapsort(v, n);
  for (int i = 1; i < n; i++)
    if (v[i - 1] > v[i]) {
      printf("not sorted at %d\n", i);
      return 1;
    }
  printf("%.9f %.9f %.9f\n", v[0], v[n / 2], v[n - 1]);
  return 0;
}

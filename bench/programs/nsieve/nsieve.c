#include <stdio.h>
#include <stdlib.h>

static int primes(int m) {
  char *composite = calloc(m, 1);
  int count = 0;
  for (int i = 2; i < m; i++) {
    if (composite[i]) continue;
    count++;
    for (int k = i + i; k < m; k += i) composite[k] = 1;
  }
  free(composite);
  return count;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  if (n < 2 || n > 17) {
    fprintf(stderr, "usage: nsieve N, with N from 2 to 17\n");
    return 1;
  }
  for (int i = 0; i < 3; i++) {
    int m = 10000 << (n - i);
    printf("Primes up to %8d %8d\n", m, primes(m));
  }
  return 0;
}

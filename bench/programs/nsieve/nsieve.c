#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int primes(char *composite, int m) {
  int count = 0;
  memset(composite, 0, m);
  for (int i = 2; i < m; i++) {
    if (composite[i]) continue;
    count++;
    for (int k = i + i; k < m; k += i) composite[k] = 1;
  }
  return count;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  if (n < 2 || n > 17) {
    fprintf(stderr, "usage: nsieve N, with N from 2 to 17\n");
    return 1;
  }
  char *composite = malloc(10000 << n);
  for (int i = 0; i < 3; i++) {
    int m = 10000 << (n - i);
    printf("Primes up to %8d %8d\n", m, primes(composite, m));
  }
  free(composite);
  return 0;
}

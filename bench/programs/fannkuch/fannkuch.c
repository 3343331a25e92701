#include <stdio.h>
#include <stdlib.h>

static int fannkuch(int n, int *result) {
  int *perm = malloc(n * sizeof(int));
  int *work = malloc(n * sizeof(int));
  int *count = calloc(n, sizeof(int));
  int checksum = 0;
  int most = 0;
  int sign = 1;
  for (int i = 0; i < n; i++) perm[i] = i;
  for (;;) {
    int first = perm[0];
    if (first != 0) {
      for (int i = 1; i < n; i++) work[i] = perm[i];
      int turns = 1;
      for (;;) {
        int next = work[first];
        if (next == 0) break;
        work[first] = first;
        int i = 1;
        int j = first - 1;
        while (i < j) {
          int t = work[i];
          work[i] = work[j];
          work[j] = t;
          i++;
          j--;
        }
        first = next;
        turns++;
      }
      checksum += sign * turns;
      if (turns > most) most = turns;
    }
    if (sign > 0) {
      int t = perm[0];
      perm[0] = perm[1];
      perm[1] = t;
      sign = -1;
    } else {
      int t = perm[1];
      perm[1] = perm[2];
      perm[2] = t;
      sign = 1;
      for (int i = 2;; i++) {
        if (count[i] != i) {
          count[i]++;
          break;
        }
        if (i == n - 1) {
          *result = most;
          return checksum;
        }
        count[i] = 0;
        int head = perm[0];
        for (int k = 0; k <= i; k++) perm[k] = perm[k + 1];
        perm[i + 1] = head;
      }
    }
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 7;
  if (n < 3 || n > 12) {
    fprintf(stderr, "usage: fannkuch N, with N from 3 to 12\n");
    return 1;
  }
  int most;
  int checksum = fannkuch(n, &most);
  printf("%d\nPfannkuchen(%d) = %d\n", checksum, n, most);
  return 0;
}

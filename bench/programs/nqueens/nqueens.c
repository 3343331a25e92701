#include <stdio.h>
#include <stdlib.h>

enum { MAX = 32 };

static char column[MAX];
static char rising[2 * MAX];
static char falling[2 * MAX];
static int queen[MAX];

static int shown = 0;

static void show(int n) {
  for (int row = 0; row < n; row++) {
    for (int i = 0; i < n; i++) putchar(i == queen[row] ? 'Q' : '.');
    putchar('\n');
  }
  shown = 1;
}

static long place(int row, int n) {
  if (row == n) {
    if (!shown) show(n);
    return 1;
  }
  long ways = 0;
  for (int i = 0; i < n; i++) {
    if (column[i] || rising[row + i] || falling[row - i + n]) continue;
    column[i] = rising[row + i] = falling[row - i + n] = 1;
    queen[row] = i;
    ways += place(row + 1, n);
    column[i] = rising[row + i] = falling[row - i + n] = 0;
  }
  return ways;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8;
  if (n < 1 || n > MAX) {
    fprintf(stderr, "usage: nqueens N, with N from 1 to %d\n", MAX);
    return 1;
  }
  long ways = place(0, n);
  printf("%d queens: %ld\n", n, ways);
  return 0;
}

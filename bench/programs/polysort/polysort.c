#include <stdio.h>
#include <stdlib.h>

struct record {
  int id;
  double weight;
};

static int by_value(const void *p, const void *q) {
  int a = *(const int *)p, b = *(const int *)q;
  return a < b ? -1 : a > b;
}

static int by_weight(const void *p, const void *q) {
  const struct record *a = *(struct record *const *)p, *b = *(struct record *const *)q;
  return a->weight < b->weight ? -1 : a->weight > b->weight;
}

static unsigned state = 1;
static unsigned next_random(void) {
  state = state * 1103515245u + 12345u;
  return state >> 4;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int *numbers = malloc(n * sizeof *numbers);
  for (int i = 0; i < n; i++) numbers[i] = (int)next_random();
  qsort(numbers, n, sizeof *numbers, by_value);
  printf("%d %d %d\n", numbers[0], numbers[n / 2], numbers[n - 1]);

  int m = n / 2;
  struct record **records = malloc(m * sizeof *records);
  for (int i = 0; i < m; i++) {
    records[i] = malloc(sizeof *records[i]);
    records[i]->id = i;
    records[i]->weight = next_random() / 16.0;
  }
  qsort(records, m, sizeof *records, by_weight);
  printf("%d %.4f %d\n", records[0]->id, records[m / 2]->weight, records[m - 1]->id);
  return 0;
}

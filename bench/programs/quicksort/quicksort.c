#include <stdio.h>
#include <stdlib.h>

static unsigned seed = 42;

static int next_random(void) {
  seed = seed * 1664525u + 1013904223u;
  return (int)(seed >> 1);
}

static void insertion_sort(int *v, int n) {
  for (int i = 1; i < n; i++) {
    int x = v[i];
    int k = i;
    while (k > 0 && v[k - 1] > x) {
      v[k] = v[k - 1];
      k--;
    }
    v[k] = x;
  }
}

static int median(int a, int b, int c) {
  if (a < b) return b < c ? b : a < c ? c : a;
  return a < c ? a : b < c ? c : b;
}

static void quicksort(int *v, int n) {
  while (n > 16) {
    int pivot = median(v[0], v[n / 2], v[n - 1]);
    int i = 0;
    int j = n - 1;
    for (;;) {
      while (v[i] < pivot) i++;
      while (pivot < v[j]) j--;
      if (i >= j) break;
      int t = v[i];
      v[i] = v[j];
      v[j] = t;
      i++;
      j--;
    }
    if (i < n - i) {
      quicksort(v, i);
      v += i;
      n -= i;
    } else {
      quicksort(v + i, n - i);
      n = i;
    }
  }
  insertion_sort(v, n);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  if (n < 1) {
    fprintf(stderr, "usage: quicksort N\n");
    return 1;
  }
  int *v = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) v[i] = next_random();
  quicksort(v, n);
  unsigned check = 0;
  for (int i = 0; i < n; i++) {
    if (i > 0 && v[i - 1] > v[i]) {
      printf("not sorted at %d\n", i);
      return 1;
    }
    check = check * 31u + (unsigned)v[i];
  }
  printf("%d %d %d %u\n", v[0], v[n / 2], v[n - 1], check);
  return 0;
}

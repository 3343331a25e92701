/* Lists of pseudo-random numbers: built, sorted by merging, summed, freed; a few times. */
#include <stdio.h>
#include <stdlib.h>

struct cell { int v; struct cell *next; };

static unsigned state = 1;
static int number(void) { return (int)((state = state * 1103515245u + 12345u) >> 8 & 0xffff); }

static struct cell *build(int n) {
  struct cell *list = NULL;
  for (int i = 0; i < n; i++) {
    struct cell *c = malloc(sizeof *c);
    if (!c) abort();
    c->v = number();
    c->next = list;
    list = c;
  }
  return list;
}

static struct cell *merge(struct cell *a, struct cell *b) {
  struct cell *merged = NULL;
  while (a && b) {
    struct cell *c;
    if (a->v <= b->v) {
      c = a;
      a = c->next;
    } else {
      c = b;
      b = c->next;
    }
    c->next = merged;
    merged = c;
  }
  struct cell *rest = a ? a : b;
  while (merged) {
    struct cell *c = merged;
    merged = c->next;
    c->next = rest;
    rest = c;
  }
  return rest;
}

static struct cell *sort(struct cell *list, int n) {
  if (n < 2) return list;
  struct cell *at = list;
  for (int i = 1; i < n / 2; i++) at = at->next;
  struct cell *other = at->next;
  at->next = NULL;
  return merge(sort(list, n / 2), sort(other, n - n / 2));
}

static long weigh(const struct cell *list) {
  long sum = 0;
  for (long i = 1; list; list = list->next) sum += i++ % 7 * list->v;
  return sum;
}

static void destroy(struct cell *list) {
  while (list) {
    struct cell *next = list->next;
    free(list);
    list = next;
  }
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 10;
  long sum = 0;
  for (int i = 0; i < rounds; i++) {
    struct cell *list = sort(build(20000), 20000);
    sum += weigh(list);
    destroy(list);
  }
  printf("%ld\n", sum);
  return 0;
}

#include <stdio.h>
#include <stdlib.h>

struct list {
  int hd;
  struct list *tl;
};
struct long_list {
  long hd;
  struct long_list *tl;
};

static struct list *cons(int hd, struct list *tl) {
  struct list *l = malloc(sizeof *l);
  l->hd = hd;
  l->tl = tl;
  return l;
}

static struct long_list *long_cons(long hd, struct long_list *tl) {
  struct long_list *l = malloc(sizeof *l);
  l->hd = hd;
  l->tl = tl;
  return l;
}

static struct list *map(int f(int), struct list *l) {
  if (!l) return NULL;
  struct list *first = cons(f(l->hd), NULL), *last = first;
  for (l = l->tl; l; l = l->tl) {
    last->tl = cons(f(l->hd), NULL);
    last = last->tl;
  }
  return first;
}

static struct long_list *map_to_long(long f(int), struct list *l) {
  if (!l) return NULL;
  struct long_list *first = long_cons(f(l->hd), NULL), *last = first;
  for (l = l->tl; l; l = l->tl) {
    last->tl = long_cons(f(l->hd), NULL);
    last = last->tl;
  }
  return first;
}

static int fold(int f(int, int), int start, struct list *l) {
  int so_far = start;
  for (; l; l = l->tl) so_far = f(so_far, l->hd);
  return so_far;
}

static long long_fold(long f(long, long), long start, struct long_list *l) {
  long so_far = start;
  for (; l; l = l->tl) so_far = f(so_far, l->hd);
  return so_far;
}

static struct list *reverse(struct list *l) {
  struct list *done = NULL;
  while (l) {
    struct list *next = l->tl;
    l->tl = done;
    done = l;
    l = next;
  }
  return done;
}

static struct list *filter(int keep(int), struct list *l) {
  struct list *kept = NULL;
  for (; l; l = l->tl)
    if (keep(l->hd)) kept = cons(l->hd, kept);
  return reverse(kept);
}

static int triple(int x) { return 3 * x + 1; }
static long weigh(int x) { return (long)x * x; }
static int is_odd(int x) { return x & 1; }
static long add(long sum, long x) { return sum + x; }
static int most(int a, int b) { return a > b ? a : b; }

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 10;
  long total = 0;
  int largest = 0;
  for (int round = 0; round < rounds; round++) {
    struct list *l = NULL;
    for (int i = 0; i < 20000; i++) l = cons(i + round, l);
    struct list *tripled = map(triple, l);
    struct list *odd = reverse(filter(is_odd, tripled));
    for (int i = 0; i < 5; i++) {
      total += long_fold(add, 0, map_to_long(weigh, odd));
      largest = fold(most, largest, odd);
    }
  }
  printf("%ld %d\n", total, largest);
  return 0;
}

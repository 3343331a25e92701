/* Binary trees of every depth, built, counted and freed (after the program of the Computer Language Benchmarks Game). */
#include <stdio.h>
#include <stdlib.h>

struct tree { struct tree *l, *r; };

static struct tree *build(int depth) {
  struct tree *t = malloc(sizeof *t);
  if (!t) abort();
  t->l = depth ? build(depth - 1) : NULL;
  t->r = depth ? build(depth - 1) : NULL;
  return t;
}

static int count(const struct tree *t) { return t ? 1 + count(t->l) + count(t->r) : 0; }

static void destroy(struct tree *t) {
  if (!t) return;
  destroy(t->l);
  destroy(t->r);
  free(t);
}

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 14;
  long total = 0;
  struct tree *kept = build(most);
  for (int depth = 4; depth <= most; depth += 2)
    for (int i = 0; i < 1 << (most - depth + 4); i++) {
      struct tree *t = build(depth);
      total += count(t);
      destroy(t);
    }
  printf("%ld %d\n", total, count(kept));
  destroy(kept);
  return 0;
}

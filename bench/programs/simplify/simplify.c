// Derivatives of random expressions, simplified until nothing changes, and evaluated.
#include <stdio.h>
#include <stdlib.h>

enum kind { NUM, VAR, NEG, ADD, MUL };
struct expr {
  enum kind kind;
  union {
    long num;
    int var;
    struct {
      struct expr *a, *b;
    };
  };
};

static unsigned seed = 1;
static unsigned next_random(unsigned below) {
  seed = seed * 1664525 + 1013904223;
  return (seed >> 16) % below;
}

static struct expr *make(enum kind kind) {
  struct expr *e = malloc(sizeof *e);
  if (!e) abort();
  e->kind = kind;
  return e;
}

static struct expr *num(long n) {
  struct expr *e = make(NUM);
  e->num = n;
  return e;
}

static struct expr *var(int v) {
  struct expr *e = make(VAR);
  e->var = v;
  return e;
}

static struct expr *neg(struct expr *a) {
  struct expr *e = make(NEG);
  e->a = a;
  return e;
}

static struct expr *binary(enum kind kind, struct expr *a, struct expr *b) {
  struct expr *e = make(kind);
  e->a = a;
  e->b = b;
  return e;
}

static struct expr *random_expr(int depth) {
  if (depth == 0) {
    if (next_random(2) == 0) return num((long)next_random(4));
    return var((int)next_random(3));
  }
  switch (next_random(8)) {
  case 0: return num((long)next_random(3));
  case 1: return neg(random_expr(depth - 1));
  case 2:
  case 3:
  case 4: {
    struct expr *left = random_expr(depth - 1);
    return binary(ADD, left, random_expr(depth - 1));
  }
  default: {
    struct expr *left = random_expr(depth - 1);
    return binary(MUL, left, random_expr(depth - 1));
  }
  }
}

static struct expr *derive(struct expr *e, int by) {
  switch (e->kind) {
  case NUM: return num(0);
  case VAR: return num(e->var == by);
  case NEG: return neg(derive(e->a, by));
  case ADD: {
    struct expr *left = derive(e->a, by);
    return binary(ADD, left, derive(e->b, by));
  }
  default: {
    struct expr *left = binary(MUL, derive(e->a, by), e->b);
    return binary(ADD, left, binary(MUL, e->a, derive(e->b, by)));
  }
  }
}

static int is_num(struct expr *e, long n) { return e->kind == NUM && e->num == n; }

static struct expr *step(struct expr *e) {
  switch (e->kind) {
  case NEG:
    if (e->a->kind == NUM) return num(-e->a->num);
    if (e->a->kind == NEG) return e->a->a;
    return e;
  case ADD:
    if (is_num(e->a, 0)) return e->b;
    if (is_num(e->b, 0)) return e->a;
    if (e->b->kind != NUM) return e;
    if (e->a->kind == NUM) return num(e->a->num + e->b->num);
    return binary(ADD, num(e->b->num), e->a);
  case MUL:
    if (is_num(e->a, 0) || is_num(e->b, 0)) return num(0);
    if (is_num(e->a, 1)) return e->b;
    if (is_num(e->b, 1)) return e->a;
    if (e->b->kind == NUM) {
      if (e->a->kind == NUM) return num(e->a->num * e->b->num);
      return binary(MUL, num(e->b->num), e->a);
    }
    if (e->a->kind == NEG && e->b->kind == NEG) return binary(MUL, e->a->a, e->b->a);
    return e;
  default: return e;
  }
}

static struct expr *simplify(struct expr *e) {
  switch (e->kind) {
  case NEG: {
    struct expr *inner = simplify(e->a);
    return step(inner == e->a ? e : neg(inner));
  }
  case ADD:
  case MUL: {
    struct expr *left = simplify(e->a), *right = simplify(e->b);
    return step(left == e->a && right == e->b ? e : binary(e->kind, left, right));
  }
  default: return e;
  }
}

static int size(struct expr *e) {
  switch (e->kind) {
  case NEG: return 1 + size(e->a);
  case ADD:
  case MUL: return 1 + size(e->a) + size(e->b);
  default: return 1;
  }
}

static long eval(struct expr *e, const long *values) {
  switch (e->kind) {
  case NUM: return e->num;
  case VAR: return values[e->var];
  case NEG: return -(unsigned long)eval(e->a, values);
  case ADD: return (unsigned long)eval(e->a, values) + eval(e->b, values);
  default: return (unsigned long)eval(e->a, values) * eval(e->b, values);
  }
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  long before = 0, after = 0;
  unsigned long sum = 0;
  long values[3] = {3, -2, 5};
  for (int round = 0; round < rounds; round++) {
    struct expr *e = random_expr(9);
    for (int by = 0; by < 3; by++) {
      struct expr *d = derive(e, by), *s = d;
      for (struct expr *last = derive(e, by); last != s;) {
        last = s;
        s = simplify(s);
      }
      before += size(d);
      after += size(s);
      long value = eval(s, values);
      if (value != eval(d, values)) printf("wrong\n");
      sum = sum * 31 + (unsigned long)value;
    }
  }
  printf("%ld %ld %lu\n", before, after, sum);
  return 0;
}

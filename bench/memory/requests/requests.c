/* Requests: the text of each is cut into tokens, headers and a tree of parameters, looked at, and forgotten. */
#include <stdio.h>
#include <stdlib.h>

struct token { int kind, from, to; struct token *next; };
struct header { int name, value; struct token *tokens; struct header *next; };
struct param { int key; struct param *less, *more; };

static unsigned state = 1;
static int number(int below) { return (int)((state = state * 1103515245u + 12345u) >> 8 & 0xffff) % below; }

static void *get(size_t size) {
  void *p = malloc(size);
  if (!p) abort();
  return p;
}

static struct token *tokens(int n) {
  struct token *list = NULL;
  for (int i = 0; i < n; i++) {
    struct token *t = get(sizeof *t);
    *t = (struct token){number(5), i, i + number(9), list};
    list = t;
  }
  return list;
}

static struct header *headers(int n) {
  struct header *list = NULL;
  for (int i = 0; i < n; i++) {
    struct token *mine = tokens(2 + number(6));
    struct header *h = get(sizeof *h);
    *h = (struct header){i, number(100), mine, list};
    list = h;
  }
  return list;
}

static struct param *insert(struct param *p, int key) {
  if (!p) {
    p = get(sizeof *p);
    *p = (struct param){key, NULL, NULL};
  } else if (key < p->key) {
    p->less = insert(p->less, key);
  } else {
    p->more = insert(p->more, key);
  }
  return p;
}

static long weigh_params(const struct param *p) {
  return p ? p->key + 2 * weigh_params(p->less) + 3 * weigh_params(p->more) : 1;
}

static long weigh_headers(const struct header *h) {
  long sum = 0;
  for (; h; h = h->next) {
    sum += h->name * h->value;
    for (const struct token *t = h->tokens; t; t = t->next) sum += t->kind * (t->to - t->from);
  }
  return sum;
}

static void destroy_params(struct param *p) {
  if (!p) return;
  destroy_params(p->less);
  destroy_params(p->more);
  free(p);
}

static void destroy_headers(struct header *h) {
  while (h) {
    struct header *next = h->next;
    for (struct token *t = h->tokens; t;) {
      struct token *after = t->next;
      free(t);
      t = after;
    }
    free(h);
    h = next;
  }
}

int main(int argc, char **argv) {
  int requests = argc > 1 ? atoi(argv[1]) : 10000;
  long sum = 0;
  for (int i = 0; i < requests; i++) {
    struct header *h = headers(12);
    struct param *p = NULL;
    for (int k = 0; k < 8; k++) p = insert(p, number(1000));
    sum += weigh_headers(h) + weigh_params(p) % 1000;
    destroy_params(p);
    destroy_headers(h);
  }
  printf("%ld\n", sum);
  return 0;
}

// Red-black trees that share what did not change: insertion as Okasaki has it ("Red-black trees in a functional
// setting", Journal of Functional Programming 9(4), 1999), membership, depth.
#include <stdio.h>
#include <stdlib.h>

enum colour { RED, BLACK };
struct node {
  enum colour colour;
  int key;
  const struct node *left, *right;
};
typedef const struct node *tree;

static tree node(enum colour colour, tree left, int key, tree right) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  *n = (struct node){colour, key, left, right};
  return n;
}

static int is_red(tree t) { return t && t->colour == RED; }

static tree balance(tree a, int k, tree b) {
  if (is_red(a)) {
    if (is_red(a->left))
      return node(RED, node(BLACK, a->left->left, a->left->key, a->left->right), a->key, node(BLACK, a->right, k, b));
    if (is_red(a->right))
      return node(RED, node(BLACK, a->left, a->key, a->right->left), a->right->key, node(BLACK, a->right->right, k, b));
  }
  if (is_red(b)) {
    if (is_red(b->left))
      return node(RED, node(BLACK, a, k, b->left->left), b->left->key, node(BLACK, b->left->right, b->key, b->right));
    if (is_red(b->right))
      return node(RED, node(BLACK, a, k, b->left), b->key, node(BLACK, b->right->left, b->right->key, b->right->right));
  }
  return node(BLACK, a, k, b);
}

static tree insert_below(tree t, int key) {
  if (!t) return node(RED, NULL, key, NULL);
  if (key == t->key) return t;
  if (t->colour == RED)
    return key < t->key ? node(RED, insert_below(t->left, key), t->key, t->right)
                        : node(RED, t->left, t->key, insert_below(t->right, key));
  return key < t->key ? balance(insert_below(t->left, key), t->key, t->right)
                      : balance(t->left, t->key, insert_below(t->right, key));
}

static tree insert(tree t, int key) {
  tree grown = insert_below(t, key);
  return is_red(grown) ? node(BLACK, grown->left, grown->key, grown->right) : grown;
}

static int holds(tree t, int key) {
  while (t) {
    if (key == t->key) return 1;
    t = key < t->key ? t->left : t->right;
  }
  return 0;
}

static int depth(tree t) {
  if (!t) return 0;
  int left = depth(t->left), right = depth(t->right);
  return 1 + (left > right ? left : right);
}

static long sum(tree t) { return t ? sum(t->left) + t->key + sum(t->right) : 0; }

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  unsigned seed = 42;
  tree t = NULL;
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525 + 1013904223;
    t = insert(t, (int)(seed >> 8));
  }
  int found = 0;
  for (int round = 0; round < 4; round++) {
    seed = 42;
    for (int i = 0; i < n; i++) {
      seed = seed * 1664525 + 1013904223;
      found += holds(t, (int)(seed >> 8)) + holds(t, i);
    }
  }
  printf("%d %d %ld\n", found, depth(t), sum(t));
  return 0;
}

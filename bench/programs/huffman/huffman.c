// Huffman coding of standard input: the tree, the codes, encoding to bits, decoding by walks down the tree.
#include <stdio.h>
#include <stdlib.h>

struct tree {
  int symbol; // -1 in a fork
  struct tree *left, *right;
};
struct weighed {
  long weight;
  struct tree *tree;
};
struct code {
  unsigned bits;
  int length;
};

static struct tree *make(int symbol, struct tree *left, struct tree *right) {
  struct tree *t = malloc(sizeof *t);
  if (!t) abort();
  *t = (struct tree){symbol, left, right};
  return t;
}

static void sink(struct weighed *heap, int n, int at) {
  while (1) {
    int least = at;
    for (int child = 2 * at + 1; child <= 2 * at + 2 && child < n; child++)
      if (heap[child].weight < heap[least].weight) least = child;
    if (least == at) return;
    struct weighed other = heap[least];
    heap[least] = heap[at];
    heap[at] = other;
    at = least;
  }
}

static struct tree *grow(const long *counts) {
  struct weighed heap[256];
  int n = 0;
  for (int c = 0; c < 256; c++)
    if (counts[c] > 0) heap[n++] = (struct weighed){counts[c], make(c, NULL, NULL)};
  if (n == 0) return make(0, NULL, NULL);
  for (int i = n / 2; i >= 0; i--) sink(heap, n, i);
  while (n > 1) {
    struct weighed a = heap[0];
    heap[0] = heap[--n];
    sink(heap, n, 0);
    struct weighed b = heap[0];
    heap[0] = (struct weighed){a.weight + b.weight, make(-1, a.tree, b.tree)};
    sink(heap, n, 0);
  }
  return heap[0].tree;
}

static void assign(const struct tree *t, struct code *codes, unsigned bits, int length) {
  if (t->symbol >= 0) {
    codes[t->symbol] = (struct code){bits, length};
    return;
  }
  assign(t->left, codes, bits, length + 1);
  assign(t->right, codes, bits | 1u << length, length + 1);
}

static long encode(const unsigned char *in, long n, const struct code *codes, unsigned char *out) {
  long at = 0;
  unsigned long waiting = 0;
  int count = 0;
  for (long i = 0; i < n; i++) {
    struct code code = codes[in[i]];
    waiting |= (unsigned long)code.bits << count;
    count += code.length;
    while (count >= 8) {
      out[at++] = (unsigned char)waiting;
      waiting >>= 8;
      count -= 8;
    }
  }
  if (count > 0) out[at++] = (unsigned char)waiting;
  return at;
}

static long decode(const struct tree *root, const unsigned char *in, long n, const unsigned char *original) {
  long bit = 0, same = 0;
  for (long i = 0; i < n; i++) {
    const struct tree *t = root;
    while (t->symbol < 0) {
      t = in[bit >> 3] >> (bit & 7) & 1 ? t->right : t->left;
      bit++;
    }
    same += t->symbol == original[i];
  }
  return same;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  long room = 1 << 22;
  unsigned char *text = calloc(room, 1);
  long n = 0;
  for (int c = getchar(); c != EOF && n < room; c = getchar()) text[n++] = (unsigned char)c;
  unsigned char *packed = calloc(room, 1);
  long size = 0, same = 0;
  for (int round = 0; round < rounds; round++) {
    long counts[256] = {0};
    for (long i = 0; i < n; i++) counts[text[i]]++;
    struct tree *t = grow(counts);
    struct code codes[256] = {{0}};
    assign(t, codes, 0, 0);
    size = encode(text, n, codes, packed);
    same += decode(t, packed, n, text);
  }
  unsigned sum = 0;
  for (long i = 0; i < size; i++) sum = sum * 31 + packed[i];
  printf("%ld %ld %ld %u\n", n, size, same, sum);
  return 0;
}

#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int key, value;
};

struct map {
  struct node **buckets;
  unsigned mask;
  int size;
};

static unsigned hash(int x) {
  unsigned h = (unsigned)x * 2654435769u;
  return h ^ h >> 15;
}

static struct map *new_map(int bits) {
  struct map *m = malloc(sizeof *m);
  m->buckets = calloc((size_t)1 << bits, sizeof *m->buckets);
  m->mask = (1u << bits) - 1;
  m->size = 0;
  return m;
}

static struct node *find(struct map *m, int key) {
  struct node *n = m->buckets[hash(key) & m->mask];
  while (n && n->key != key) n = n->next;
  return n;
}

static void grow(struct map *m) {
  unsigned mask = 2 * m->mask + 1;
  struct node **buckets = calloc((size_t)mask + 1, sizeof *buckets);
  for (unsigned i = 0; i <= m->mask; i++) {
    struct node *n = m->buckets[i];
    while (n) {
      struct node *next = n->next;
      unsigned at = hash(n->key) & mask;
      n->next = buckets[at];
      buckets[at] = n;
      n = next;
    }
  }
  free(m->buckets);
  m->buckets = buckets;
  m->mask = mask;
}

static void put(struct map *m, int key, int value) {
  struct node *n = find(m, key);
  if (n) {
    n->value = value;
    return;
  }
  if (m->size > (int)m->mask) grow(m);
  unsigned at = hash(key) & m->mask;
  n = malloc(sizeof *n);
  n->next = m->buckets[at];
  n->key = key;
  n->value = value;
  m->buckets[at] = n;
  m->size++;
}

static int get(struct map *m, int key, int otherwise) {
  struct node *n = find(m, key);
  return n ? n->value : otherwise;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  struct map *m = new_map(10);
  unsigned x = 1;
  for (int i = 0; i < n; i++) {
    x = x * 1103515245u + 12345u;
    int key = (int)(x >> 8) % n;
    put(m, key, get(m, key, 0) + 1);
  }
  long sum = 0;
  int most = 0;
  for (int key = 0; key < n; key++) {
    int count = get(m, key, 0);
    sum += (long)count * key;
    if (count > most) most = count;
  }
  printf("%d %ld %d\n", m->size, sum, most);
  return 0;
}

/* A cache of bounded size: what was not asked for longest makes room. Its values have many sizes. */
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 4096, BUCKETS = 8192, KEYS = 24000 };

/* Slots are chained twice, by index: in their bucket, and by age, newest first, in a ring around slot 0. */
struct slot { int key, newer, older, chain, size; int *value; };

static struct slot slots[SLOTS + 1];
static int buckets[BUCKETS];
static int used;
static unsigned state = 1;
static int number(int below) { return (int)((state = state * 1103515245u + 12345u) >> 8 & 0xffff) % below; }

static int find(int key) {
  int at = buckets[key % BUCKETS];
  while (at && slots[at].key != key) at = slots[at].chain;
  return at;
}

static void unlink_age(int at) {
  slots[slots[at].newer].older = slots[at].older;
  slots[slots[at].older].newer = slots[at].newer;
}

static void link_newest(int at) {
  slots[at].newer = 0;
  slots[at].older = slots[0].older;
  slots[slots[0].older].newer = at;
  slots[0].older = at;
}

static void forget(int at) {
  int bucket = slots[at].key % BUCKETS;
  if (buckets[bucket] == at) {
    buckets[bucket] = slots[at].chain;
  } else {
    int before = buckets[bucket];
    while (slots[before].chain != at) before = slots[before].chain;
    slots[before].chain = slots[at].chain;
  }
  unlink_age(at);
  free(slots[at].value);
}

static int fetch(int key) {
  int at = used < SLOTS ? ++used : slots[0].newer;
  if (slots[at].value) forget(at);
  int size = 2 + key % 37;
  int *value = malloc(size * sizeof *value);
  if (!value) abort();
  for (int i = 0; i < size; i++) value[i] = key + i;
  slots[at].key = key;
  slots[at].size = size;
  slots[at].value = value;
  slots[at].chain = buckets[key % BUCKETS];
  buckets[key % BUCKETS] = at;
  link_newest(at);
  return at;
}

int main(int argc, char **argv) {
  int asked = argc > 1 ? atoi(argv[1]) : 100000;
  long sum = 0, hits = 0;
  for (int i = 0; i < asked; i++) {
    int key = number(4) ? number(KEYS / 4) : number(KEYS);
    int at = find(key);
    if (at) {
      hits++;
      unlink_age(at);
      link_newest(at);
    } else {
      at = fetch(key);
    }
    sum += slots[at].value[i % slots[at].size];
  }
  printf("%ld %ld\n", sum, hits);
  for (int at = 1; at <= used; at++) free(slots[at].value);
  return 0;
}

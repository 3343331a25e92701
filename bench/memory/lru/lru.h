// The cache of lru.c. How values are owned is said by whoever includes this:
//   VALUE    their type; MAKE, FREE(v)   how they begin and end
//   REGION   parameters before the others: the region that they lie in; HERE: the arguments; EFFECT: its constraint
#include <core.h>
#include <stdio.h>
#include <stdlib.h>
using Core;

enum { SLOTS = 4096, BUCKETS = 8192, KEYS = 24000 };

// Slots are chained twice, by index: in their bucket, and by age, newest first, in a ring around slot 0.
struct Slot { int key; int newer; int older; int chain; };

static struct Slot slots[SLOTS + 1];
static int buckets[BUCKETS];
static int used = 0;
static unsigned state = 1;
static int number(int below) { state = state * 1103515245u + 12345u; return (int)(state >> 8 & 0xffff) % below; }

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
}

static void discard(REGION VALUE value EFFECT) __attribute__((consume(LAST))) { FREE(value); }

static int fetch(REGION VALUE @{SLOTS + 1}`q values, int key EFFECT) {
  int at = used < SLOTS ? ++used : slots[0].newer;
  if (values[at] != NULL) forget(at);
  int size = 2 + key % 37;
  VALUE value = MAKE {for i < (unsigned)size : key + (int)i};
  value :=: values[at];
  discard(HERE value);
  slots[at].key = key;
  slots[at].chain = buckets[key % BUCKETS];
  buckets[key % BUCKETS] = at;
  link_newest(at);
  return at;
}

static void ask(REGION int asked EFFECT) {
  VALUE *{SLOTS + 1} values = new {for i < SLOTS + 1 : NULL};
  long sum = 0;
  long hits = 0;
  for (int i = 0; i < asked; i++) {
    int key = number(4) ? number(KEYS / 4) : number(KEYS);
    int at = find(key);
    if (at) {
      hits++;
      unlink_age(at);
      link_newest(at);
    } else {
      at = fetch(HERE values, key);
    }
    sum += values[at][i % (int)numelts(values[at])];
  }
  printf("%ld %ld\n", sum, hits);
  for (int at = 1; at <= used; at++) {
    VALUE value = NULL;
    value :=: values[at];
    discard(HERE value);
  }
}

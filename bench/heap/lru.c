/* lru THOUSANDS - the twin of lru.cyc on the Boehm collector. */
#include <gc.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
    unsigned key, size;
    struct entry *chain, *newer, *older;
    char *contents;
};

enum { ROOM = 20000, BUCKETS = 32768 };
static struct entry *buckets[BUCKETS], *newest, *oldest;
static int used;

static void take_out(struct entry *e) {
    *(e->newer ? &e->newer->older : &newest) = e->older;
    *(e->older ? &e->older->newer : &oldest) = e->newer;
}

static void put_first(struct entry *e) {
    e->newer = NULL;
    e->older = newest;
    *(newest ? &newest->newer : &oldest) = e;
    newest = e;
}

static void evict(void) {
    struct entry *e = oldest, **link = &buckets[e->key % BUCKETS];
    take_out(e);
    while (*link != e)
        link = &(*link)->chain;
    *link = e->chain;
    used--;
}

static struct entry *lookup(unsigned key) {
    struct entry **bucket = &buckets[key % BUCKETS];
    for (struct entry *e = *bucket; e; e = e->chain)
        if (e->key == key) {
            take_out(e);
            put_first(e);
            return e;
        }
    if (used == ROOM)
        evict();
    struct entry *e = GC_NEW(struct entry);
    unsigned size = 32 + key % 96;
    *e = (struct entry){.key = key, .size = size, .chain = *bucket, .contents = GC_MALLOC_ATOMIC(size)};
    for (unsigned i = 0; i < size; i++)
        e->contents[i] = 0;
    e->contents[key % size] = (char)key;
    *bucket = e;
    put_first(e);
    used++;
    return e;
}

int main(int argc, char **argv) {
    int n = (argc > 1 ? atoi(argv[1]) : 100) * 1000;
    unsigned x = 1;
    long sum = 0;
    GC_INIT();
    for (int i = 0; i < n; i++) {
        x = x * 1103515245u + 12345u;
        unsigned key = x >> 8;
        key %= key % 4 == 0 ? 200000u : 16000u;
        struct entry *e = lookup(key);
        sum += e->contents[key % e->size];
    }
    printf("%d entries, %ld\n", used, sum);
    return 0;
}

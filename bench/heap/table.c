/* table THOUSANDS - the twin of table.cyc on the Boehm collector. */
#include <gc.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
    struct entry *next;
    long key, value;
};
static struct entry **buckets;
static unsigned width = 1024;
static int size;

static unsigned hash(long key) { return (unsigned)((unsigned long)key * 0x9e3779b97f4a7c15ul >> 40); }

static void grow(void) {
    unsigned n = 2 * width;
    struct entry **wider = GC_MALLOC(n * sizeof *wider), *next;
    for (unsigned i = 0; i < width; i++)
        for (struct entry *e = buckets[i]; e; e = next) {
            next = e->next;
            struct entry **bucket = &wider[hash(e->key) % n];
            e->next = *bucket;
            *bucket = e;
        }
    buckets = wider;
    width = n;
}

static void insert(long key, long value) {
    if ((unsigned)size > width)
        grow();
    struct entry **bucket = &buckets[hash(key) % width], *e = GC_NEW(struct entry);
    *e = (struct entry){*bucket, key, value};
    *bucket = e;
    size++;
}

static long take(long key) {
    for (struct entry **link = &buckets[hash(key) % width]; *link; link = &(*link)->next)
        if ((*link)->key == key) {
            long value = (*link)->value;
            *link = (*link)->next;
            size--;
            return value;
        }
    return -1;
}

int main(int argc, char **argv) {
    long n = (argc > 1 ? atoi(argv[1]) : 10) * 1000L, sum = 0;
    GC_INIT();
    buckets = GC_MALLOC(width * sizeof *buckets);
    for (long i = 0; i < n; i++)
        insert(i * 7, i);
    for (long i = 0; i < n; i++) {
        sum += take(i * 7);
        insert((n + i) * 7, sum % 1000);
    }
    printf("%d entries, %ld\n", size, sum);
    return 0;
}

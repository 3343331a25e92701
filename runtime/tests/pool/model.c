/* model.c - random operations against a model, in a pool that is always nearly full: what is allocated keeps its contents,
 * overlaps nothing, and when everything was freed `consumed` is what it was.
 *
 *     model OPERATIONS SEED [THREADS]        threads share one pool, each with objects of its own */
#include "check.h"

#include <pthread.h>

enum { SLOTS = 300, POOL_BLOCKS = 6000 };

struct slot {
    enum { EMPTY, OBJECT, ARRAY } what;
    void *at;
    size_t count, size; /* bytes of an object; elements of an array */
    unsigned char fill;
};

struct worker {
    struct lowfat_pool *pool;
    uint64_t random;
    long operations, refused, scattered;
    struct slot slots[SLOTS];
};

static void fill(struct slot *s) {
    if (s->what == OBJECT) {
        memset(s->at, s->fill, s->count);
        return;
    }
    unsigned char value[64];
    for (size_t i = 0; i < s->count; i++) {
        memset(value, (unsigned char)(s->fill + i), s->size);
        CHECK(lowfat_pool_array_set(s->at, i, value, s->size) == 0);
    }
}

static void verify(const struct slot *s) {
    if (s->what == OBJECT) {
        for (size_t i = 0; i < s->count; i++)
            CHECK(((unsigned char *)s->at)[i] == s->fill);
        return;
    }
    unsigned char value[64];
    CHECK(lowfat_pool_array_count(s->at) == s->count);
    for (size_t i = 0; i < s->count; i++) {
        CHECK(lowfat_pool_array_get(s->at, i, value, s->size) == 0);
        for (size_t k = 0; k < s->size; k++)
            CHECK(value[k] == (unsigned char)(s->fill + i));
    }
}

static void release(struct worker *w, struct slot *s) {
    verify(s);
    if (s->what == ARRAY)
        lowfat_pool_array_free(w->pool, s->at);
    else
        lowfat_pool_free(w->pool, s->at);
    s->what = EMPTY;
}

static size_t random_size(struct worker *w) {
    uint64_t r = test_random(&w->random);
    switch (r % 8) {
    case 0: case 1: return r / 8 % 33;
    case 2: case 3: case 4: return r / 8 % 300;
    case 5: case 6: return r / 8 % 5000;
    default: return r / 8 % 40000;
    }
}

static void obtain(struct worker *w, struct slot *s) {
    size_t bytes = random_size(w);
    s->fill = (unsigned char)test_random(&w->random);
    if (test_random(&w->random) % 2) {
        *s = (struct slot){OBJECT, lowfat_pool_malloc(w->pool, bytes), bytes, 1, s->fill};
    } else {
        static const size_t sizes[] = {1, 2, 4, 8, 8, 16, 24, 64};
        size_t size = sizes[test_random(&w->random) % 8];
        *s = (struct slot){ARRAY, lowfat_pool_array_new(w->pool, bytes / size, size), bytes / size, size, s->fill};
        if (s->at)
            w->scattered += lowfat_pool_array_levels(s->at) > 0;
    }
    if (!s->at) {
        s->what = EMPTY;
        w->refused++;
        return;
    }
    fill(s);
}

static void *work(void *argument) {
    struct worker *w = argument;
    for (long i = 0; i < w->operations; i++) {
        struct slot *s = &w->slots[test_random(&w->random) % SLOTS];
        if (s->what == EMPTY)
            obtain(w, s);
        else
            release(w, s);
    }
    for (size_t i = 0; i < SLOTS; i++)
        if (w->slots[i].what != EMPTY)
            release(w, &w->slots[i]);
    return NULL;
}

int main(int argc, char **argv) {
    static struct worker workers[8];
    pthread_t threads[8];
    long operations = argc > 1 ? atol(argv[1]) : 100000, seed = argc > 2 ? atol(argv[2]) : 1;
    int n = argc > 3 ? atoi(argv[3]) : 1;
    CHECK(n >= 1 && n <= 8);
    struct lowfat_pool *pool = lowfat_pool_create(POOL_BLOCKS * 64, 0, n == 1 ? LOWFAT_POOL_PRIVATE : 0);
    size_t consumed = lowfat_pool_consumed(pool);
    long refused = 0, scattered = 0;
    for (int i = 0; i < n; i++) {
        workers[i].pool = pool;
        workers[i].random = (uint64_t)(seed * 8 + i);
        workers[i].operations = operations / n;
        if (n == 1)
            work(&workers[i]);
        else
            CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
    }
    for (int i = 0; i < n; i++) {
        if (n > 1)
            pthread_join(threads[i], NULL);
        refused += workers[i].refused;
        scattered += workers[i].scattered;
    }
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0 && lowfat_pool_consumed(pool) == consumed);
    void *whole = lowfat_pool_malloc(pool, POOL_BLOCKS * 64);
    CHECK(whole != NULL);
    /* The test met a full and a fragmented pool. */
    CHECK(refused > operations / 1000 && scattered > operations / 1000);
    lowfat_pool_destroy(pool);
    return 0;
}

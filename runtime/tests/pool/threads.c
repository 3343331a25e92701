/* threads.c - several threads on one pool: objects go from hand to hand, and arrays that fill the pool to the last block are
 * made at the same time: one of two that do not fit together succeeds.
 *
 *     threads ROUNDS */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, BOXES = 64 };

static struct lowfat_pool *pool;
static long rounds;
static _Atomic(unsigned char *) boxes[BOXES];

/* Puts objects into boxes and frees what another thread left there. The first byte of an object tells its size. */
static void *exchange(void *argument) {
    uint64_t random = (uint64_t)(uintptr_t)argument;
    for (long i = 0; i < rounds; i++) {
        size_t size = 1 + test_random(&random) % 200;
        unsigned char *mine = lowfat_pool_malloc(pool, size);
        if (mine)
            memset(mine, (int)size, size);
        unsigned char *theirs = __atomic_exchange_n((unsigned char **)&boxes[test_random(&random) % BOXES], mine, __ATOMIC_ACQ_REL);
        if (theirs) {
            size_t n = *theirs;
            for (size_t k = 0; k < n; k++)
                CHECK(theirs[k] == (unsigned char)n);
            lowfat_pool_free(pool, theirs);
        }
    }
    return NULL;
}

static void run(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static _Atomic long made;
static size_t elements;

/* Wants more than half of the free blocks, one by one: promises keep two from taking half each. */
static void *greedy(void *argument) {
    for (long i = 0; i < rounds / 1000 + 1; i++) {
        struct lowfat_pool_array *a = lowfat_pool_array_new(pool, elements, sizeof(int));
        if (!a)
            continue;
        made++;
        for (size_t k = 0; k < elements; k++)
            *LOWFAT_POOL_AT(int, a, k) = (int)(uintptr_t)argument;
        for (size_t k = 0; k < elements; k++)
            CHECK(*LOWFAT_POOL_AT(int, a, k) == (int)(uintptr_t)argument);
        lowfat_pool_array_free(pool, a);
    }
    return NULL;
}

int main(int argc, char **argv) {
    enum { BLOCKS = 4000 };
    static void *held[BLOCKS + 1];
    rounds = argc > 1 ? atol(argv[1]) : 10000;
    pool = pool_of(100); /* too few at times */
    run(exchange);
    for (int i = 0; i < BOXES; i++)
        lowfat_pool_free(pool, boxes[i]);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
    lowfat_pool_destroy(pool);

    pool = pool_of(BLOCKS);
    size_t kept = fragment(pool, held);
    elements = kept * 3 / 5 * 16;
    run(greedy);
    CHECK(made > 0);
    struct lowfat_pool_array *a = lowfat_pool_array_new(pool, elements, sizeof(int));
    CHECK(a != NULL); /* no promise was left behind */
    lowfat_pool_array_free(pool, a);
    for (size_t i = 0; i < kept; i++)
        lowfat_pool_free(pool, held[i]);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
    lowfat_pool_destroy(pool);
    return 0;
}

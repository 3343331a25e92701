/* steps.c - malloc and free take a bounded number of steps, however large the pool and whatever happened before.  With an
 * argument, prints the greatest numbers. Compiled with LOWFAT_POOL_STEPS. */
#include "../../src/pool/pool.h"
#include "check.h"

struct worst {
    uint64_t take, give;
};

static void *counted_malloc(struct lowfat_pool *pool, size_t size, struct worst *worst) {
    pool_steps = 0;
    void *p = lowfat_pool_malloc(pool, size);
    if (pool_steps > worst->take)
        worst->take = pool_steps;
    return p;
}
static void counted_free(struct lowfat_pool *pool, void *p, struct worst *worst) {
    pool_steps = 0;
    lowfat_pool_free(pool, p);
    if (pool_steps > worst->give)
        worst->give = pool_steps;
}

static size_t random_size(uint64_t *random) {
    uint64_t r = test_random(random);
    return r % 4 == 0 ? r / 4 % 33 : r % 4 < 3 ? r / 4 % 600 : r / 4 % 60000;
}

/* Random operations that keep `live` objects in a pool. */
static void churn(struct lowfat_pool *pool, size_t live, size_t operations, struct worst *worst) {
    void **objects = calloc(live, sizeof *objects);
    uint64_t random = live;
    for (size_t i = 0; i < operations; i++) {
        void **at = &objects[test_random(&random) % live];
        if (*at)
            counted_free(pool, *at, worst);
        *at = counted_malloc(pool, random_size(&random), worst);
    }
    for (size_t i = 0; i < live; i++)
        counted_free(pool, objects[i], worst);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
    free(objects);
}

/* Few objects, far apart, so that the next edge and the next partial block are found at the top of their trees. */
static void sparse(struct lowfat_pool *pool, size_t blocks, struct worst *worst) {
    size_t n = 0;
    char **runs = calloc(4096, sizeof *runs), *ends[64];
    while (n < 4096 && (runs[n] = counted_malloc(pool, blocks / 4096 * 64, worst)) != NULL)
        n++;
    for (size_t i = 0; i < n; i += 2)
        counted_free(pool, runs[i], worst);
    for (size_t i = 0; i < 64; i++)
        ends[i] = counted_malloc(pool, 8u << i % 3, worst);
    for (size_t i = 1; i < n; i += 2)
        counted_free(pool, runs[i], worst);
    for (size_t i = 0; i < 64; i++)
        counted_free(pool, ends[i], worst);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
    free(runs);
}

static struct worst measure(size_t bytes) {
    struct lowfat_pool *pool = lowfat_pool_create(bytes, 0, LOWFAT_POOL_PRIVATE);
    CHECK(pool != NULL);
    struct worst worst = {0, 0};
    churn(pool, bytes / 2000 + 8, 200000, &worst);
    churn(pool, bytes / 20000 + 8, 200000, &worst);
    churn(pool, 8, 10000, &worst);
    sparse(pool, bytes / 64, &worst);
    lowfat_pool_destroy(pool);
    return worst;
}

int main(int argc, char **argv) {
    (void)argv;
    for (size_t bytes = (size_t)1 << 14; bytes <= (size_t)1 << 32; bytes <<= 6) {
        struct worst worst = measure(bytes);
        if (argc > 1)
            printf("%10zu bytes: malloc %3llu steps, free %3llu\n", bytes, (unsigned long long)worst.take,
                   (unsigned long long)worst.give);
        CHECK(worst.take > 0 && worst.take <= STEPS_MOST && worst.give > 0 && worst.give <= STEPS_MOST);
    }
    return 0;
}

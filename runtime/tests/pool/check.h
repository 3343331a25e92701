/* check.h - what the tests of scoped pools share beyond those of liblowfat. */
#ifndef LOWFAT_POOL_TEST_CHECK_H
#define LOWFAT_POOL_TEST_CHECK_H
#include "../lowfat/check.h"
#include <errno.h>
#include <lowfat_pool.h>
#include <string.h>

/* The call fails with this errno, and the pool is as before. */
#define CHECK_FAILS(pool, call, error)                                            \
    do {                                                                          \
        size_t before_ = lowfat_pool_consumed_unmanaged(pool);                    \
        size_t consumed_ = lowfat_pool_consumed(pool);                            \
        errno = 0;                                                                \
        CHECK((call) == 0 && errno == (error));                                   \
        CHECK(lowfat_pool_consumed_unmanaged(pool) == before_);                   \
        CHECK(lowfat_pool_consumed(pool) == consumed_);                           \
    } while (0)

/* A size that the compiler does not warn about. */
static inline __attribute__((unused)) size_t hidden_size(size_t size) {
    __asm__("" : "+r"(size));
    return size;
}

/* A pool without plain memory. */
static inline __attribute__((unused)) struct lowfat_pool *pool_of(size_t blocks) {
    struct lowfat_pool *pool = lowfat_pool_create(blocks * LOWFAT_POOL_BLOCK, 0, 0);
    CHECK(pool != NULL);
    return pool;
}

/* Makes the free memory of a pool a set of single blocks, every second one; what is in use goes to `held`, its number is the
 * result. */
static inline __attribute__((unused)) size_t fragment(struct lowfat_pool *pool, void **held) {
    size_t all = 0, kept = 0;
    while ((held[all] = lowfat_pool_malloc(pool, LOWFAT_POOL_BLOCK)) != NULL)
        all++;
    for (size_t i = 0; i < all; i++)
        if (i % 2)
            lowfat_pool_free(pool, held[i]);
        else
            held[kept++] = held[i];
    return kept;
}
#endif

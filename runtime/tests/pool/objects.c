/* objects.c - malloc and free of objects: sizes, alignment, exact room, requests that cannot be met. */
#include "check.h"

static void sizes_and_alignment(void) {
    struct lowfat_pool *pool = lowfat_pool_create(1 << 20, 0, 0);
    for (size_t size = 0; size < 5000; size += size < 200 ? 1 : 37) {
        unsigned char *p = lowfat_pool_malloc(pool, size), *q = lowfat_pool_calloc(pool, 1, size);
        size_t alignment = size <= 8 ? 8 : size <= 16 ? 16 : size <= 32 ? 32 : 64;
        CHECK(p && q && p != q && (uintptr_t)p % alignment == 0 && (uintptr_t)q % alignment == 0);
        CHECK(lowfat_pool_usable_size(pool, p) >= size);
        for (size_t i = 0; i < size; i++)
            CHECK(q[i] == 0);
        memset(p, 0xaa, size);
        memset(q, 0xbb, size);
        for (size_t i = 0; i < size; i++)
            CHECK(p[i] == 0xaa);
        lowfat_pool_free(pool, p);
        lowfat_pool_free(pool, q);
    }
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
    lowfat_pool_destroy(pool);
}

/* Eight, four, two, one object to a block: as many as fit are had, and no more. */
static void exact_room(void) {
    static const struct {
        size_t size, per_block;
    } rows[] = {{1, 8}, {8, 8}, {9, 4}, {16, 4}, {17, 2}, {32, 2}, {33, 1}, {64, 1}};
    static void *objects[8 * 100];
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct lowfat_pool *pool = pool_of(100);
        for (int round = 0; round < 3; round++) {
            size_t n = 100 * rows[row].per_block;
            for (size_t i = 0; i < n; i++)
                CHECK((objects[i] = lowfat_pool_malloc(pool, rows[row].size)) != NULL);
            CHECK(lowfat_pool_consumed_unmanaged(pool) == 6400);
            CHECK_FAILS(pool, lowfat_pool_malloc(pool, rows[row].size), ENOMEM);
            for (size_t i = 0; i < n; i++)
                lowfat_pool_free(pool, objects[(i * 7 + 3) % n]);
            CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
            /* What was in pieces is whole again. */
            void *whole = lowfat_pool_malloc(pool, 6400);
            CHECK(whole != NULL);
            lowfat_pool_free(pool, whole);
        }
        lowfat_pool_destroy(pool);
    }
}

static void refused(void) {
    struct lowfat_pool *pool = lowfat_pool_create(64 * 1000, 100, 0);
    void *one = lowfat_pool_malloc(pool, 5);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, hidden_size((size_t)-1)), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, hidden_size((size_t)PTRDIFF_MAX + 1)), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, PTRDIFF_MAX), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, 64 * 1000 + 1), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, 64 * 1000), ENOMEM); /* a block is taken */
    CHECK_FAILS(pool, lowfat_pool_calloc(pool, hidden_size((size_t)-3), 8), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_calloc(pool, hidden_size((size_t)1 << 40), (size_t)1 << 40), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_new(pool, hidden_size((size_t)-1)), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_new(pool, 200), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_malloc(NULL, 8), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_new(NULL, 8), EINVAL);
    void *rest = lowfat_pool_malloc(pool, 64 * 999);
    CHECK(one && rest);
    lowfat_pool_free(pool, NULL);
    lowfat_pool_destroy(pool);
}

/* Above 64 blocks lengths share bins: a run that is long enough is still found among eight. */
static void long_runs(void) {
    struct lowfat_pool *pool = pool_of(8000);
    void *runs[16];
    for (int i = 0; i < 16; i++)
        CHECK((runs[i] = lowfat_pool_malloc(pool, (size_t)(480 + i) * 64)) != NULL);
    void *rest = lowfat_pool_malloc(pool, (8000 - 16 * 480 - 120) * 64);
    CHECK(rest != NULL);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 8000 * 64);
    for (int i = 15; i > 0; i -= 2) /* so that the shortest is looked at first */
        lowfat_pool_free(pool, runs[i]);
    for (int i = 15; i > 0; i -= 2)
        CHECK((runs[i] = lowfat_pool_malloc(pool, (size_t)(480 + i) * 64)) != NULL);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, 64), ENOMEM);
    lowfat_pool_destroy(pool);
}

/* One object after the other does not cut and join runs, and the block that is kept for it is given up for others. */
static void kept_blocks(void) {
    struct lowfat_pool *pool = pool_of(3);
    for (size_t size = 8; size <= 32; size *= 2) {
        void *p = lowfat_pool_malloc(pool, size);
        uintptr_t where = (uintptr_t)p;
        CHECK(p && lowfat_pool_consumed_unmanaged(pool) == 64);
        lowfat_pool_free(pool, p);
        CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
        p = lowfat_pool_malloc(pool, size);
        CHECK((uintptr_t)p == where);
        lowfat_pool_free(pool, p);
    }
    void *all = lowfat_pool_malloc(pool, 3 * 64);
    CHECK(all != NULL);
    lowfat_pool_destroy(pool);
}

int main(void) {
    sizes_and_alignment();
    exact_room();
    refused();
    long_runs();
    kept_blocks();
    return 0;
}

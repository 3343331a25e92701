/* arrays.c - arrays: the paper's tests of correctness, access that is checked, spans, and arrays in fragmented memory. */
#include "check.h"

typedef struct lowfat_pool_array array;

/* Blocks of an array in one run. */
static size_t blocks_of(size_t count, size_t size) { return (sizeof(array) + count * size + 63) / 64; }

static void shuffle(size_t *order, size_t n, uint64_t *random) {
    for (size_t i = n; i > 1; i--) {
        size_t j = test_random(random) % i, kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

/* Several arrays are allocated, filled, verified and freed, each in random order, in exactly the memory that takes
 * ("Initial Correctness Testing"). */
static void random_orders(void) {
    enum { ARRAYS = 6, ROUNDS = 6 };
    static const size_t lengths[] = {0, 1, 6, 7, 8, 9, 100, 1000, 10000};
    uint64_t random = 7;
    for (size_t row = 0; row < sizeof lengths / sizeof *lengths; row++) {
        size_t n = lengths[row];
        struct lowfat_pool *pool = pool_of(ARRAYS * blocks_of(n, sizeof(long)));
        size_t consumed = lowfat_pool_consumed(pool), order[ARRAYS];
        array *arrays[ARRAYS];
        for (size_t i = 0; i < ARRAYS; i++)
            order[i] = i;
        for (int round = 0; round < ROUNDS; round++) {
            shuffle(order, ARRAYS, &random);
            for (size_t i = 0; i < ARRAYS; i++) {
                array *a = arrays[order[i]] = lowfat_pool_array_new(pool, n, sizeof(long));
                CHECK(a && lowfat_pool_array_count(a) == n);
                for (size_t k = 0; k < n; k++)
                    *LOWFAT_POOL_AT(long, a, k) = (long)(order[i] * 100000 + k);
            }
            CHECK_FAILS(pool, lowfat_pool_array_new(pool, n, sizeof(long)), ENOMEM);
            shuffle(order, ARRAYS, &random);
            for (size_t i = 0; i < ARRAYS; i++)
                for (size_t k = 0; k < n; k++)
                    CHECK(*LOWFAT_POOL_AT(long, arrays[order[i]], k) == (long)(order[i] * 100000 + k));
            shuffle(order, ARRAYS, &random);
            for (size_t i = 0; i < ARRAYS; i++)
                lowfat_pool_array_free(pool, arrays[order[i]]);
            CHECK(lowfat_pool_consumed_unmanaged(pool) == 0 && lowfat_pool_consumed(pool) == consumed);
        }
        lowfat_pool_destroy(pool);
    }
}

/* Chunks, tables down to one block, and the header. */
static size_t blocks_in_pieces(size_t count, size_t size, unsigned levels) {
    size_t per = 64 / size, chunks = (count + per - 1) / per, total = 1 + chunks;
    for (size_t tables = chunks; levels > 0; levels--)
        total += tables = (tables + 15) / 16;
    return total;
}

/* What a loop over `count` elements, `step` apart, sees: each of them once, at its own address. */
static void verify_steps(const array *a, size_t from, size_t step, size_t count) {
    const struct lowfat_pool_view view = LOWFAT_POOL_VIEW(int, a);
    size_t seen = 0;
    LOWFAT_POOL_STRIDED(int, p, number, &view, from, step, count)
        for (size_t i = 0; i < number; i++, seen++)
            CHECK(&p[i * step] == LOWFAT_POOL_AT(int, a, from + seen * step));
    CHECK(seen == count);
}

static void verify_view(const array *a, size_t n) {
    const struct lowfat_pool_view view = LOWFAT_POOL_VIEW(int, a);
    for (size_t i = 0; i < n; i++)
        CHECK(LOWFAT_POOL_IN(int, &view, i) == LOWFAT_POOL_AT(int, a, i));
    for (size_t step = 1; step < n; step = step * 3 + step % 2)
        verify_steps(a, step / 2, step, (n - 1 - step / 2) / step + 1);
}

static void fill_and_verify(array *a, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++) {
        int value = (int)(i * seed), back = 0;
        CHECK(lowfat_pool_array_set(a, i, &value, sizeof value) == 0);
        CHECK(lowfat_pool_array_get(a, i, &back, sizeof back) == 0 && back == value);
    }
    size_t seen = 0;
    LOWFAT_POOL_SPANS(int, p, number, a, 0, n)
        for (size_t i = 0; i < number; i++, seen++)
            CHECK(p[i] == (int)(seen * seed));
    CHECK(seen == n);
    verify_view(a, n);
    for (size_t from = 0; from < n; from += n / 7 + 1) /* parts, too */
        LOWFAT_POOL_SPANS(int, p, number, a, from, n - from / 2)
            CHECK(p == LOWFAT_POOL_AT(int, a, lowfat_at_) && p[number - 1] == (int)((lowfat_at_ + number - 1) * seed));
}

/* Every second block is taken: there is no run of two anywhere, and arrays are made as long as the blocks suffice. */
static void no_two_blocks_together(void) {
    enum { BLOCKS = 30000 };
    static void *held[BLOCKS + 1];
    struct lowfat_pool *pool = pool_of(BLOCKS);
    size_t kept = fragment(pool, held);
    CHECK(kept == BLOCKS / 2);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, 65), ENOMEM);
    for (size_t n = 9; n < 200000; n = n * 3 + 1) {
        size_t before = lowfat_pool_consumed_unmanaged(pool);
        array *a = lowfat_pool_array_new(pool, n, sizeof(int));
        CHECK(a != NULL && lowfat_pool_array_levels(a) > 0);
        CHECK(lowfat_pool_consumed_unmanaged(pool) - before == 64 * blocks_in_pieces(n, sizeof(int), lowfat_pool_array_levels(a)));
        fill_and_verify(a, n, 3);
        lowfat_pool_free(pool, a); /* the one free takes both */
        CHECK(lowfat_pool_consumed_unmanaged(pool) == before);
    }
    /* The longest one that fits, to the element, and not one more. */
    size_t n = 16;
    while (blocks_in_pieces(n + 16, sizeof(int), 4) <= BLOCKS / 2)
        n += 16;
    array *a = lowfat_pool_array_new_zero(pool, n, sizeof(int));
    CHECK(a != NULL && lowfat_pool_array_levels(a) == 4 && *LOWFAT_POOL_AT(int, a, n - 1) == 0);
    fill_and_verify(a, n, 5);
    lowfat_pool_array_free(pool, a);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, n + 16, sizeof(int)), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, 100, 65), ENOMEM); /* too wide for a chunk */
    for (size_t i = 0; i < kept; i++)
        lowfat_pool_free(pool, held[i]);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
    lowfat_pool_destroy(pool);
}

/* Elements of every size that a chunk can hold, also such as leave a rest. */
static void element_sizes(void) {
    enum { BLOCKS = 2000, COUNT = 300 };
    static void *held[BLOCKS + 1];
    struct lowfat_pool *pool = pool_of(BLOCKS);
    fragment(pool, held);
    for (size_t size = 1; size <= 64; size++) {
        array *a = lowfat_pool_array_new(pool, COUNT, size);
        unsigned char value[64], back[64];
        CHECK(a != NULL && lowfat_pool_array_levels(a) > 0);
        for (size_t i = 0; i < COUNT; i++) {
            memset(value, (int)(i * size), size);
            CHECK(lowfat_pool_array_set(a, i, value, size) == 0);
        }
        const struct lowfat_pool_view view = lowfat_pool_array_view(a, size);
        for (size_t i = 0; i < COUNT; i++)
            CHECK(lowfat_pool_view_at(&view, i, size) == lowfat_pool_array_at(a, i, size));
        size_t at = 0, number = 0;
        for (; at < COUNT; at += number) {
            unsigned char *span = lowfat_pool_array_span(a, at, COUNT, size, &number);
            CHECK(span && number >= 1 && at + number <= COUNT);
            for (size_t i = 0; i < number * size; i++)
                CHECK(span[i] == (unsigned char)((at + i / size) * size));
        }
        for (size_t i = 0; i < COUNT; i++) {
            memset(value, (int)(i * size), size);
            CHECK(lowfat_pool_array_get(a, i, back, size) == 0 && memcmp(value, back, size) == 0);
        }
        lowfat_pool_array_free(pool, a);
    }
    lowfat_pool_destroy(pool);
}

static void checked_access(void) {
    struct lowfat_pool *pool = pool_of(100);
    array *a = lowfat_pool_array_new_zero(pool, 10, sizeof(int));
    int value = 5;
    long wide;
    size_t number;
    CHECK_FAILS(pool, LOWFAT_POOL_AT(int, NULL, 0), EINVAL);
    CHECK_FAILS(pool, LOWFAT_POOL_AT(int, a, 10), ERANGE);
    CHECK_FAILS(pool, LOWFAT_POOL_AT(int, a, -1), ERANGE);
    CHECK_FAILS(pool, LOWFAT_POOL_AT(long, a, 0), EINVAL); /* ints it has */
    CHECK_FAILS(pool, lowfat_pool_array_span(a, 10, 1, sizeof(int), &number), ERANGE);
    CHECK_FAILS(pool, 1 + lowfat_pool_array_set(a, (size_t)-1, &value, sizeof value), ERANGE);
    CHECK_FAILS(pool, 1 + lowfat_pool_array_get(a, 3, &wide, sizeof wide), EINVAL);
    CHECK_FAILS(pool, 1 + lowfat_pool_array_get(NULL, 3, &value, sizeof value), EINVAL);
    CHECK(value == 5 && lowfat_pool_array_count(NULL) == 0);
    LOWFAT_POOL_SPANS(int, p, n, a, 5, 20) { /* as far as there are elements */
        value += (int)n;
        CHECK(*p == 0);
    }
    CHECK(value == 10);
    lowfat_pool_destroy(pool);
}

/* A view has the elements of its array, and none if there is no such array. */
static void checked_views(void) {
    enum { BLOCKS = 200 };
    static void *held[BLOCKS + 1];
    struct lowfat_pool *pool = pool_of(BLOCKS);
    array *flat = lowfat_pool_array_new_zero(pool, 100, sizeof(int));
    fragment(pool, held);
    array *chunked = lowfat_pool_array_new_zero(pool, 100, sizeof(int));
    CHECK(lowfat_pool_array_levels(flat) == 0 && lowfat_pool_array_levels(chunked) > 0);
    array *both[] = {flat, chunked};
    for (int which = 0; which < 2; which++) {
        const struct lowfat_pool_view view = LOWFAT_POOL_VIEW(int, both[which]), wrong = LOWFAT_POOL_VIEW(long, both[which]);
        size_t number = 1, seen = 0;
        verify_view(both[which], 100);
        CHECK_FAILS(pool, LOWFAT_POOL_IN(int, &view, 100), ERANGE);
        CHECK_FAILS(pool, LOWFAT_POOL_IN(int, &view, -1), ERANGE);
        CHECK_FAILS(pool, LOWFAT_POOL_IN(long, &wrong, 0), EINVAL);
        CHECK_FAILS(pool, lowfat_pool_view_strided(&view, 100, 3, 1, sizeof(int), &number), ERANGE);
        CHECK(number == 0);
        LOWFAT_POOL_STRIDED(int, p, n, &view, 10, 30, 100) { /* as far as there are elements */
            CHECK(n <= 100 && *p == 0);
            seen += n;
        }
        CHECK(seen == 3); /* 10, 40, 70 */
        seen = 0;
        LOWFAT_POOL_STRIDED(int, p, n, &view, 1, SIZE_MAX / 2, 5) /* the product of both is beyond all numbers */
            seen += n + (size_t)*p;
        CHECK(seen == 1);
    }
    const struct lowfat_pool_view none = LOWFAT_POOL_VIEW(int, (array *)NULL);
    CHECK_FAILS(pool, LOWFAT_POOL_IN(int, &none, 0), EINVAL);
    lowfat_pool_destroy(pool);
}

/* What the paper left for later: arrays of negative size, and arrays too large for what is there. */
static void refused(void) {
    struct lowfat_pool *pool = pool_of(100);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, (size_t)-1, 4), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, 4, (size_t)-8), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, 4, 0), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_array_new(NULL, 4, 4), EINVAL);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, PTRDIFF_MAX, 1), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, PTRDIFF_MAX, PTRDIFF_MAX), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, 1601, 4), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, 1600, 4), ENOMEM); /* no room for the header */
    array *a = lowfat_pool_array_new(pool, 1592, 4);
    CHECK(a && lowfat_pool_array_levels(a) == 0 && lowfat_pool_consumed_unmanaged(pool) == 6400);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, 1, 4), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, 0, 4), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, 1), ENOMEM);
    lowfat_pool_array_free(pool, a);
    lowfat_pool_array_free(pool, NULL);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
    lowfat_pool_destroy(pool);
}

/* Cells that are kept empty count as room. */
static void kept_cells_are_room(void) {
    struct lowfat_pool *pool = pool_of(40);
    static void *held[41];
    lowfat_pool_free(pool, lowfat_pool_malloc(pool, 8));
    lowfat_pool_free(pool, lowfat_pool_malloc(pool, 16));
    CHECK(fragment(pool, held) == 20);
    lowfat_pool_free(pool, lowfat_pool_malloc(pool, 8));
    lowfat_pool_free(pool, lowfat_pool_malloc(pool, 32));
    array *a = lowfat_pool_array_new(pool, 17 * 16, sizeof(int)); /* 17 chunks, 2 and 1 tables would be 21: too many */
    CHECK(a == NULL);
    a = lowfat_pool_array_new(pool, 16 * 16, sizeof(int));
    CHECK(a != NULL && lowfat_pool_consumed_unmanaged(pool) == (20 + 18) * 64);
    lowfat_pool_destroy(pool);
}

int main(void) {
    random_orders();
    no_two_blocks_together();
    element_sizes();
    checked_access();
    checked_views();
    refused();
    kept_cells_are_room();
    return 0;
}

/* scopes.c - pools as scopes: sizes, the caller's buffer, both kinds of memory, nesting. */
#include "check.h"

/* `consumed` and `consumedUnmanaged` as the paper checks them. */
static void figures(void) {
    struct lowfat_pool *pool = lowfat_pool_create(6400, 1000, 0);
    size_t overhead = lowfat_pool_bytes(6400, 0) - 6400;
    CHECK(lowfat_pool_unmanaged(pool) == 6400);
    CHECK(lowfat_pool_consumed(pool) == overhead + 6400 && lowfat_pool_consumed_unmanaged(pool) == 0);
    void *object = lowfat_pool_malloc(pool, 200);
    CHECK(object && lowfat_pool_consumed(pool) == overhead + 6400 && lowfat_pool_consumed_unmanaged(pool) == 256);
    char *plain = lowfat_pool_new(pool, 100), *more = lowfat_pool_new(pool, 0);
    CHECK(plain && more >= plain + 100 && (uintptr_t)plain % 16 == 0 && (uintptr_t)more % 16 == 0);
    memset(plain, 1, 100);
    CHECK(lowfat_pool_consumed(pool) == overhead + 6400 + 112 + 16 && lowfat_pool_consumed_unmanaged(pool) == 256);
    lowfat_pool_free(pool, object);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == 0);
    size_t left = 1008 - 112 - 16; /* 1000 rounded up */
    CHECK_FAILS(pool, lowfat_pool_new(pool, left + 1), ENOMEM);
    CHECK(lowfat_pool_new(pool, left) != NULL);
    CHECK_FAILS(pool, lowfat_pool_new(pool, 0), ENOMEM);
    lowfat_pool_destroy(pool);
    lowfat_pool_destroy(NULL);
}

/* What the paper left for later: unmanaged memory of negative size, or too large for the scope. */
static void refused(void) {
    static _Alignas(64) char buffer[8192];
    static const struct {
        size_t unmanaged, plain;
        int error;
    } rows[] = {{(size_t)-1, 0, EINVAL},       {0, (size_t)-5, EINVAL},          {(size_t)PTRDIFF_MAX + 1, 0, EINVAL},
                {LOWFAT_POOL_MOST + 1, 0, ENOMEM}, {64, PTRDIFF_MAX, ENOMEM}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        errno = 0;
        CHECK(!lowfat_pool_create(rows[i].unmanaged, rows[i].plain, 0) && errno == rows[i].error);
    }
    errno = 0;
    CHECK(!lowfat_pool_create(64, 0, 8) && errno == EINVAL); /* no such flag */
    errno = 0;
    CHECK(!lowfat_pool_create_at(buffer, sizeof buffer, 8192, 0) && errno == ENOMEM);
    errno = 0;
    CHECK(!lowfat_pool_create_at(buffer, sizeof buffer, (size_t)-64, 0) && errno == EINVAL);
    errno = 0;
    CHECK(!lowfat_pool_create_at(buffer + 8, 4096, 64, 0) && errno == EINVAL);
    errno = 0;
    CHECK(!lowfat_pool_create_at(NULL, 4096, 64, 0) && errno == EINVAL);
    errno = 0;
    CHECK(!lowfat_pool_create_in(NULL, 64, 0, 0) && errno == EINVAL);
    CHECK(lowfat_pool_bytes((size_t)-1, 0) == 0 && lowfat_pool_bytes(0, (size_t)-1) == 0);
}

static void in_a_buffer(void) {
    static _Alignas(64) char buffer[8192];
    size_t bytes = lowfat_pool_bytes(64 * 64, 160);
    CHECK(bytes <= sizeof buffer);
    memset(buffer, 0x5a, sizeof buffer);
    struct lowfat_pool *pool = lowfat_pool_create_at(buffer, bytes, 64 * 64, 0);
    CHECK((char *)pool == buffer);
    char *whole = lowfat_pool_malloc(pool, 64 * 64), *plain = lowfat_pool_new(pool, 160);
    CHECK(whole > buffer && whole + 64 * 64 <= plain && plain + 160 <= buffer + bytes);
    memset(whole, 1, 64 * 64);
    memset(plain, 2, 160);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, 1), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_new(pool, 1), ENOMEM);
    lowfat_pool_destroy(pool);
    for (size_t i = bytes; i < sizeof buffer; i++)
        CHECK(buffer[i] == 0x5a);
    /* A pool that has only plain memory. */
    pool = lowfat_pool_create_at(buffer, sizeof buffer, 0, LOWFAT_POOL_PRIVATE);
    CHECK(lowfat_pool_new(pool, 1000) != NULL);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, 1), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_malloc(pool, 100), ENOMEM);
    CHECK_FAILS(pool, lowfat_pool_array_new(pool, 1, 1), ENOMEM);
    lowfat_pool_destroy(pool);
}

static void nested(void) {
    struct lowfat_pool *outer = lowfat_pool_create(1 << 20, 0, 0);
    void *object = lowfat_pool_malloc(outer, 100);
    size_t before = lowfat_pool_consumed_unmanaged(outer);
    struct lowfat_pool *inner = lowfat_pool_create_in(outer, 1 << 16, 320, 0);
    struct lowfat_pool *innermost = lowfat_pool_create_in(inner, 1 << 12, 0, 0);
    struct lowfat_pool *sibling = lowfat_pool_create_in(outer, 1 << 16, 0, 0);
    CHECK(inner && innermost && sibling);
    CHECK(lowfat_pool_outer(inner) == outer && lowfat_pool_outer(outer) == NULL);
    /* An object may hold pointers to what lives at least as long. */
    CHECK(lowfat_pool_may_refer(inner, outer) && lowfat_pool_may_refer(innermost, outer) && lowfat_pool_may_refer(inner, inner));
    CHECK(!lowfat_pool_may_refer(outer, inner) && !lowfat_pool_may_refer(inner, innermost));
    CHECK(!lowfat_pool_may_refer(inner, sibling) && !lowfat_pool_may_refer(innermost, sibling));
    /* Whose is it? */
    char *deep = lowfat_pool_malloc(innermost, 2000), *plain = lowfat_pool_new(inner, 50);
    CHECK(lowfat_pool_find(outer, object) == outer && lowfat_pool_find(outer, deep + 1999) == innermost);
    CHECK(lowfat_pool_find(outer, plain + 49) == inner && lowfat_pool_find(inner, plain) == inner);
    CHECK(lowfat_pool_find(innermost, plain) == NULL && lowfat_pool_find(sibling, deep) == NULL);
    CHECK(lowfat_pool_find(outer, &outer) == NULL && lowfat_pool_find(NULL, plain) == NULL);
    /* An inner pool that is too large loses nothing. */
    CHECK_FAILS(inner, lowfat_pool_create_in(inner, 1 << 16, 0, 0), ENOMEM);
    CHECK_FAILS(outer, lowfat_pool_create_in(outer, (size_t)-1, 0, 0), EINVAL);
    /* What was not freed dies with its scope, and inner scopes with their outer one. */
    lowfat_pool_destroy(inner);
    lowfat_pool_destroy(sibling);
    CHECK(lowfat_pool_consumed_unmanaged(outer) == before);
    lowfat_pool_free(outer, object);
    CHECK(lowfat_pool_consumed_unmanaged(outer) == 0);
    void *whole = lowfat_pool_malloc(outer, 1 << 20);
    CHECK(whole != NULL);
    lowfat_pool_destroy(outer);
}

static void depth(void) {
    struct lowfat_pool *pools[LOWFAT_POOL_DEPTH + 1];
    pools[0] = lowfat_pool_create((size_t)64 << 20, 0, 0);
    for (int i = 1; i < LOWFAT_POOL_DEPTH; i++) {
        size_t room = lowfat_pool_unmanaged(pools[i - 1]);
        CHECK((pools[i] = lowfat_pool_create_in(pools[i - 1], room - room / 16 - 4096, 0, 0)) != NULL);
    }
    struct lowfat_pool *last = pools[LOWFAT_POOL_DEPTH - 1];
    CHECK_FAILS(last, lowfat_pool_create_in(last, 64, 0, 0), EINVAL);
    char *p = lowfat_pool_malloc(last, 8);
    CHECK(p && lowfat_pool_find(pools[0], p) == last && lowfat_pool_may_refer(last, pools[0]));
    lowfat_pool_destroy(pools[0]);
}

int main(void) {
    figures();
    refused();
    in_a_buffer();
    nested();
    depth();
    return 0;
}

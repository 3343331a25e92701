/* Tests of the typed pointers in 2-3-4 trees: the three policies agree with a sorted set. */
#include "check.h"
#include "tree234_lowfat.h"

/* Checks order, bounds and equal depth below t; returns the depth and counts keys and nodes. */
#define DEFINE_INSPECT(policy, OPEN)                                                             \
    static int policy##_inspect(tree t, uint64_t low, uint64_t high, uint64_t *keys, uint64_t nodes[4]) { \
        if (!t) return 0;                                                                         \
        uint64_t *w;                                                                              \
        unsigned k;                                                                               \
        OPEN(t, w, k);                                                                            \
        CHECK(k >= 1 && k <= 3 && lowfat_base(w) == (void *)w);                                   \
        CHECK(lowfat_size(t) == lowfat_good_size((2 * k + 1) * sizeof *w));                       \
        nodes[k]++;                                                                               \
        *keys += k;                                                                               \
        int depth = -1;                                                                           \
        for (unsigned i = 0; i <= k; i++) {                                                       \
            uint64_t from = i ? w[i - 1] : low, to = i < k ? w[i] : high;                         \
            CHECK(from <= to);                                                                    \
            int here = policy##_inspect((tree)(uintptr_t)w[k + i], from, to, keys, nodes);        \
            CHECK(depth < 0 || depth == here);                                                    \
            depth = here;                                                                         \
        }                                                                                         \
        return depth + 1;                                                                         \
    }

#define TAG_OPEN(t, w, k) ((k) = (uintptr_t)(t) & 15, (w) = (uint64_t *)((t) - (k)))
#define SIZE_OPEN(t, w, k) ((w) = (uint64_t *)(t), (k) = lowfat_size(t) == 32 ? 1 : lowfat_size(t) == 48 ? 2 : 3)
#define EXTENDED_OPEN(t, w, k) ((k) = (unsigned)lowfat_offset(t), (w) = (uint64_t *)lowfat_base(t))
DEFINE_INSPECT(tag, TAG_OPEN)
DEFINE_INSPECT(size, SIZE_OPEN)
DEFINE_INSPECT(extended, EXTENDED_OPEN)

enum { KEYS = 20000 };

static uint64_t scatter(uint64_t i) { return (i * 7919 + 13) % KEYS; } /* a permutation: 7919 is prime */

/* Even numbers are inserted, odd ones must not be found. */
#define DEFINE_TEST(policy)                                                                     \
    static void test_##policy(int scattered) {                                                  \
        tree t = NULL;                                                                          \
        CHECK(!policy##_contains(t, 0));                                                        \
        for (uint64_t i = 0; i < KEYS; i++) {                                                   \
            uint64_t key = 2 * (scattered ? scatter(i) : i);                                    \
            CHECK(policy##_insert(&t, key) == 1);                                               \
            CHECK(policy##_contains(t, key) && !policy##_contains(t, key + 1));                 \
            CHECK(i % 7 || policy##_insert(&t, key) == 0);                                      \
        }                                                                                       \
        for (uint64_t key = 0; key < 2 * KEYS; key++) CHECK(policy##_contains(t, key) == (key % 2 == 0)); \
        CHECK(!policy##_contains(t, UINT64_MAX));                                               \
        uint64_t keys = 0, nodes[4] = {0};                                                      \
        int depth = policy##_inspect(t, 0, UINT64_MAX, &keys, nodes);                           \
        CHECK(keys == KEYS && depth >= 8 && depth <= 15);                                       \
        CHECK(nodes[1] && nodes[2] && (!scattered || nodes[3]));                                \
        policy##_destroy(t);                                                                    \
    }

DEFINE_TEST(tag)
DEFINE_TEST(size)
DEFINE_TEST(extended)

static int count_one(void *base, size_t size, void *context) {
    (void)base, (void)size;
    ++*(uint64_t *)context;
    return 0;
}

static uint64_t live_objects(void) {
    uint64_t count = 0;
    lowfat_heap_walk(count_one, &count);
    return count;
}

int main(void) {
    uint64_t before = live_objects();
    for (int scattered = 0; scattered < 2; scattered++) {
        test_tag(scattered);
        test_size(scattered);
        test_extended(scattered);
    }
    CHECK(live_objects() == before); /* nothing leaked */
    puts("tree234: ok");
    return 0;
}

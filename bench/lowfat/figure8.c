/* Figure 8 of Duck and Yap (2018): search for every key of a 2-3-4 tree, where the type of a node is
 * encoded in the pointer to it.
 *
 *   figure8-VARIANT MAX_KEYS POINTS ORDER
 *
 * grows one tree to MAX_KEYS keys and at POINTS equal steps searches every key in
 * ascending order. ORDER is how the keys are inserted: "ascending" or "shuffled". Prints
 * one line for each step: keys, processor seconds of the searches (a busy machine does not count).
 *
 * The variants, chosen by VARIANT_... when compiling, are tag, size and extended with
 * liblowfat, the same with the Boehm collector as allocator in manual mode (GC_malloc and
 * GC_free, no collections), where GC_size gives the size and GC_base the base.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

#ifdef ALLOCATOR_BOEHM
#include <gc.h>
/* GC_malloc_atomic: the object is not scanned nor cleared, the fastest kind. */
static void *allocate(size_t bytes) {
    void *p = GC_malloc_atomic(bytes);
    if (!p) fail("out of memory");
    return p;
}
#define RELEASE(words) GC_free(words)
#define START() do { GC_INIT(); GC_disable(); } while (0)
/* GC_size wants the base, which a size-typed pointer is. The collector may serve a request
 * from the next larger size, so nodes are spread two sizes apart: 24, 56 and 88 bytes
 * get 32 or 48, 64 or 80, 96 or 112. */
#ifdef VARIANT_SIZE
#define NODE_BYTES(bytes) (2 * (bytes) - 24)
#endif
#define SIZE_KEYS(t) ((unsigned)(GC_size(t) / 32))
#define BASE(t) GC_base(t)
#else
#include <lowfat.h>
static void *allocate(size_t bytes) {
    void *p = lowfat_malloc(bytes);
    if (!p) fail("out of memory");
    return p;
}
#define RELEASE(words) lowfat_free(words)
/* Region indices of nodes with one and two keys, constant for the run: the type of a node takes one shift. */
static size_t index_of[3];
static void learn_indices(void) {
    for (size_t k = 1; k <= 2; k++) {
        void *p = allocate((2 * k + 1) * sizeof(uint64_t));
        index_of[k] = lowfat_index(p);
        lowfat_free(p);
    }
}
#define START() learn_indices()
#define SIZE_KEYS(t) (lowfat_index(t) == index_of[1] ? 1u : lowfat_index(t) == index_of[2] ? 2u : 3u)
#define BASE(t) lowfat_base(t)
#endif

#define TREE(name) tree_##name
#if defined VARIANT_TAG
#define TREE_CLOSE(words, k) ((char *)(words) + (k))
#define OPEN(t, words, k) ((k) = (uintptr_t)(t) & 15, (words) = (uint64_t *)((t) - (k)))
#elif defined VARIANT_SIZE
#define TREE_CLOSE(words, k) ((char *)(words))
#define OPEN(t, words, k) ((k) = SIZE_KEYS(t), (words) = (uint64_t *)(t))
#elif defined VARIANT_EXTENDED
#define TREE_CLOSE(words, k) ((char *)(words) + (k))
#define OPEN(t, words, k) ((words) = (uint64_t *)BASE(t), (k) = (unsigned)((t) - (char *)(words)))
#else
#error "choose VARIANT_TAG, VARIANT_SIZE or VARIANT_EXTENDED"
#endif
#ifndef NODE_BYTES
#define NODE_BYTES(bytes) (bytes)
#endif
#define TREE_OPEN(t, words, k) OPEN(t, words, k)
#define TREE_ALLOC(bytes) allocate(NODE_BYTES(bytes))
#define TREE_FREE(words) RELEASE(words)
#include "../../examples/lowfat/tree234.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A permutation of [0, 2^bits): odd multiplications and xor-shifts are bijective. */
static uint64_t shuffle(uint64_t i, unsigned bits) {
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (int round = 0; round < 3; round++) {
        i = i * 0x9E3779B97F4A7C15u & mask;
        i ^= i >> (bits / 2 + 1);
    }
    return i;
}

enum { TOGETHER = 16, CACHE_LINE = 64 };

/* Fetches the nodes on the ways to these keys into the caches, level by level, so that the waits for memory overlap: most of
 * the time that a large tree takes to grow in random order, which is not measured. */
static void fetch(tree t, const uint64_t *keys, unsigned count) {
    tree at[TOGETHER];
    for (unsigned i = 0; i < count; i++) at[i] = t;
    for (unsigned open = t ? count : 0; open > 0;) {
        open = 0;
        for (unsigned i = 0; i < count; i++) {
            uint64_t *words;
            unsigned k;
            if (!at[i]) continue;
            OPEN(at[i], words, k);
            int position = tree_position(words, k, keys[i]);
            at[i] = position < 0 ? NULL : (tree)(uintptr_t)words[k + (unsigned)position];
            if (!at[i]) continue;
            __builtin_prefetch(at[i]);
            __builtin_prefetch(at[i] + CACHE_LINE / 2); /* nodes may cross a line */
            open++;
        }
    }
}

static void insert_all(tree *t, const uint64_t *keys, unsigned count) {
    fetch(*t, keys, count);
    for (unsigned i = 0; i < count; i++)
        if (!tree_insert(t, keys[i])) fail("a key was there already");
}

/* Adds the keys [from, to), in an order of their own when shuffled. */
static void extend(tree *t, uint64_t from, uint64_t to, int shuffled) {
    unsigned bits = 64u - (unsigned)__builtin_clzll(to - from), count = 0;
    uint64_t numbers = shuffled ? (uint64_t)1 << bits : to - from, keys[TOGETHER];
    for (uint64_t i = 0; i < numbers; i++) {
        uint64_t key = shuffled ? shuffle(i, bits) : i;
        if (key >= to - from) continue;
        keys[count++] = from + key;
        if (count < TOGETHER) continue;
        insert_all(t, keys, count);
        count = 0;
    }
    insert_all(t, keys, count);
}

int main(int argc, char **argv) {
    if (argc != 4) fail("usage: figure8-VARIANT MAX_KEYS POINTS ascending|shuffled");
    uint64_t max = strtoull(argv[1], NULL, 10), points = strtoull(argv[2], NULL, 10);
    int shuffled = strcmp(argv[3], "shuffled") == 0;
    if (points == 0 || max < points) fail("too few keys");
    START();
    tree t = NULL;
    for (uint64_t point = 1, keys = 0; point <= points; point++) {
        uint64_t next = max / points * point, found = 0;
        extend(&t, keys, next, shuffled);
        keys = next;
        double start = now();
        for (uint64_t key = 0; key < keys; key++) found += (uint64_t)tree_contains(t, key);
        double seconds = now() - start;
        if (found != keys) fail("a key was not found");
        printf("%llu %.6f\n", (unsigned long long)keys, seconds);
    }
    tree_destroy(t);
    return 0;
}

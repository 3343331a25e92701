/* What the allocator benchmarks share: random numbers, checksums, threads.
 *
 * Every program does a fixed amount of work that depends on nothing but its
 * argument, so that run times and peak memory can be compared and the line it
 * prints (a checksum over what it wrote and read back) is the same under every
 * allocator and every schedule of its threads.
 */
#ifndef BENCH_ALLOC_COMMON_H
#define BENCH_ALLOC_COMMON_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program unless `ok`: a benchmark whose memory was corrupted has no time. */
static inline void require(int ok, const char *what) {
    if (__builtin_expect(!ok, 0)) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static inline void *must_malloc(size_t size) {
    void *p = malloc(size);
    require(p != NULL, "out of memory");
    return p;
}

/* The first argument is the amount of work in percent of the usual, 100 by default. */
static inline uint64_t work(int argc, char **argv, uint64_t usual) {
    unsigned long percent = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    uint64_t amount = usual * percent / 100;
    return amount ? amount : 1;
}

/* A generator of its own for every thread. Marsaglia's xorshift64 with a
 * multiplicative finish (Vigna 2014); the state is never zero. */
typedef struct { uint64_t state; } rng;

static inline rng rng_seed(uint64_t seed) {
    return (rng){(seed + 1) * 0x9E3779B97F4A7C15u | 1};
}

static inline uint64_t rng_next(rng *r) {
    uint64_t x = r->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    r->state = x;
    return x * 0x2545F4914F6CDD1Du;
}

/* Uniform in [0, bound), bound below 2^32. */
static inline uint32_t rng_below(rng *r, uint32_t bound) {
    return (uint32_t)(((rng_next(r) >> 32) * bound) >> 32);
}

/* Uniform in [low, high]. */
static inline size_t rng_between(rng *r, size_t low, size_t high) {
    return low + rng_below(r, (uint32_t)(high - low + 1));
}

static inline uint64_t mix(uint64_t h, uint64_t v) {
    h = (h ^ v) * 0x9FB21C651E98DF25u;
    return h ^ (h >> 29);
}

/* A block of at least one byte is marked at both ends and checked when freed. */
static inline void mark(void *p, size_t size, uint8_t value) {
    ((uint8_t *)p)[0] = value;
    ((uint8_t *)p)[size - 1] = value;
}

static inline void check_mark(const void *p, size_t size, uint8_t value) {
    const uint8_t *bytes = p;
    require(bytes[0] == value && bytes[size - 1] == value, "a block lost its contents");
}

#define MAX_THREADS 4

/* Goes before the first member of what each thread has of its own: figures that threads count up side by side in an array
 * would make them wait for each other's cache lines, which processors fetch in pairs, and that is not what is measured. */
#define OWN_LINES _Alignas(128)

/* Runs `body` in `count` threads; thread number i gets `contexts + i * size`. */
static inline void run_threads(int count, void *(*body)(void *), void *contexts, size_t size) {
    pthread_t ids[MAX_THREADS];
    require(count <= MAX_THREADS, "too many threads");
    for (int i = 0; i < count; i++)
        require(pthread_create(&ids[i], NULL, body, (char *)contexts + (size_t)i * size) == 0, "no thread");
    for (int i = 0; i < count; i++) pthread_join(ids[i], NULL);
}

static inline int report(const char *name, uint64_t checksum) {
    printf("%s %016llx\n", name, (unsigned long long)checksum);
    return 0;
}

#endif

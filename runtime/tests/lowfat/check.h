/* check.h - what every test program of liblowfat uses: CHECK(condition), which is never compiled out. */
#ifndef LOWFAT_TEST_CHECK_H
#define LOWFAT_TEST_CHECK_H
#include <lowfat.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);       \
            abort();                                                                      \
        }                                                                                 \
    } while (0)

/* A small random generator (splitmix64), seeded by the test. */
static inline uint64_t test_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
#endif

/* The body that cache-scratch and cache-thrash share: allocate a small object, write
 * and read it many times, free it. When two threads' objects lie in one cache line the
 * line travels between the cores at every write. */
#ifndef BENCH_ALLOC_CACHE_H
#define BENCH_ALLOC_CACHE_H

#include "common.h"

enum { CACHE_THREADS = 2, CACHE_OBJECT = 8, CACHE_REPETITIONS = 100 };

typedef struct {
    OWN_LINES volatile char *first; /* allocated by the main thread, or NULL */
    uint64_t rounds, sum;
} cache_worker;

static inline void *cache_body(void *context) {
    cache_worker *w = context;
    free((void *)w->first);
    for (uint64_t i = 0; i < w->rounds; i++) {
        volatile char *object = must_malloc(CACHE_OBJECT);
        for (int r = 0; r < CACHE_REPETITIONS; r++)
            for (int at = 0; at < CACHE_OBJECT; at++) {
                object[at] = (char)(at + r);
                w->sum += (uint64_t)object[at];
            }
        free((void *)object);
    }
    return NULL;
}

#endif

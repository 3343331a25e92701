/* mstress: a server's heap, with objects that migrate between threads (after the
 * description of the stress test that comes with mimalloc by Leijen).
 *
 * Threads come in generations. Each allocates arrays of words whose lengths are powers
 * of two, a few of them large, keeps some for the rest of its life, frees some at once, and
 * swaps others with what lies in a table shared by all threads, so that blocks end
 * in other threads and other generations.
 */
#include <stdatomic.h>

#include "common.h"

enum { THREADS = 4, GENERATIONS = 30, SHARED = 1000 };

static _Atomic(uint64_t *) shared[SHARED];

typedef struct {
    OWN_LINES uint64_t seed, objects;
    uint64_t made, freed; /* sums over the objects' cookies */
} worker;

#define COOKIE 0xC0FFEE5EEDu

/* Word 0 holds the length in words, xored with the cookie; every word is written. */
static uint64_t *make(worker *w, rng *r) {
    unsigned log = (unsigned)__builtin_ctzll(rng_next(r) | 256);
    uint64_t words = (uint64_t)1 << log;
    if (rng_below(r, 100) == 0) words *= 16; /* up to 32 KiB */
    uint64_t *p = must_malloc(words * sizeof *p);
    for (uint64_t i = 0; i < words; i++) p[i] = (words ^ COOKIE) + i;
    w->made += words;
    return p;
}

static void destroy(worker *w, uint64_t *p) {
    if (!p) return;
    uint64_t words = p[0] ^ COOKIE;
    require(words && (words & (words - 1)) == 0 && p[words - 1] == p[0] + words - 1,
            "an object lost its contents");
    w->freed += words;
    free(p);
}

static void *run(void *context) {
    worker *w = context;
    rng random = rng_seed(w->seed);
    uint64_t kept = 0, **keep = must_malloc(w->objects * sizeof *keep);
    for (uint64_t i = 0; i < w->objects; i++) {
        uint64_t *p = make(w, &random);
        uint32_t fate = rng_below(&random, 100), at = rng_below(&random, SHARED);
        if (fate < 40) {
            destroy(w, p);
        } else if (fate < 65) {
            destroy(w, atomic_exchange(&shared[at], p));
        } else {
            keep[kept++] = p;
            if (fate < 85) { /* an old one goes instead */
                uint64_t victim = rng_below(&random, (uint32_t)kept);
                destroy(w, keep[victim]);
                keep[victim] = keep[--kept];
            }
        }
    }
    while (kept) destroy(w, keep[--kept]);
    free(keep);
    return NULL;
}

int main(int argc, char **argv) {
    uint64_t objects = work(argc, argv, 100000), made = 0;
    worker last = {0};
    for (uint64_t g = 0; g < GENERATIONS; g++) {
        worker workers[THREADS] = {0};
        for (int i = 0; i < THREADS; i++)
            workers[i] = (worker){.seed = g * THREADS + (uint64_t)i, .objects = objects};
        run_threads(THREADS, run, workers, sizeof *workers);
        for (int i = 0; i < THREADS; i++) {
            made += workers[i].made;
            last.freed += workers[i].freed;
        }
    }
    for (int i = 0; i < SHARED; i++) destroy(&last, shared[i]);
    require(made == last.freed, "what was freed is not what was made");
    return report("mstress", made);
}

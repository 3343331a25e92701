/* sh6bench: batches freed in several orders (after the description of MicroQuill's
 * SmartHeap benchmark number 6).
 *
 * Batches of blocks, mostly small, are allocated and then freed: some last in first
 * out, some first in first out, some every second one first; part of each batch
 * outlives the next batches. Two threads that share nothing but the heap.
 */
#include "common.h"

enum { THREADS = 2, BATCH = 1200, KEPT = 16, MIN_SIZE = 1, MAX_SIZE = 1000 };

typedef struct {
    unsigned char *block[BATCH];
    size_t size[BATCH];
    int count;
} batch;

typedef struct {
    OWN_LINES uint64_t seed, batches, sum;
} worker;

/* Mostly small: every doubling of the size is half as likely. */
static size_t pick_size(rng *r) {
    size_t limit = (size_t)16 << __builtin_ctzll(rng_next(r) | 64);
    size_t size = rng_between(r, MIN_SIZE, limit);
    return size < MAX_SIZE ? size : MAX_SIZE;
}

static void fill(batch *b, rng *r, uint64_t *sum) {
    b->count = BATCH;
    for (int i = 0; i < BATCH; i++) {
        b->size[i] = pick_size(r);
        b->block[i] = must_malloc(b->size[i]);
        mark(b->block[i], b->size[i], (uint8_t)i);
        *sum = mix(*sum, b->size[i]);
    }
}

static void drop(batch *b, int at) {
    check_mark(b->block[at], b->size[at], (uint8_t)at);
    free(b->block[at]);
}

/* The three orders in turn. */
static void empty(batch *b, unsigned order) {
    if (b->count == 0) return;
    switch (order % 3) {
    case 0:
        for (int i = BATCH - 1; i >= 0; i--) drop(b, i);
        break;
    case 1:
        for (int i = 0; i < BATCH; i++) drop(b, i);
        break;
    default:
        for (int i = 0; i < BATCH; i += 2) drop(b, i);
        for (int i = BATCH - 1; i > 0; i -= 2) drop(b, i);
    }
    b->count = 0;
}

static void *run(void *context) {
    worker *w = context;
    rng random = rng_seed(w->seed);
    batch *kept = calloc(KEPT, sizeof *kept);
    batch *fresh = must_malloc(sizeof *fresh);
    require(kept != NULL, "out of memory");
    for (uint64_t i = 0; i < w->batches; i++) {
        fill(fresh, &random, &w->sum);
        if (i % 4 == 0) { /* lives for the next 4 * KEPT batches */
            batch *old = &kept[i / 4 % KEPT];
            empty(old, (unsigned)(i / 4));
            *old = *fresh;
        } else {
            empty(fresh, (unsigned)i);
        }
    }
    for (unsigned i = 0; i < KEPT; i++) empty(&kept[i], i);
    free(fresh);
    free(kept);
    return NULL;
}

int main(int argc, char **argv) {
    worker workers[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        workers[i] = (worker){.seed = (uint64_t)i, .batches = work(argc, argv, 9000)};
    run_threads(THREADS, run, workers, sizeof *workers);
    return report("sh6bench", mix(workers[0].sum, workers[1].sum));
}

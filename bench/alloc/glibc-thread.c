/* glibc-thread: every thread replaces random blocks of a working set (after the
 * description of glibc's benchtests/bench-malloc-thread).
 *
 * The working set is 1,024 blocks of 4 bytes to 32 KiB; a size is as likely as its
 * inverse square, so most blocks are small. Two threads that share nothing.
 */
#include "common.h"

enum { THREADS = 2, WORKING_SET = 1024, MIN_SIZE = 4, MAX_SIZE = 32768, RANDOM_SIZES = 8192 };

typedef struct {
    OWN_LINES uint64_t rounds, seed, sum;
} worker;

/* Inverse of the cumulative distribution of 1/size^2 on [MIN_SIZE, MAX_SIZE]. */
static uint32_t pick_size(rng *r) {
    double u = (double)(rng_next(r) >> 11) / (double)(1ull << 53);
    return (uint32_t)(1.0 / (1.0 / MIN_SIZE - u * (1.0 / MIN_SIZE - 1.0 / MAX_SIZE)));
}

static void *run(void *context) {
    worker *w = context;
    rng random = rng_seed(w->seed);
    uint32_t *size = must_malloc(RANDOM_SIZES * sizeof *size);
    for (int i = 0; i < RANDOM_SIZES; i++) size[i] = pick_size(&random);
    uint32_t **block = calloc(WORKING_SET, sizeof *block);
    require(block != NULL, "out of memory");
    for (uint64_t i = 0; i < w->rounds; i++) {
        uint64_t bits = rng_next(&random);
        uint32_t **at = &block[bits % WORKING_SET];
        if (*at) w->sum += **at;
        free(*at);
        uint32_t bytes = size[bits >> 32 & (RANDOM_SIZES - 1)];
        *at = must_malloc(bytes);
        **at = bytes;
    }
    for (int i = 0; i < WORKING_SET; i++) free(block[i]);
    free(block);
    free(size);
    return NULL;
}

int main(int argc, char **argv) {
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++)
        workers[i] = (worker){.rounds = work(argc, argv, 15000000), .seed = (uint64_t)i};
    run_threads(THREADS, run, workers, sizeof *workers);
    return report("glibc-thread", mix(workers[0].sum, workers[1].sum));
}

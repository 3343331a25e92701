/* cache-thrash: active false sharing (Berger et al., "Hoard", ASPLOS 2000).
 *
 * Workers allocate, write and free small objects: an allocator that serves both from
 * one cache line has them fight for it.
 */
#include "cache.h"

int main(int argc, char **argv) {
    cache_worker workers[CACHE_THREADS] = {0};
    for (int i = 0; i < CACHE_THREADS; i++) workers[i].rounds = work(argc, argv, 800000);
    run_threads(CACHE_THREADS, cache_body, workers, sizeof *workers);
    return report("cache-thrash", workers[0].sum + workers[1].sum);
}

/* cache-scratch: passive false sharing (Berger et al., "Hoard", ASPLOS 2000).
 *
 * The main thread allocates one small object for each worker, side by side. A worker
 * frees its object and then works on objects of its own: an allocator that hands the
 * freed memory out again has both workers write to one cache line.
 */
#include "cache.h"

int main(int argc, char **argv) {
    cache_worker workers[CACHE_THREADS] = {0};
    for (int i = 0; i < CACHE_THREADS; i++) {
        workers[i].first = must_malloc(CACHE_OBJECT);
        workers[i].rounds = work(argc, argv, 800000);
    }
    run_threads(CACHE_THREADS, cache_body, workers, sizeof *workers);
    return report("cache-scratch", workers[0].sum + workers[1].sum);
}

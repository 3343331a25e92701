/* larson: a server that lives long (Larson and Krishnan, "Memory allocation for
 * long-running server applications", ISMM 1998).
 *
 * Every worker owns an array of blocks of 8 to 1,000 bytes. A round frees a random
 * one and allocates another in its place. After a number of rounds the worker starts
 * a successor, hands it the array and ends, so blocks are freed by other threads
 * than the one that allocated them, and threads come and go.
 */
#include <semaphore.h>

#include "common.h"

enum { WORKERS = 4, BLOCKS = 5000, MIN_SIZE = 8, MAX_SIZE = 1000, GENERATIONS = 40 };

typedef struct {
    void *block[BLOCKS];
    uint16_t size[BLOCKS];
    rng random;
    uint64_t rounds;
    uint64_t sum;
    int generations_left;
} worker;

static void start(worker *w);

static void replace(worker *w, uint32_t at) {
    check_mark(w->block[at], w->size[at], (uint8_t)at);
    free(w->block[at]);
    size_t size = rng_between(&w->random, MIN_SIZE, MAX_SIZE);
    w->block[at] = must_malloc(size);
    w->size[at] = (uint16_t)size;
    mark(w->block[at], size, (uint8_t)at);
    w->sum = mix(w->sum, size);
}

static sem_t ended;

/* One generation: its rounds, then a successor, or the news that the line has ended. */
static void *generation(void *context) {
    worker *w = context;
    for (uint64_t i = 0; i < w->rounds; i++) replace(w, rng_below(&w->random, BLOCKS));
    if (--w->generations_left == 0) {
        sem_post(&ended);
        return NULL;
    }
    start(w);
    return NULL;
}

static void start(worker *w) {
    pthread_t thread;
    require(pthread_create(&thread, NULL, generation, w) == 0, "no thread");
    pthread_detach(thread);
}

int main(int argc, char **argv) {
    uint64_t rounds = work(argc, argv, 150000);
    worker *workers = must_malloc(WORKERS * sizeof *workers);
    for (int i = 0; i < WORKERS; i++) {
        worker *w = &workers[i];
        *w = (worker){.random = rng_seed((uint64_t)i), .rounds = rounds, .generations_left = GENERATIONS};
        for (uint32_t at = 0; at < BLOCKS; at++) {
            w->size[at] = (uint16_t)rng_between(&w->random, MIN_SIZE, MAX_SIZE);
            w->block[at] = must_malloc(w->size[at]);
            mark(w->block[at], w->size[at], (uint8_t)at);
        }
    }
    sem_init(&ended, 0, 0);
    for (int i = 0; i < WORKERS; i++) start(&workers[i]);
    for (int i = 0; i < WORKERS; i++) sem_wait(&ended);
    uint64_t sum = 0;
    for (int i = 0; i < WORKERS; i++) {
        sum = mix(sum, workers[i].sum);
        for (int at = 0; at < BLOCKS; at++) free(workers[i].block[at]);
    }
    free(workers);
    return report("larson", sum);
}

/* xmalloc: producers only allocate, consumers only free (Lever and Boreham, "malloc()
 * performance in a multithreaded Linux environment", USENIX 2000).
 *
 * Two producers fill batches with blocks of the sizes a system sees most; two
 * consumers take the batches from a queue of limited length, check and free them.
 */
#include "common.h"

enum { PRODUCERS = 2, CONSUMERS = 2, BATCH = 4096, QUEUE = 8 };

typedef struct batch {
    struct batch *next;
    size_t *block[BATCH]; /* each holds its size */
} batch;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    batch *first;
    int length, producing;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0, PRODUCERS};

typedef struct {
    OWN_LINES uint64_t batches, seed, sum;
    int producer;
} worker;

static const uint16_t sizes[] = {8, 12, 16, 24, 32, 48, 64, 96, 128, 160, 192, 256, 512};

static void push(batch *b) {
    pthread_mutex_lock(&queue.lock);
    while (queue.length == QUEUE) pthread_cond_wait(&queue.not_full, &queue.lock);
    b->next = queue.first;
    queue.first = b;
    queue.length++;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

/* NULL when the queue is empty and stays so. */
static batch *pop(void) {
    pthread_mutex_lock(&queue.lock);
    while (!queue.first && queue.producing) pthread_cond_wait(&queue.not_empty, &queue.lock);
    batch *b = queue.first;
    if (b) {
        queue.first = b->next;
        queue.length--;
        pthread_cond_signal(&queue.not_full);
    }
    pthread_mutex_unlock(&queue.lock);
    return b;
}

static void produce(worker *w) {
    rng random = rng_seed(w->seed);
    for (uint64_t i = 0; i < w->batches; i++) {
        batch *b = must_malloc(sizeof *b);
        for (int at = 0; at < BATCH; at++) {
            size_t size = sizes[rng_below(&random, sizeof sizes / sizeof *sizes)];
            b->block[at] = must_malloc(size);
            *b->block[at] = size;
            w->sum += size;
        }
        push(b);
    }
    pthread_mutex_lock(&queue.lock);
    queue.producing--;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

static void consume(worker *w) {
    for (batch *b; (b = pop()) != NULL;) {
        for (int at = 0; at < BATCH; at++) {
            w->sum += *b->block[at];
            free(b->block[at]);
        }
        free(b);
    }
}

static void *run(void *context) {
    worker *w = context;
    (w->producer ? produce : consume)(w);
    return NULL;
}

int main(int argc, char **argv) {
    worker workers[PRODUCERS + CONSUMERS] = {0};
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        workers[i] = (worker){.batches = work(argc, argv, 1200), .seed = (uint64_t)i, .producer = i < PRODUCERS};
    run_threads(PRODUCERS + CONSUMERS, run, workers, sizeof *workers);
    uint64_t made = workers[0].sum + workers[1].sum, freed = workers[2].sum + workers[3].sum;
    require(made == freed, "what was freed is not what was made");
    return report("xmalloc", made);
}

/* sh8bench: blocks freed by other threads (after the description of MicroQuill's
 * SmartHeap benchmark number 8).
 *
 * Four threads allocate chunks of blocks and pass every chunk but one in eight to
 * the next thread, which frees it in an order of its own; the rest they free
 * themselves. Chunks travel through one mailbox for each thread, a stack guarded by
 * a mutex, at most a few at a time.
 */
#include "common.h"

enum { THREADS = 4, CHUNK = 200, MAILBOX = 8, MIN_SIZE = 8, MAX_SIZE = 400 };

typedef struct chunk {
    struct chunk *next;
    unsigned char *block[CHUNK];
    uint16_t size[CHUNK];
} chunk;

typedef struct worker {
    OWN_LINES pthread_mutex_t lock;
    chunk *mail;
    int mails;
    uint64_t seed, chunks, sum;
    struct worker *neighbour;
} worker;

/* False when the mailbox is full. */
static int send(worker *to, chunk *c) {
    pthread_mutex_lock(&to->lock);
    int room = to->mails < MAILBOX;
    if (room) {
        c->next = to->mail;
        to->mail = c;
        to->mails++;
    }
    pthread_mutex_unlock(&to->lock);
    return room;
}

static chunk *receive(worker *w) {
    pthread_mutex_lock(&w->lock);
    chunk *all = w->mail;
    w->mail = NULL;
    w->mails = 0;
    pthread_mutex_unlock(&w->lock);
    return all;
}

static chunk *fill(rng *r, uint64_t *sum) {
    chunk *c = must_malloc(sizeof *c);
    for (int i = 0; i < CHUNK; i++) {
        size_t size = rng_between(r, MIN_SIZE, MAX_SIZE);
        if (size > 64 && rng_below(r, 4)) size = size % 64 + MIN_SIZE;
        c->block[i] = must_malloc(size);
        c->size[i] = (uint16_t)size;
        mark(c->block[i], size, (uint8_t)i);
        *sum = mix(*sum, size);
    }
    return c;
}

/* Steps by an odd number that does not divide CHUNK, so the order is scattered. */
static void empty(chunk *c) {
    for (int i = 0, at = 0; i < CHUNK; i++, at = (at + 77) % CHUNK) {
        check_mark(c->block[at], c->size[at], (uint8_t)at);
        free(c->block[at]);
    }
    free(c);
}

static void empty_all(chunk *c) {
    while (c) {
        chunk *next = c->next;
        empty(c);
        c = next;
    }
}

static void *run(void *context) {
    worker *w = context;
    rng random = rng_seed(w->seed);
    for (uint64_t i = 0; i < w->chunks; i++) {
        chunk *c = fill(&random, &w->sum);
        if (i % 8 == 0 || !send(w->neighbour, c)) empty(c);
        if (i % 4 == 3) empty_all(receive(w));
    }
    return NULL;
}

int main(int argc, char **argv) {
    worker workers[THREADS];
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.seed = (uint64_t)i, .chunks = work(argc, argv, 32000),
                              .neighbour = &workers[(i + 1) % THREADS]};
        pthread_mutex_init(&workers[i].lock, NULL);
    }
    run_threads(THREADS, run, workers, sizeof *workers);
    for (int i = 0; i < THREADS; i++) {
        empty_all(receive(&workers[i]));
        sum = mix(sum, workers[i].sum);
    }
    return report("sh8bench", sum);
}

/* rptest: random sizes up to 16,000 bytes, some freed across threads (after the
 * description of the benchmark that comes with rpmalloc by Jansson).
 *
 * Each of four threads keeps a set of blocks; a loop replaces scattered ones, and every
 * second loop it puts some blocks on the list of the next thread, which frees them. Sizes are skewed to the small end by taking the lesser of two uniforms.
 */
#include <stdatomic.h>

#include "common.h"

enum { THREADS = 4, BLOCKS = 1000, REPLACED = 100, GIVEN = 100, WAITING = 400, MIN_SIZE = 16, MAX_SIZE = 16000 };

/* The head of every block, also the link while it travels. */
typedef struct block {
    struct block *next;
    uint32_t size, sign;
} block;

typedef struct worker {
    OWN_LINES _Atomic(block *) inbox;
    atomic_int waiting; /* blocks in the inbox, about */
    struct worker *neighbour;
    uint64_t seed, loops;
    uint64_t made, freed; /* bytes */
} worker;

static block *make(worker *w, rng *r) {
    size_t a = rng_between(r, MIN_SIZE, MAX_SIZE), b = rng_between(r, MIN_SIZE, MAX_SIZE);
    size_t size = a < b ? a : b;
    block *p = must_malloc(size);
    *p = (block){.size = (uint32_t)size, .sign = (uint32_t)size * 2654435761u};
    /* touch a part of it, as a program would */
    memset(p + 1, (int)size, (size - sizeof *p) / 8);
    w->made += size;
    return p;
}

static void destroy(worker *w, block *p) {
    require(p->sign == p->size * 2654435761u, "a block lost its contents");
    w->freed += p->size;
    free(p);
}

/* To the neighbour, unless it is so far behind that memory would pile up. */
static void give(worker *w, block *p) {
    worker *to = w->neighbour;
    if (atomic_fetch_add_explicit(&to->waiting, 1, memory_order_relaxed) >= WAITING) {
        atomic_fetch_sub_explicit(&to->waiting, 1, memory_order_relaxed);
        destroy(w, p);
        return;
    }
    block *head = atomic_load_explicit(&to->inbox, memory_order_relaxed);
    do p->next = head;
    while (!atomic_compare_exchange_weak_explicit(&to->inbox, &head, p, memory_order_release,
                                                  memory_order_relaxed));
}

static void collect(worker *w) {
    block *p = atomic_exchange_explicit(&w->inbox, NULL, memory_order_acquire);
    while (p) {
        block *next = p->next;
        destroy(w, p);
        atomic_fetch_sub_explicit(&w->waiting, 1, memory_order_relaxed);
        p = next;
    }
}

static void *run(void *context) {
    worker *w = context;
    rng random = rng_seed(w->seed);
    block **set = must_malloc(BLOCKS * sizeof *set);
    for (int i = 0; i < BLOCKS; i++) set[i] = make(w, &random);
    for (uint64_t loop = 0; loop < w->loops; loop++) {
        uint32_t at = rng_below(&random, BLOCKS);
        for (int i = 0; i < REPLACED; i++, at = (at + 17) % BLOCKS) {
            destroy(w, set[at]);
            set[at] = make(w, &random);
        }
        if (loop % 2 == 0) {
            at = rng_below(&random, BLOCKS);
            for (int i = 0; i < GIVEN; i++, at = (at + 1) % BLOCKS) {
                give(w, set[at]);
                set[at] = make(w, &random);
            }
        }
        collect(w);
    }
    for (int i = 0; i < BLOCKS; i++) destroy(w, set[i]);
    free(set);
    return NULL;
}

int main(int argc, char **argv) {
    worker workers[THREADS] = {0};
    uint64_t made = 0, freed = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i].neighbour = &workers[(i + 1) % THREADS];
        workers[i].seed = (uint64_t)i;
        workers[i].loops = work(argc, argv, 6000);
    }
    run_threads(THREADS, run, workers, sizeof *workers);
    for (int i = 0; i < THREADS; i++) {
        collect(&workers[i]);
        made += workers[i].made;
        freed += workers[i].freed;
    }
    require(made == freed, "what was freed is not what was made");
    return report("rptest", made);
}

/* stress.c - random operations from several threads against a model.
 *
 * The model: every live object's base is in a shared set (so no object is handed out twice), and every object's bytes
 * follow from its own seed (so nobody writes into another's).  Objects travel between threads, threads end and are
 * replaced, and after each operation the API's answers about the object are compared with what the model says.
 *
 *   stress SECONDS [SEED]      exits 0, or aborts with the failing check and the seed */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, SLOTS = 2000, SHARDS = 64, BUCKETS = 4096, MAILBOXES = 64 };

struct object {
    unsigned char *p;
    size_t size;
    uint64_t seed;
};

/* ---- the set of live bases ---- */

static struct shard {
    pthread_mutex_t lock;
    struct node {
        struct node *next;
        uintptr_t base;
    } *buckets[BUCKETS], *spare;
} shards[SHARDS];

static uint64_t mix(uintptr_t base) { return (base >> 4) * 0x9e3779b97f4a7c15ull; }

static void model_add(const void *p) {
    uint64_t h = mix((uintptr_t)p);
    struct shard *shard = &shards[h >> 58];
    struct node **bucket = &shard->buckets[(h >> 40) % BUCKETS];
    pthread_mutex_lock(&shard->lock);
    for (struct node *n = *bucket; n; n = n->next)
        CHECK(n->base != (uintptr_t)p); /* an object handed out twice */
    struct node *node = shard->spare;
    if (node)
        shard->spare = node->next;
    else
        node = malloc(sizeof *node); /* the C library's: the library under test has the prefix only */
    CHECK(node != NULL);
    node->base = (uintptr_t)p;
    node->next = *bucket;
    *bucket = node;
    pthread_mutex_unlock(&shard->lock);
}

static void model_remove(const void *p) {
    uint64_t h = mix((uintptr_t)p);
    struct shard *shard = &shards[h >> 58];
    struct node **link = &shard->buckets[(h >> 40) % BUCKETS];
    pthread_mutex_lock(&shard->lock);
    while (*link && (*link)->base != (uintptr_t)p)
        link = &(*link)->next;
    CHECK(*link != NULL);
    struct node *node = *link;
    *link = node->next;
    node->next = shard->spare;
    shard->spare = node;
    pthread_mutex_unlock(&shard->lock);
}

/* ---- contents ---- */

/* Large objects are filled at their ends and here and there. */
static size_t step(size_t size) { return size <= 4096 ? 1 : size <= 131072 ? 61 : 4093; }

static unsigned char byte_of(uint64_t seed, size_t i) { return (unsigned char)(seed + i * 131); }

static void fill(const struct object *o) {
    for (size_t i = 0; i < o->size; i += step(o->size))
        o->p[i] = byte_of(o->seed, i);
    if (o->size)
        o->p[o->size - 1] = byte_of(o->seed, o->size - 1);
}

static void verify(const struct object *o) {
    for (size_t i = 0; i < o->size; i += step(o->size))
        CHECK(o->p[i] == byte_of(o->seed, i));
    if (o->size)
        CHECK(o->p[o->size - 1] == byte_of(o->seed, o->size - 1));
}

/* What the API says about an object of the model. */
static void verify_api(const struct object *o, uint64_t random) {
    const unsigned char *inside = o->p + (o->size ? random % o->size : 0);
    if (lowfat_mode() == LOWFAT_MODE_PLAIN) {
        CHECK(lowfat_size(o->p) == SIZE_MAX && lowfat_base(o->p) == NULL);
        return;
    }
    CHECK(lowfat_is_heap_ptr(inside) && !lowfat_is_stack_ptr(inside) && !lowfat_is_global_ptr(inside));
    CHECK(lowfat_base(inside) == o->p);
    CHECK(lowfat_offset(inside) == (size_t)(inside - o->p));
    CHECK(lowfat_size(inside) >= o->size);
    CHECK(lowfat_usable_size(inside) == lowfat_size(o->p) - (size_t)(inside - o->p));
    CHECK(lowfat_is_live(inside) && lowfat_is_base(o->p));
    CHECK(lowfat_malloc_usable_size(o->p) >= o->size);
}

/* ---- operations ---- */

static size_t random_size(uint64_t *r) {
    uint64_t x = test_random(r);
    switch (x % 64) {
    case 0: return 0;
    case 1: return (x >> 8) % 3000000; /* rare large ones */
    case 2: case 3: case 4: return (x >> 8) % 200000;
    default: return (x >> 8) % ((size_t)16 << (x >> 40) % 9);
    }
}

static void create(struct object *o, uint64_t *r) {
    uint64_t x = test_random(r);
    o->size = random_size(r);
    o->seed = x;
    switch (x % 8) {
    case 0:
        o->p = lowfat_calloc(o->size, 1);
        CHECK(o->p != NULL);
        for (size_t i = 0; i < o->size; i += step(o->size))
            CHECK(o->p[i] == 0);
        break;
    case 1: {
        size_t alignment = (size_t)8 << (x >> 16) % 11;
        void *p;
        CHECK(lowfat_posix_memalign(&p, alignment, o->size) == 0);
        CHECK((uintptr_t)p % alignment == 0);
        o->p = p;
        break;
    }
    default: o->p = lowfat_malloc(o->size);
    }
    CHECK(o->p != NULL);
    CHECK((uintptr_t)o->p % 16 == 0);
    model_add(o->p);
    fill(o);
    verify_api(o, x >> 20);
}

static void destroy(struct object *o, uint64_t random) {
    verify(o);
    model_remove(o->p);
    if (random % 4 == 0)
        lowfat_free_sized(o->p, o->size);
    else
        lowfat_free(o->p);
    o->p = NULL;
}

static void resize(struct object *o, uint64_t *r) {
    size_t size = random_size(r) + 1, kept = size < o->size ? size : o->size;
    verify(o);
    model_remove(o->p);
    unsigned char *p = lowfat_realloc(o->p, size);
    CHECK(p != NULL);
    for (size_t i = 0; i < kept; i += step(o->size))
        CHECK(p[i] == byte_of(o->seed, i));
    o->p = p;
    o->size = size;
    model_add(p);
    fill(o);
    verify_api(o, test_random(r));
}

/* ---- threads ---- */

static struct mailbox {
    pthread_mutex_t lock;
    struct object object;
} mailboxes[MAILBOXES];

static _Atomic int stop;
static _Atomic uint64_t operations;

static void exchange(struct object *o, uint64_t random) {
    struct mailbox *box = &mailboxes[random % MAILBOXES];
    pthread_mutex_lock(&box->lock);
    struct object other = box->object;
    box->object = *o;
    *o = other;
    pthread_mutex_unlock(&box->lock);
}

struct job {
    uint64_t seed, rounds;
};

static void *work(void *argument) {
    struct job job = *(struct job *)argument;
    uint64_t r = job.seed;
    struct object *objects = calloc(SLOTS, sizeof *objects);
    CHECK(objects != NULL);
    for (uint64_t n = 0; n < job.rounds && !atomic_load_explicit(&stop, memory_order_relaxed); n++) {
        uint64_t x = test_random(&r);
        struct object *o = &objects[(x >> 32) % SLOTS];
        if (o->p == NULL)
            create(o, &r);
        else if (x % 16 < 2)
            resize(o, &r);
        else if (x % 16 < 5)
            exchange(o, x >> 16);
        else
            destroy(o, x >> 8);
        atomic_fetch_add_explicit(&operations, 1, memory_order_relaxed);
        if (x % 65536 == 0)
            lowfat_trim();
    }
    for (int i = 0; i < SLOTS; i++) { /* some objects outlive their thread */
        if (objects[i].p && i % 4 == 0)
            exchange(&objects[i], (uint64_t)i);
        if (objects[i].p)
            destroy(&objects[i], 1);
    }
    free(objects);
    return NULL;
}

static int count(void *base, size_t size, void *context) {
    (void)size;
    CHECK(lowfat_base(base) == base);
    ++*(uint64_t *)context;
    return 0;
}

int main(int argc, char **argv) {
    int seconds = argc > 1 ? atoi(argv[1]) : 5;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
    fprintf(stderr, "stress: %d s, seed %llu\n", seconds, (unsigned long long)seed);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&shards[i].lock, NULL);
    for (int i = 0; i < MAILBOXES; i++)
        pthread_mutex_init(&mailboxes[i].lock, NULL);
    time_t end = time(NULL) + seconds;
    while (time(NULL) < end) { /* each generation of threads ends and leaves objects to the next */
        pthread_t threads[THREADS];
        struct job jobs[THREADS];
        for (int i = 0; i < THREADS; i++) {
            jobs[i] = (struct job){test_random(&seed), 20000 + test_random(&seed) % 60000};
            CHECK(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < MAILBOXES; i++)
        if (mailboxes[i].object.p)
            destroy(&mailboxes[i].object, 1);
    uint64_t left = 0;
    lowfat_heap_walk(count, &left);
    fprintf(stderr, "stress: %llu operations, %llu objects left\n", (unsigned long long)operations,
            (unsigned long long)left);
    CHECK(left == 0);
    return 0;
}

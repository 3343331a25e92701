/* threads.c - many threads that allocate, hand objects over, come and go, fork; and no-heap threads, which run while the
 * world is stopped. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4 };
static int rounds = 120;

struct node {
    struct node *next;
    uint64_t value;
};

/* ---- lists of one's own, some freed by hand, while everybody else allocates too */

static void *worker(void *argument) {
    uint64_t random = (uintptr_t)argument;
    for (int round = 0; round < rounds; round++) {
        struct node *list = NULL;
        uint64_t sum = 0, found = 0;
        for (int i = 0; i < 3000; i++) {
            struct node *n = lowfat_gc_malloc(16 + test_random(&random) % 200);
            n->value = test_random(&random);
            if (test_random(&random) % 10 == 0) {
                lowfat_gc_free(n);
                continue;
            }
            n->next = list;
            list = n;
            sum += n->value;
        }
        if (round % 10 == 0)
            lowfat_gc_collect();
        for (struct node *n = list; n; n = n->next)
            found += n->value;
        CHECK(found == sum);
    }
    return NULL;
}

static void test_workers(void) {
    pthread_t threads[WORKERS];
    for (uintptr_t i = 0; i < WORKERS; i++)
        CHECK(pthread_create(&threads[i], NULL, worker, (void *)(i + 1)) == 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- objects travel through a queue in traced memory */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct node *first;
    int closed;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

static void *producer(void *argument) {
    (void)argument;
    for (uint64_t i = 1; i <= 20000 * (uint64_t)rounds / 120; i++) {
        struct node *n = lowfat_gc_malloc(sizeof *n);
        n->value = i;
        pthread_mutex_lock(&queue.lock);
        n->next = queue.first;
        queue.first = n;
        pthread_cond_signal(&queue.changed);
        pthread_mutex_unlock(&queue.lock);
    }
    return NULL;
}
static void *consumer(void *argument) {
    uint64_t *sum = argument;
    for (;;) {
        pthread_mutex_lock(&queue.lock);
        while (!queue.first && !queue.closed)
            pthread_cond_wait(&queue.changed, &queue.lock);
        struct node *n = queue.first;
        if (n)
            queue.first = n->next;
        pthread_mutex_unlock(&queue.lock);
        if (!n)
            return NULL;
        *sum += n->value;
        CHECK(lowfat_gc_malloc_atomic(100) != NULL);
    }
}
static void test_queue(void) {
    pthread_t producers[2], consumers[2];
    static uint64_t sums[2];
    uint64_t each = 20000 * (uint64_t)rounds / 120;
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&producers[i], NULL, producer, NULL) == 0);
        CHECK(pthread_create(&consumers[i], NULL, consumer, &sums[i]) == 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(producers[i], NULL);
    pthread_mutex_lock(&queue.lock);
    queue.closed = 1;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
    for (int i = 0; i < 2; i++)
        pthread_join(consumers[i], NULL);
    CHECK(sums[0] + sums[1] == each * (each + 1));
}

/* ---- short lives: what an ended thread leaves is used again */

static void *short_life(void *argument) {
    (void)argument;
    for (int i = 0; i < 50; i++)
        CHECK(lowfat_gc_malloc(32) && lowfat_gc_malloc_atomic(500));
    return NULL;
}
static void test_short_lives(void) {
    uint64_t heap = 0;
    for (int i = 0; i < 10 * rounds; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, short_life, NULL) == 0);
        pthread_join(thread, NULL);
        if (i == 5 * rounds)
            heap = stats_now().heap_bytes;
    }
    CHECK(stats_now().heap_bytes <= heap + (1 << 20));
    CHECK(stats_now().threads == 1);
}

/* ---- a thread-specific destructor that allocates, after the collector's own */

static pthread_key_t late;
static void destroy(void *argument) {
    (void)argument;
    struct node *n = lowfat_gc_malloc(sizeof *n);
    lowfat_gc_collect();
    CHECK(n && n->value == 0 && lowfat_gc_is_live(n));
}
static void *with_key(void *argument) {
    pthread_setspecific(late, argument);
    return lowfat_gc_malloc(10);
}
static void test_late(void) {
    pthread_t thread;
    pthread_key_create(&late, destroy);
    CHECK(pthread_create(&thread, NULL, with_key, &late) == 0);
    pthread_join(thread, NULL);
    CHECK(stats_now().threads == 1);
}

/* ---- fork while others allocate */

static atomic_int going;
static void *restless(void *argument) {
    while (going)
        CHECK(lowfat_gc_malloc(64) != NULL);
    return argument;
}
static void test_fork(void) {
    pthread_t threads[2];
    going = 1;
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, restless, NULL) == 0);
    for (int i = 0; i < rounds / 12; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (int k = 0; k < 3000; k++)
                CHECK(lowfat_gc_malloc(64) != NULL);
            lowfat_gc_collect();
            CHECK(stats_now().threads == 1);
            _exit(7);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    going = 0;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* ---- while the world is stopped an ordinary thread makes no step, and a no-heap thread does */

static atomic_ulong heap_steps, no_heap_steps;
static atomic_int checked;

static void *heap_thread(void *argument) {
    while (going)
        heap_steps++;
    return argument;
}
static void *no_heap_child(void *argument) {
    CHECK(lowfat_gc_malloc(10) == NULL && errno == EPERM);
    return argument;
}
static void *no_heap_thread(void *argument) {
    pthread_t child;
    lowfat_gc_thread_no_heap();
    CHECK(lowfat_gc_malloc(10) == NULL && errno == EPERM);
    CHECK(lowfat_gc_collect() == 0);
    CHECK(pthread_create(&child, NULL, no_heap_child, NULL) == 0);
    pthread_join(child, NULL);
    while (going)
        no_heap_steps++;
    return argument;
}
static void on_event(enum lowfat_gc_event event) {
    if (event != LOWFAT_GC_STOPPED)
        return;
    unsigned long others = heap_steps, free_ones = no_heap_steps;
    while (no_heap_steps < free_ones + 1000)
        sched_yield();
    CHECK(heap_steps == others);
    checked++;
}
static void test_no_heap(void) {
    pthread_t a, b;
    going = 1;
    CHECK(pthread_create(&a, NULL, heap_thread, NULL) == 0 && pthread_create(&b, NULL, no_heap_thread, NULL) == 0);
    while (heap_steps == 0 || no_heap_steps == 0)
        sched_yield();
    lowfat_gc_on_event(on_event);
    for (int i = 0; i < 10; i++)
        lowfat_gc_collect();
    lowfat_gc_on_event(NULL);
    CHECK(checked == 10);
    going = 0;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(int argc, char **argv) {
    if (argc > 1)
        rounds = atoi(argv[1]);
    test_workers();
    test_queue();
    test_short_lives();
    test_late();
    if (argc <= 2) { /* ThreadSanitizer's own locks do not survive fork, nor handlers that look at what a stopped thread writes */
        test_fork();
        test_no_heap();
    }
    puts("threads: ok");
    return 0;
}

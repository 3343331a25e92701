/* threads.c - remote frees, sleeping owners, thread exit, fork, a thousand threads.  Memory must stay bounded in each. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t mapped(void) {
    struct lowfat_stats stats;
    lowfat_stats(&stats);
    return stats.mapped_bytes;
}

/* ---- one thread allocates, another frees ---- */

enum { RING = 1024, PASSED = 1000000 };
static _Atomic(void *) ring[RING];

static void *consume(void *unused) {
    for (int i = 0; i < PASSED; i++) {
        void *p;
        while ((p = atomic_exchange(&ring[i % RING], NULL)) == NULL)
            sched_yield();
        CHECK(*(int *)p == i);
        lowfat_free(p);
    }
    return unused;
}

static void producer_consumer(void) {
    pthread_t thread;
    uint64_t before = mapped();
    CHECK(pthread_create(&thread, NULL, consume, NULL) == 0);
    for (int i = 0; i < PASSED; i++) {
        int *p = lowfat_malloc(16 + (size_t)(i % 20) * 16);
        *p = i;
        while (atomic_load(&ring[i % RING]) != NULL)
            sched_yield();
        atomic_store(&ring[i % RING], p);
    }
    pthread_join(thread, NULL);
    CHECK(mapped() - before < 16 << 20); /* what passed through was 160 MB */
}

/* ---- one thread allocates and sleeps; what others free of it serves them ---- */

enum { SLEEPERS = 16000, SLEEPER_SIZE = 640 };
static void *sleeper_objects[SLEEPERS];

static void *replace_objects(void *unused) {
    for (int i = 0; i < SLEEPERS; i++)
        lowfat_free(sleeper_objects[i]);
    for (int i = 0; i < SLEEPERS; i++)
        CHECK((sleeper_objects[i] = lowfat_malloc(SLEEPER_SIZE)) != NULL);
    return unused;
}

static void sleeper(void) {
    pthread_t thread;
    for (int i = 0; i < SLEEPERS; i++)
        CHECK((sleeper_objects[i] = lowfat_malloc(SLEEPER_SIZE)) != NULL);
    uint64_t before = mapped();
    CHECK(pthread_create(&thread, NULL, replace_objects, NULL) == 0);
    pthread_join(thread, NULL);
    CHECK(mapped() - before < 2 << 20); /* not again the 10 MB that the sleeper owned */
    for (int i = 0; i < SLEEPERS; i++)
        lowfat_free(sleeper_objects[i]);
}

/* ---- memory goes back to the system in whatever order it is freed, and by whomever ---- */

enum { MANY = 100000, MANY_SIZE = 400 };
static void *many[MANY];

/* How many of the first objects, live or not, have memory. */
static int resident(int of) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    int count = 0;
    for (int i = 0; i < of; i++) {
        unsigned char there = 0; /* stays so where nothing is mapped */
        mincore((void *)((uintptr_t)many[i] & ~(page - 1)), 1, &there);
        count += there & 1;
    }
    return count;
}

static void *free_many(void *unused) {
    uint64_t r = 1;
    for (size_t i = MANY - 1; i > 0; i--) {
        size_t j = test_random(&r) % (i + 1);
        void *p = many[i];
        many[i] = many[j];
        many[j] = p;
    }
    for (int i = 0; i < MANY; i++)
        lowfat_free(many[i]);
    return unused;
}

static void any_order(void) {
    pthread_t thread;
    for (int other = 0; other < 2; other++) {
        for (int i = 0; i < MANY; i++) {
            CHECK((many[i] = lowfat_malloc(MANY_SIZE)) != NULL);
            memset(many[i], 1, MANY_SIZE);
        }
        CHECK(resident(MANY) == MANY);
        if (other) {
            CHECK(pthread_create(&thread, NULL, free_many, NULL) == 0);
            pthread_join(thread, NULL);
        } else {
            free_many(NULL);
        }
        CHECK(resident(MANY) < MANY / 4); /* of 40 MB the default keeps 4 */
    }
}

/* ---- what a thread leaves goes back when it ends, or when others have freed it, although it is less than the policy keeps ---- */

enum { LEFT = 8000 }; /* 3.2 MB; the last span is not full */

static void *use_left(void *frees) {
    for (int i = 0; i < LEFT; i++) {
        CHECK((many[i] = lowfat_malloc(MANY_SIZE)) != NULL);
        memset(many[i], 1, MANY_SIZE);
    }
    CHECK(resident(LEFT) == LEFT);
    for (int i = 0; frees && i < LEFT; i++)
        lowfat_free(many[i]);
    return NULL;
}

static void departed(void) {
    lowfat_free(lowfat_malloc(1)); /* or this thread would come into the cache that the other leaves, and be the other */
    for (int other = 0; other < 2; other++) {
        pthread_t thread;
        usleep(200000); /* for what was returned before to be paid for */
        CHECK(pthread_create(&thread, NULL, use_left, other ? NULL : "frees") == 0);
        pthread_join(thread, NULL);
        for (int i = 0; other && i < LEFT; i++)
            lowfat_free(many[i]);
        CHECK(resident(LEFT) < LEFT / 4);
    }
}

/* ---- classes that a thread does not use any more ---- */

static void hold_and_free(size_t size) {
    void *objects[400];
    for (int i = 0; i < 400; i++)
        objects[i] = lowfat_malloc(size);
    for (int i = 0; i < 400; i++)
        lowfat_free(objects[i]);
}

static void *change_sizes(void *unused) {
    static const size_t grown[] = {1500, 3000, 6000};
    struct lowfat_stats stats;
    unsigned c = lowfat_class_of_size(368);
    hold_and_free(368);
    lowfat_stats(&stats);
    CHECK(stats.classes[c].cached > 0);
    for (int i = 0; i < 3; i++) { /* each takes new memory, a while later */
        usleep(40000);
        hold_and_free(grown[i]);
    }
    lowfat_stats(&stats);
    CHECK(stats.classes[c].cached == 0);
    return unused;
}

static void idle_classes(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, change_sizes, NULL) == 0);
    pthread_join(thread, NULL);
}

/* ---- threads that end ---- */

static void *leave_objects(void *unused) {
    void *kept[200];
    for (int i = 0; i < 200; i++)
        kept[i] = lowfat_malloc((size_t)i * 10 + 1);
    for (int i = 0; i < 200; i++)
        lowfat_free(kept[i]);
    return unused;
}

static void *make_objects(void *argument) {
    void **objects = argument;
    for (int i = 0; i < 100; i++)
        objects[i] = lowfat_malloc(100);
    return NULL;
}

static void exits(void) {
    uint64_t after_first = 0;
    for (int i = 0; i < 1000; i++) {
        pthread_t thread;
        void *objects[100];
        CHECK(pthread_create(&thread, NULL, leave_objects, NULL) == 0);
        pthread_join(thread, NULL);
        CHECK(pthread_create(&thread, NULL, make_objects, objects) == 0);
        pthread_join(thread, NULL);
        for (int j = 0; j < 100; j++) /* freed after their thread's end */
            lowfat_free(objects[j]);
        if (i == 0)
            after_first = mapped();
    }
    CHECK(mapped() - after_first < 4 << 20);
    struct lowfat_stats stats;
    lowfat_stats(&stats);
    CHECK(stats.threads == 1);
}

/* ---- allocation in destructors that run after the library's own ---- */

static pthread_key_t key;
static _Atomic int destroyed;

static void destructor(void *value) {
    int rounds = *(int *)value;
    lowfat_free(value);
    void *p = lowfat_malloc(77);
    CHECK(p != NULL);
    lowfat_free(p);
    if (rounds > 1) {
        int *again = lowfat_malloc(sizeof *again);
        *again = rounds - 1;
        pthread_setspecific(key, again);
    } else {
        atomic_fetch_add(&destroyed, 1);
    }
}

static void *with_destructor(void *unused) {
    int *rounds = lowfat_malloc(sizeof *rounds);
    *rounds = 3;
    pthread_setspecific(key, rounds);
    return unused;
}

static void destructors(void) {
    CHECK(pthread_key_create(&key, destructor) == 0);
    for (int i = 0; i < 50; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, with_destructor, NULL) == 0);
        pthread_join(thread, NULL);
    }
    CHECK(destroyed == 50);
}

/* ---- a thousand at once ---- */

static pthread_barrier_t barrier;
static void *one_of_many(void *argument) {
    size_t id = (size_t)argument;
    char *p = lowfat_malloc(64 + id % 100);
    memset(p, (int)id, 64);
    char *s = lowfat_alloca(100);
    CHECK(p != NULL && s != NULL && lowfat_is_stack_ptr(s));
    s[99] = 1;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 64; i++)
        CHECK(p[i] == (char)id);
    lowfat_free(p);
    return NULL;
}

static void thousand(void) {
    static pthread_t threads[1000];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    pthread_barrier_init(&barrier, NULL, 1000);
    for (size_t i = 0; i < 1000; i++)
        CHECK(pthread_create(&threads[i], &attributes, one_of_many, (void *)i) == 0);
    for (int i = 0; i < 1000; i++)
        pthread_join(threads[i], NULL);
}

/* ---- fork while others allocate ---- */

static _Atomic int stop;
static void *churn(void *argument) {
    uint64_t r = (uint64_t)(uintptr_t)argument;
    void *objects[500] = {0};
    while (!atomic_load(&stop)) {
        uint64_t x = test_random(&r);
        void **o = &objects[x % 500];
        lowfat_free(*o);
        *o = lowfat_malloc((x >> 20) % (x % 50 == 0 ? 400000 : 2000));
        CHECK(*o != NULL);
    }
    for (int i = 0; i < 500; i++)
        lowfat_free(objects[i]);
    return NULL;
}

/* A handler that allocates in the middle of fork, registered before and after the library's own. */
static void allocate_all_sizes(void) {
    void *kept[400];
    for (size_t i = 0; i < 400; i++)
        kept[i] = lowfat_malloc(i * i * 3);
    for (size_t i = 0; i < 400; i++)
        lowfat_free(kept[i]);
}
__attribute__((constructor(101))) static void register_early(void) {
    pthread_atfork(allocate_all_sizes, allocate_all_sizes, allocate_all_sizes);
}

static void child_work(void) {
    pthread_t thread;
    for (int i = 0; i < 3000; i++) {
        char *p = lowfat_malloc((size_t)i * 50 + 1);
        CHECK(p != NULL && lowfat_base(p) == p);
        p[0] = 1;
        lowfat_free(p);
    }
    CHECK(pthread_create(&thread, NULL, leave_objects, NULL) == 0);
    pthread_join(thread, NULL);
    struct lowfat_stats stats;
    lowfat_stats(&stats);
    CHECK(stats.threads == 1);
}

static void forks(void) {
    pthread_t threads[3];
    pthread_atfork(allocate_all_sizes, allocate_all_sizes, allocate_all_sizes);
    for (size_t i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, churn, (void *)(i + 1)) == 0);
    for (int i = 0; i < 60; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            alarm(20); /* a deadlock fails rather than hangs */
            child_work();
            _exit(0);
        }
        int status;
        waitpid(pid, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

int main(void) {
    departed(); /* first: it wants more free memory than there is in use */
    any_order();
    idle_classes();
    producer_consumer();
    sleeper();
    exits();
    destructors();
    thousand();
    forks();
    puts("threads: ok");
    return 0;
}

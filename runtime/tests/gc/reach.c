/* reach.c - each kind of root keeps what it points to, and nothing is kept without one. */
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

enum { COUNT = 200 };
static hidden objects[COUNT];

/* Garbage goes, all but what a stale word may keep by accident. */
static NOINLINE void make_garbage(size_t size) {
    for (int i = 0; i < COUNT; i++) {
        char *p = lowfat_gc_malloc(size);
        memset(p, 1, size);
        objects[i] = hide(p);
    }
}
static int count_kept(void) {
    int n = 0;
    for (int i = 0; i < COUNT; i++)
        n += kept(objects[i]);
    return n;
}
static void test_garbage(void) {
    for (size_t size = 1; size < 40000; size = size * 3 + 5) {
        lowfat_gc_disable();
        make_garbage(size);
        CHECK(count_kept() == COUNT);
        lowfat_gc_enable();
        clear_stack();
        lowfat_gc_collect();
        CHECK(count_kept() < 5);
    }
}

/* Each test makes an object, lets one root point to it, collects, then clears the root and collects again. */
static NOINLINE void *fresh(hidden *h) {
    int *p = lowfat_gc_malloc(40);
    *p = 4711;
    *h = hide(p);
    return p;
}
static void collect(void) {
    clear_stack();
    lowfat_gc_collect();
}

static void *volatile global;
static void *volatile zero_global[100];
static _Thread_local void *volatile local;

#define ROOT(name, store, clear)        \
    static NOINLINE hidden put_##name(void) { \
        hidden h;                       \
        void *p = fresh(&h);            \
        store;                          \
        return h;                       \
    }                                   \
    static void test_##name(void) {     \
        hidden h = put_##name();        \
        collect();                      \
        CHECK(kept(h));                 \
        CHECK(int_at(h) == 4711);       \
        clear;                          \
        collect();                      \
        CHECK(!kept(h));                \
    }

ROOT(global, global = p, global = NULL)
ROOT(bss, zero_global[77] = p, zero_global[77] = NULL)
ROOT(thread_local, local = p, local = NULL)
ROOT(interior, global = (char *)p + 23, global = NULL)
ROOT(past_end, global = (char *)p + 40, global = NULL)

static void *volatile mapped; /* the mapping itself is no root; what points to it is no pointer to an object */
ROOT(explicit_root, *(void **)mapped = p, *(void **)mapped = NULL)
ROOT(traced, void **q = lowfat_gc_malloc(16); q[1] = p; global = q, global = NULL)
ROOT(cycle, void **q = lowfat_gc_malloc(16); *(void **)((char *)p + 8) = q; *q = p; global = q, global = NULL)

static void **volatile malloced;
ROOT(malloced, malloced = lowfat_malloc(4096); memset(malloced, 0, 4096); malloced[500] = p,
     lowfat_free(malloced); malloced = NULL)
ROOT(large_malloced, malloced = lowfat_calloc(1, 3 << 20); malloced[(3 << 17) - 1] = p,
     lowfat_free(malloced); malloced = NULL)
ROOT(large_traced, void **q = lowfat_gc_malloc(1 << 20); q[(1 << 17) - 1] = p; global = q, global = NULL)

static void test_machine_stack(void) {
    hidden h;
    void *volatile here = fresh(&h);
    collect();
    CHECK(kept(h) && *(int *)here == 4711);
    here = NULL;
    collect();
    CHECK(!kept(h));
}

static NOINLINE void in_lowfat_stack(hidden *h) {
    LOWFAT_STACK_ARRAY(void *, array, 10);
    array[7] = fresh(h);
    collect();
    CHECK(kept(*h));
}
static void test_lowfat_stack(void) {
    hidden h;
    in_lowfat_stack(&h);
    collect();
    CHECK(!kept(h));
}

/* Registers only: the words live in callee-saved registers across the call. */
static NOINLINE uint64_t with_registers(hidden *h) {
    register void *a __asm__("rbx") = fresh(&h[0]);
    register void *b __asm__("r12") = fresh(&h[1]);
    __asm__ volatile("" : "+r"(a), "+r"(b));
    lowfat_gc_collect();
    __asm__ volatile("" : "+r"(a), "+r"(b));
    return *(int *)a + *(int *)b;
}
static void test_registers(void) {
    hidden h[2];
    CHECK(with_registers(h) == 2 * 4711);
    CHECK(kept(h[0]) && kept(h[1]));
    collect();
    CHECK(!kept(h[0]) && !kept(h[1]));
}

/* Another thread: its stack, its registers while it computes, its thread-locals. */
static sem_t ready, leave;
static hidden others[3];
static volatile int spinning;

static void *sleeper(void *argument) {
    (void)argument;
    void *volatile here = fresh(&others[0]);
    local = fresh(&others[1]);
    sem_post(&ready);
    while (sem_wait(&leave) != 0) {
    }
    CHECK(*(int *)here == 4711);
    return NULL;
}
static void *spinner(void *argument) {
    (void)argument;
    register void *p __asm__("r13") = fresh(&others[2]);
    __asm__ volatile("" : "+r"(p));
    sem_post(&ready);
    while (spinning)
        __asm__ volatile("" : "+r"(p));
    CHECK(*(int *)p == 4711);
    return NULL;
}
static void test_threads(void) {
    pthread_t a, b;
    sem_init(&ready, 0, 0);
    sem_init(&leave, 0, 0);
    spinning = 1;
    CHECK(pthread_create(&a, NULL, sleeper, NULL) == 0 && pthread_create(&b, NULL, spinner, NULL) == 0);
    while (sem_wait(&ready) != 0) {
    }
    while (sem_wait(&ready) != 0) {
    }
    CHECK(stats_now().threads == 3);
    for (int i = 0; i < 5; i++) {
        collect();
        CHECK(kept(others[0]) && kept(others[1]) && kept(others[2]));
    }
    spinning = 0;
    sem_post(&leave);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    collect();
    CHECK(stats_now().threads == 1);
    CHECK(!kept(others[0]) && !kept(others[1]));
}

/* What a new thread is called with is kept until it has it on its stack. */
static void *receiver(void *argument) {
    lowfat_gc_collect();
    CHECK(*(int *)argument == 4711);
    return NULL;
}
static NOINLINE pthread_t start_with_fresh(hidden *h) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, receiver, fresh(h)) == 0);
    return thread;
}
static void test_argument(void) {
    for (int i = 0; i < 50; i++) {
        hidden h;
        pthread_t thread = start_with_fresh(&h);
        collect();
        pthread_join(thread, NULL);
    }
}

/* The main thread's thread-locals and stack when another thread collects. */
static void *collector(void *argument) {
    (void)argument;
    lowfat_gc_collect();
    return NULL;
}
static NOINLINE hidden set_local(void) {
    hidden h;
    local = fresh(&h);
    return h;
}
static void test_other_collects(void) {
    hidden on_stack, in_local = set_local();
    void *volatile here = fresh(&on_stack);
    pthread_t thread;
    clear_stack();
    CHECK(pthread_create(&thread, NULL, collector, NULL) == 0);
    pthread_join(thread, NULL);
    CHECK(kept(on_stack) && kept(in_local) && here != NULL);
    local = NULL;
    here = NULL;
    collect();
    CHECK(!kept(on_stack) && !kept(in_local));
}

/* A library loaded later: its globals and thread-locals. */
static NOINLINE hidden put_by(void (*keep)(void *)) {
    hidden h;
    keep(fresh(&h));
    return h;
}
static void test_library(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    CHECK(library != NULL);
    static const char *const names[] = {"keep_global", "keep_local"};
    for (int i = 0; i < 2; i++) {
        void (*keep)(void *) = (void (*)(void *))dlsym(library, names[i]);
        CHECK(keep != NULL);
        hidden h = put_by(keep);
        collect();
        CHECK(kept(h));
        keep(NULL);
        collect();
        CHECK(!kept(h));
    }
    dlclose(library);
    collect();
}

/* Precise inside: what the layout does not name keeps nothing, in each element of an array. */
struct described {
    void *pointer;
    uintptr_t number;
    void *another;
};
static const uint64_t described_map[] = {5};
static struct lowfat_gc_layout described_layout = {0, 3, described_map};
static NOINLINE void fill_described(struct described *d, size_t count, hidden *h) {
    for (size_t i = 0; i < count; i++) {
        d[i].pointer = fresh(&h[3 * i]);
        d[i].number = (uintptr_t)fresh(&h[3 * i + 1]);
        d[i].another = fresh(&h[3 * i + 2]);
    }
}
static void test_layout(void) {
    static const size_t counts[] = {1, 7, 500, 30000};
    for (int k = 0; k < 4; k++) {
        size_t count = counts[k];
        hidden *h = malloc(3 * count * sizeof *h);
        global = lowfat_gc_malloc_layout(count * sizeof(struct described), &described_layout);
        lowfat_gc_disable(); /* no slot of a dead object is used again */
        fill_described(global, count, h);
        lowfat_gc_enable();
        collect();
        size_t wrong = 0;
        for (size_t i = 0; i < count; i++) {
            CHECK(kept(h[3 * i]) && kept(h[3 * i + 2]));
            wrong += (size_t)kept(h[3 * i + 1]);
        }
        CHECK(wrong <= 2);
        global = NULL;
        free(h);
    }
}

static NOINLINE void fill_atomic(hidden *h) { *(void **)global = fresh(h); }
static void test_atomic(void) {
    for (size_t size = 16; size < 1 << 20; size *= 8) {
        hidden h;
        global = lowfat_gc_malloc_atomic(size);
        fill_atomic(&h);
        collect();
        CHECK(!kept(h) && lowfat_gc_is_live(global));
    }
    global = NULL;
}

int main(int argc, char **argv) {
    (void)argc;
    mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(lowfat_gc_add_roots(mapped, (char *)mapped + 4096) == 0);
    test_garbage();
    test_global();
    test_bss();
    test_thread_local();
    test_interior();
    if (lowfat_gc_get(LOWFAT_GC_PAST_END))
        test_past_end();
    test_explicit_root();
    test_traced();
    test_cycle();
    test_malloced();
    test_large_malloced();
    test_large_traced();
    test_machine_stack();
    test_lowfat_stack();
    test_registers();
    test_threads();
    test_argument();
    test_other_collects();
    test_layout();
    test_atomic();
    test_library(argv[1]);
    CHECK(lowfat_gc_remove_roots(mapped, (char *)mapped + 4096) == 0);
    CHECK(lowfat_gc_remove_roots(mapped, (char *)mapped + 4096) == -1);
    puts("reach: ok");
    return 0;
}

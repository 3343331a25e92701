/* api.c - the interface: sizes, zeros, realloc, free, errors, alignment, limits, options, figures, fork. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int zero(const unsigned char *p, size_t n) {
    while (n > 0 && *p == 0)
        p++, n--;
    return n == 0;
}

static void test_sizes(void) {
    for (size_t size = 0; size < 3000000; size = size * 5 / 4 + 1) {
        unsigned char *p = lowfat_gc_malloc(size), *q = lowfat_gc_malloc_atomic(size);
        CHECK(p && q && p != q && (uintptr_t)p % 16 == 0);
        CHECK(lowfat_is_traced_ptr(p) && lowfat_is_traced_ptr(q) && !lowfat_is_heap_ptr(p) && lowfat_is_ptr(p));
        CHECK(lowfat_size(p) >= size && lowfat_base(p + size / 2) == p && lowfat_is_base(p));
        CHECK(zero(p, size));
        memset(p, 0xff, size);
        memset(q, 0xff, size);
        CHECK(lowfat_gc_is_live(p) && lowfat_gc_is_live(p + size));
    }
    lowfat_gc_collect();
    for (size_t size = 1; size < 3000000; size = size * 5 / 4 + 1) /* slots that have been used */
        CHECK(zero(lowfat_gc_calloc(size, 1), size));
    volatile size_t much = PTRDIFF_MAX;
    CHECK(lowfat_gc_calloc(much, 3) == NULL && errno == ENOMEM);
    CHECK(lowfat_gc_malloc(much) == NULL && errno == ENOMEM);
    CHECK(strcmp(lowfat_gc_strdup("text"), "text") == 0 && strcmp(lowfat_gc_strndup("text", 2), "te") == 0);
}

static void test_alignment(void) {
    for (size_t alignment = 1; alignment <= 1 << 22; alignment *= 2)
        for (size_t size = 1; size < 400000; size = size * 7 + 3) {
            void *p = lowfat_gc_aligned_alloc(alignment, size);
            CHECK(p && (uintptr_t)p % alignment == 0 && lowfat_base(p) == p && lowfat_size(p) >= size);
        }
    CHECK(lowfat_gc_aligned_alloc(24, 8) == NULL && errno == EINVAL);
}

static void test_realloc(void) {
    uint64_t random = 1;
    for (int round = 0; round < 200; round++) {
        size_t size = 1 + test_random(&random) % 100;
        unsigned char *p = lowfat_gc_malloc(size);
        memset(p, 1, size);
        for (int i = 0; i < 20; i++) {
            size_t bits = test_random(&random) % 20, next = 1 + test_random(&random) % (2ull << bits);
            p = lowfat_gc_realloc(p, next);
            CHECK(p);
            for (size_t k = 0; k < next; k++)
                CHECK(p[k] == (k < size));
            memset(p, 1, next);
            size = next;
        }
    }
    CHECK(lowfat_gc_realloc(lowfat_gc_malloc(5), 0) == NULL);
}

static enum lowfat_error last_error;
static void note(const struct lowfat_error_info *info) { last_error = info->error; }
#define REPORTS(operation, expected)  \
    do {                              \
        last_error = 0;               \
        operation;                    \
        CHECK(last_error == expected); \
    } while (0)

static void test_free(void) {
    lowfat_set_error_handler(note);
    char *p = lowfat_gc_malloc(100), *large = lowfat_gc_malloc(1 << 20), *other = lowfat_malloc(10);
    REPORTS(lowfat_gc_free(p + 1), LOWFAT_ERROR_INTERIOR_FREE);
    REPORTS(lowfat_gc_free(&p), LOWFAT_ERROR_FOREIGN_FREE);
    REPORTS(lowfat_gc_free(other), LOWFAT_ERROR_FOREIGN_FREE);
    REPORTS(lowfat_free(p), LOWFAT_ERROR_TRACED_FREE);
    REPORTS(lowfat_free(large), LOWFAT_ERROR_TRACED_FREE);
    REPORTS(lowfat_gc_free(NULL), 0);
    REPORTS(lowfat_gc_free(p), 0);
    CHECK(!lowfat_gc_is_live(p));
    REPORTS(lowfat_gc_free(p), LOWFAT_ERROR_DOUBLE_FREE);
    REPORTS(lowfat_gc_free(large), 0);
    REPORTS(lowfat_gc_free(large), LOWFAT_ERROR_DOUBLE_FREE);
    CHECK(lowfat_gc_realloc(p, 10) == NULL && last_error == LOWFAT_ERROR_DOUBLE_FREE);
    lowfat_set_error_handler(NULL);
    lowfat_free(other);
    /* Freed slots come back, zero, and no slot twice. */
    enum { N = 1000 };
    static void *a[N];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < N; i++) {
            a[i] = lowfat_gc_malloc(48);
            CHECK(zero(a[i], 48));
            memset(a[i], i + 1, 48);
        }
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 48; k++)
                CHECK(((unsigned char *)a[i])[k] == (unsigned char)(i + 1));
        for (int i = round % 3; i < N; i += 1 + round % 3)
            lowfat_gc_free(a[i]);
    }
    memset(a, 0, sizeof a);
}

/* Under a limit, garbage may come and go for ever; what is reachable is refused beyond it, and room comes back. */
static void test_limit(void) {
    uint64_t every = lowfat_gc_get(LOWFAT_GC_EVERY);
    lowfat_gc_set(LOWFAT_GC_EVERY, 0);
    struct list {
        struct list *next;
        char data[1000];
    } *list = NULL;
    lowfat_gc_collect();
    uint64_t limit = stats_now().live_bytes + (4 << 20);
    CHECK(lowfat_gc_set(LOWFAT_GC_LIMIT, limit) == 0);
    for (int i = 0; i < 100000; i++)
        CHECK(lowfat_gc_malloc(1000) != NULL);
    size_t count = 0;
    for (;;) {
        errno = 0;
        struct list *more = lowfat_gc_malloc(sizeof *more);
        if (more == NULL)
            break;
        more->next = list;
        list = more;
        CHECK(++count < 10000);
    }
    CHECK(errno == ENOMEM && count > 3000 && count < 4500);
    CHECK(lowfat_gc_malloc(8 << 20) == NULL && errno == ENOMEM);
    for (size_t i = 0; i < count / 2; i++)
        list = list->next;
    void *again = lowfat_gc_malloc(1 << 20);
    CHECK(again != NULL);
    CHECK(lowfat_gc_set(LOWFAT_GC_LIMIT, 0) == 0);
    CHECK(lowfat_gc_malloc(8 << 20) != NULL);
    size_t left = 0;
    for (; list; list = list->next)
        left++;
    CHECK(left == count - count / 2);
    lowfat_gc_set(LOWFAT_GC_EVERY, every);
}

static void test_options(void) {
    CHECK(lowfat_gc_set(LOWFAT_GC_RATIO, 100) == -1 && errno == EINVAL);
    CHECK(lowfat_gc_set(LOWFAT_GC_PAST_END, 0) == -1);
    CHECK(lowfat_gc_set(LOWFAT_GC_OPTIONS_, 0) == -1);
    CHECK(lowfat_gc_set(LOWFAT_GC_RATIO, 150) == 0 && lowfat_gc_get(LOWFAT_GC_RATIO) == 150);
    uint64_t before = stats_now().collections;
    for (int i = 0; i < 1000000; i++)
        CHECK(lowfat_gc_malloc(100) != NULL);
    CHECK(stats_now().collections > before);
    lowfat_gc_disable();
    lowfat_gc_disable();
    lowfat_gc_enable();
    before = stats_now().collections;
    for (int i = 0; i < 300000; i++)
        CHECK(lowfat_gc_malloc(100) != NULL);
    CHECK(stats_now().collections == before);
    lowfat_gc_enable();
    for (int i = 0; i < 1000; i++)
        CHECK(lowfat_gc_malloc(100) != NULL);
    CHECK(stats_now().collections > before);
    lowfat_gc_collect();
    lowfat_gc_collect();
    lowfat_gc_trim();
    uint64_t every = lowfat_gc_get(LOWFAT_GC_EVERY);
    CHECK(lowfat_gc_set(LOWFAT_GC_EVERY, 10) == 0);
    for (int i = 0; i < 64; i++) /* what is left of the run */
        CHECK(lowfat_gc_malloc(30) != NULL);
    before = stats_now().collections;
    for (int i = 0; i < 100; i++)
        CHECK(lowfat_gc_malloc(30) != NULL);
    CHECK(stats_now().collections == before + 10);
    lowfat_gc_set(LOWFAT_GC_EVERY, every);
}

/* A root is found wherever it lies among words that are none: the collector looks at several together. */
static NOINLINE void put_object(uintptr_t *at) { *at = (uintptr_t)lowfat_gc_malloc(40); }

static void test_roots(void) {
    enum { WORDS = 37 };
    static const uintptr_t others[] = {0, 0x123456789abc, UINTPTR_MAX};
    uintptr_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    for (size_t k = 0; k < 3; k++)
        for (size_t from = 0; from < 2; from++)
            for (size_t at = from; at < WORDS; at++) {
                for (size_t i = 0; i < WORDS; i++)
                    page[i] = others[k];
                CHECK(lowfat_gc_add_roots(page + from, page + WORDS) == 0);
                put_object(&page[at]);
                clear_stack();
                lowfat_gc_collect();
                CHECK(lowfat_gc_is_live((void *)page[at]));
                CHECK(lowfat_gc_remove_roots(page + from, page + WORDS) == 0);
            }
    munmap(page, 4096);
}

/* Free memory stays for the time between two collections, in case it is needed again; lowfat_gc_trim returns it at once. */
static NOINLINE void drop_megabytes(void) {
    for (int i = 0; i < 40000; i++)
        CHECK(lowfat_gc_malloc_atomic(100) != NULL);
}
static uint64_t purged_by_collection(void) {
    uint64_t before = stats_now().purged_bytes;
    clear_stack();
    lowfat_gc_collect();
    return stats_now().purged_bytes - before;
}

static void test_idle(void) {
    enum { MOST = 2000000 };
    lowfat_gc_disable();
    lowfat_gc_collect();
    lowfat_gc_collect();
    lowfat_gc_collect();
    drop_megabytes();
    CHECK(purged_by_collection() < MOST); /* they are found free */
    CHECK(purged_by_collection() < MOST); /* and were not needed */
    CHECK(purged_by_collection() > MOST);
    drop_megabytes();
    CHECK(purged_by_collection() < MOST);
    CHECK(lowfat_gc_trim() > MOST);
    lowfat_gc_enable();
}

/* Short stretches between objects go back, too, once no allocation came near for some collections. */
static NOINLINE void fill_sparsely(int **keep) {
    for (int i = 0; i < 16; i++) {
        *(keep[i] = lowfat_gc_malloc_atomic(800)) = i;
        for (int j = 0; j < 20; j++)
            CHECK(lowfat_gc_malloc_atomic(800) != NULL);
    }
}
static void test_tails(void) {
    static int *keep[16];
    lowfat_gc_disable();
    fill_sparsely(keep);
    uint64_t purged = 0;
    for (int i = 0; i < 20; i++)
        purged += purged_by_collection();
    CHECK(purged > 128000);
    for (int i = 0; i < 16; i++)
        CHECK(*keep[i] == i);
    fill_sparsely(keep);
    for (int i = 0; i < 16; i++)
        CHECK(*keep[i] == i);
    memset(keep, 0, sizeof keep);
    lowfat_gc_enable();
}

static int began, stopped, running, ended;
static void on_event(enum lowfat_gc_event event) {
    int *counts[] = {&began, &stopped, &running, &ended};
    CHECK(++*counts[event] > 0);
}

static void test_figures(void) {
    static void *keep[1000];
    uint64_t every = lowfat_gc_get(LOWFAT_GC_EVERY);
    lowfat_gc_set(LOWFAT_GC_EVERY, 0);
    lowfat_gc_disable(); /* none but those asked for */
    lowfat_gc_collect();
    struct lowfat_gc_stats before = stats_now();
    for (int i = 0; i < 1000; i++)
        keep[i] = lowfat_gc_malloc(47);
    keep[0] = lowfat_gc_malloc(1000000);
    CHECK(lowfat_gc_on_event(on_event) == NULL);
    size_t live = lowfat_gc_collect();
    CHECK(lowfat_gc_on_event(NULL) == on_event);
    CHECK(began == 1 && stopped == 1 && running == 1 && ended == 1);
    struct lowfat_gc_stats after = stats_now();
    CHECK(after.live_bytes == live && after.collections == before.collections + 1);
    uint64_t grown = after.live_bytes - before.live_bytes, expected = 999 * 48 + 1003520;
    CHECK(grown >= expected - 4800 && grown <= expected + 4800);
    CHECK(after.live_objects - before.live_objects >= 990 && after.live_objects - before.live_objects <= 1010);
    /* What is counted is runs of free slots that a thread takes, of 8 KiB at most: some of these objects lie in an earlier one. */
    CHECK(after.total_bytes - before.total_bytes >= expected - 8192 && after.heap_bytes >= live && after.pause_last_ns > 0);
    CHECK(after.pause_longest_ns >= after.pause_last_ns && after.pause_total_ns >= after.pause_longest_ns);
    memset(keep, 0, sizeof keep);
    CHECK(lowfat_gc_collect() < live);
    CHECK(lowfat_gc_stats_print(open("/dev/null", 1)) == 0);
    lowfat_gc_set(LOWFAT_GC_EVERY, every);
    lowfat_gc_enable();
}

static void test_fork(void) {
    static void **table;
    table = lowfat_gc_malloc(1000 * sizeof *table);
    for (int i = 0; i < 1000; i++)
        *(int *)(table[i] = lowfat_gc_malloc(64)) = i;
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 100000; i++)
            CHECK(lowfat_gc_malloc(64) != NULL);
        lowfat_gc_collect();
        for (int i = 0; i < 1000; i++)
            CHECK(*(int *)table[i] == i);
        _exit(7);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    lowfat_gc_collect();
    for (int i = 0; i < 1000; i++)
        CHECK(*(int *)table[i] == i);
    table = NULL;
}

int main(void) {
    test_sizes();
    test_alignment();
    test_realloc();
    test_free();
    test_limit();
    test_options();
    test_figures();
    test_roots();
    test_idle();
    test_tails();
    test_fork();
    puts("api: ok");
    return 0;
}

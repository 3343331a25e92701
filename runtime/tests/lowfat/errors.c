/* errors.c - every misuse is caught: the report says what it must, then the process aborts.  Each case runs in a child
 * whose standard error is read. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdbool.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int a_global;

static void *hide(void *p) {
    __asm__ volatile("" : "+r"(p));
    return p;
}

static void double_free(void) {
    char *p = lowfat_malloc(40);
    lowfat_free(p);
    lowfat_free(hide(p));
}
static void double_free_later(void) {
    char *p = lowfat_malloc(40);
    lowfat_free(p);
    for (int i = 0; i < 10000; i++) { /* the slot leaves the window meanwhile */
        void *q[300];
        for (int j = 0; j < 300; j++)
            q[j] = lowfat_malloc(1000);
        for (int j = 0; j < 300; j++)
            lowfat_free(q[j]);
    }
    lowfat_free(hide(p));
}
static void double_free_large(void) {
    char *p = lowfat_malloc(500000);
    lowfat_free(p);
    lowfat_free(hide(p));
}
static void *free_in_thread(void *p) {
    lowfat_free(p);
    return NULL;
}
static void double_free_remote(void) {
    char *p = lowfat_malloc(40);
    pthread_t thread;
    pthread_create(&thread, NULL, free_in_thread, p);
    pthread_join(thread, NULL);
    lowfat_free(hide(p));
}
static void double_free_by_other(void) {
    char *p = lowfat_malloc(40);
    lowfat_free(p);
    pthread_t thread;
    pthread_create(&thread, NULL, free_in_thread, hide(p));
    pthread_join(thread, NULL);
}
/* Two threads that free the same objects at the same time: whatever their order, at the latest the one that gives them back second
 * is told. */
static pthread_barrier_t together;
static void *free_together(void *objects) {
    void **p = objects;
    for (int i = 0; i < 100; i++) {
        pthread_barrier_wait(&together);
        lowfat_free(hide(p[i]));
    }
    return NULL;
}
static void double_free_at_once(void) {
    static void *objects[100];
    for (int i = 0; i < 100; i++)
        objects[i] = lowfat_malloc(40);
    pthread_barrier_init(&together, NULL, 2);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, free_together, objects);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
static void interior(void) { lowfat_free((char *)lowfat_malloc(100) + 16); }
static void interior_odd(void) { lowfat_free((char *)lowfat_malloc(100) + 1); }
static void interior_large(void) { lowfat_free((char *)lowfat_malloc(1000000) + 4096); }
static void interior_huge(void) { lowfat_free((char *)lowfat_malloc((size_t)17 << 30) + 4096); }
static void stack_object(void) {
    int local = 0;
    lowfat_free(hide(&local));
}
static void lowfat_stack_object(void) { lowfat_free(lowfat_alloca(50)); }
static void global_object(void) { lowfat_free(hide(&a_global)); }
static void code(void) { lowfat_free((void *)(uintptr_t)&code); }
static void small_integer(void) { lowfat_free(hide((void *)(uintptr_t)8)); }
static void map_failed(void) { lowfat_free(hide((void *)(intptr_t)-1)); }
static void never_allocated(void) {
    struct lowfat_class_range range;
    lowfat_free(lowfat_malloc(96));
    CHECK(lowfat_class_range(lowfat_class_of_size(96), &range) == 0);
    lowfat_free((void *)(uintptr_t)((range.end - 1) * 96));
}
static void far_beyond(void) {
    struct lowfat_class_range range;
    CHECK(lowfat_class_range(lowfat_class_of_size(96), &range) == 0);
    lowfat_free((void *)(uintptr_t)((range.limit - 1) * 96));
}
static void realloc_freed(void) {
    char *p = lowfat_malloc(64);
    lowfat_free(p);
    p = lowfat_realloc(hide(p), 100);
}
static void realloc_interior(void) { hide(lowfat_realloc((char *)lowfat_malloc(64) + 8, 100)); }
static void usable_freed(void) {
    char *p = lowfat_malloc(64);
    lowfat_free(p);
    lowfat_malloc_usable_size(hide(p));
}
static void sized_wrong(void) { lowfat_free_sized(lowfat_malloc(64), 65); }
static void aligned_wrong(void) { lowfat_free_aligned_sized(lowfat_malloc(16), (size_t)1 << 40, 16); }
static void overflow(void) { /* exact=1 */
    char *p = hide(lowfat_malloc(50));
    p[50] = 1;
    lowfat_free(p);
}
static void use_after_free(void) { /* fill=1,quarantine=64k */
    char *p = lowfat_malloc(50), *again = hide(p);
    lowfat_free(p);
    again[3] = 1;
    for (int i = 0; i < 10000; i++)
        lowfat_free(lowfat_malloc(50));
}

static const struct {
    const char *name;
    void (*run)(void);
    const char *expected;
    const char *options; /* a case runs when the options of the process are these */
} cases[] = {
#define CASE(f, text) {#f, f, text, ""}
    CASE(double_free, "free already"),
    CASE(double_free_later, "free already"),
    CASE(double_free_large, "free already"),
    CASE(double_free_remote, "free already"),
    CASE(double_free_by_other, "free already"),
    CASE(double_free_at_once, "free already"),
    CASE(interior, "offset 16"),
    CASE(interior_odd, "not the base"),
    CASE(interior_large, "offset 4096"),
    CASE(interior_huge, "not the base"),
    CASE(stack_object, "not from this allocator"),
    CASE(lowfat_stack_object, "is on the stack"),
    CASE(global_object, "not from this allocator"),
    CASE(code, "not from this allocator"),
    CASE(small_integer, "not from this allocator"),
    CASE(map_failed, "not from this allocator"),
    CASE(never_allocated, "ever allocated"),
    CASE(far_beyond, "ever allocated"),
    CASE(realloc_freed, "realloc("),
    CASE(realloc_interior, "offset 8"),
    CASE(usable_freed, "malloc_usable_size("),
    CASE(sized_wrong, "does not fit"),
    CASE(aligned_wrong, "does not fit"),
    {"overflow", overflow, "behind the object", "exact=1"},
    {"use_after_free", use_after_free, "after it was freed", "fill=1,quarantine=64k"},
    {"double_free", double_free, "free already", "fill=1,quarantine=64k"},
    {"interior", interior, "offset 16", "exact=1"},
};

static void run_case(size_t i) {
    int fd[2];
    CHECK(pipe(fd) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(fd[1], 2);
        close(fd[0]);
        cases[i].run();
        _exit(0);
    }
    close(fd[1]);
    static char text[65536];
    size_t used = 0;
    ssize_t n;
    while ((n = read(fd[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)n;
    text[used] = '\0';
    close(fd[0]);
    int status;
    waitpid(child, &status, 0);
    bool aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    bool said = strncmp(text, "lowfat: ", 8) == 0 && strstr(text, cases[i].expected) != NULL;
    bool traced = strstr(text, "called from") != NULL && strstr(text, "errors") != NULL;
    if (!aborted || !said || !traced) {
        fprintf(stderr, "case %s: status %d, said:\n%s\n", cases[i].name, status, text);
        exit(1);
    }
}

static struct lowfat_error_info last;
static void remember(const struct lowfat_error_info *info) { last = *info; }

/* With a handler the call does nothing and the program goes on. */
static void with_handler(void) {
    CHECK(lowfat_set_error_handler(remember) == NULL);
    char *p = lowfat_malloc(100);
    lowfat_free(p + 32);
    CHECK(last.error == LOWFAT_ERROR_INTERIOR_FREE && last.ptr == p + 32 && last.base == p && last.size == 112);
    CHECK(last.class_id == lowfat_class_of_size(100) && last.kind == LOWFAT_KIND_HEAP);
    CHECK(lowfat_is_live(p));
    lowfat_free(p);
    CHECK(!lowfat_is_live(p));
    last.error = 0;
    lowfat_free(hide(p));
    CHECK(last.error == LOWFAT_ERROR_DOUBLE_FREE);
    CHECK(lowfat_realloc(hide(p), 10) == NULL && lowfat_malloc_usable_size(p) == 0);
    lowfat_report(LOWFAT_ERROR_BOUNDS, "test", p);
    CHECK(last.error == LOWFAT_ERROR_BOUNDS && strcmp(last.operation, "test") == 0);
    CHECK(lowfat_set_error_handler(NULL) == remember);
}

int main(void) {
    const char *options = getenv("LOWFAT_OPTIONS");
    size_t run = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].options, options ? options : "") == 0) {
            run_case(i);
            run++;
        }
    CHECK(run > 0);
    with_handler();
    printf("errors: %zu cases\n", run);
    return 0;
}

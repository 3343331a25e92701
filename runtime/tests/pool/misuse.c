/* misuse.c - what is no free is reported, as lowfat_free reports it, and changes nothing. */
#include "check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *hide(void *p) {
    __asm__ volatile("" : "+r"(p));
    return p;
}

static enum lowfat_error last;
static int reports;
static void remember(const struct lowfat_error_info *info) {
    last = info->error;
    reports++;
}

static void reported(struct lowfat_pool *pool, void *ptr, enum lowfat_error error) {
    size_t before = lowfat_pool_consumed_unmanaged(pool);
    reports = 0;
    lowfat_pool_free(pool, hide(ptr));
    CHECK(reports == 1 && last == error);
    reports = 0;
    lowfat_pool_array_free(pool, hide(ptr));
    CHECK(reports == 1 && last == error);
    CHECK(lowfat_pool_consumed_unmanaged(pool) == before);
}

static void frees(void) {
    struct lowfat_pool *pool = lowfat_pool_create(1 << 16, 64, 0), *other = pool_of(10);
    int local = 0;
    char *plain = lowfat_pool_new(pool, 10), *heap = lowfat_malloc(10), *theirs = lowfat_pool_malloc(other, 100);
    static const size_t sizes[] = {8, 16, 32, 64, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i];
        char *p = lowfat_pool_malloc(pool, size), *neighbour = lowfat_pool_malloc(pool, size);
        reported(pool, p + 1, LOWFAT_ERROR_INTERIOR_FREE);
        reported(pool, p + size / 2, LOWFAT_ERROR_INTERIOR_FREE);
        reported(pool, p + size - 1, LOWFAT_ERROR_INTERIOR_FREE);
        lowfat_pool_free(pool, p);
        reported(pool, p, LOWFAT_ERROR_DOUBLE_FREE); /* its neighbour lives */
        lowfat_pool_free(pool, neighbour);
        reported(pool, p, LOWFAT_ERROR_DOUBLE_FREE);
        reported(pool, neighbour, LOWFAT_ERROR_DOUBLE_FREE);
    }
    reported(pool, &local, LOWFAT_ERROR_FOREIGN_FREE);
    reported(pool, heap, LOWFAT_ERROR_FOREIGN_FREE);
    reported(pool, theirs, LOWFAT_ERROR_FOREIGN_FREE);
    reported(pool, pool, LOWFAT_ERROR_FOREIGN_FREE);
    reported(pool, (void *)8, LOWFAT_ERROR_FOREIGN_FREE);
    reported(pool, plain, LOWFAT_ERROR_UNALLOCATED_FREE);
    struct lowfat_pool *inner = lowfat_pool_create_in(pool, 1000, 0, 0);
    reported(pool, inner, LOWFAT_ERROR_INTERIOR_FREE);
    reported(pool, lowfat_pool_malloc(inner, 8), LOWFAT_ERROR_INTERIOR_FREE);
    lowfat_free(heap);
    lowfat_pool_destroy(other);
    lowfat_pool_destroy(pool);
}

static void arrays(void) {
    enum { BLOCKS = 400 };
    static void *held[BLOCKS + 1];
    struct lowfat_pool *pool = pool_of(BLOCKS);
    struct lowfat_pool_array *whole = lowfat_pool_array_new(pool, 100, 4);
    reported(pool, LOWFAT_POOL_AT(int, whole, 0), LOWFAT_ERROR_INTERIOR_FREE);
    lowfat_pool_array_free(pool, whole);
    reported(pool, whole, LOWFAT_ERROR_DOUBLE_FREE);
    void *object = lowfat_pool_malloc(pool, 100);
    reports = 0;
    lowfat_pool_array_free(pool, object); /* no array */
    CHECK(reports == 1 && last == LOWFAT_ERROR_INTERIOR_FREE);
    fragment(pool, held);
    struct lowfat_pool_array *pieces = lowfat_pool_array_new(pool, 500, 4);
    CHECK(pieces && lowfat_pool_array_levels(pieces) > 0);
    for (size_t i = 0; i < 500; i += 7)
        reported(pool, LOWFAT_POOL_AT(int, pieces, i), LOWFAT_ERROR_INTERIOR_FREE);
    reported(pool, pieces->top, LOWFAT_ERROR_INTERIOR_FREE);
    lowfat_pool_free(pool, pieces);
    reported(pool, pieces, LOWFAT_ERROR_DOUBLE_FREE);
    lowfat_pool_destroy(pool);
}

/* ---- ends the process ---- */

/* Writes to a free block of 64 bytes; the next pool operation that needs its links must not follow them. */
static void written_after_free(unsigned char pattern) {
    struct lowfat_pool *pool = pool_of(100);
    void *first = lowfat_pool_malloc(pool, 64), *wall = lowfat_pool_malloc(pool, 64), *second = lowfat_pool_malloc(pool, 64);
    void *end = lowfat_pool_malloc(pool, 64);
    lowfat_pool_free(pool, first);
    lowfat_pool_free(pool, second);
    memset(hide(second), pattern, 8);
    for (int i = 0; i < 50; i++)
        __asm__ volatile("" : : "r"(lowfat_pool_malloc(pool, 64)));
    lowfat_pool_free(pool, wall);
    lowfat_pool_free(pool, end);
    _exit(0);
}
static void written_zero(void) { written_after_free(0); }
static void written_ones(void) { written_after_free(0xff); }
static void written_text(void) { written_after_free('a'); }
static void double_free(void) {
    struct lowfat_pool *pool = pool_of(10);
    void *p = lowfat_pool_malloc(pool, 40);
    lowfat_pool_free(pool, p);
    lowfat_pool_free(pool, hide(p));
}

static void dies(void (*crime)(void), const char *words) {
    int ends[2];
    static char text[4096];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        lowfat_set_error_handler(NULL);
        crime();
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t n; (n = read(ends[0], text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)n;
    text[used] = 0;
    close(ends[0]);
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK(strstr(text, words) != NULL);
}

int main(void) {
    lowfat_set_error_handler(remember);
    frees();
    arrays();
    dies(double_free, "lowfat_pool_free");
    dies(double_free, "double free");
    dies(written_zero, "written to after it was freed");
    dies(written_ones, "written to after it was freed");
    dies(written_text, "written to after it was freed");
    return 0;
}

/* api.c - class I as its standards say, bad input included.  Uses the standard names: linked with liblowfat.a. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);

static pid_t started_as;

/* Keeps the compiler from knowing sizes and from removing calls. */
static size_t opaque(size_t n) {
    __asm__ volatile("" : "+r"(n));
    return n;
}

/* The object at `base` is the one `p` points into, as far as the mode can tell. */
static int belongs(const void *p, const void *base) {
    return lowfat_base(p) == (lowfat_mode() == LOWFAT_MODE_PLAIN ? NULL : base);
}

#define FAILS(call, error)                   \
    do {                                     \
        errno = 0;                           \
        void *result_ = (void *)(call);      \
        __asm__ volatile("" : "+r"(result_)); \
        CHECK(result_ == NULL);              \
        CHECK(errno == (error));             \
    } while (0)

static void sizes(void) {
    void *a = malloc(opaque(0)), *b = malloc(opaque(0));
    CHECK(a != NULL && b != NULL && a != b);
    free(a);
    free(b);
    FAILS(malloc(opaque(PTRDIFF_MAX)), ENOMEM);
    FAILS(malloc(opaque((size_t)PTRDIFF_MAX + 1)), ENOMEM);
    FAILS(malloc(opaque(SIZE_MAX)), ENOMEM);
    FAILS(malloc(opaque(SIZE_MAX - 8)), ENOMEM);
    FAILS(malloc(opaque((size_t)1 << 46)), ENOMEM);
    FAILS(calloc(opaque(SIZE_MAX), opaque(2)), ENOMEM);
    FAILS(calloc(opaque((size_t)1 << 32), opaque((size_t)1 << 32)), ENOMEM);
    FAILS(valloc(opaque(SIZE_MAX)), ENOMEM);
    FAILS(pvalloc(opaque(SIZE_MAX)), ENOMEM);
    void *z = calloc(opaque(0), opaque(SIZE_MAX));
    CHECK(z != NULL);
    free(z);
    errno = 77;
    free(malloc(opaque(100)));
    free(NULL);
    free(malloc(opaque(10000000)));
    CHECK(errno == 77); /* success leaves errno alone, and so does free */
}

static void reallocation(void) {
    char *p = realloc(NULL, opaque(10));
    CHECK(p != NULL);
    strcpy(p, "contents");
    FAILS(realloc(p, opaque(SIZE_MAX)), ENOMEM);
    FAILS(reallocarray(p, opaque(SIZE_MAX / 2), opaque(3)), ENOMEM);
    FAILS(realloc(p, opaque((size_t)1 << 46)), ENOMEM);
    CHECK(strcmp(p, "contents") == 0); /* failure keeps the object */
    static const size_t steps[] = {40, 400, 5000, 70000, 140000, 300000, 900000, 40000000, 3000000, 60000, 30, 9};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        p = realloc(p, opaque(steps[i]));
        CHECK(p != NULL && strcmp(p, "contents") == 0 && belongs(p, p));
        CHECK(malloc_usable_size(p) >= steps[i]);
        memset(p + 9, 1, steps[i] - 9); /* all of it is writable */
    }
    p = realloc(p, opaque(1000000));
    FAILS(realloc(p, opaque(SIZE_MAX)), ENOMEM); /* of a large object, too */
    p[999999] = 1;
    p = reallocarray(p, opaque(10), opaque(10));
    CHECK(p != NULL && strcmp(p, "contents") == 0);
    CHECK(realloc(p, opaque(0)) == NULL);
    CHECK(malloc_usable_size(NULL) == 0);
}

static void fill_from(uint64_t *p, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        p[i] = i * 0x9E3779B97F4A7C15u;
}
static void check_filled(const uint64_t *p, size_t count) {
    for (size_t i = 0; i < count; i++)
        CHECK(p[i] == i * 0x9E3779B97F4A7C15u);
}

static long faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static void wait_for(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* Large objects that grow from slot to slot, whose pages the system moves where it can: by steps of odd sizes, several at a time,
 * in slots that were in use before, and (`forked`) with pages that another process shares. */
static void growth(int forked) {
    enum { OBJECTS = 3 };
    uint64_t *objects[OBJECTS];
    for (int round = 0; round < 2; round++) {
        size_t count[OBJECTS];
        for (int i = 0; i < OBJECTS; i++) {
            count[i] = 100000 + (size_t)i * 77777;
            objects[i] = malloc(count[i] * 8);
            fill_from(objects[i], 0, count[i]);
        }
        for (int step = 0; step < 5; step++)
            for (int i = 0; i < OBJECTS; i++) {
                size_t more = count[i] * (size_t)(4 + i) / 2 + 123;
                if (forked && step == 2 && i == 1) {
                    pid_t child = fork();
                    if (child == 0)
                        forked = 0;
                    else
                        wait_for(child);
                }
                objects[i] = realloc(objects[i], opaque(more * 8));
                check_filled(objects[i], count[i]);
                fill_from(objects[i], count[i], more);
                count[i] = more;
            }
        for (int i = 0; i < OBJECTS; i++) {
            check_filled(objects[i], count[i]);
            free(objects[i]);
            unsigned char *zeros = calloc(1, opaque((size_t)3 << (20 + i)));
            for (size_t at = 0; at < (size_t)3 << (20 + i); at++)
                CHECK(zeros[at] == 0);
            free(zeros);
        }
    }
    if (getppid() == started_as) /* the child */
        _exit(0);
}

/* Without copying: a copy would touch each of its pages. */
static void growth_moves(void) {
    size_t size = 20u << 20;
    char *p = malloc(size);
    memset(p, 1, size);
    long before = faults();
    p = realloc(p, opaque(2 * size));
    long after = faults();
    CHECK(p != NULL && p[0] == 1 && p[size - 1] == 1);
    CHECK(after - before < (long)(size / 4096 / 8));
    free(p);
}

/* A page that the system refuses to move (mseal, Linux 6.10), amid pages that it moves or not. */
static void growth_in_part(void) {
    pid_t child = fork();
    if (child != 0) {
        wait_for(child);
        return;
    }
    size_t count = 20u << 17;
    uint64_t *p = malloc(count * 8);
    fill_from(p, 0, count);
    syscall(462, (char *)p + (10u << 20), 4096, 0);
    for (int i = 0; i < 3; i++) {
        p = realloc(p, opaque(count * 2 * 8));
        check_filled(p, count);
        fill_from(p, count, count * 2);
        count *= 2;
    }
    check_filled(p, count);
    _exit(0);
}

static void alignment(void) {
    void *out = (void *)1;
    CHECK(posix_memalign(&out, opaque(0), 10) == EINVAL && out == (void *)1);
    CHECK(posix_memalign(&out, opaque(3), 10) == EINVAL && out == (void *)1);
    CHECK(posix_memalign(&out, opaque(4), 10) == EINVAL && out == (void *)1);
    CHECK(posix_memalign(&out, opaque(24), 10) == EINVAL && out == (void *)1);
    errno = 5;
    CHECK(posix_memalign(&out, opaque(64), opaque(SIZE_MAX)) == ENOMEM && out == (void *)1 && errno == 5);
    CHECK(posix_memalign(&out, opaque((size_t)1 << 63), 10) == ENOMEM && out == (void *)1);
    FAILS(aligned_alloc(opaque(0), 10), EINVAL);
    FAILS(aligned_alloc(opaque(48), 10), EINVAL);
    FAILS(aligned_alloc(opaque((size_t)1 << 62), 10), ENOMEM);
    FAILS(aligned_alloc(opaque(64), opaque(SIZE_MAX - 3)), ENOMEM);
    FAILS(memalign(opaque(SIZE_MAX), 10), EINVAL);
    for (size_t align = 1; align <= (size_t)1 << 30; align *= 2)
        for (size_t size = 0; size <= 200000; size = size * 3 + 1) {
            char *p = aligned_alloc(opaque(align), opaque(size));
            CHECK(p != NULL && (uintptr_t)p % align == 0);
            CHECK(belongs(p, p) && lowfat_size(p) >= size);
            memset(p, 1, size);
            if (size > 0)
                CHECK(belongs(p + size - 1, p));
            if (size % 2)
                free_aligned_sized(p, align, size);
            else
                free(p);
        }
    char *p = memalign(opaque(48), opaque(100));
    CHECK(p != NULL && (uintptr_t)p % 64 == 0);
    free_sized(p, 100);
    p = valloc(opaque(1));
    CHECK(p != NULL && (uintptr_t)p % 4096 == 0);
    free(p);
    p = pvalloc(opaque(4097));
    CHECK(p != NULL && (uintptr_t)p % 4096 == 0 && malloc_usable_size(p) >= 8192);
    free(p);
}

/* More objects of the largest class than its region has slots, and objects above all classes.  Untouched, so they cost
 * address space only; a machine may still refuse. */
static void very_large(void) {
    char *objects[6];
    for (int i = 0; i < 6; i++) {
        errno = 0;
        objects[i] = malloc(opaque(((size_t)9 << 30) * (i < 4 ? 1 : 4)));
        CHECK(objects[i] != NULL || errno == ENOMEM);
    }
    for (int i = 0; i < 6; i++) {
        char *p = objects[i];
        size_t size = ((size_t)9 << 30) * (i < 4 ? 1 : 4);
        if (p == NULL) {
            fprintf(stderr, "api: no memory for object %d of %zu bytes\n", i, size);
            continue;
        }
        CHECK(lowfat_is_heap_ptr(p + size - 1) && lowfat_base(p + size - 1) == p && lowfat_size(p) >= size);
        CHECK(lowfat_usable_size(p + 12345) == lowfat_size(p) - 12345 && lowfat_offset(p + size / 2) == size / 2);
        CHECK(lowfat_is_live(p + size / 2));
        p[size - 1] = 1;
    }
    if (objects[5]) {
        char *p = realloc(objects[5], opaque((size_t)50 << 30)); /* in place or ENOMEM */
        CHECK(p == NULL || p[((size_t)36 << 30) - 1] == 1);
        objects[5] = p ? p : objects[5];
    }
    for (int i = 0; i < 6; i++) {
        uintptr_t address = opaque((uintptr_t)objects[i]);
        free(objects[i]);
        CHECK(!lowfat_is_live((void *)address));
    }
}

static void zeroed(void) {
    for (size_t size = 1; size < 3000000; size = size * 2 + 3) {
        char *p = malloc(size);
        CHECK(p != NULL);
        memset(p, 0xee, size);
        free(p);
        p = calloc(opaque(1), opaque(size));
        CHECK(p != NULL);
        for (size_t i = 0; i < size; i++)
            CHECK(p[i] == 0);
        free(p);
    }
}

/* Option past_end=1: the pointer behind the last byte belongs to the object, on the fast path, on the slow one and aligned. */
static void past_end(void) {
    for (size_t n = 0; n <= 300000; n += n < 20000 ? 1 : 977) {
        char *p = malloc(n), *q = n < 20000 ? aligned_alloc(64, n) : NULL;
        CHECK(p != NULL && lowfat_base(p) == p && lowfat_base(p + n) == p);
        CHECK(q == NULL || lowfat_base(q + n) == q);
        free(p);
        free(q);
    }
}

int main(void) {
    const char *options = getenv("LOWFAT_OPTIONS");
    if (options != NULL && strcmp(options, "past_end=1") == 0) /* as tests.mk has it, beside the rest */
        past_end();
    sizes();
    started_as = getpid();
    reallocation();
    growth(0);
    growth(1);
    growth_in_part();
    if (lowfat_mode() == LOWFAT_MODE_ARENA && getenv("LOWFAT_OPTIONS") == NULL)
        growth_moves();
    alignment();
    zeroed();
    if (lowfat_mode() == LOWFAT_MODE_ARENA)
        very_large();
    char *s = strdup("copied by the C library, in our heap");
    CHECK(lowfat_is_heap_ptr(s) == (lowfat_mode() != LOWFAT_MODE_PLAIN));
    free(s);
    s = lowfat_strndup("abcdef", 3);
    CHECK(strcmp(s, "abc") == 0);
    free(s);
    return 0;
}

/* pool.c - the measurements of "malloc() & free() in Scoped Memory" (2015): allocation, mutation and matrix product in
 * fragmented memory, on C's malloc, the traced heap, and a scoped pool whose free memory is in pieces.
 *
 *     pool N ROUNDS      prints "CASE<tab>COLUMN<tab>nanoseconds", the medians of ROUNDS interleaved rounds
 *
 * As in the paper, memory is fragmented by 100 arrays of 1 to 10000 ints, and matrices are arrays of N * N of them. Every second
 * one of the 100 is freed again. The columns of the pool are
 *
 *     pool      as large as the 100 arrays, the matrices, and 20 KB, as in the paper: the matrices find room behind the arrays
 *     holes     without the room for the matrices, if they fit into the holes that the arrays left: they lie there in pieces
 *     blocks    every second block of 64 bytes is taken: pieces of 16 elements, the worst there is */
#define _GNU_SOURCE
#include <lowfat_gc.h>
#include <lowfat_pool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
enum { FRAGMENTS = 100, LONGEST = 10000, SPARE = 20 * 1024, PAIRS = 2000, LIVE = 256 };

typedef struct lowfat_pool_array array;
typedef struct lowfat_pool_view view;

enum column { C_MALLOC, TRACED, POOL, HOLES, BLOCKS, COLUMNS };
static const char *const columns[COLUMNS] = {"C malloc", "traced", "pool", "holes", "blocks"};

enum { ALLOCATION, ALLOCATION_ZERO, OBJECTS, MUTATION, MUTATION_SPANS, ACCESS, PRODUCT, PRODUCT_STRIDED, PRODUCT_ROWS, CASES };
static const char *const cases[CASES] = {
    "allocation",        "zeroed allocation", "objects",            "mutation by element", "mutation by spans",
    "access by spans",   "product by element", "product by strides",  "product by rows"};

static uint64_t clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
/* For what is short; reading it takes some 25 ns, which the times of allocations include. */
static uint64_t now(void) { return clock_ns(CLOCK_MONOTONIC); }
/* Processor time, for what is long enough to be interrupted by other programs. */
static uint64_t now_long(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

static uint64_t random_state = 1;
static uint32_t random_number(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33);
}

static _Noreturn void stop(const char *why) {
    fprintf(stderr, "pool: %s\n", why);
    exit(1);
}

/* ---- the kernels, on C arrays and on those of a pool ---- */

static NOINLINE void c_mutate(int *a, const int *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        a[i] = values[i];
}
static NOINLINE void pool_mutate(array *a, const int *values, size_t n) {
    const view to = LOWFAT_POOL_VIEW(int, a);
    for (size_t i = 0; i < n; i++)
        *LOWFAT_POOL_IN(int, &to, i) = values[i];
}
static NOINLINE void pool_mutate_spans(array *a, const int *values, size_t n) {
    LOWFAT_POOL_SPANS(int, p, m, a, 0, n) {
        for (size_t i = 0; i < m; i++)
            p[i] = values[i];
        values += m;
    }
}

static NOINLINE long c_sum(const int *a, size_t n) {
    long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
static NOINLINE long pool_sum(const array *a, size_t n) {
    long sum = 0;
    LOWFAT_POOL_SPANS(int, p, m, a, 0, n)
        for (size_t i = 0; i < m; i++)
            sum += p[i];
    return sum;
}

static NOINLINE void c_product(int *c, const int *a, const int *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
static NOINLINE void pool_product(array *c, const array *a, const array *b, size_t n) {
    const view to = LOWFAT_POOL_VIEW(int, c), left = LOWFAT_POOL_VIEW(int, a), right = LOWFAT_POOL_VIEW(int, b);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += *LOWFAT_POOL_IN(int, &left, i * n + k) * *LOWFAT_POOL_IN(int, &right, k * n + j);
            *LOWFAT_POOL_IN(int, &to, i * n + j) = sum;
        }
}
/* Copies a row of a matrix. */
static inline void gather(int *to, const array *a, size_t row, size_t n) {
    LOWFAT_POOL_SPANS(int, p, m, a, row * n, row * n + n) {
        memcpy(to, p, m * sizeof *p);
        to += m;
    }
}
/* The same order: a row is gathered once, and meets what lies at equal distances of a column. */
static NOINLINE void pool_product_strided(array *c, const array *a, const array *b, size_t n) {
    const view to = LOWFAT_POOL_VIEW(int, c), right = LOWFAT_POOL_VIEW(int, b);
    int row[n];
    for (size_t i = 0; i < n; i++) {
        gather(row, a, i, n);
        for (size_t j = 0; j < n; j++) {
            int sum = 0;
            const int *from = row;
            LOWFAT_POOL_STRIDED(int, p, m, &right, j, n, n)
                for (const int *stop = from + m; from != stop; from++, p += n)
                    sum += *from * *p;
            *LOWFAT_POOL_IN(int, &to, i * n + j) = sum;
        }
    }
}

static NOINLINE void c_product_rows(int *c, const int *a, const int *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (size_t k = 0; k < n; k++) {
            int x = a[i * n + k];
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += x * b[k * n + j];
        }
    }
}
/* The same order, with the rows of a and c in local variables, while b is walked through, span by span. */
static NOINLINE void pool_product_rows(array *c, const array *a, const array *b, size_t n) {
    int row[n], sums[n];
    for (size_t i = 0; i < n; i++) {
        const int *x = row;
        int *to = sums, *all = sums + n;
        gather(row, a, i, n);
        memset(sums, 0, sizeof sums);
        LOWFAT_POOL_SPANS(int, p, m, b, 0, n * n)
            for (const int *end = p + m; p != end;) { /* what is left of a row */
                int *stop = all - to < end - p ? all : to + (end - p);
                for (int factor = *x; to != stop; to++, p++)
                    *to += factor * *p;
                if (to == all)
                    to = sums, x++;
            }
        const int *from = sums;
        LOWFAT_POOL_SPANS(int, p, m, c, i * n, i * n + n) {
            memcpy(p, from, m * sizeof *p);
            from += m;
        }
    }
}

/* ---- the memories ---- */

static struct lowfat_pool *pools[COLUMNS];
static size_t fragments[FRAGMENTS];
static void **kept[COLUMNS]; /* what stays allocated, so that the memory stays fragmented */

static void *take(enum column column, size_t ints) {
    void *p = column == C_MALLOC ? malloc(ints * sizeof(int))
              : column == TRACED ? lowfat_gc_malloc_atomic(ints * sizeof(int))
                                 : (void *)lowfat_pool_array_new(pools[column], ints, sizeof(int));
    if (!p)
        stop("out of memory");
    return p;
}
static void *take_zero(enum column column, size_t ints) {
    void *p = column == C_MALLOC ? calloc(ints, sizeof(int))
              : column == TRACED ? lowfat_gc_malloc(ints * sizeof(int))
                                 : (void *)lowfat_pool_array_new_zero(pools[column], ints, sizeof(int));
    if (!p)
        stop("out of memory");
    return p;
}
static void give(enum column column, void *p) {
    if (column == C_MALLOC)
        free(p);
    else if (column == TRACED)
        lowfat_gc_free(p);
    else
        lowfat_pool_free(pools[column], p);
}

static void fragment(enum column column, size_t cells) {
    size_t all = SPARE;
    for (size_t i = 0; i < FRAGMENTS; i++)
        all += 64 + fragments[i] * sizeof(int);
    if (column == POOL)
        all += 3 * (64 + cells * sizeof(int));
    else if (cells > LONGEST)
        all += 2 * cells * sizeof(int);
    kept[column] = lowfat_gc_calloc(FRAGMENTS + 4 * (all + 3 * cells * sizeof(int)) / 64, sizeof(void *));
    lowfat_gc_add_roots(&kept[column], &kept[column] + 1);
    if (column == BLOCKS) {
        size_t n = 0;
        pools[column] = lowfat_pool_create(2 * (SPARE + 3 * cells * sizeof(int) * 9 / 8), 0, LOWFAT_POOL_PRIVATE);
        while ((kept[column][n] = lowfat_pool_malloc(pools[column], LOWFAT_POOL_BLOCK)) != NULL)
            n++;
        for (size_t i = 0; i < n; i += 2)
            lowfat_pool_free(pools[column], kept[column][i]);
        return;
    }
    if (column == POOL || column == HOLES)
        pools[column] = lowfat_pool_create(all, 0, LOWFAT_POOL_PRIVATE);
    for (size_t i = 0; i < FRAGMENTS; i++)
        kept[column][i] = take(column, fragments[i]);
    for (size_t i = 0; i < FRAGMENTS; i += 2) {
        give(column, kept[column][i]);
        kept[column][i] = NULL;
    }
}

/* ---- one round ---- */

/* Three matrices, a hundred times; per time. */
static double time_allocation(enum column column, size_t cells, void *get(enum column, size_t)) {
    enum { TIMES = 100 };
    uint64_t spent = 0;
    for (int i = 0; i < TIMES; i++) {
        void *three[3];
        uint64_t start = now();
        for (int k = 0; k < 3; k++)
            three[k] = get(column, cells);
        spent += now() - start;
        for (int k = 0; k < 3; k++)
            give(column, three[k]);
    }
    return (double)spent / TIMES;
}

static void *take_object(enum column column, size_t size) {
    return column == C_MALLOC ? malloc(size)
           : column == TRACED ? lowfat_gc_malloc_atomic(size)
                              : lowfat_pool_malloc(pools[column], size);
}

/* Objects of 1 to 64 bytes that come and go; per object. */
static double time_objects(enum column column) {
    static void *objects[LIVE];
    uint64_t start = now();
    for (int i = 0; i < PAIRS; i++) {
        size_t at = random_number() % LIVE;
        give(column, objects[at]);
        if (!(objects[at] = take_object(column, 1 + random_number() % 64)))
            stop("out of memory");
    }
    uint64_t spent = now() - start;
    for (size_t i = 0; i < LIVE; i++) {
        give(column, objects[i]);
        objects[i] = NULL;
    }
    return (double)spent / PAIRS;
}

/* The second of two times, when all that fits into the caches is there. */
#define TIME(result, ...)                            \
    for (int time_ = 0; time_ < 2; time_++) {        \
        uint64_t start_ = now_long();                \
        __VA_ARGS__;                                 \
        (result) = (double)(now_long() - start_);    \
    }

static void measure_c(int *m[3], const int *values, size_t n, double *ns, long *check) {
    TIME(ns[MUTATION], c_mutate(m[0], values, n * n); c_mutate(m[1], values + n, n * n));
    TIME(ns[MUTATION_SPANS], c_mutate(m[0], values, n * n); c_mutate(m[1], values + n, n * n));
    TIME(ns[ACCESS], check[0] = c_sum(m[0], n * n) + c_sum(m[1], n * n));
    TIME(ns[PRODUCT], c_product(m[2], m[0], m[1], n));
    check[1] = c_sum(m[2], n * n);
    ns[PRODUCT_STRIDED] = ns[PRODUCT];
    TIME(ns[PRODUCT_ROWS], c_product_rows(m[2], m[0], m[1], n));
    check[2] = c_sum(m[2], n * n);
}

static void measure_pool(array *m[3], const int *values, size_t n, double *ns, long *check) {
    TIME(ns[MUTATION], pool_mutate(m[0], values, n * n); pool_mutate(m[1], values + n, n * n));
    TIME(ns[MUTATION_SPANS], pool_mutate_spans(m[0], values, n * n); pool_mutate_spans(m[1], values + n, n * n));
    TIME(ns[ACCESS], check[0] = pool_sum(m[0], n * n) + pool_sum(m[1], n * n));
    TIME(ns[PRODUCT], pool_product(m[2], m[0], m[1], n));
    check[1] = pool_sum(m[2], n * n);
    TIME(ns[PRODUCT_STRIDED], pool_product_strided(m[2], m[0], m[1], n));
    if (check[1] != pool_sum(m[2], n * n))
        stop("results differ");
    TIME(ns[PRODUCT_ROWS], pool_product_rows(m[2], m[0], m[1], n));
    check[2] = pool_sum(m[2], n * n);
}

static void measure(enum column column, const int *values, size_t n, double *ns) {
    static long expected[3];
    static int known;
    long check[3];
    void *m[3];
    ns[ALLOCATION] = time_allocation(column, n * n, take);
    ns[ALLOCATION_ZERO] = time_allocation(column, n * n, take_zero);
    ns[OBJECTS] = time_objects(column);
    for (int k = 0; k < 3; k++)
        m[k] = take_zero(column, n * n);
    if (column == C_MALLOC || column == TRACED)
        measure_c((int **)m, values, n, ns, check);
    else
        measure_pool((array **)m, values, n, ns, check);
    if (column >= POOL && (lowfat_pool_array_levels(m[2]) == 0) != (column == POOL))
        stop("the matrices do not lie as they should");
    for (int k = 0; k < 3; k++)
        give(column, m[k]);
    if (!known)
        memcpy(expected, check, sizeof check);
    known = 1;
    if (memcmp(expected, check, sizeof check) || check[1] != check[2])
        stop("results differ");
}

static int ascending(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }

/* ---- the worst allocation ---- */

/* Greatest and 99.9th percentile of single allocations of 1 to 1000 bytes, nanoseconds. */
static void worst(enum column column, long count) {
    static void *objects[LIVE];
    double *ns = malloc((size_t)count * sizeof *ns);
    for (long i = 0; i < count; i++) {
        size_t at = random_number() % LIVE, size = 1 + random_number() % 1000;
        give(column, objects[at]);
        uint64_t start = now();
        objects[at] = take_object(column, column == BLOCKS ? size % 64 + 1 : size);
        ns[i] = (double)(now() - start);
    }
    for (size_t i = 0; i < LIVE; i++) {
        give(column, objects[i]);
        objects[i] = NULL;
    }
    qsort(ns, (size_t)count, sizeof *ns, ascending);
    printf("single allocation, median\t%s\t%.0f\n", columns[column], ns[count / 2]);
    printf("single allocation, 99.9 %%\t%s\t%.0f\n", columns[column], ns[count - count / 1000 - 1]);
    printf("single allocation, worst\t%s\t%.0f\n", columns[column], ns[count - 1]);
    free(ns);
}

int main(int argc, char **argv) {
    size_t n = argc > 1 ? (size_t)atol(argv[1]) : 100, rounds = argc > 2 ? (size_t)atol(argv[2]) : 11;
    if (n < 2 || n > 5000 || rounds < 1)
        stop("usage: pool N ROUNDS");
    int *values = malloc((n * n + n) * sizeof *values);
    double *ns = malloc(COLUMNS * CASES * rounds * sizeof *ns), one[CASES];
    for (size_t i = 0; i < n * n + n; i++)
        values[i] = (int)(random_number() % 1000);
    for (size_t i = 0; i < FRAGMENTS; i++)
        fragments[i] = 1 + random_number() % LONGEST;
    for (enum column column = 0; column < COLUMNS; column++)
        fragment(column, n * n);
    for (size_t round = 0; round < rounds + 1; round++)
        for (size_t turn = 0; turn < COLUMNS; turn++) {
            enum column column = (enum column)((turn + round) % COLUMNS);
            measure(column, values, n, one);
            for (size_t i = 0; round > 0 && i < CASES; i++) /* the first round warms up */
                ns[(column * CASES + i) * rounds + round - 1] = one[i];
        }
    for (size_t i = 0; i < CASES; i++)
        for (size_t column = 0; column < COLUMNS; column++) {
            double *samples = &ns[(column * CASES + i) * rounds];
            qsort(samples, rounds, sizeof *samples, ascending);
            printf("%s\t%s\t%.1f\n", cases[i], columns[column], samples[rounds / 2]);
        }
    for (enum column column = 0; column < COLUMNS; column++)
        worst(column, (long)rounds * 10000);
    return 0;
}

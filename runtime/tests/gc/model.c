/* model.c - random programs against a model.
 *
 * A shadow graph, invisible to the collector, says what every object holds and points to.  Random operations make objects of
 * all kinds and sizes, redirect pointers (to interiors too), set and clear roots, free by hand, resize, and collect. After each
 * collection everything the shadow's roots reach must be alive with its contents, and of the rest nearly all must be gone.
 *
 * model SECONDS [SEED [THREADS]]: each thread has a graph of its own; all share the heap. */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { SLOTS = 600, ROOTS = 24, LINKS = 4 };
enum kind { SCANNED, LAID_OUT, ATOMIC, MALLOCED, KINDS };

/* Every object begins so; the contents behind are a pattern of its number.  LAID_OUT objects have the links hidden twice in
 * words that the layout leaves out, which keep nothing. */
struct object {
    void *link[LINKS];
    uint64_t number;
    uintptr_t decoy;
    unsigned char pattern[];
};
static const uint64_t object_map[] = {0xf};

struct shadow {
    hidden address; /* 0: none */
    enum kind kind;
    size_t size;
    uint64_t number;
    int link[LINKS]; /* index or -1 */
    size_t offset[LINKS];
    int reached;
};

struct world {
    struct shadow *shadow; /* from the C library's malloc: not scanned */
    void *volatile *roots; /* a scanned array, of malloc or a traced object */
    int root[ROOTS];
    uint64_t random, numbers;
    size_t collections, gone, kept;
    uint64_t last; /* the heap's number of collections at the last comparison */
};

static struct lowfat_gc_layout layouts[200]; /* by words */
static atomic_int stop;

static uint64_t pick(struct world *w, uint64_t below) { return test_random(&w->random) % below; }

static struct object *at(const struct shadow *s) { return (struct object *)~s->address; }

/* While no root leads to an object, a variable declared so keeps it: other threads may collect at any time, and the shadow's
 * addresses are hidden. */
#define KEEP(object) void *volatile keep __attribute__((unused)) = (object)

static unsigned char pattern(const struct shadow *s, size_t i) { return (unsigned char)(s->number * 31 + i * 7); }

static void fill(struct shadow *s) {
    struct object *o = at(s);
    o->number = s->number;
    for (size_t i = 0; i < s->size - sizeof *o; i++)
        o->pattern[i] = pattern(s, i);
}

static void verify(const struct shadow *s, const struct shadow *all) {
    const struct object *o = at(s);
    CHECK(o->number == s->number);
    for (size_t i = 0; i < s->size - sizeof *o; i++)
        CHECK(o->pattern[i] == pattern(s, i));
    if (s->kind == ATOMIC)
        return;
    for (int i = 0; i < LINKS; i++)
        CHECK(o->link[i] == (s->link[i] < 0 ? NULL : (char *)at(&all[s->link[i]]) + s->offset[i]));
}

static size_t random_size(struct world *w) {
    uint64_t choice = pick(w, 1000);
    size_t most = choice < 900 ? 200 : choice < 990 ? 3000 : choice < 999 ? 40000 : 600000;
    return sizeof(struct object) + pick(w, most);
}

/* Layouts repeat; the pattern behind the first element's links must not look like pointers, which small bytes do not. */
static void *allocate(enum kind kind, size_t size) {
    size_t words = (size + 7) / 8;
    if (kind == LAID_OUT && words < 64) {
        struct lowfat_gc_layout *layout = &layouts[words];
        return lowfat_gc_malloc_layout(words * 8, layout);
    }
    return kind == ATOMIC ? lowfat_gc_malloc_atomic(size) : kind == MALLOCED ? lowfat_calloc(1, size)
                                                                             : lowfat_gc_malloc(size);
}

static void reach_from(struct world *w, int index) {
    static _Thread_local int stack[SLOTS * LINKS + 1];
    int top = 0;
    stack[top++] = index;
    while (top > 0) {
        struct shadow *s = &w->shadow[stack[--top]];
        if (s->reached)
            continue;
        s->reached = 1;
        for (int k = 0; k < LINKS && s->kind != ATOMIC; k++)
            if (s->link[k] >= 0)
                stack[top++] = s->link[k];
    }
}

static void reach(struct world *w) {
    for (int i = 0; i < SLOTS; i++)
        w->shadow[i].reached = 0;
    for (int r = 0; r < ROOTS; r++)
        if (w->root[r] >= 0)
            reach_from(w, w->root[r]);
}

/* An object that a root reaches; others may be gone already and must not be touched. -1: none. */
static int walk(struct world *w) {
    int at = w->root[pick(w, ROOTS)];
    for (uint64_t steps = pick(w, 6); at >= 0 && steps > 0; steps--) {
        int next = w->shadow[at].kind == ATOMIC ? -1 : w->shadow[at].link[pick(w, LINKS)];
        if (next >= 0)
            at = next;
    }
    return at;
}

static void set_root(struct world *w, int r, int index) {
    w->root[r] = index;
    w->roots[r] = index < 0 ? NULL : (char *)at(&w->shadow[index]) + pick(w, w->shadow[index].size);
}

static void set_link(struct world *w, int from, int k, int to, size_t offset) {
    struct shadow *s = &w->shadow[from];
    s->link[k] = to;
    s->offset[k] = offset;
    if (s->reached)
        at(s)->link[k] = to < 0 ? NULL : (char *)at(&w->shadow[to]) + offset;
}

/* All that points to an object points to its base, which may be new, or nowhere. */
static void redirect(struct world *w, int index, int to) {
    for (int i = 0; i < SLOTS; i++)
        for (int k = 0; k < LINKS; k++)
            if (w->shadow[i].address && w->shadow[i].kind != ATOMIC && w->shadow[i].link[k] == index)
                set_link(w, i, k, to, 0);
    for (int r = 0; r < ROOTS; r++)
        if (w->root[r] == index)
            set_root(w, r, to);
}

static void make(struct world *w, int index) {
    struct shadow *s = &w->shadow[index];
    if (s->address)
        return;
    s->kind = (enum kind)pick(w, KINDS);
    s->size = random_size(w);
    s->number = ++w->numbers;
    struct object *o = allocate(s->kind, s->size);
    KEEP(o);
    CHECK(o);
    if (s->kind == SCANNED || s->kind == LAID_OUT)
        for (size_t i = 0; i < s->size; i++)
            CHECK(((unsigned char *)o)[i] == 0);
    s->address = hide(o);
    for (int i = 0; i < LINKS; i++)
        s->link[i] = -1;
    fill(s);
    set_root(w, (int)pick(w, ROOTS), index);
}

static void link_objects(struct world *w, int from, int to) {
    if (from < 0 || to < 0 || w->shadow[from].kind == ATOMIC)
        return;
    w->shadow[from].reached = 1;
    set_link(w, from, (int)pick(w, LINKS), to, pick(w, 2) ? 0 : pick(w, w->shadow[to].size));
}

static void resize(struct world *w, int index) {
    struct shadow *s = &w->shadow[index];
    if (index < 0 || s->kind == MALLOCED || s->kind == LAID_OUT)
        return;
    struct shadow before = *s;
    size_t size = random_size(w);
    reach(w);
    struct object *o = lowfat_gc_realloc(at(s), size);
    KEEP(o);
    CHECK(o);
    s->address = hide(o);
    s->size = size;
    for (size_t i = 0; i < (size < before.size ? size : before.size) - sizeof *o; i++)
        CHECK(o->pattern[i] == pattern(&before, i));
    fill(s);
    redirect(w, index, index);
}

static void release(struct world *w, int index) {
    if (index < 0)
        return;
    struct shadow *s = &w->shadow[index];
    KEEP(at(s));
    reach(w);
    redirect(w, index, -1);
    if (s->kind == MALLOCED)
        lowfat_free(at(s));
    else
        lowfat_gc_free(at(s));
    s->address = 0;
}

/* Then forgets everything that was not reached.  Whether it is gone can be told only if no other collection came since the last
 * comparison: its slot might be in use again. */
static void collect_and_compare(struct world *w, int alone) {
    reach(w);
    alone = alone && stats_now().collections == w->last;
    clear_stack();
    lowfat_gc_collect();
    w->collections++;
    w->last = stats_now().collections;
    for (int i = 0; i < SLOTS; i++) {
        struct shadow *s = &w->shadow[i];
        if (!s->address)
            continue;
        if (s->reached) {
            CHECK(s->kind == MALLOCED || kept(s->address));
            verify(s, w->shadow);
            continue;
        }
        if (s->kind == MALLOCED)
            lowfat_free(at(s));
        else if (alone)
            kept(s->address) ? w->kept++ : w->gone++;
        s->address = 0;
    }
}

static void run(struct world *w, int alone) {
    unsigned odds = lowfat_gc_get(LOWFAT_GC_EVERY) ? 40 : 400;
    while (!stop) {
        switch (pick(w, 16)) {
        case 0: case 1: case 2: case 3: make(w, (int)pick(w, SLOTS)); break;
        case 4: case 5: case 6: case 7: case 8: link_objects(w, walk(w), walk(w)); break;
        case 9: set_root(w, (int)pick(w, ROOTS), walk(w)); break;
        case 10: set_root(w, (int)pick(w, ROOTS), -1); break;
        case 11: if (pick(w, 8) == 0) resize(w, walk(w)); break;
        case 12: if (pick(w, 8) == 0) release(w, walk(w)); break;
        default: break;
        }
        if (pick(w, odds) == 0)
            collect_and_compare(w, alone);
    }
}

static uint64_t seed = 1;
static int thread_count = 1;

static void *thread(void *argument) {
    struct world w = {.random = seed * 1000 + (uintptr_t)argument};
    w.shadow = calloc(SLOTS, sizeof *w.shadow);
    w.roots = (uintptr_t)argument % 2 ? lowfat_calloc(ROOTS, sizeof *w.roots) : lowfat_gc_calloc(ROOTS, sizeof *w.roots);
    for (int r = 0; r < ROOTS; r++)
        w.root[r] = -1;
    run(&w, thread_count == 1);
    collect_and_compare(&w, thread_count == 1);
    if (thread_count == 1 && w.gone > 1000)
        CHECK(w.kept * 50 < w.gone);
    printf("model: %zu collections, %zu objects made, gone %zu, kept without need %zu\n", w.collections,
           (size_t)w.numbers, w.gone, w.kept);
    free(w.shadow);
    return NULL;
}

int main(int argc, char **argv) {
    uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 2;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    thread_count = argc > 3 ? atoi(argv[3]) : 1;
    for (unsigned words = 0; words < 200; words++)
        layouts[words] = (struct lowfat_gc_layout){0, words ? words : 1, object_map};
    pthread_t threads[16];
    for (int i = 0; i < thread_count && i < 16; i++)
        CHECK(pthread_create(&threads[i], NULL, thread, (void *)(uintptr_t)i) == 0);
    struct timespec end; /* absolute, because collections interrupt the wait */
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)seconds;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) != 0) {
    }
    stop = 1;
    for (int i = 0; i < thread_count && i < 16; i++)
        pthread_join(threads[i], NULL);
    puts("model: ok");
    return 0;
}

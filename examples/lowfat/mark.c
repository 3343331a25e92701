/* Conservative marking (Duck and Yap, section 4.2, figure 5), used to find leaks: heap
 * objects that no pointer in the given roots reaches, directly or through other objects.
 *
 * Any word that could be a pointer counts as one. Marks are bits outside the objects, one
 * for each slot, in a table for each size class that lowfat_class_range lets us reserve
 * without committing memory.
 */
#include <sys/mman.h>

#include "check.h"

/* Mark bits of one class; allocated when its first object is marked. */
typedef struct {
    uint8_t *bit;
    uint64_t first, limit; /* slot numbers */
} mark_table;

typedef struct {
    mark_table table[LOWFAT_CLASSES + 1];
    void **pending; /* marked, not scanned: a stack outside the heap that is examined */
    size_t count, capacity;
} marker;

static void *reserve(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

/* True when the object was not marked before. */
static int set_mark(marker *m, const void *base) {
    unsigned id = lowfat_class(base);
    CHECK(id <= LOWFAT_CLASSES); /* no huge objects in this example */
    mark_table *table = &m->table[id];
    if (!table->bit) {
        struct lowfat_class_range range;
        CHECK(lowfat_class_range(id, &range) == 0);
        table->first = range.first, table->limit = range.limit;
        table->bit = reserve((range.limit - range.first) / 8 + 1);
    }
    uint64_t at = lowfat_slot(base) - table->first;
    CHECK(at < table->limit - table->first);
    uint8_t mask = (uint8_t)(1u << (at % 8));
    int fresh = !(table->bit[at / 8] & mask);
    table->bit[at / 8] |= mask;
    return fresh;
}

static int is_marked(const marker *m, const void *base) {
    const mark_table *table = &m->table[lowfat_class(base)];
    if (!table->bit) return 0;
    uint64_t at = lowfat_slot(base) - table->first;
    return table->bit[at / 8] >> (at % 8) & 1;
}

/* Figure 5, with a stack of its own instead of recursion. */
static void mark_word(marker *m, uintptr_t word) {
    if (!lowfat_is_canonical(word)) return;
    void *base = lowfat_base((void *)word);
    if (!base || !lowfat_is_live((void *)word) || !set_mark(m, base)) return;
    CHECK(m->count < m->capacity);
    m->pending[m->count++] = base;
}

/* The object was written as some type; reading it as words is what makes the marker conservative. */
static void mark_range(marker *m, const void *from, size_t bytes) {
    for (size_t at = 0; at + sizeof(uintptr_t) <= bytes; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const char *)from + at, sizeof word);
        mark_word(m, word);
    }
}

static void mark_from(marker *m, const void *roots, size_t bytes) {
    mark_range(m, roots, bytes);
    while (m->count) {
        void *base = m->pending[--m->count];
        mark_range(m, base, lowfat_size(base));
    }
}

typedef struct {
    marker *marks;
    void *found[16];
    int count;
    size_t bytes;
} leaks;

static int visit(void *base, size_t size, void *context) {
    leaks *l = context;
    if (is_marked(l->marks, base)) return 0;
    if (l->count < 16) l->found[l->count] = base;
    l->count++;
    l->bytes += size;
    return 0;
}

/* Objects that exist now and are not reachable from the roots. */
static leaks find_leaks(marker *m, const void *roots, size_t bytes) {
    leaks l = {.marks = m};
    m->capacity = (size_t)1 << 20;
    m->pending = reserve(m->capacity * sizeof *m->pending);
    mark_from(m, roots, bytes);
    lowfat_heap_walk(visit, &l);
    return l;
}

struct list {
    struct list *next;
    char payload[40];
};

static struct list *cons(struct list *next) {
    struct list *l = malloc(sizeof *l);
    CHECK(l);
    memset(l, 0, sizeof *l);
    l->next = next;
    return l;
}

static int ignore_all(void *base, size_t size, void *context) {
    (void)size;
    set_mark(context, base);
    return 0;
}

static struct list *root[3];

int main(void) {
    static marker m; /* what the C library allocated before is no leak of ours */
    setvbuf(stdout, NULL, _IONBF, 0);
    lowfat_heap_walk(ignore_all, &m);

    for (int i = 0; i < 1000; i++) root[0] = cons(root[0]);
    root[1] = cons(NULL);
    root[1]->next = root[1];                            /* a cycle ends the marking */
    root[2] = (struct list *)((char *)cons(NULL) + 30); /* held by an interior pointer only */
    struct list *lost = cons(cons(NULL));
    uintptr_t disguised = ~(uintptr_t)lost;
    lost = NULL;

    leaks l = find_leaks(&m, root, sizeof root);
    CHECK(l.count == 2 && l.bytes == 2 * lowfat_size(root[0]));
    void *expected = (void *)~disguised;
    CHECK(l.found[0] == expected || l.found[1] == expected);
    printf("mark: ok, found %d lost objects of %zu bytes\n", l.count, l.bytes);
    return 0;
}

/* lost.c - objects of malloc that nothing points to are counted, visited, and freed after two collections; what is reachable
 * through traced objects, or the other way round, is not. */
#include "check.h"

enum { COUNT = 500 };
struct unique {
    struct unique *next;
    void *traced;
};
static struct unique *volatile chain;
static void *volatile in_traced;

static NOINLINE void lose(int count) {
    for (int i = 0; i < count; i++) {
        struct unique *u = lowfat_malloc(48);
        u->next = NULL;
        u->traced = lowfat_gc_malloc(16);
    }
}
static NOINLINE hidden keep_chain(int count) {
    hidden h = 0;
    for (int i = 0; i < count; i++) {
        struct unique *u = lowfat_malloc(sizeof *u);
        u->traced = lowfat_gc_malloc(20);
        *(int *)u->traced = i;
        h = hide(u->traced);
        u->next = chain;
        chain = u;
    }
    void **box = lowfat_gc_malloc(16);
    box[1] = lowfat_calloc(1, 300000);
    in_traced = box;
    return h;
}
static int visit(void *base, size_t size, void *context) {
    CHECK(lowfat_is_heap_ptr(base) && size >= 16);
    ++*(int *)context;
    return 0;
}

static NOINLINE void fill(void) { lose(COUNT); }

int main(void) {
    struct lowfat_gc_stats stats;
    hidden last = keep_chain(COUNT);
    lowfat_gc_set(LOWFAT_GC_LOST, 1);
    clear_stack();
    lowfat_gc_collect();
    uint64_t before = stats_now().lost_objects;
    fill();
    clear_stack();
    lowfat_gc_collect();
    stats = stats_now();
    CHECK(stats.lost_objects - before >= COUNT - 5 && stats.lost_objects - before <= COUNT);
    int visited = 0;
    CHECK(lowfat_gc_lost(visit, &visited) == 0 && (uint64_t)visited == stats.lost_objects);
    CHECK(stats.reclaimed_objects == 0 && stats.malloced_bytes >= COUNT * sizeof(struct unique) + 300000);

    /* The first collection finds them again, and the second has found them twice. */
    lowfat_gc_set(LOWFAT_GC_LOST, 2);
    lowfat_gc_collect();
    CHECK(stats_now().reclaimed_objects >= COUNT - 5);
    for (int i = 0; i < 5; i++)
        lowfat_gc_collect();
    CHECK(stats_now().lost_objects <= 5);

    /* Those that are reachable are whole, and so is what they keep. */
    int i = COUNT;
    for (struct unique *u = chain; u; u = u->next) {
        CHECK(lowfat_is_live(u) && lowfat_gc_is_live(u->traced) && *(int *)u->traced == --i);
    }
    CHECK(i == 0 && kept(last) && lowfat_is_live(((void **)in_traced)[1]));

    /* Freed by hand, slots are used again, and nothing is freed twice, while collections come and go. */
    for (int round = 0; round < 200; round++) {
        lose(20);
        for (int k = 0; k < 3 && chain; k++) {
            struct unique *u = chain;
            chain = u->next;
            lowfat_free(u);
        }
        lowfat_gc_collect();
    }
    CHECK(stats_now().reclaimed_objects > 3000);
    puts("lost: ok");
    return 0;
}

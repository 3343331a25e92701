/* region.c - the run time's regions beside the traced heap: their pages are found from the frame that holds a lexical region, and from
 * the key of a dynamic one; what lies in a region keeps traced objects, and a lost key's pages are lost. */
#include "check.h"
#include "cyc_rt.h"

void *cyc_rgn_new_ukey(void);
void cyc_rgn_free_ukey(void *key);
void cyc_fail_alloc(cyc_u64 count, cyc_size size, const char *file, unsigned line) {
    (void)count, (void)size, (void)file, (void)line;
    abort();
}

enum { COUNT = 3000 }; /* several pages */
static hidden objects[COUNT];

static NOINLINE void fill(cyc_region *r) {
    for (int i = 0; i < COUNT; i++) {
        void **p = cyc_rgn_alloc_zero(r, CYC_ANY, 16 + i % 64, "region.c", 0);
        p[1] = lowfat_gc_malloc(32);
        objects[i] = hide(p[1]);
    }
}
static int count_kept(void) {
    int n = 0;
    for (int i = 0; i < COUNT; i++)
        n += kept(objects[i]);
    return n;
}
static NOINLINE void in_lexical(void) {
    cyc_region r;
    cyc_rgn_push(&r);
    fill(&r);
    clear_stack();
    lowfat_gc_collect();
    CHECK(count_kept() == COUNT);
    cyc_rgn_pop(&r);
}

static void *volatile key;
static NOINLINE void make_key(void) {
    key = cyc_rgn_new_ukey();
    fill(cyc_rgn_of_key(key));
}

int main(void) {
    in_lexical();

    make_key();
    clear_stack();
    lowfat_gc_collect();
    CHECK(count_kept() == COUNT);
    cyc_rgn_free_ukey(key);
    key = NULL;

    /* A key that is lost loses its region: pages and all are found. (Pages that wait in the thread for the next region are not.) */
    lowfat_gc_set(LOWFAT_GC_LOST, 1);
    clear_stack();
    lowfat_gc_collect();
    uint64_t before = stats_now().lost_bytes;
    make_key();
    key = NULL;
    clear_stack();
    lowfat_gc_collect();
    CHECK(stats_now().lost_bytes >= before + COUNT * 40);
    CHECK(count_kept() < 5);
    puts("region: ok");
    return 0;
}

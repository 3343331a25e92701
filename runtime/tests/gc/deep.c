/* deep.c - shapes that defeat recursion or a small mark stack: long lists, deep trees, wide arrays; and that memory used
 * for them comes back. */
#include "check.h"

struct node {
    struct node *a, *b;
};
static struct node *volatile root;

/* The pointer to the rest comes first or last: whichever end of an object is scanned first, one of the two is bad. */
static void build_list(size_t length, int first) {
    struct node *list = NULL;
    for (size_t i = 0; i < length; i++) {
        struct node *n = lowfat_gc_malloc(sizeof *n), *leaf = lowfat_gc_malloc(sizeof *leaf);
        n->a = first ? list : leaf;
        n->b = first ? leaf : list;
        list = n;
    }
    root = list;
}
static size_t list_length(int first) {
    size_t n = 0;
    for (struct node *p = root; p; p = first ? p->a : p->b, n++) {
        struct node *leaf = first ? p->b : p->a;
        CHECK(lowfat_gc_is_live(leaf) && leaf->a == NULL);
    }
    return n;
}

static void test_list(size_t length, int first) {
    build_list(length, first);
    size_t live = lowfat_gc_collect();
    CHECK(live >= length * 2 * 16);
    CHECK(list_length(first) == length);
    root = NULL;
    clear_stack();
    CHECK(lowfat_gc_collect() < live / 2);
}

static void test_array(size_t count) {
    struct node **array = lowfat_gc_malloc(count * sizeof *array);
    for (size_t i = 0; i < count; i++)
        (array[i] = lowfat_gc_malloc(sizeof **array))->a = (struct node *)i;
    root = (struct node *)array;
    lowfat_gc_collect();
    for (size_t i = 0; i < count; i++)
        CHECK(lowfat_gc_is_live(array[i]) && array[i]->a == (struct node *)i);
    root = NULL;
}

/* A random graph of `count` nodes, all reachable: each is pointed to by an earlier one, far away. */
static void test_graph(size_t count) {
    uint64_t random = 7;
    struct node **all = lowfat_gc_malloc(count * sizeof *all);
    root = (struct node *)all;
    for (size_t i = 0; i < count; i++)
        all[i] = lowfat_gc_malloc(sizeof **all);
    for (size_t i = 0; i < count; i++) {
        all[i]->a = all[test_random(&random) % count];
        all[i]->b = all[(i + 1) % count];
    }
    struct node *start = all[0];
    lowfat_gc_free(all);
    root = start;
    lowfat_gc_collect();
    size_t n = 0;
    struct node *p = start;
    do {
        CHECK(lowfat_gc_is_live(p) && lowfat_gc_is_live(p->a));
        p = p->b;
        n++;
    } while (p != start);
    CHECK(n == count);
    root = NULL;
}

int main(int argc, char **argv) {
    size_t length = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    test_list(length, 0);
    clear_stack();
    test_list(length / 10, 1);
    test_array(length / 10);
    test_graph(length / 10);
    clear_stack(); /* the next one's frame lies where this one's was */
    /* A mark stack of 64 entries forces scanning again. */
    CHECK(lowfat_gc_set(LOWFAT_GC_STACK, 64) == 0);
    uint64_t before = stats_now().rescans;
    test_list(length / 100, 0);
    clear_stack();
    test_list(length / 100, 1);
    test_array(length / 100);
    test_graph(length / 1000);
    CHECK(stats_now().rescans > before);
    puts("deep: ok");
    return 0;
}

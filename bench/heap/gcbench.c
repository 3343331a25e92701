/* gcbench DEPTH - the twin of gcbench.cyc on the Boehm collector. */
#include <gc.h>
#include <stdio.h>
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    int depth, tag;
};

static struct tree *bottom_up(int depth) {
    struct tree *left = depth > 0 ? bottom_up(depth - 1) : NULL;
    struct tree *right = depth > 0 ? bottom_up(depth - 1) : NULL;
    struct tree *t = GC_NEW(struct tree);
    *t = (struct tree){left, right, depth, 0};
    return t;
}

static void top_down(struct tree *t, int depth) {
    t->depth = depth;
    if (depth == 0)
        return;
    t->left = GC_NEW(struct tree);
    t->right = GC_NEW(struct tree);
    top_down(t->left, depth - 1);
    top_down(t->right, depth - 1);
}

static long count(const struct tree *t) { return t ? 1 + count(t->left) + count(t->right) : 0; }

int main(int argc, char **argv) {
    int most = argc > 1 ? atoi(argv[1]) : 12;
    GC_INIT();
    struct tree *long_lived = bottom_up(most);
    double *array = GC_MALLOC_ATOMIC(((size_t)1 << most) * sizeof *array);
    for (long i = 0; i < 1L << most; i++)
        array[i] = 1.0 / (double)(i + 1);
    for (int depth = 4; depth <= most; depth += 2) {
        long trees = 1L << (most - depth + 4), total = 0;
        for (long i = 0; i < trees; i++) {
            struct tree *t = GC_NEW(struct tree);
            top_down(t, depth);
            total += count(t) + count(bottom_up(depth));
        }
        printf("depth %d: %ld trees, %ld nodes\n", depth, 2 * trees, total);
    }
    printf("long-lived: %ld nodes, array %.6f\n", count(long_lived), array[1000]);
    return 0;
}

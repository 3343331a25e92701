/* trees DEPTH - the twin of trees.cyc on the Boehm collector. */
#include <gc.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
};

static struct node *make(int depth) {
    struct node *left = depth > 0 ? make(depth - 1) : NULL;
    struct node *right = depth > 0 ? make(depth - 1) : NULL;
    struct node *n = GC_NEW(struct node);
    *n = (struct node){left, right};
    return n;
}

static int check(const struct node *n) { return n ? 1 + check(n->left) + check(n->right) : 0; }

int main(int argc, char **argv) {
    int most = argc > 1 ? atoi(argv[1]) : 10;
    GC_INIT();
    printf("stretch: %d\n", check(make(most + 1)));
    struct node *stays = make(most);
    for (int depth = 4; depth <= most; depth += 4) {
        int rounds = 1 << (most - depth + 4), sum = 0;
        for (int i = 0; i < rounds; i++)
            sum += check(make(depth));
        printf("%d trees of depth %d: %d\n", rounds, depth, sum);
    }
    printf("stays: %d\n", check(stays));
    return 0;
}

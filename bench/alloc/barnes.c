/* barnes: gravity among many bodies by an octree (Barnes and Hut, "A hierarchical
 * O(N log N) force-calculation algorithm", Nature 1986).
 *
 * Bodies, and in every time step the cells of the tree, are allocated one by one;
 * computation outweighs allocation, so the program shows what the placement of
 * objects costs.
 */
#include <math.h>

#include "common.h"

typedef struct { double x, y, z; } vec;

/* A body has no children array: `body` tells the two apart. */
typedef struct node {
    double mass;
    vec at;
    int body;
} node;

typedef struct {
    node head;
    vec speed, pull;
} body;

typedef struct {
    node head;
    node *child[8];
} cell;

static vec add_scaled(vec a, vec b, double s) {
    return (vec){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

/* The octant of `p` around `middle`, and the middle of that octant. */
static int octant(vec p, vec *middle, double half) {
    int which = (p.x > middle->x) | (p.y > middle->y) << 1 | (p.z > middle->z) << 2;
    middle->x += which & 1 ? half : -half;
    middle->y += which & 2 ? half : -half;
    middle->z += which & 4 ? half : -half;
    return which;
}

static cell *new_cell(void) {
    cell *c = must_malloc(sizeof *c);
    *c = (cell){0};
    return c;
}

static void insert(cell *c, body *b, vec middle, double half) {
    for (;;) {
        half /= 2;
        int which = octant(b->head.at, &middle, half);
        node *old = c->child[which];
        if (!old) {
            c->child[which] = &b->head;
            return;
        }
        if (old->body) { /* split until the two part */
            cell *between = new_cell();
            vec below = middle;
            c->child[which] = &between->head;
            between->child[octant(old->at, &below, half / 2)] = old;
            old = &between->head;
        }
        c = (cell *)old;
    }
}

/* Mass and centre of mass of each cell, bottom up. */
static void sum_up(cell *c) {
    vec weighted = {0};
    for (int i = 0; i < 8; i++) {
        node *n = c->child[i];
        if (!n) continue;
        if (!n->body) sum_up((cell *)n);
        c->head.mass += n->mass;
        weighted = add_scaled(weighted, n->at, n->mass);
    }
    c->head.at = add_scaled((vec){0}, weighted, 1 / c->head.mass);
}

/* A cell far away for its width counts as one body (opening angle 0.8). */
static void attract(body *b, const node *n, double width) {
    vec d = add_scaled(n->at, b->head.at, -1);
    double r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.0025;
    if (n->body || width * width < 0.64 * r2) {
        if (n != &b->head) b->pull = add_scaled(b->pull, d, n->mass / (r2 * sqrt(r2)));
        return;
    }
    const cell *c = (const cell *)n;
    for (int i = 0; i < 8; i++)
        if (c->child[i]) attract(b, c->child[i], width / 2);
}

static void free_cells(cell *c) {
    for (int i = 0; i < 8; i++)
        if (c->child[i] && !c->child[i]->body) free_cells((cell *)c->child[i]);
    free(c);
}

static void step(body **all, uint64_t count) {
    enum { BOX = 1024 };
    cell *root = new_cell();
    for (uint64_t i = 0; i < count; i++) insert(root, all[i], (vec){0}, BOX);
    sum_up(root);
    for (uint64_t i = 0; i < count; i++) {
        all[i]->pull = (vec){0};
        attract(all[i], &root->head, 2 * BOX);
    }
    for (uint64_t i = 0; i < count; i++) {
        all[i]->speed = add_scaled(all[i]->speed, all[i]->pull, 0.01);
        all[i]->head.at = add_scaled(all[i]->head.at, all[i]->speed, 0.01);
    }
    free_cells(root);
}

int main(int argc, char **argv) {
    uint64_t count = work(argc, argv, 36000), sum = 0;
    enum { STEPS = 4 };
    rng random = rng_seed(3);
    body **all = must_malloc(count * sizeof *all);
    for (uint64_t i = 0; i < count; i++) {
        double unit[3];
        for (int k = 0; k < 3; k++) unit[k] = (double)(rng_next(&random) >> 11) / (double)(1ull << 52) - 1;
        all[i] = must_malloc(sizeof **all);
        *all[i] = (body){.head = {1.0 / (double)count, {unit[0], unit[1], unit[2]}, 1},
                         .speed = {-unit[1] / 4, unit[0] / 4, 0}};
    }
    for (int i = 0; i < STEPS; i++) step(all, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &all[i]->head.at.x, sizeof bits);
        sum = mix(sum, bits);
        free(all[i]);
    }
    free(all);
    return report("barnes", sum);
}

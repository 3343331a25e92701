/* 2-3-4 trees whose nodes do not say how large they are: the pointer to a node does
 * (Duck and Yap, section 4.4).
 *
 * A node with k keys (1 to 3) is 2k+1 words: the keys in ascending order, then the k+1
 * children, all null in a leaf; every leaf has the same depth. A `tree` is a typed pointer
 * to a node, NULL when empty. How a typed pointer is made and opened is a policy: include
 * this file once for each, with these defined (they are undefined again at the end):
 *
 *   TREE(name)              gives the functions of this policy their names
 *   TREE_CLOSE(words, k)    typed pointer (char *) to a node of k keys
 *   TREE_OPEN(t, words, k)  statement that sets uint64_t *words and unsigned k from t
 *   TREE_ALLOC(bytes)       never NULL
 *   TREE_FREE(words)
 *
 * Insertion splits full nodes on the way down (Sedgewick and Wayne, "Algorithms", 4th
 * edition, section 3.3), so it needs no way back up.
 */
#include <stddef.h>
#include <stdint.h>

#ifndef TREE234_H
#define TREE234_H
typedef char *tree;
#endif

/* True when `key` is in the tree. */
static inline int TREE(contains)(tree t, uint64_t key) {
    while (t) {
        uint64_t *w;
        unsigned k;
        TREE_OPEN(t, w, k);
        uint64_t child;
        if (k == 1) {
            if (key == w[0]) return 1;
            child = key < w[0] ? w[1] : w[2];
        } else if (k == 2) {
            if (key == w[0] || key == w[1]) return 1;
            child = key < w[0] ? w[2] : key < w[1] ? w[3] : w[4];
        } else {
            if (key == w[1]) return 1;
            if (key < w[1]) {
                if (key == w[0]) return 1;
                child = key < w[0] ? w[3] : w[4];
            } else {
                if (key == w[2]) return 1;
                child = key < w[2] ? w[5] : w[6];
            }
        }
        t = (tree)(uintptr_t)child;
    }
    return 0;
}

static inline uint64_t TREE(link)(tree t) { return (uint64_t)(uintptr_t)t; }

static tree TREE(leaf_or_pair)(uint64_t key, uint64_t left, uint64_t right) {
    uint64_t *w = (uint64_t *)TREE_ALLOC(3 * sizeof *w);
    w[0] = key, w[1] = left, w[2] = right;
    return TREE_CLOSE(w, 1);
}

/* The node of k < 3 keys replaced by one with `key` before position `at` and its child there
 * replaced by two. */
static tree TREE(grown)(uint64_t *old, unsigned k, unsigned at, uint64_t key, uint64_t left, uint64_t right) {
    uint64_t *w = (uint64_t *)TREE_ALLOC((2 * k + 3) * sizeof *w), *child = w + k + 1;
    for (unsigned i = 0; i < k; i++) w[i + (i >= at)] = old[i];
    for (unsigned i = 0; i <= k; i++) child[i + (i > at)] = old[k + i];
    w[at] = key, child[at] = left, child[at + 1] = right;
    TREE_FREE(old);
    return TREE_CLOSE(w, k + 1);
}

/* Position of the child to follow, or -1 when the key is in the node. */
static inline int TREE(position)(const uint64_t *w, unsigned k, uint64_t key) {
    unsigned at = 0;
    while (at < k && w[at] < key) at++;
    return at < k && w[at] == key ? -1 : (int)at;
}

/* Adds `key`; false when it was there. */
static int TREE(insert)(tree *root, uint64_t key) {
    uint64_t top = TREE(link)(*root), *link = &top; /* the word that holds the typed pointer */
    int added = 1;
    if (!*root) {
        *root = TREE(leaf_or_pair)(key, 0, 0);
        return 1;
    }
    uint64_t *w, *full;
    unsigned k, of_child;
    TREE_OPEN(*root, w, k);
    if (k == 3) { /* the tree grows at the top */
        uint64_t middle = w[1];
        tree left = TREE(leaf_or_pair)(w[0], w[3], w[4]), right = TREE(leaf_or_pair)(w[2], w[5], w[6]);
        TREE_FREE(w);
        top = TREE(link)(TREE(leaf_or_pair)(middle, TREE(link)(left), TREE(link)(right)));
    }
    for (;;) { /* invariant: the node at *link has fewer than three keys */
        TREE_OPEN((tree)(uintptr_t)*link, w, k);
        int at = TREE(position)(w, k, key);
        if (at < 0) {
            added = 0;
            break;
        }
        if (!w[k]) { /* a leaf */
            *link = TREE(link)(TREE(grown)(w, k, (unsigned)at, key, 0, 0));
            break;
        }
        TREE_OPEN((tree)(uintptr_t)w[k + (unsigned)at], full, of_child);
        if (of_child == 3) {
            uint64_t middle = full[1];
            tree left = TREE(leaf_or_pair)(full[0], full[3], full[4]);
            tree right = TREE(leaf_or_pair)(full[2], full[5], full[6]);
            TREE_FREE(full);
            *link = TREE(link)(TREE(grown)(w, k, (unsigned)at, middle, TREE(link)(left), TREE(link)(right)));
            TREE_OPEN((tree)(uintptr_t)*link, w, k);
            at = TREE(position)(w, k, key);
            if (at < 0) {
                added = 0;
                break;
            }
        }
        link = &w[k + (unsigned)at];
    }
    *root = (tree)(uintptr_t)top;
    return added;
}

static void TREE(destroy)(tree t) {
    if (!t) return;
    uint64_t *w;
    unsigned k;
    TREE_OPEN(t, w, k);
    for (unsigned i = 0; i <= k; i++) TREE(destroy)((tree)(uintptr_t)w[k + i]);
    TREE_FREE(w);
}

#undef TREE
#undef TREE_CLOSE
#undef TREE_OPEN
#undef TREE_ALLOC
#undef TREE_FREE

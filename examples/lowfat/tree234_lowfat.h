/* The three policies of Duck and Yap's section 4.4 for liblowfat. Nodes of 3, 5 and 7 words
 * are served from slots of 32, 48 and 64 bytes, size classes 2, 3 and 4. */
#ifndef TREE234_LOWFAT_H
#define TREE234_LOWFAT_H

#include <lowfat.h>
#include <stdio.h>
#include <stdlib.h>

static inline void *tree_alloc(size_t bytes) {
    void *p = lowfat_malloc(bytes);
    if (__builtin_expect(!p, 0)) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

/* tag: the number of keys stands in the low four bits, which alignment leaves free. */
#define TREE(name) tag_##name
#define TREE_CLOSE(words, k) ((char *)(words) + (k))
#define TREE_OPEN(t, words, k) ((k) = (uintptr_t)(t) & 15, (words) = (uint64_t *)((t) - (k)))
#define TREE_ALLOC(bytes) tree_alloc(bytes)
#define TREE_FREE(words) lowfat_free(words)
#include "tree234.h"

/* size: the size class of the pointer gives the number of keys; the pointer is plain. */
#define TREE(name) size_##name
#define TREE_CLOSE(words, k) ((char *)(words))
#define TREE_OPEN(t, words, k) ((k) = lowfat_class(t) - 1, (words) = (uint64_t *)(t))
#define TREE_ALLOC(bytes) tree_alloc(bytes)
#define TREE_FREE(words) lowfat_free(words)
#include "tree234.h"

/* extended: the offset into the slot gives the number of keys; as many types as the object
 * has bytes could be told apart. */
#define TREE(name) extended_##name
#define TREE_CLOSE(words, k) ((char *)(words) + (k))
#define TREE_OPEN(t, words, k) ((words) = (uint64_t *)lowfat_base(t), (k) = (unsigned)((t) - (char *)(words)))
#define TREE_ALLOC(bytes) tree_alloc(bytes)
#define TREE_FREE(words) lowfat_free(words)
#include "tree234.h"

#endif

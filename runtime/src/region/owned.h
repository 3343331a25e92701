/* What a region has beside its plain objects: those that are given back one by one, and counts that it holds. */
#ifndef CYC_RGN_OWNED_H
#define CYC_RGN_OWNED_H

#include "../heap/heap.h"
#include "cyc_rt.h"

/* Only a program that has a handle of the heap links the heap, and with it the collector: without it, the heap's address is
 * null, and no region is the heap. */
#pragma weak cyc_rgn_heap
/* cyc_alloc. Under its own name it would not be weak in a program that links a function which allocates, called or not. */
void *cyc_rgn_heap_alloc(cyc_shape shape, cyc_size size, const char *file, unsigned line) __attribute__((weak));
#pragma weak cyc_heap_used_bytes
#pragma weak cyc_heap_free_bytes
#pragma weak cyc_heap_alloc_bytes
#pragma weak cyc_heap_set_limit

/* What stands in the reap's place when the region is a scoped pool (scope.c). */
struct cyc_rgn_scope {
  void *(*alloc)(cyc_region *r, cyc_size size, const char *file, unsigned line); /* never null: raises Bad_alloc */
  void (*free)(cyc_region *r, void *object);
  cyc_u64 (*free_bytes)(const cyc_region *r);
  void (*end)(cyc_region *r); /* of the region, which is in its key */
};

struct cyc_rgn_owned {
  struct cyc_reap *reap; /* null before the first object that can be given back */
  struct cyc_pool *pool; /* null before the first count that the region holds */
  const struct cyc_rgn_scope *scope; /* null if the region is not a scoped pool */
};

/* The functions of a scoped pool; null for all other regions. */
CYC_INLINE const struct cyc_rgn_scope *cyc_rgn_scope(const cyc_region *r) { return r->owned ? r->owned->scope : 0; }

/* The region's; made, in its pages, when it is asked for first. Not for the heap. */
struct cyc_rgn_owned *cyc_rgn_owned(cyc_region *r);

/* An object that cyc_reap_free takes back, of a region that is not the heap. */
void *cyc_reap_take(cyc_region *r, cyc_size size, const char *file, unsigned line);

/* Takes an object of cyc_reap_alloc back, which must be the region's. Null is nothing to do. */
void cyc_reap_free(cyc_region *r, void *object);

/* The bytes that objects gave back and new ones have not taken yet. */
cyc_u64 cyc_reap_free_bytes(const cyc_region *r);

/* Drops the counts that the region holds. */
void cyc_rgn_drop_pool(cyc_region *r);

#endif

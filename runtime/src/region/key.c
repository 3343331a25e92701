/* Dynamic regions: a region in the heap, whose key is its address (memory, section 8). */
#include "cyc_heap.h"
#include "page.h"

/* A new region, empty, behind its unique key. Raises Bad_alloc. */
void *cyc_rgn_new_ukey(void) { return cyc_alloc_zero(sizeof(cyc_region), "new_ukey", 0); }

/* Frees the region with everything in it, and the key. */
void cyc_rgn_free_ukey(void *key) {
  cyc_rgn_release(key);
  cyc_heap_free(key);
}

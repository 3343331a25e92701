/* Dynamic regions: a region in the heap, whose key is its address (memory, section 8). */
#include "cyc_heap.h"
#include "owned.h"
#include "page.h"

/* A new region, empty, behind its unique key. Raises Bad_alloc. */
void *cyc_rgn_new_ukey(void) {
  void *key = cyc_heap_alloc_zeroed(sizeof(cyc_region));
  if (CYC_UNLIKELY(!key)) cyc_fail_alloc(1, sizeof(cyc_region), "new_ukey", 0);
  CYC_PROFILED(cyc_profile_open(key, "new_ukey", 0));
  return key;
}

/* Frees the region with everything in it, and the key. */
void cyc_rgn_free_ukey(void *key) {
  const struct cyc_rgn_scope *scope = cyc_rgn_scope(key);
  if (scope) return scope->end(key);
  cyc_rgn_release(key);
  cyc_heap_free(key);
}

/* The same behind a counted key. */
void *cyc_rgn_new_rckey(void) {
  char *key = cyc_heap_alloc_zeroed(CYC_COUNT_ROOM + sizeof(cyc_region));
  if (CYC_UNLIKELY(!key)) cyc_fail_alloc(1, sizeof(cyc_region), "new_rckey", 0);
  key += CYC_COUNT_ROOM;
  *cyc_rc_count_of(key) = 1;
  CYC_PROFILED(cyc_profile_open((cyc_region *)key, "new_rckey", 0));
  return key;
}

/* One key less; with the last one goes the region. */
void cyc_rgn_free_rckey(void *key) {
  cyc_fat k = cyc_fat_make(key, 1);
  if (cyc_rc_count(k) == 1) cyc_rgn_release(key);
  cyc_rc_drop(k);
}

/* `body` with the handle of the key's region; its argument and result are words (docs/adr/002-polymorphism-by-shape.md). */
void *cyc_rgn_open_region(void *key, void *argument, void *(*body)(cyc_handle, void *)) {
  return body(cyc_rgn_of_key(key), argument);
}

/* A region of a sequence and the right to make the next one, which is any object of its own. */
struct sequence {
  void *key, *generator;
};

struct sequence cyc_rgn_next_drseq(void *generator) { return (struct sequence){cyc_rgn_new_ukey(), generator}; }

struct sequence cyc_rgn_new_drseq(void) { return cyc_rgn_next_drseq(cyc_unique(1, "new_drseq", 0)); }

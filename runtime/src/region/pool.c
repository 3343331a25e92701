/* Autorelease pools: counts that a region holds until it ends (memory, section 6.4).
 *
 * The blocks of a pool lie in the region's pages, so that whoever looks for pointers there finds the pooled objects, which
 * are in the heap.
 */
#include "cyc_heap.h"
#include "owned.h"

enum { BLOCK = 31 };

struct cyc_pool {
  struct cyc_pool *older; /* full */
  cyc_u64 used;
  cyc_fat pooled[BLOCK];
};

struct cyc_rgn_owned *cyc_rgn_owned(cyc_region *r) {
  if (!r->owned) r->owned = __builtin_memset(cyc_rgn_take(r, CYC_ANY, sizeof *r->owned, "region", 0), 0, sizeof *r->owned);
  return r->owned;
}

/* The count of `p` becomes the region's; its pointer may be copied as long as that lives. The heap does not end: there the
 * count is held for ever. */
cyc_fat cyc_rgn_autorelease(cyc_handle r, cyc_fat p) {
  if (!p.base || r == &cyc_rgn_heap) return p;
  struct cyc_rgn_owned *owned = cyc_rgn_owned(r);
  if (!owned->pool || owned->pool->used == BLOCK) {
    struct cyc_pool *block = cyc_rgn_take(r, CYC_ANY, sizeof *block, "autorelease", 0);
    block->older = owned->pool;
    block->used = 0;
    owned->pool = block;
  }
  owned->pool->pooled[owned->pool->used++] = p;
  return p;
}

/* The same with the innermost lexical region. */
cyc_fat cyc_rgn_autorelease_here(cyc_fat p) { return cyc_rgn_autorelease(cyc_rgn_current(), p); }

void cyc_rgn_drop_pool(cyc_region *r) {
  for (struct cyc_pool *block = r->owned->pool; block; block = block->older)
    while (block->used) cyc_rc_drop(block->pooled[--block->used]);
}

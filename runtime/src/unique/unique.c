/* Unique objects: freed one by one, by the one pointer there is. */
#include "cyc_heap.h"
#include "../region/owned.h"

/* What core.h calls aliasable_qual, unique_qual, refcnt_qual. */
const long cyc_qual_aliasable = CYC_ALIASABLE;
const long cyc_qual_unique = CYC_UNIQUE;
const long cyc_qual_refcnt = CYC_REFCNT;

/* The compiler has seen to it that nobody uses the object any more. */
void cyc_ufree(void *object) { cyc_heap_free(object); }

/* The same for an object of the region. */
void cyc_rufree(cyc_handle r, void *object) {
  if (r == &cyc_rgn_heap) cyc_ufree(object);
  else cyc_reap_free(r, object);
}

/* Unique objects of the heap: freed one by one, by the one pointer there is. */
#include "cyc_heap.h"

/* What core.h calls aliasable_qual, unique_qual, refcnt_qual. */
const long cyc_qual_aliasable = 0;
const long cyc_qual_unique = 1;
const long cyc_qual_refcnt = 2;

/* The compiler has seen to it that nobody uses the object any more. */
void cyc_ufree(void *object) { cyc_heap_free(object); }

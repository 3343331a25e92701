/* The heap as a region: what regions ask of it. Programs that have no handle of the heap do not link it. */
#ifndef CYC_HEAP_AS_REGION_H
#define CYC_HEAP_AS_REGION_H

#include "cyc_rt.h"

/* Bytes of memory in use, without objects in it, and of objects; 0 without a collector. */
cyc_u64 cyc_heap_used_bytes(void);
cyc_u64 cyc_heap_free_bytes(void);
cyc_u64 cyc_heap_alloc_bytes(void);
/* 0: no limit. */
void cyc_heap_set_limit(cyc_u64 bytes);

#endif

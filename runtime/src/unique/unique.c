/* Unique objects: freed one by one, by the one pointer there is. */
#include "cyc_heap.h"
#include "../region/owned.h"

/* What core.h calls aliasable_qual, unique_qual, refcnt_qual. */
const long cyc_qual_aliasable = CYC_ALIASABLE;
const long cyc_qual_unique = CYC_UNIQUE;
const long cyc_qual_refcnt = CYC_REFCNT;

#if !CYC_HEAP_LOWFAT
/* With liblowfat, names of lowfat_malloc and lowfat_free. */
void *cyc_unique_get(cyc_size size) { return cyc_heap_alloc(size); }
void cyc_unique_give(void *object) { cyc_heap_free(object); }

/* Windows that are always empty. */
static cyc_u64 end[1];
__thread struct lowfat_tls lowfat_tls = {.top = {[0 ... LOWFAT_SMALL_CLASSES] = end + 1}};
struct lowfat_fast lowfat_fast;
#endif

void *cyc_unique_call(cyc_size size, const char *file, unsigned line) {
  void *object = cyc_unique_get(size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  return object;
}

void *cyc_unique_zero(cyc_size size, const char *file, unsigned line) {
  void *object = cyc_heap_alloc_zeroed(size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_UNIQUE, object, size, file, line));
  return object;
}

void *cyc_unique_array_zero(cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  void *object = cyc_array_bytes(count, size, &bytes) ? cyc_heap_alloc_zeroed(bytes) : 0;
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_UNIQUE, object, bytes, file, line));
  return object;
}

void *cyc_unique_strict(cyc_u64 count, cyc_size size, cyc_size alignment, int zero, const char *file, unsigned line) {
  cyc_size bytes;
  void *object = cyc_array_bytes(count, size, &bytes) ? cyc_heap_alloc_aligned(alignment, bytes) : 0;
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_UNIQUE, object, bytes, file, line));
  return zero ? __builtin_memset(object, 0, bytes) : object;
}

/* cyc_ufree for an object of the region. */
void cyc_rufree(cyc_handle r, void *object) {
  if (r == &cyc_rgn_heap) cyc_ufree(object);
  else cyc_reap_free(r, object);
}

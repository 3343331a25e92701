/* Counted objects (memory, section 6): the count is the word before the object.
 *
 * The compiler has seen to it that each counted pointer is one count, that none is used after it was given up, and that a
 * fat one has the start of its object as `base`, however far it was moved along. Counts have 64 bits: adding one each
 * nanosecond would take five hundred years to overflow them. They are not atomic: an object belongs to one thread.
 */
#include "cyc_heap.h"
#include "../region/owned.h"

CYC_RAW static cyc_u64 *count_of(const void *object) { return (cyc_u64 *)object - 1; }

CYC_RAW void *cyc_rc_alloc(cyc_region *r, cyc_size size, const char *file, unsigned line) {
  char *object;
  if (r == &cyc_rgn_heap) {
    cyc_size bytes;
    if (CYC_UNLIKELY(__builtin_add_overflow(size, CYC_COUNT_ROOM, &bytes))) cyc_fail_alloc(1, size, file, line);
    object = (char *)cyc_alloc(bytes, file, line) + CYC_COUNT_ROOM;
    CYC_RGN_CLOSE(object - CYC_COUNT_ROOM, CYC_COUNT_ROOM);
  } else {
    object = cyc_reap_alloc(r, size, file, line);
  }
  *count_of(object) = 1;
  return object;
}

/* One more pointer to the object, with the same bounds. */
CYC_RAW cyc_fat cyc_rc_alias(cyc_fat p) {
  if (p.base) ++*count_of(p.base);
  return p;
}

/* One pointer less to an object of the heap; the last one frees it. */
CYC_RAW void cyc_rc_drop(cyc_fat p) {
  if (!p.base || --*count_of(p.base)) return;
  CYC_RGN_OPEN(p.base - CYC_COUNT_ROOM, CYC_COUNT_ROOM);
  cyc_ufree(p.base - CYC_COUNT_ROOM);
}

/* The same for an object of the region. */
CYC_RAW void cyc_rc_rdrop(cyc_handle r, cyc_fat p) {
  if (r == &cyc_rgn_heap) return cyc_rc_drop(p);
  if (p.base && !--*count_of(p.base)) cyc_reap_free(r, p.base);
}

/* The pointers to the object, 0 for null; the largest `int` when there are more. */
CYC_RAW int cyc_rc_count(cyc_fat p) {
  cyc_u64 count = p.base ? *count_of(p.base) : 0;
  return count < __INT_MAX__ ? (int)count : __INT_MAX__;
}

/* Counted objects (memory, section 6): how they are made, and how they end. The count is the word before the object.
 *
 * The compiler has seen to it that each counted pointer is one count, that none is used after it was given up, and that a
 * fat one has the start of its object as `base`, however far it was moved along. What happens in between is in cyc_owned.h.
 */
#include "cyc_heap.h"
#include "../region/owned.h"

/* Do the region's objects have a header with room for a count? Reaps' do; those of the heap and of scoped pools do not. */
static int has_header(const cyc_region *r) { return r != &cyc_rgn_heap && !cyc_rgn_scope(r); }

void *cyc_rc_alloc(cyc_region *r, cyc_size size, const char *file, unsigned line) {
  if (r == &cyc_rgn_heap) return cyc_rc_new(size, file, line);
  char *object;
  if (!has_header(r)) {
    cyc_size bytes; /* one at least, as in cyc_rc_new */
    if (CYC_UNLIKELY(__builtin_add_overflow(size + !size, CYC_COUNT_ROOM, &bytes))) cyc_fail_alloc(1, size, file, line);
    object = (char *)cyc_reap_take(r, bytes, file, line) + CYC_COUNT_ROOM;
  } else {
    object = cyc_reap_take(r, size, file, line);
    CYC_RGN_OPEN(cyc_rc_count_of(object), sizeof(cyc_u64));
  }
  CYC_PROFILED(cyc_profile_in_region(r, object, size, file, line));
  *cyc_rc_count_of(object) = 1;
  return object;
}

void cyc_rc_free(void *object) {
  CYC_PROFILED(cyc_profile_free(object));
  cyc_heap_free((char *)object - CYC_COUNT_ROOM);
}

void cyc_rc_rfree(cyc_region *r, void *object) {
  if (r == &cyc_rgn_heap) return cyc_rc_free(object);
  CYC_PROFILED(cyc_profile_free(object));
  if (!has_header(r)) return cyc_reap_free(r, (char *)object - CYC_COUNT_ROOM);
  CYC_RGN_CLOSE(cyc_rc_count_of(object), sizeof(cyc_u64));
  cyc_reap_free(r, object);
}

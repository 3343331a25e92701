/* The heap of `new`, `malloc` and `calloc`: objects that live until nothing points to them any more.
 *
 * They are traced (lowfat_gc.h). Under a sanitizer that watches the heap they come from the floor (cyc_heap.h) and live
 * until the program ends. In programs that are built with --gc=none there are none: neither the functions that make them nor the
 * handle of the heap, so that the linker finds who would need them.
 */
#include "cyc_heap.h"
#include "heap.h"

cyc_region cyc_rgn_heap;

#ifndef CYC_GC_NONE
#if CYC_HEAP_TRACED
#include <lowfat_gc.h>

_Static_assert(sizeof(struct cyc_layout) == sizeof(struct lowfat_gc_layout) &&
                   offsetof(struct cyc_layout, map) == offsetof(struct lowfat_gc_layout, map) &&
                   offsetof(struct cyc_layout, words) == offsetof(struct lowfat_gc_layout, words),
               "a layout is the collector's");

/* A byte more than asked for keeps the object when all there is is a pointer past its end. */
static inline void *obtain(cyc_shape shape, cyc_size size) {
  cyc_size bytes = size + !(shape & CYC_SINGLE);
  cyc_shape map = shape & ~(cyc_shape)CYC_SINGLE;
  if (map == CYC_ANY) return lowfat_gc_malloc(bytes);
  if (map == CYC_BITS) return lowfat_gc_malloc_atomic(bytes);
  return lowfat_gc_malloc_layout(bytes, (struct lowfat_gc_layout *)map);
}

static inline void *obtain_zero(cyc_shape shape, cyc_size size) {
  void *object = obtain(shape, size);
  return object && (shape | CYC_SINGLE) == CYC_BITS1 ? __builtin_memset(object, 0, size) : object;
}
#else
static void *obtain(cyc_shape shape, cyc_size size) {
  (void)shape;
  return cyc_heap_alloc(size);
}

static void *obtain_zero(cyc_shape shape, cyc_size size) {
  (void)shape;
  return cyc_heap_alloc_zeroed(size);
}
#endif

/* What core.h declares. */
const cyc_handle cyc_rgn_heap_handle = &cyc_rgn_heap;

cyc_handle cyc_rgn_current_handle(void) { return cyc_rgn_current(); }

void *cyc_alloc(cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  void *object = obtain(shape, size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_HEAP, object, size, file, line));
  return object;
}

__attribute__((alias("cyc_alloc"))) void *cyc_rgn_heap_alloc(cyc_shape shape, cyc_size size, const char *file, unsigned line);

void *cyc_alloc_zero(cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  void *object = obtain_zero(shape, size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_HEAP, object, size, file, line));
  return object;
}

void *cyc_alloc_array(cyc_shape shape, cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  void *object = cyc_array_bytes(count, size, &bytes) ? obtain(shape, bytes) : 0;
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_HEAP, object, bytes, file, line));
  return object;
}

void *cyc_alloc_array_zero(cyc_shape shape, cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  void *object = cyc_array_bytes(count, size, &bytes) ? obtain_zero(shape, bytes) : 0;
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_HEAP, object, bytes, file, line));
  return object;
}

#endif

/* ---------------------------------------------------------------- the heap as a region */

#if CYC_HEAP_TRACED
static struct lowfat_gc_stats now(void) {
  struct lowfat_gc_stats stats;
  lowfat_gc_stats(&stats);
  return stats;
}

cyc_u64 cyc_heap_used_bytes(void) { return now().heap_bytes; }

cyc_u64 cyc_heap_alloc_bytes(void) {
  struct lowfat_gc_stats stats = now();
  return stats.live_bytes + stats.since_bytes;
}

void cyc_heap_set_limit(cyc_u64 bytes) { lowfat_gc_set(LOWFAT_GC_LIMIT, bytes >> 63 ? ~0ull >> 1 : bytes); }
#else
cyc_u64 cyc_heap_used_bytes(void) { return 0; }
cyc_u64 cyc_heap_alloc_bytes(void) { return 0; }
void cyc_heap_set_limit(cyc_u64 bytes) { (void)bytes; }
#endif

cyc_u64 cyc_heap_free_bytes(void) {
  cyc_u64 used = cyc_heap_used_bytes(), given = cyc_heap_alloc_bytes();
  return used > given ? used - given : 0;
}

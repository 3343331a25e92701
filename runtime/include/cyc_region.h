/* cyc_region.h - regions: where their objects come from; part of cyc_rt.h.
 *
 * A region is a chain of pages and a bump pointer into the newest (memory, section 10.2). Objects are aligned to 16
 * bytes and freed together, with the region. A handle is the address of a region; the heap's is that of a region that
 * is always full, so that the test for room is the only one an allocation makes.
 *
 * Lexical regions lie in the frames of their functions and form a per-thread stack: `cyc_regions` is the innermost, and
 * the current region of section 2.9. Raising an exception frees those that were entered since the handler's `try`.
 *
 * Invariant: `bump` and `limit` are multiples of 16 and lie in the same page, or are both null; `bump <= limit`.
 */
#ifndef CYC_REGION_H
#define CYC_REGION_H

struct cyc_region {
  char *bump, *limit;
  struct cyc_rgn_page *pages; /* newest first; null before the first allocation */
  cyc_region *outer;          /* the next one of the thread's stack; lexical regions only */
  cyc_u64 used;               /* bytes of page payload obtained */
  cyc_u64 wasted;             /* bytes given up at the ends of pages */
  cyc_u64 most;               /* `used` may not become more; 0: no limit */
  struct cyc_rgn_owned *owned; /* what can be given back before the region ends; lies in its pages; null if nothing can */
};

/* The heap as a region. */
extern cyc_region cyc_rgn_heap;

enum { CYC_RGN_ALIGN = 16 };

/* AddressSanitizer is told which bytes of a page are objects: what was not allocated, and what was freed with its
 * region, must not be touched. Objects are then kept apart. */
#if defined __SANITIZE_ADDRESS__
#define CYC_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define CYC_ASAN 1
#endif
#endif
#ifdef CYC_ASAN
void __asan_poison_memory_region(void const volatile *, cyc_size);
void __asan_unpoison_memory_region(void const volatile *, cyc_size);
#define CYC_RGN_GAP CYC_RGN_ALIGN
#define CYC_RGN_CLOSE(p, n) __asan_poison_memory_region(p, n)
#define CYC_RGN_OPEN(p, n) __asan_unpoison_memory_region(p, n)
#else
#define CYC_RGN_GAP 0
#define CYC_RGN_CLOSE(p, n) ((void)0)
#define CYC_RGN_OPEN(p, n) ((void)0)
#endif

/* For the run time's own hands on what is closed to the program. */
#define CYC_RAW __attribute__((no_sanitize_address))

/* The slow path: a new page, or the heap. `size` is at most CYC_RGN_MOST. Never null: raises Bad_alloc. */
void *cyc_rgn_more(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line);
/* Drops what is pooled and gives the pages back; the region is empty afterwards. */
void cyc_rgn_release(cyc_region *r);
/* Frees the lexical regions of this thread down to `until`, innermost first. */
void cyc_rgn_unwind(cyc_region *until);

/* No request may be larger. */
#define CYC_RGN_MOST ((cyc_size)1 << 47)

CYC_INLINE void cyc_rgn_push(cyc_region *r) {
  *r = (cyc_region){.outer = cyc_regions};
  cyc_regions = r;
  CYC_PROFILED(cyc_profile_open(r, "region", 0));
}

CYC_INLINE void cyc_rgn_pop(cyc_region *r) {
  cyc_regions = r->outer;
  CYC_PROFILED(cyc_profile_close(r));
  if (r->pages) cyc_rgn_release(r);
}

/* `size` bytes, at most CYC_RGN_MOST, of unspecified contents; those that the run time wants for itself. */
CYC_INLINE void *cyc_rgn_take(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  cyc_size rounded = size ? (size + (CYC_RGN_ALIGN - 1)) & ~(cyc_size)(CYC_RGN_ALIGN - 1) : CYC_RGN_ALIGN;
  char *object = r->bump;
  if (CYC_UNLIKELY(rounded + CYC_RGN_GAP > (cyc_size)(r->limit - object))) return cyc_rgn_more(r, shape, size, file, line);
  r->bump = object + (rounded + CYC_RGN_GAP);
  CYC_RGN_OPEN(object, size);
  return object;
}

/* The same for the program. */
CYC_INLINE void *cyc_rgn_alloc(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  void *object = cyc_rgn_take(r, shape, size, file, line);
  CYC_PROFILED(cyc_profile_in_region(r, 0, size, file, line));
  return object;
}

CYC_INLINE void *cyc_rgn_alloc_zero(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  return __builtin_memset(cyc_rgn_alloc(r, shape, size, file, line), 0, size);
}

/* `count` elements of `size` bytes, overflow checked, and checked to fit a fat pointer. */
CYC_INLINE void *cyc_rgn_alloc_array(cyc_region *r, cyc_shape shape, cyc_u64 count, cyc_size size, const char *file,
                                     unsigned line) {
  cyc_size bytes;
  if (CYC_UNLIKELY(count > CYC_FAT_MAX || __builtin_mul_overflow(count, size, &bytes) || bytes > CYC_RGN_MOST))
    cyc_fail_alloc(count, size, file, line);
  return cyc_rgn_alloc(r, shape, bytes, file, line);
}

CYC_INLINE void *cyc_rgn_alloc_array_zero(cyc_region *r, cyc_shape shape, cyc_u64 count, cyc_size size, const char *file,
                                          unsigned line) {
  return __builtin_memset(cyc_rgn_alloc_array(r, shape, count, size, file, line), 0, count * size);
}

/* The region behind the key of a dynamic region: the key is its address. */
CYC_INLINE cyc_region *cyc_rgn_of_key(const void *key) { return (cyc_region *)key; }

/* The innermost lexical region of the thread, or the heap. */
CYC_INLINE cyc_region *cyc_rgn_current(void) { return cyc_regions ? cyc_regions : &cyc_rgn_heap; }

/* Defined in the run time and declared, with their types, by core.h: cyc_rgn_heap_handle, cyc_rgn_current_handle,
 * cyc_rgn_used_bytes, cyc_rgn_free_bytes, cyc_rgn_alloc_bytes, cyc_rgn_set_limit. */

#endif

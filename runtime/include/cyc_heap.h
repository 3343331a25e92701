/* cyc_heap.h - the floor under everything the run time allocates: heap, regions, unique and counted objects.
 *
 * For the run time's own C files; emitted code never includes it.  The floor is liblowfat with its prefix only: the C
 * library keeps its malloc, and the two never see each other's objects.  Builds with a sanitizer that watches the heap
 * (-DCYC_HEAP_LIBC, which the driver adds, or the macros below) have the C library's malloc for a floor, so that the
 * sanitizer sees every object.
 *
 * Invariants:
 *   - every object begins at a multiple of 16; one whose size class is a power of two, at a multiple of that size
 *     (CYC_HEAP_LOWFAT only; ask cyc_heap_alloc_aligned where it matters);
 *   - the usable bytes of an object, cyc_heap_size, are at least those asked for, and never change while it lives;
 *   - with CYC_HEAP_LOWFAT, cyc_heap_base(p) of any p into those bytes (not one past them) is the object's first byte: so
 *     what stands at the base, a hidden header for instance, is found from any interior pointer.  Without it the
 *     base is not known (null): code that wants a header must have another way to it there;
 *   - any thread may free any object; a second free, an interior or foreign pointer ends the program with a report.
 */
#ifndef CYC_HEAP_H
#define CYC_HEAP_H

#include "cyc_rt.h"

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(hwaddress_sanitizer) || __has_feature(memory_sanitizer) ||          \
    __has_feature(thread_sanitizer)
#define CYC_HEAP_SANITIZER 1
#endif
#endif
#if !defined CYC_HEAP_LIBC && (defined CYC_HEAP_SANITIZER || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || \
                               !defined __x86_64__ || !defined __linux__)
#define CYC_HEAP_LIBC 1
#endif

#ifndef CYC_HEAP_LIBC
#define CYC_HEAP_LOWFAT 1
#include <lowfat.h>
#else
#define CYC_HEAP_LOWFAT 0
#include <malloc.h>
#include <stdlib.h>
#endif

/* Is the heap traced? Not where the C library's malloc is the floor, nor with --gc=none. */
#if CYC_HEAP_LOWFAT && !defined CYC_GC_NONE
#define CYC_HEAP_TRACED 1
#else
#define CYC_HEAP_TRACED 0
#endif

/* The bytes of `count` elements of `size`; false when they are more than a fat pointer can describe or memory can have. */
CYC_INLINE int cyc_array_bytes(cyc_u64 count, cyc_size size, cyc_size *bytes) {
  return CYC_LIKELY(count <= CYC_FAT_MAX && !__builtin_mul_overflow(count, size, bytes) && *bytes <= CYC_RGN_MOST);
}

/* An object of at least `bytes` bytes, with unspecified contents; null when memory is out.  No bytes still make an object with
 * an address of its own. */
CYC_INLINE void *cyc_heap_alloc(cyc_size bytes) {
#if CYC_HEAP_LOWFAT
  return lowfat_malloc(bytes);
#else
  return malloc(bytes ? bytes : 1);
#endif
}

/* The same, all zero. */
CYC_INLINE void *cyc_heap_alloc_zeroed(cyc_size bytes) {
#if CYC_HEAP_LOWFAT
  return lowfat_calloc(1, bytes);
#else
  return calloc(1, bytes ? bytes : 1);
#endif
}

/* The same, at a multiple of `alignment`, a power of two. */
CYC_INLINE void *cyc_heap_alloc_aligned(cyc_size alignment, cyc_size bytes) {
#if CYC_HEAP_LOWFAT
  return lowfat_aligned_alloc(alignment, bytes);
#else
  void *object = 0;
  return posix_memalign(&object, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes ? bytes : 1) ? 0 : object;
#endif
}

/* The object with room for `bytes`, more than none, perhaps at another place: its contents stay as far as there is room, what
 * comes behind them is unspecified. Null when memory is out; it is as it was then. */
CYC_INLINE void *cyc_heap_realloc(void *object, cyc_size bytes) {
#if CYC_HEAP_LOWFAT
  return lowfat_realloc(object, bytes);
#else
  return realloc(object, bytes);
#endif
}

/* Ends the object at `object`, which is its first byte, or does nothing for null. */
CYC_INLINE void cyc_heap_free(void *object) {
#if CYC_HEAP_LOWFAT
  lowfat_free(object);
#else
  free(object);
#endif
}

/* The usable bytes of the live object whose first byte is at `object`. */
CYC_INLINE cyc_size cyc_heap_size(void *object) {
#if CYC_HEAP_LOWFAT
  return lowfat_malloc_usable_size(object);
#else
  return malloc_usable_size(object);
#endif
}

/* The bytes an object of `bytes` bytes gets at most without costing more: what to ask for when any surplus is of use. */
CYC_INLINE cyc_size cyc_heap_good_size(cyc_size bytes) {
#if CYC_HEAP_LOWFAT
  cyc_size good = bytes <= 131072 ? lowfat_good_size(bytes) : 0; /* larger slots are not wholly touched */
  return good > bytes ? good : bytes;
#else
  return bytes;
#endif
}

/* The first byte of the heap object that `inside` points into; null when it points into none or that is not known. */
CYC_INLINE void *cyc_heap_base(const void *inside) {
#if CYC_HEAP_LOWFAT
  return lowfat_is_heap_ptr(inside) ? lowfat_base(inside) : 0;
#else
  (void)inside;
  return 0;
#endif
}

#endif

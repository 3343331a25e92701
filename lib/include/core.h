// Names that nearly every program uses: truth values and the usual string types.
#ifndef _CYC_CORE_H
#define _CYC_CORE_H

#include <stddef.h>

// A program may define its own `bool`; it then defines _CYC_HAVE_BOOL first.
#ifndef _CYC_HAVE_BOOL
#define _CYC_HAVE_BOOL
typedef int bool;
#ifndef true
#define true 1
#define false 0
#endif
#endif

// Strings of the heap that know their length: read-only and writable.
typedef const char ?`H string_t;
typedef char ?`H mstring_t;

// Bytes of the heap, not zero-terminated: read-only and writable.
typedef const char ?@nozeroterm`H buffer_t;
typedef char ?@nozeroterm`H mbuffer_t;

namespace Core {
// A dynamic region, its key, and a new region, whose name is hidden until it is unpacked.
struct DynamicRegion<`r::E>;
typedef struct DynamicRegion<`r> @@aqual(`q) `s region_key_t<`r::E,`q::Q,`s::E>;
typedef region_key_t<`r,UNIQUE,`s> uregion_key_t<`r::E,`s::E>;
struct NewDynamicRegion<`q::Q> { <`r::E> : single(`r)  region_key_t<`r,`q,`H> key; };
typedef struct NewDynamicRegion<UNIQUE> _cyc_new_ukey_t;

extern "C" {
  // What `qnew` and the like are told: may there be other pointers to the object, may this one free it?
  extern aqual_t<ALIASABLE> const aliasable_qual asm("cyc_qual_aliasable");
  extern aqual_t<UNIQUE> const unique_qual asm("cyc_qual_unique");
  extern aqual_t<REFCNT> const refcnt_qual asm("cyc_qual_refcnt");

  // Frees an object of the heap, or of the region of a handle. Null is nothing to do. What the object points to stays.
  void ufree(`a::A\T *`U p; {}) __attribute__((noliveunique(1))) asm("cyc_ufree");

  // A new region with its unique key; and the end of both.
  _cyc_new_ukey_t new_ukey(void) asm("cyc_rgn_new_ukey");
  void free_ukey(uregion_key_t<`r,`H> k; {}) __attribute__((consume(1))) asm("cyc_rgn_free_ukey");

  // The handle of the heap, and that of the innermost lexical region that is open (of the heap if there is none).
  extern region_t<`H> const heap_region asm("cyc_rgn_heap_handle");
  region_t<`C> current_handle(void) asm("cyc_rgn_current_handle");

  // Bytes of the pages of a region, left in its current page, and given to its objects. The heap's are 0.
  unsigned long region_used_bytes(region_t<`r> h) asm("cyc_rgn_used_bytes");
  unsigned long region_free_bytes(region_t<`r> h) asm("cyc_rgn_free_bytes");
  unsigned long region_alloc_bytes(region_t<`r> h) asm("cyc_rgn_alloc_bytes");

  // An allocation by which the pages of the region would exceed so many bytes raises Bad_alloc; 0: no limit.
  void region_set_limit(region_t<`r> h, unsigned long bytes) asm("cyc_rgn_set_limit");
}
}

// Allocation of what is freed one by one, and of what is counted.
#define unew qnew(Core::unique_qual)
#define umalloc(E) qmalloc(Core::heap_region, Core::unique_qual, E)
#define rcnew qnew(Core::refcnt_qual)
#define rcmalloc(E) qmalloc(Core::heap_region, Core::refcnt_qual, E)

#endif

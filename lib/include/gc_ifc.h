// The names by which older programs ask about the heap; heap.h has more. Without a collector all figures are 0.
#ifndef _CYC_GC_IFC_H
#define _CYC_GC_IFC_H

#include <stddef.h>

extern "C" {
  // Collections so far; bytes of the heap, of what is free in it, and allocated ever.
  //
  //     assert(GC_get_gc_no() >= 0 && GC_get_heap_size() >= GC_get_free_bytes() && GC_get_total_bytes() >= 0);
  unsigned int GC_get_gc_no(void) asm("cyc_heap_collections");
  size_t GC_get_heap_size(void) asm("cyc_heap_used_bytes");
  size_t GC_get_free_bytes(void) asm("cyc_heap_free_bytes");
  size_t GC_get_total_bytes(void) asm("cyc_heap_total_bytes");
  // Heap::set_limit.
  //
  //     GC_set_max_heap_size(100000000);
  //     GC_set_max_heap_size(0);
  void GC_set_max_heap_size(unsigned int bytes) asm("cyc_heap_set_small_limit");
  // Wishes about a heap that grows otherwise: this one does not ask.
  extern int GC_dont_expand asm("cyc_heap_dont_expand");
  extern int GC_use_entire_heap asm("cyc_heap_use_entire");
}
#define GC_gc_no GC_get_gc_no()

#endif

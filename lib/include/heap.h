// The traced heap: what it holds, and how it grows. Objects at `H that nothing points to any more are found by a collector, which
// stops the program for a moment; unique and counted objects and dynamic regions that were lost are freed by it as well. A
// program that is built with --gc=none, or under a sanitizer that watches the heap, has no collector: nothing is freed then, limits
// and figures are 0.
//
// Pointers are looked for in the stacks, registers, thread-locals and globals of the program and its libraries, in live objects, and
// in the pages of live regions; not in memory that C code has from its own malloc or mmap.
//
// The environment variable LOWFAT_GC_OPTIONS sets the same and more, as `name=value` pairs with commas between: limit, ratio (percent of
// the live bytes to which the heap grows before it is collected), start (bytes allocated at least between two collections), verbose
// (1: a line for each collection on standard error; 2: and figures at the end), every (collect at each n-th allocation), poison=1.
//
//     using Heap;
#ifndef _CYC_HEAP_H
#define _CYC_HEAP_H

#include <core.h>

namespace Heap {

// Bytes, if nothing else is said.
struct Stats {
  unsigned long collections;     // how many there have been
  unsigned long live_bytes;      // what the last one found, its objects' slots
  unsigned long live_objects;    // how many
  unsigned long since_bytes;     // allocated since, about
  unsigned long total_bytes;     // allocated ever, about
  unsigned long heap_bytes;      // of memory in use
  unsigned long reclaimed;       // unique and counted objects and pages of regions that were lost, and freed: how many
  unsigned long pause_last_ns;   // nanoseconds for which the program was stopped
  unsigned long pause_longest_ns;
  unsigned long pause_total_ns;
};

extern "C" {
  // Is there a collector?
  //
  //     assert(is_traced() || collect() == 0);
  bool is_traced(void) asm("cyc_heap_is_traced");
  // The figures as they are now.
  //
  //     struct Stats s = stats();
  //     assert(s.pause_longest_ns >= s.pause_last_ns);
  struct Stats stats(void) asm("cyc_heap_stats");
  // Collects now; the bytes that are live.
  //
  //     unsigned long before = stats().collections;
  //     collect();
  //     assert(!is_traced() || stats().collections > before);
  unsigned long collect(void) asm("cyc_heap_collect");
  // An allocation by which the objects of the heap would exceed so many bytes, after a collection, raises Bad_alloc; 0: no limit.
  //
  //     set_limit(1000000000);
  //     set_limit(0);
  void set_limit(unsigned long bytes) asm("cyc_heap_set_limit");
  // Percent of the live bytes to which the heap grows before it is collected: 101 to 100000, else Core::Invalid_argument.
  // 160 at first, and more for small heaps.
  //
  //     set_growth(150);
  //     try { set_growth(100); assert(false); } catch { case &Core::Invalid_argument(_): break; }
  void set_growth(unsigned int percent) asm("cyc_heap_set_growth");
  // Returns free memory to the system; how many bytes.
  //
  //     assert(trim() >= 0);
  unsigned long trim(void) asm("cyc_heap_trim");
}

}
#endif

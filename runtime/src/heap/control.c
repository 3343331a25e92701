/* What heap.h and gc_ifc.h of the library ask about the heap; without a collector the answers are 0. */
#include "cyc_heap.h"
#include "heap.h"

#if CYC_HEAP_TRACED
#include <lowfat_gc.h>
#endif

/* `new Core::Invalid_argument(what)`, made by lib/src/core.cyc. */
struct cyc_exn *cyc_invalid_argument(const char *what) __asm__("Cyc_Core$$invalid_argument");

/* As heap.h has it. */
struct figures {
  cyc_u64 collections, live_bytes, live_objects, since_bytes, total_bytes, heap_bytes, reclaimed;
  cyc_u64 pause_last_ns, pause_longest_ns, pause_total_ns;
};

/* Declared by gc_ifc.h, for programs that set them. */
int cyc_heap_dont_expand, cyc_heap_use_entire;

int cyc_heap_is_traced(void) { return CYC_HEAP_TRACED; }

struct figures cyc_heap_stats(void) {
#if CYC_HEAP_TRACED
  struct lowfat_gc_stats now;
  lowfat_gc_stats(&now);
  return (struct figures){
      .collections = now.collections,
      .live_bytes = now.live_bytes,
      .live_objects = now.live_objects,
      .since_bytes = now.since_bytes,
      .total_bytes = now.total_bytes,
      .heap_bytes = now.heap_bytes,
      .reclaimed = now.reclaimed_objects,
      .pause_last_ns = now.pause_last_ns,
      .pause_longest_ns = now.pause_longest_ns,
      .pause_total_ns = now.pause_total_ns,
  };
#else
  return (struct figures){0};
#endif
}

cyc_u64 cyc_heap_collect(void) {
#if CYC_HEAP_TRACED
  return lowfat_gc_collect();
#else
  return 0;
#endif
}

cyc_u64 cyc_heap_trim(void) {
#if CYC_HEAP_TRACED
  return lowfat_gc_trim();
#else
  return 0;
#endif
}

void cyc_heap_set_growth(unsigned percent) {
  if (percent < 101 || percent > 100000) cyc_throw(cyc_invalid_argument("set_growth"), "set_growth", 0);
#if CYC_HEAP_TRACED
  lowfat_gc_set(LOWFAT_GC_RATIO, percent);
#endif
}

cyc_u64 cyc_heap_total_bytes(void) { return cyc_heap_stats().total_bytes; }

unsigned cyc_heap_collections(void) { return (unsigned)cyc_heap_stats().collections; }

void cyc_heap_set_small_limit(unsigned bytes) { cyc_heap_set_limit(bytes); }

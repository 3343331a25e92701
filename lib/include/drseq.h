// Sequences of dynamic regions: a region, and the one right to make the next (memory, section 8.6). A copying collector
// gives its objects forwarding pointers into `` next_rgn<`r> ``, the region that they will be copied to.
#ifndef _CYC_DRSEQ_H
#define _CYC_DRSEQ_H

#include <core.h>

// The name of the region after `r. It may be written where there is no such region, and says nothing about its life.
typedef _::E next_rgn<`r::E>;

// The right to make the region after `r. There is one for each region of a sequence: so its key is the only one.
namespace Core { struct DynamicRegionGen<`r::E>; }
typedef struct Core::DynamicRegionGen<`r> @`U uregion_gen_t<`r::E>;

struct DynamicRegionSeq<`r::E> { Core::uregion_key_t<`r> key; uregion_gen_t<`r> gen; };
typedef struct DynamicRegionSeq<`r> drseq_t<`r::E>;
struct NewDynamicRegionSeq { <`r::E> : single(`r)  struct DynamicRegionSeq<`r> drseq; };

extern "C" {
  // A new region that is the first of a sequence; and the next one. Keys are opened and freed like all others.
  //
  //     let NewDynamicRegionSeq{<`r> DynamicRegionSeq{key, gen}} = new_drseq();
  //     let DynamicRegionSeq{key2, gen2} = next_drseq(gen);
  //     Core::free_ukey(key);
  //     Core::free_ukey(key2);
  //     Core::ufree(gen2);
  struct NewDynamicRegionSeq new_drseq(void) asm("cyc_rgn_new_drseq");
  struct DynamicRegionSeq<next_rgn<`r>> next_drseq(uregion_gen_t<`r> gen; {})
    __attribute__((consume(1))) asm("cyc_rgn_next_drseq");
}

#endif

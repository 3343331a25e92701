// Bit vectors: integers of which each has 32 bits. One of n bits has n / 32 + 1 integers.
#ifndef _CYC_BITVEC_H
#define _CYC_BITVEC_H

#include <core.h>
#include <dict.h>
#include <list.h>

namespace Bitvec {

typedef int ?`r bitvec_t<`r::E>;

// All bits 0, all bits 1 (those beyond n too), a copy.
bitvec_t new_empty(int n);
bitvec_t new_full(int n);
bitvec_t new_copy(bitvec_t v);
// The bits f(d[x]) for all x of the list, which are below sz; Dict::Absent.
bitvec_t from_list(Dict::dict_t<`a, `b, `e> d, int f(`b), int sz, List::list_t<`a> l);
// The positions below sz whose bits are 1, ascending.
List::list_t<int> to_sorted_list(bitvec_t bvec, int sz);
// All bits as 0 and 1, and a newline, on standard output.
void print_bvec(bitvec_t bvec);
// One bit: its value, set to 1, set to 0, its value before it is set to 1. Array_bounds.
bool get(bitvec_t bvec, int pos);
void set(bitvec_t bvec, int pos);
void clear(bitvec_t bvec, int pos);
bool get_and_set(bitvec_t bvec, int pos);
// All bits.
void clear_all(bitvec_t bvec);
void set_all(bitvec_t bvec);
// Are the first sz bits all 1?
bool all_set(bitvec_t bvec, int sz);
// dest becomes the bits of one of both, of both, of src1 but not src2. Assert unless both are as long as dest, which may be one of
// them.
void union_two(bitvec_t dest, bitvec_t src1, bitvec_t src2);
void intersect_two(bitvec_t dest, bitvec_t src1, bitvec_t src2);
void diff_two(bitvec_t dest, bitvec_t src1, bitvec_t src2);
// Are they equal in the integers of src1?
bool compare_two(bitvec_t src1, bitvec_t src2);

}
#endif

// Bit vectors: integers of which each has 32 bits. One of n bits has n / 32 + 1 integers.
//
//     using Bitvec;
//     static int identity(int x) { return x; }
//     static bitvec_t<`H> with(int a, int b) {
//       let v = new_empty(64);
//       set(v, a);
//       set(v, b);
//       return v;
//     }
#ifndef _CYC_BITVEC_H
#define _CYC_BITVEC_H

#include <core.h>
#include <dict.h>
#include <list.h>

namespace Bitvec {

typedef int ?`r bitvec_t<`r::E>;

// All bits 0, all bits 1 (those beyond n too), a copy. Core::Invalid_argument if n is negative.
//
//     let v = new_full(64);
//     let w = new_copy(v);
//     assert(!get(new_empty(64), 5) && get(v, 5) && get(w, 5) && w != v);
bitvec_t new_empty(int n);
bitvec_t new_full(int n);
bitvec_t new_copy(bitvec_t v);
// The bits f(d[x]) for all x of the list, which are below sz; Dict::Absent.
//
//     let d = Dict::insert(Dict::insert(Dict::empty(Core::intcmp), 1, 10), 2, 20);
//     assert(get(from_list(d, identity, 64, List::list(1, 2)), 20));
bitvec_t from_list(Dict::dict_t<`a, `b, `e> d, int f(`b), int sz, List::list_t<`a> l);
// The positions below sz whose bits are 1, ascending.
//
//     assert(List::list_cmp(Core::intcmp, to_sorted_list(with(40, 3), 64), List::list(3, 40)) == 0);
List::list_t<int> to_sorted_list(bitvec_t bvec, int sz);
// All bits as 0 and 1, and a newline, on standard output.
//
//     print_bvec(with(0, 1));
void print_bvec(bitvec_t bvec);
// One bit: its value, set to 1, set to 0, its value before it is set to 1. Array_bounds.
//
//     let v = with(3, 40);
//     clear(v, 3);
//     set(v, 4);
//     assert(!get(v, 3) && get(v, 4) && !get_and_set(v, 5) && get(v, 5));
bool get(bitvec_t bvec, int pos);
void set(bitvec_t bvec, int pos);
void clear(bitvec_t bvec, int pos);
bool get_and_set(bitvec_t bvec, int pos);
// All bits.
//
//     let v = with(3, 40);
//     clear_all(v);
//     assert(compare_two(v, new_empty(64)));
//     set_all(v);
//     assert(compare_two(v, new_full(64)));
void clear_all(bitvec_t bvec);
void set_all(bitvec_t bvec);
// Are the first sz bits all 1?
//
//     assert(all_set(with(0, 1), 2) && !all_set(with(0, 1), 3));
bool all_set(bitvec_t bvec, int sz);
// dest becomes the bits of one of both, of both, of src1 but not src2. Assert unless both are as long as dest, which may be one of
// them.
//
//     let v = new_empty(64);
//     union_two(v, with(1, 2), with(2, 3));
//     assert(get(v, 1) && get(v, 3));
//     intersect_two(v, with(1, 2), with(2, 3));
//     assert(!get(v, 1) && get(v, 2));
//     diff_two(v, with(1, 2), with(2, 3));
//     assert(get(v, 1) && !get(v, 2));
void union_two(bitvec_t dest, bitvec_t src1, bitvec_t src2);
void intersect_two(bitvec_t dest, bitvec_t src1, bitvec_t src2);
void diff_two(bitvec_t dest, bitvec_t src1, bitvec_t src2);
// Are they equal in the integers of src1?
//
//     assert(compare_two(with(1, 2), with(2, 1)) && !compare_two(with(1, 2), with(1, 3)));
bool compare_two(bitvec_t src1, bitvec_t src2);

}
#endif

// Scoped pools: regions of a size that is fixed when they are made, whose objects are given back one by one, each in a bounded
// number of steps; and arrays that do without a piece of memory as long as they are.
//
//     using Core;
//     using Pool;
#ifndef _CYC_POOL_H
#define _CYC_POOL_H

#include <core.h>

namespace Pool {
// An array of elements of type `a; and the pointer by which it is freed, like any unique object: `rufree(h, array)`.
struct Array<`a::A>;
typedef struct Array<`a> @\U `r array_t<`a::A, `r::E>;

// A pool in the region `s, where its key is too.
struct NewPool<`s::E> { <`r::E> : single(`r)  Core::region_key_t<`r,UNIQUE,`s> key; };

extern "C" {
  // A pool with room for `unmanaged` bytes of unique and counted objects and arrays, in blocks of 64, and for `plain` bytes of
  // others, which go with the pool. It is opened and freed like any dynamic region. Core::Invalid_argument if a size is
  // negative, Bad_alloc if there is not as much memory. What does not fit into the pool raises Bad_alloc.
  //
  //     let NewDynamicRegion{<`r> key} = new_pool(65536, 0);
  //     { region h = open(key);
  //       int *\U `r p = rnew(h, unique_qual) 7;
  //       rufree(h, p); }
  //     free_ukey(key);
  struct Core::NewDynamicRegion<\U> new_pool(long unmanaged, long plain) asm("cyc_scope_new_in_heap");
  // A pool inside a region, which may be a pool itself: it goes with that region at the latest.
  //
  //     region outer;
  //     let NewPool{<`r> key} = new_pool_in(outer, 65536, 0);
  //     { region h = open(key);
  //       int *\U `r p = rnew(h, unique_qual) 7;
  //       rufree(h, p); }
  struct NewPool<`s> new_pool_in(region_t<`s> around, long unmanaged, long plain; {`s} : single(`s)) asm("cyc_scope_new");

  // Bytes of the pool that no plain object can have any more: its tables, all unmanaged memory, and plain objects; and
  // of unmanaged memory that is in use. Core::Invalid_argument if the region is not a pool.
  //
  //     let NewDynamicRegion{<`r> key} = new_pool(65536, 0);
  //     { region h = open(key);
  //       assert(consumed(h) >= consumed_unmanaged(h)); }
  //     free_ukey(key);
  unsigned long consumed(region_t<`r> pool) asm("cyc_scope_consumed");
  unsigned long consumed_unmanaged(region_t<`r> pool) asm("cyc_scope_consumed_unmanaged");

  // n copies of what `first` points to. In a pool any free blocks will do, wherever they are. Core::Invalid_argument if n is
  // negative, Bad_alloc.
  //
  //     let NewDynamicRegion{<`r> key} = new_pool(65536, 0);
  //     { region h = open(key);
  //       double half = 0.5;
  //       array_t<double, `r> a = new_array_of(h, 1000, &half, sizeof(double));
  //       { let alias<`s> struct Pool::Array<double> @`s b = a;
  //         assert(length(b) == 1000 && *at(b, 999) == 0.5);
  //         for (int i = 0; i < length(b);) {
  //           double ?`s part = span(b, i);
  //           for (unsigned int j = 0; j < numelts(part); j++, i++) part[(int)j] *= 2.0;
  //         } }
  //       rufree(h, a); }
  //     free_ukey(key);
  array_t<`a, `r> new_array_of(region_t<`r> h, int n, `a::A @first, Core::sizeof_t<`a> size; {`r} : single(`r))
    asm("cyc_scope_array");
  int length(struct Array<`a::A> @array) asm("cyc_scope_array_length");
  // Element i, to be read and written as long as the array is lent; Array_bounds.
  //
  //     let NewDynamicRegion{<`r> key} = new_pool(65536, 0);
  //     { region h = open(key);
  //       array_t<int, `r> a = new_array(h, 100, 5, sizeof(int));
  //       { let alias<`s> struct Pool::Array<int> @`s b = a;
  //         *at(b, 99) = 6;
  //         assert(*at(b, 99) == 6); }
  //       rufree(h, a); }
  //     free_ukey(key);
  `a @`r at(struct Array<`a::A> @`r array, int i) asm("cyc_scope_array_at");
  // The elements from i on that lie side by side, at least one; Array_bounds.
  //
  //     let NewDynamicRegion{<`r> key} = new_pool(65536, 0);
  //     { region h = open(key);
  //       array_t<int, `r> a = new_array(h, 100, 5, sizeof(int));
  //       { let alias<`s> struct Pool::Array<int> @`s b = a;
  //         assert(numelts(span(b, 0)) >= 1); }
  //       rufree(h, a); }
  //     free_ukey(key);
  `a ?@nozeroterm `r span(struct Array<`a::A> @`r array, int i) asm("cyc_scope_array_span");
}

// The same for elements of one word: integers and pointers.
//
//     let NewDynamicRegion{<`r> key} = new_pool(65536, 0);
//     { region h = open(key);
//       array_t<int, `r> a = new_array(h, 100, 5, sizeof(int));
//       { let alias<`s> struct Pool::Array<int> @`s b = a;
//         set(b, 99, 6);
//         assert(get(b, 98) == 5 && get(b, 99) == 6); }
//       rufree(h, a); }
//     free_ukey(key);
array_t<`a, `r> new_array(region_t<`r> h, int n, `a v, Core::sizeof_t<`a> size : single(`r));
`a get(struct Array<`a> @array, int i);
void set(struct Array<`a> @array, int i, `a v);
}

#endif

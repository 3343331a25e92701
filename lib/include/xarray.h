// Arrays that grow. Adding an element takes constant time on average.
//
//     using Xarray;
//     static int twice(int x) { return 2 * x; }
//     static int add_to(int n, int x) { return n + x; }
//     static xarray_t<int> of(int a, int b) {
//       xarray_t<int> x = singleton(2, a);
//       add(x, b);
//       return x;
//     }
#ifndef _CYC_XARRAY_H
#define _CYC_XARRAY_H

#include <core.h>

namespace Xarray {

// The first num_elmts elements of elmts are in use.
struct Xarray<`a::B> {
  `a ?`U elmts;
  int num_elmts;
};
typedef struct Xarray<`a> @`r xarray_t<`a, `r::E>;

// The number of elements.
//
//     assert(length(of(5, 6)) == 2);
int length(xarray_t<`a> x);
// The element i, and its replacement; Core::Invalid_argument if there is none.
//
//     let x = of(5, 6);
//     set(x, 0, 7);
//     assert(get(x, 0) == 7 && get(x, 1) == 6);
`a get(xarray_t<`a> x, int i);
void set(xarray_t<`a> x, int i, `a v);
// No elements, with room for n, where v lies meanwhile; Core::Invalid_argument if n is negative.
//
//     region r;
//     assert(length(create(10, 0)) == 0 && length(rcreate(r, 10, 0)) == 0);
//     xarray_t<int> x = create_empty();
//     xarray_t<int, `r> y = rcreate_empty(r);
//     assert(length(x) == 0 && length(y) == 0);
xarray_t<`a> create(int n, `a v);
xarray_t<`a, `r> rcreate(region_t<`r> h, int n, `a v);
xarray_t<`a> create_empty();
xarray_t<`a, `r> rcreate_empty(region_t<`r> h);
// The element v, with room for n >= 1; Core::Invalid_argument.
//
//     region r;
//     assert(get(singleton(10, 5), 0) == 5 && length(rsingleton(r, 10, 5)) == 1);
xarray_t<`a> singleton(int n, `a v);
xarray_t<`a, `r> rsingleton(region_t<`r> h, int n, `a v);
// Append an element; the second one returns its index.
//
//     let x = of(5, 6);
//     add(x, 7);
//     assert(add_ind(x, 8) == 3 && get(x, 2) == 7);
void add(xarray_t<`a> x, `a v);
int add_ind(xarray_t<`a> x, `a v);
// Copies to and from arrays, and of two into one.
//
//     region r;
//     assert(to_array(of(5, 6))[1] == 6 && rto_array(r, of(5, 6))[0] == 5);
//     assert(get(from_array(new {5, 6}), 1) == 6 && length(rfrom_array(r, new {5, 6})) == 2);
//     assert(get(append(of(1, 2), of(3, 4)), 2) == 3 && length(rappend(r, of(1, 2), of(3, 4))) == 4);
`a ?to_array(xarray_t<`a> x);
`a ?`r rto_array(region_t<`r> h, xarray_t<`a> x);
xarray_t<`a> from_array(`a ?arr);
xarray_t<`a, `r> rfrom_array(region_t<`r> h, `a ?arr);
xarray_t<`a> append(xarray_t<`a> x, xarray_t<`a> y);
xarray_t<`a, `r> rappend(region_t<`r> h, xarray_t<`a> x, xarray_t<`a> y);
// Apply f to the elements in order: `app` throws results away, `iter` has none, `map` makes an array of them.
//
//     int seen = 0;
//     void see(int x) { seen = 10 * seen + x; }
//     void see_times(int n, int x) { seen += n * x; }
//     iter(see, of(1, 2));
//     iter_c(see_times, 100, of(1, 2));
//     assert(seen == 312);
//     app(twice, of(1, 2));
//     app_c(add_to, 1, of(1, 2));
//     region r;
//     assert(get(map(twice, of(1, 2)), 1) == 4 && get(map_c(add_to, 10, of(1, 2)), 1) == 12);
//     assert(get(rmap(r, twice, of(1, 2)), 1) == 4 && get(rmap_c(r, add_to, 10, of(1, 2)), 1) == 12);
void app(`b f(`a), xarray_t<`a> x);
void app_c(`b f(`c, `a), `c env, xarray_t<`a> x);
void iter(void f(`a), xarray_t<`a> x);
void iter_c(void f(`b, `a), `b env, xarray_t<`a> x);
xarray_t<`b> map(`b f(`a), xarray_t<`a> x);
xarray_t<`b, `r> rmap(region_t<`r> h, `b f(`a), xarray_t<`a> x);
xarray_t<`b> map_c(`b f(`c, `a), `c env, xarray_t<`a> x);
xarray_t<`b, `r> rmap_c(region_t<`r> h, `b f(`c, `a), `c env, xarray_t<`a> x);
// Empties the array; the room stays.
//
//     let x = of(5, 6);
//     reuse(x);
//     assert(length(x) == 0);
void reuse(xarray_t<`a> xarr);
// Drops the last num elements; removes element i, and those behind it move down. Core::Invalid_argument.
//
//     let x = of(5, 6);
//     add(x, 7);
//     Xarray::remove(x, 0);
//     delete(x, 1);
//     assert(length(x) == 1 && get(x, 0) == 6);
void delete(xarray_t<`a> xarr, int num);
void remove(xarray_t<`a> xarr, int i);

}
#endif

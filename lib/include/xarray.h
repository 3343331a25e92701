// Arrays that grow. Adding an element takes constant time on average.
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

int length(xarray_t<`a> x);
// The element i, and its replacement; Core::Invalid_argument if there is none.
`a get(xarray_t<`a> x, int i);
void set(xarray_t<`a> x, int i, `a v);
// No elements, with room for n, where v lies meanwhile; Core::Invalid_argument if n is negative.
xarray_t<`a> create(int n, `a v);
xarray_t<`a, `r> rcreate(region_t<`r> h, int n, `a v);
xarray_t<`a> create_empty();
xarray_t<`a, `r> rcreate_empty(region_t<`r> h);
// The element v, with room for n >= 1; Core::Invalid_argument.
xarray_t<`a> singleton(int n, `a v);
xarray_t<`a, `r> rsingleton(region_t<`r> h, int n, `a v);
// Append an element; the second one returns its index.
void add(xarray_t<`a> x, `a v);
int add_ind(xarray_t<`a> x, `a v);
// Copies to and from arrays, and of two into one.
`a ?to_array(xarray_t<`a> x);
`a ?`r rto_array(region_t<`r> h, xarray_t<`a> x);
xarray_t<`a> from_array(`a ?arr);
xarray_t<`a, `r> rfrom_array(region_t<`r> h, `a ?arr);
xarray_t<`a> append(xarray_t<`a> x, xarray_t<`a> y);
xarray_t<`a, `r> rappend(region_t<`r> h, xarray_t<`a> x, xarray_t<`a> y);
// Apply f to the elements in order: `app` throws results away, `iter` has none, `map` makes an array of them.
void app(`b f(`a), xarray_t<`a> x);
void app_c(`b f(`c, `a), `c env, xarray_t<`a> x);
void iter(void f(`a), xarray_t<`a> x);
void iter_c(void f(`b, `a), `b env, xarray_t<`a> x);
xarray_t<`b> map(`b f(`a), xarray_t<`a> x);
xarray_t<`b, `r> rmap(region_t<`r> h, `b f(`a), xarray_t<`a> x);
xarray_t<`b> map_c(`b f(`c, `a), `c env, xarray_t<`a> x);
xarray_t<`b, `r> rmap_c(region_t<`r> h, `b f(`c, `a), `c env, xarray_t<`a> x);
// Empties the array; the room stays.
void reuse(xarray_t<`a> xarr);
// Drops the last num elements; removes element i, and those behind it move down. Core::Invalid_argument.
void delete(xarray_t<`a> xarr, int num);
void remove(xarray_t<`a> xarr, int i);

}
#endif

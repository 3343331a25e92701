// Arrays that know their length. Lengths come from numelts of the argument as it is passed, so that `a + k` is the rest of `a`.
#ifndef _CYC_ARRAY_H
#define _CYC_ARRAY_H

#include <core.h>
#include <list.h>

namespace Array {

// Compares pointers to elements.
typedef int (@cmpfn_t<`a, `r1::E, `r2::E>)(`a @`r1, `a @`r2);

// Arrays of different length.
@extensible datatype exn { extern Array_mismatch };

// Sort the first len elements in place; Core::Invalid_argument if there are not as many. msort is stable.
void qsort<`a::B, `r::E>(cmpfn_t<`a, `r, `r> cmp, `a ?`r x, int len);
void msort(cmpfn_t<`a::B, `H, `H> cmp, `a ?`H x, int len);

// Conversions, and a fresh copy.
`a ?from_list(List::list_t<`a> l);
List::list_t<`a> to_list(`a ?x);
`a ?copy(`a ?x);

// Fresh arrays of f(x[i]), and results in place; of two arrays: Array_mismatch unless they are equally long.
`b ?map(`b f(`a), `a ?x);
`b ?map_c(`b f(`c, `a), `c env, `a ?x);
void imp_map(`a f(`a), `a ?x);
void imp_map_c(`a f(`b, `a), `b env, `a ?x);
`c ?map2(`c f(`a, `b), `a ?x, `b ?y);

// Apply f to every element: `app` throws results away, `iter` has none.
void app(`b f(`a), `a ?`r x);
void app_c(`c f(`a, `b), `a env, `b ?x);
void iter(void f(`a), `a ?x);
void iter_c(void f(`b, `a), `b env, `a ?x);
void app2(`c f(`a, `b), `a ?x, `b ?y);
void app2_c(`d f(`a, `b, `c), `a env, `b ?x, `c ?y);
void iter2(void f(`a, `b), `a ?x, `b ?y);
void iter2_c(void f(`a, `b, `c), `a env, `b ?x, `c ?y);

// f(…f(f(accum, x[0]), x[1])…, x[n-1]) and f(x[0], f(x[1], …f(x[n-1], accum)…)).
`a fold_left(`a f(`a, `b), `a accum, `b ?x);
`a fold_left_c(`a f(`c, `a, `b), `c env, `a accum, `b ?x);
`b fold_right(`b f(`a, `b), `a ?x, `b accum);
`b fold_right_c(`b f(`c, `a, `b), `c env, `a ?x, `b accum);

// Reversed: a copy, and in place.
`a ?rev_copy(`a ?x);
void imp_rev(`a ?x);

// Does pred hold of all elements, of some?
bool forall(bool pred(`a), `a ?x);
bool forall_c(bool pred(`a, `b), `a env, `b ?x);
bool exists(bool pred(`a), `a ?x);
bool exists_c(bool pred(`a, `b), `a env, `b ?x);

// Arrays of pairs, and pairs of arrays.
$(`a, `b) ?zip(`a ?`r1 x, `b ?y);
$(`a ?, `b ?) split($(`a, `b) ?x);

// Membership by `==` and by cmp(…) == 0.
bool memq(`a ?l, `a x);
bool mem(int cmp(`a, `a), `a ?l, `a x);

// A copy of *len_opt elements from start on, or of all that follow; Core::Invalid_argument where there are not as many.
`a ?extract(`a ?x, int start, int *len_opt);

}
#endif

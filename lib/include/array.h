// Arrays that know their length. Lengths come from numelts of the argument as it is passed, so that `a + k` is the rest of `a`.
//
//     using Array;
//     static int twice(int x) { return 2 * x; }
//     static int add(int a, int b) { return a + b; }
//     static int sum3(int a, int b, int c) { return a + b + c; }
//     static bool even(int x) { return x % 2 == 0; }
//     static bool above(int limit, int x) { return x > limit; }
//     static int compare(int @`r1 a, int @`r2 b) { return Core::intcmp(*a, *b); }
#ifndef _CYC_ARRAY_H
#define _CYC_ARRAY_H

#include <core.h>
#include <list.h>

// Optimised programs have the sorts for themselves (sort/array.cyc).
#if defined __CYCLONE_OPTIMIZE__ && !defined _CYC_ARRAY_MODULE
#define _CYC_ARRAY_INLINE
#endif

namespace Array {

// Compares pointers to elements.
typedef int (@cmpfn_t<`a, `r1::E, `r2::E>)(`a @`r1, `a @`r2);

// Arrays of different length.
@extensible datatype exn { extern Array_mismatch };

#ifndef _CYC_ARRAY_INLINE
// Sort the first len elements in place; Core::Invalid_argument if there are not as many. msort is stable.
//
//     int x[3] = {3, 1, 2};
//     qsort(compare, x, 3);
//     assert(x[0] == 1 && x[2] == 3);
//     int ?`H y = new {2, 1};
//     msort(compare, y, 2);
//     assert(y[0] == 1);
void qsort<`a::B, `r::E>(cmpfn_t<`a, `r, `r> cmp, `a ?`r x, int len);
void msort(cmpfn_t<`a::B, `H, `H> cmp, `a ?`H x, int len);
#endif

// Conversions, and a fresh copy.
//
//     int ?x = from_list(List::list(1, 2));
//     assert(x[1] == 2 && List::length(to_list(x)) == 2 && copy(x) != x && copy(x)[1] == 2);
`a ?from_list(List::list_t<`a> l);
List::list_t<`a> to_list(`a ?x);
`a ?copy(`a ?x);

// Fresh arrays of f(x[i]), and results in place; of two arrays: Array_mismatch unless they are equally long.
//
//     int ?x = new {1, 2};
//     assert(map(twice, x)[1] == 4 && map_c(add, 10, x)[1] == 12 && map2(add, x, x)[1] == 4);
//     imp_map(twice, x);
//     imp_map_c(add, 1, x);
//     assert(x[0] == 3 && x[1] == 5);
//     try { map2(add, x, x + 1); assert(false); } catch { case &Array_mismatch: break; }
`b ?map(`b f(`a), `a ?x);
`b ?map_c(`b f(`c, `a), `c env, `a ?x);
void imp_map(`a f(`a), `a ?x);
void imp_map_c(`a f(`b, `a), `b env, `a ?x);
`c ?map2(`c f(`a, `b), `a ?x, `b ?y);

// Apply f to every element: `app` throws results away, `iter` has none.
//
//     int ?x = new {1, 2};
//     int seen = 0;
//     void see(int a) { seen += a; }
//     void see_times(int n, int a) { seen += n * a; }
//     void see_both(int a, int b) { seen += a * b; }
//     void see_all(int n, int a, int b) { seen += n * a * b; }
//     iter(see, x);
//     iter_c(see_times, 10, x);
//     iter2(see_both, x, x);
//     iter2_c(see_all, 10, x, x);
//     assert(seen == 3 + 30 + 5 + 50);
//     app(twice, x);
//     app_c(add, 1, x);
//     app2(add, x, x);
//     app2_c(sum3, 1, x, x);
void app(`b f(`a), `a ?`r x);
void app_c(`c f(`a, `b), `a env, `b ?x);
void iter(void f(`a), `a ?x);
void iter_c(void f(`b, `a), `b env, `a ?x);
void app2(`c f(`a, `b), `a ?x, `b ?y);
void app2_c(`d f(`a, `b, `c), `a env, `b ?x, `c ?y);
void iter2(void f(`a, `b), `a ?x, `b ?y);
void iter2_c(void f(`a, `b, `c), `a env, `b ?x, `c ?y);

// f(…f(f(accum, x[0]), x[1])…, x[n-1]) and f(x[0], f(x[1], …f(x[n-1], accum)…)).
//
//     int ?x = new {1, 2};
//     int minus(int a, int b) { return a - b; }
//     int minus_times(int n, int a, int b) { return n * (a - b); }
//     assert(fold_left(minus, 10, x) == 7 && fold_right(minus, x, 10) == 1 - (2 - 10));
//     assert(fold_left_c(minus_times, 2, 10, x + 1) == 16 && fold_right_c(minus_times, 2, x + 1, 10) == -16);
`a fold_left(`a f(`a, `b), `a accum, `b ?x);
`a fold_left_c(`a f(`c, `a, `b), `c env, `a accum, `b ?x);
`b fold_right(`b f(`a, `b), `a ?x, `b accum);
`b fold_right_c(`b f(`c, `a, `b), `c env, `a ?x, `b accum);

// Reversed: a copy, and in place.
//
//     int ?x = new {1, 2};
//     assert(rev_copy(x)[0] == 2 && x[0] == 1);
//     imp_rev(x);
//     assert(x[0] == 2);
`a ?rev_copy(`a ?x);
void imp_rev(`a ?x);

// Does pred hold of all elements, of some?
//
//     int ?x = new {2, 4};
//     assert(forall(even, x) && !forall_c(above, 2, x) && exists(even, x) && exists_c(above, 2, x));
bool forall(bool pred(`a), `a ?x);
bool forall_c(bool pred(`a, `b), `a env, `b ?x);
bool exists(bool pred(`a), `a ?x);
bool exists_c(bool pred(`a, `b), `a env, `b ?x);

// Arrays of pairs, and pairs of arrays.
//
//     let pairs = zip(new {1, 2}, new {3, 4});
//     let $(firsts, seconds) = split(pairs);
//     assert(pairs[1][0] == 2 && firsts[0] == 1 && seconds[1] == 4);
$(`a, `b) ?zip(`a ?`r1 x, `b ?y);
$(`a ?, `b ?) split($(`a, `b) ?x);

// Membership by `==` and by cmp(…) == 0.
//
//     int ?x = new {1, 2};
//     assert(memq(x, 2) && !mem(Core::intcmp, x, 3));
bool memq(`a ?l, `a x);
bool mem(int cmp(`a, `a), `a ?l, `a x);

// A copy of *len_opt elements from start on, or of all that follow; Core::Invalid_argument where there are not as many.
//
//     int n = 2;
//     assert(numelts(extract(new {1, 2, 3, 4}, 1, &n)) == 2 && numelts(extract(new {1, 2, 3, 4}, 1, NULL)) == 3);
`a ?extract(`a ?x, int start, int *len_opt);

}
#ifdef _CYC_ARRAY_INLINE
#include <sort/array.cyc>
#endif
#endif

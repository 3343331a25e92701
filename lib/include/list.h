// Singly linked lists that end with NULL. Cells are ordinary structs: programs build and match them directly.
// Functions whose names begin with `r` allocate in the region of their first argument, the others in the heap; `imp_`
// ones change their argument; `_c` ones hand an environment to the function they are given.
#ifndef _CYC_LIST_H
#define _CYC_LIST_H

#include <core.h>

namespace List {

// All cells of one list share region and alias qualifier.
struct List<`a::B\T, `r::E, `q::Q\T> {
  `a hd;
  struct List<`a, `r, `q> *@aqual(`q) `r tl;
};
typedef struct List<`a, `r, `q> *@aqual(`q) `r list_t<`a, `r, `q>;
typedef struct List<`a, `r, `q> @@aqual(`q) `r List_t<`a, `r, `q>;

// Lists of different length; an index out of range.
@extensible datatype exn { extern List_mismatch; extern Nth };

// The arguments, in order.
list_t<`a> list(... `a xs);
list_t<`a, `r> rlist(region_t<`r> h, ... `a xs);

int length(list_t<`a::B\T> x);
`a hd(List_t<`a> x);
list_t<`a, `r> tl(List_t<`a::B\T, `r> x);

// Fresh copies of the spine.
list_t<`a> copy(list_t<`a> x);
list_t<`a, `r> rcopy(region_t<`r> h, list_t<`a> x);

// The list of f(x), f applied from left to right. Of two lists: List_mismatch after the common prefix.
list_t<`b> map(`b f(`a), list_t<`a> x);
list_t<`b, `r> rmap(region_t<`r> h, `b f(`a), list_t<`a> x);
list_t<`b> map_c(`b f(`c, `a), `c env, list_t<`a> x);
list_t<`b, `r> rmap_c(region_t<`r> h, `b f(`c, `a), `c env, list_t<`a> x);
list_t<`c> map2(`c f(`a, `b), list_t<`a> x, list_t<`b> y);
list_t<`c, `r> rmap2(region_t<`r> h, `c f(`a, `b), list_t<`a> x, list_t<`b> y);
list_t<`d> map3(`d f(`a, `b, `c), list_t<`a> x, list_t<`b> y, list_t<`c> z);
list_t<`d, `r> rmap3(region_t<`r> h, `d f(`a, `b, `c), list_t<`a> x, list_t<`b> y, list_t<`c> z);

// Applies f to every element: `app` throws results away, `iter` has none.
void app(`b f(`a), list_t<`a> x);
void app_c(`c f(`a, `b), `a env, list_t<`b> x);
void app2(`c f(`a, `b), list_t<`a> x, list_t<`b> y);
void app2_c(`d f(`a, `b, `c), `a env, list_t<`b> x, list_t<`c> y);
void iter(void f(`a), list_t<`a> x);
void iter_c(void f(`b, `a), `b env, list_t<`a> x);
void iter2(void f(`a, `b), list_t<`a> x, list_t<`b> y);
void iter2_c(void f(`a, `b, `c), `a env, list_t<`b> x, list_t<`c> y);

// f(…f(f(accum, x1), x2)…, xn) and f(x1, f(x2, …f(xn, accum)…)).
`a fold_left(`a f(`a, `b), `a accum, list_t<`b> x);
`a fold_left_c(`a f(`c, `a, `b), `c env, `a accum, list_t<`b> x);
`b fold_right(`b f(`a, `b), list_t<`a> x, `b accum);
`b fold_right_c(`b f(`c, `a, `b), `c env, list_t<`a> x, `b accum);

// Reversed copies, in front of y where there is one; and in place.
list_t<`a> revappend(list_t<`a, `r> x, list_t<`a, `H> y);
list_t<`a, `r> rrevappend(region_t<`r> h, list_t<`a> x, list_t<`a, `r> y);
list_t<`a> rev(list_t<`a> x);
list_t<`a, `r> rrev(region_t<`r> h, list_t<`a> x);
list_t<`a, `r> imp_rev(list_t<`a::B\T, `r> x);

// A copy of x followed by y itself; and y hung on the last cell of x.
list_t<`a> append(list_t<`a> x, list_t<`a, `H> y);
list_t<`a, `r> rappend(region_t<`r> h, list_t<`a> x, list_t<`a, `r> y);
list_t<`a, `r> imp_append(list_t<`a::B\T, `r> x, list_t<`a, `r> y);
list_t<`a> flatten(list_t<list_t<`a, `H>> x);
list_t<`a, `r> rflatten(region_t<`r> h, list_t<list_t<`a, `r>> x);

// Ascending by cmp, stable.
list_t<`a> merge_sort(int cmp(`a, `a), list_t<`a> x);
list_t<`a, `r> rmerge_sort(region_t<`r> h, int cmp(`a, `a), list_t<`a> x);
list_t<`a, `r> rimp_merge_sort(int cmp(`a, `a), list_t<`a, `r> x);
list_t<`a> merge(int cmp(`a, `a), list_t<`a, `H> x, list_t<`a, `H> y);
list_t<`a, `r> rmerge(region_t<`r> h, int cmp(`a, `a), list_t<`a> x, list_t<`a> y);
list_t<`a, `r> imp_merge(int cmp(`a, `a), list_t<`a, `r> x, list_t<`a, `r> y);

// The element, and the rest of the list, at a 0-based index; Nth outside.
`a nth(list_t<`a> x, int n);
list_t<`a, `r> nth_tail(list_t<`a, `r> x, int i);

bool forall(bool pred(`a), list_t<`a> x);
bool forall_c(bool pred(`a, `b), `a env, list_t<`b> x);
bool exists(bool pred(`a), list_t<`a> x);
bool exists_c(bool pred(`a, `b), `a env, list_t<`b> x);

// The first result of pred(env, x) that is not null; null if there is none.
`c *`r find_c(`c::A\T *`r pred(`a, `b), `a env, list_t<`b> x);

// Membership by `==` and by compare(…) == 0.
bool memq(list_t<`a> l, `a x);
bool mem(int compare(`a, `a), list_t<`a> l, `a x);

// Lists of pairs and triples; List_mismatch for lists of different length.
list_t<$(`a, `b) @`H, `H> zip(list_t<`a> x, list_t<`b> y);
list_t<$(`a, `b) @`r2, `r1> rzip(region_t<`r1> r1, region_t<`r2> r2, list_t<`a> x, list_t<`b> y);
list_t<$(`a, `b, `c) @`H, `H> zip3(list_t<`a> x, list_t<`b> y, list_t<`c> z);
list_t<$(`a, `b, `c) @`r2, `r1> rzip3(region_t<`r1> r1, region_t<`r2> r2, list_t<`a> x, list_t<`b> y, list_t<`c> z);
$(list_t<`a>, list_t<`b>) split(list_t<$(`a, `b) @> x);
$(list_t<`a>, list_t<`b>, list_t<`c>) split3(list_t<$(`a, `b, `c) @> x);
$(list_t<`a, `r1>, list_t<`b, `r2>) rsplit(region_t<`r1> r1, region_t<`r2> r2, list_t<$(`a, `b) @> x);
$(list_t<`a, `r3>, list_t<`b, `r4>, list_t<`c, `r5>) rsplit3(region_t<`r3> r3, region_t<`r4> r4, region_t<`r5> r5,
                                                             list_t<$(`a, `b, `c) @> x);

// The value of the first pair with the key; Core::Not_found.
`b assoc(list_t<$(`a, `b) @> l, `a k);
`b assoc_cmp(int cmp(`a, `c), list_t<$(`a, `b) @> l, `c x);
bool mem_assoc(list_t<$(`a, `b) @> l, `a x);
bool mem_assoc_cmp(int cmp(`a, `c), list_t<$(`a, `b) @> l, `c x);

// Unlinks the first such element in place; Core::Not_found.
list_t<`a, `r> delete(list_t<`a, `r> l, `a x);
list_t<`a, `r> delete_cmp(int cmp(`a, `a), list_t<`a, `r> l, `a x);

// In a sorted list: some element that occurs twice, or NULL.
Core::opt_t<`c> check_unique(int cmp(`c, `c), list_t<`c> x);

`a ?`H to_array(list_t<`a> x);
`a ?`r rto_array(region_t<`r> h, list_t<`a> x);
list_t<`a> from_array(`a ?arr);
list_t<`a, `r> rfrom_array(region_t<`r> h, `a ?arr);

// f(0), …, f(n-1), in increasing order.
list_t<`a> tabulate(int n, `a f(int));
list_t<`a> tabulate_c(int n, `a f(`b, int), `b env);
list_t<`a, `r> rtabulate(region_t<`r> h, int n, `a f(int));
list_t<`a, `r> rtabulate_c(region_t<`r> h, int n, `a f(`b, int), `b env);

// Lexicographic: a proper prefix is smaller. Where both go on with the same cell they are equal.
int list_cmp(int cmp(`a, `b), list_t<`a> l1, list_t<`b> l2);
bool list_prefix(int cmp(`a, `b), list_t<`a> l1, list_t<`b> l2);

list_t<`a> filter(bool f(`a), list_t<`a> x);
list_t<`a> filter_c(bool f(`b, `a), `b env, list_t<`a> x);
list_t<`a, `r> rfilter(region_t<`r> h, bool f(`a), list_t<`a> x);
list_t<`a, `r> rfilter_c(region_t<`r> h, bool f(`b, `a), `b env, list_t<`a> x);

}
#endif

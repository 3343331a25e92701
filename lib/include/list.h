// Singly linked lists that end with NULL. Cells are ordinary structs: programs build and match them directly.
// Functions whose names begin with `r` allocate in the region of their first argument, the others in the heap; `imp_`
// ones change their argument; `_c` ones hand an environment to the function they are given.
//
//     using List;
//     static int twice(int x) { return 2 * x; }
//     static int add(int a, int b) { return a + b; }
//     static int sum3(int a, int b, int c) { return a + b + c; }
//     static bool even(int x) { return x % 2 == 0; }
//     static bool above(int limit, int x) { return x > limit; }
//     static bool same(list_t<int> a, list_t<int> b) { return list_cmp(Core::intcmp, a, b) == 0; }
#ifndef _CYC_LIST_H
#define _CYC_LIST_H

#include <core.h>

// Optimised programs have the sorts into fresh lists for themselves (sort/list.cyc).
#if defined __CYCLONE_OPTIMIZE__ && !defined _CYC_LIST_MODULE
#define _CYC_LIST_INLINE
#endif

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
//
//     assert(length(list(1, 2, 3)) == 3);
//     region r;
//     assert(length(rlist(r, 7, 8)) == 2);
list_t<`a> list(... `a xs);
list_t<`a, `r> rlist(region_t<`r> h, ... `a xs);

// The number of cells; the first element of a list that has one, and what follows it.
//
//     List_t<int> x = new List(1, new List(2, NULL));
//     assert(length(x) == 2 && hd(x) == 1 && tl(x) != NULL);
int length(list_t<`a::B\T> x);
`a hd(List_t<`a> x);
list_t<`a, `r> tl(List_t<`a::B\T, `r> x);

// Fresh copies of the spine.
//
//     let x = list(1, 2);
//     region r;
//     assert(copy(x) != x && same(copy(x), x) && same(rcopy(r, x), x));
list_t<`a> copy(list_t<`a> x);
list_t<`a, `r> rcopy(region_t<`r> h, list_t<`a> x);

// The list of f(x), f applied from left to right. Of two lists: List_mismatch after the common prefix.
//
//     assert(same(map(twice, list(1, 2)), list(2, 4)) && same(map_c(add, 10, list(1, 2)), list(11, 12)));
//     assert(same(map2(add, list(1, 2), list(3, 4)), list(4, 6)));
//     assert(same(map3(sum3, list(1), list(2), list(3)), list(6)));
//     region r;
//     assert(same(rmap(r, twice, list(1)), list(2)) && same(rmap_c(r, add, 1, list(1)), list(2)));
//     assert(same(rmap2(r, add, list(1), list(2)), list(3)) && same(rmap3(r, sum3, list(1), list(2), list(3)), list(6)));
list_t<`b> map(`b f(`a), list_t<`a> x);
list_t<`b, `r> rmap(region_t<`r> h, `b f(`a), list_t<`a> x);
list_t<`b> map_c(`b f(`c, `a), `c env, list_t<`a> x);
list_t<`b, `r> rmap_c(region_t<`r> h, `b f(`c, `a), `c env, list_t<`a> x);
list_t<`c> map2(`c f(`a, `b), list_t<`a> x, list_t<`b> y);
list_t<`c, `r> rmap2(region_t<`r> h, `c f(`a, `b), list_t<`a> x, list_t<`b> y);
list_t<`d> map3(`d f(`a, `b, `c), list_t<`a> x, list_t<`b> y, list_t<`c> z);
list_t<`d, `r> rmap3(region_t<`r> h, `d f(`a, `b, `c), list_t<`a> x, list_t<`b> y, list_t<`c> z);

// Applies f to every element: `app` throws results away, `iter` has none.
//
//     int seen = 0;
//     void see(int x) { seen += x; }
//     void see_times(int n, int x) { seen += n * x; }
//     void see_both(int x, int y) { seen += x * y; }
//     void see_all(int n, int x, int y) { seen += n * x * y; }
//     iter(see, list(1, 2));
//     iter_c(see_times, 10, list(1, 2));
//     iter2(see_both, list(1, 2), list(3, 4));
//     iter2_c(see_all, 10, list(1, 2), list(3, 4));
//     assert(seen == 3 + 30 + 11 + 110);
//     app(putchar, list('a', 'b'));
//     app_c(add, 1, list(2));
//     app2(add, list(1), list(2));
//     app2_c(sum3, 1, list(2), list(3));
void app(`b f(`a), list_t<`a> x);
void app_c(`c f(`a, `b), `a env, list_t<`b> x);
void app2(`c f(`a, `b), list_t<`a> x, list_t<`b> y);
void app2_c(`d f(`a, `b, `c), `a env, list_t<`b> x, list_t<`c> y);
void iter(void f(`a), list_t<`a> x);
void iter_c(void f(`b, `a), `b env, list_t<`a> x);
void iter2(void f(`a, `b), list_t<`a> x, list_t<`b> y);
void iter2_c(void f(`a, `b, `c), `a env, list_t<`b> x, list_t<`c> y);

// f(…f(f(accum, x1), x2)…, xn) and f(x1, f(x2, …f(xn, accum)…)).
//
//     int minus(int a, int b) { return a - b; }
//     int minus_times(int n, int a, int b) { return n * (a - b); }
//     assert(fold_left(minus, 10, list(1, 2)) == 7 && fold_right(minus, list(1, 2), 10) == 1 - (2 - 10));
//     assert(fold_left_c(minus_times, 2, 10, list(1)) == 18 && fold_right_c(minus_times, 2, list(1), 10) == -18);
`a fold_left(`a f(`a, `b), `a accum, list_t<`b> x);
`a fold_left_c(`a f(`c, `a, `b), `c env, `a accum, list_t<`b> x);
`b fold_right(`b f(`a, `b), list_t<`a> x, `b accum);
`b fold_right_c(`b f(`c, `a, `b), `c env, list_t<`a> x, `b accum);

// Reversed copies, in front of y where there is one; and in place.
//
//     assert(same(rev(list(1, 2)), list(2, 1)) && same(imp_rev(list(1, 2)), list(2, 1)));
//     assert(same(revappend(list(2, 1), list(3)), list(1, 2, 3)));
//     region r;
//     assert(same(rrev(r, list(1, 2)), list(2, 1)) && same(rrevappend(r, list(1), rlist(r, 2)), list(1, 2)));
list_t<`a> revappend(list_t<`a, `r> x, list_t<`a, `H> y);
list_t<`a, `r> rrevappend(region_t<`r> h, list_t<`a> x, list_t<`a, `r> y);
list_t<`a> rev(list_t<`a> x);
list_t<`a, `r> rrev(region_t<`r> h, list_t<`a> x);
list_t<`a, `r> imp_rev(list_t<`a::B\T, `r> x);

// A copy of x followed by y itself; and y hung on the last cell of x.
//
//     let y = list(3);
//     let x = append(list(1, 2), y);
//     assert(same(x, list(1, 2, 3)) && nth_tail(x, 2) == y && same(imp_append(list(1), list(2)), list(1, 2)));
//     assert(same(flatten(list(list(1), list(2, 3))), list(1, 2, 3)));
//     region r;
//     assert(same(rappend(r, list(1), rlist(r, 2)), list(1, 2)));
//     assert(same(rflatten(r, rlist(r, rlist(r, 1), rlist(r, 2))), list(1, 2)));
list_t<`a> append(list_t<`a> x, list_t<`a, `H> y);
list_t<`a, `r> rappend(region_t<`r> h, list_t<`a> x, list_t<`a, `r> y);
list_t<`a, `r> imp_append(list_t<`a::B\T, `r> x, list_t<`a, `r> y);
list_t<`a> flatten(list_t<list_t<`a, `H>> x);
list_t<`a, `r> rflatten(region_t<`r> h, list_t<list_t<`a, `r>> x);

// Ascending by cmp, stable.
//
//     assert(same(merge_sort(Core::intcmp, list(3, 1, 2)), list(1, 2, 3)));
//     assert(same(merge(Core::intcmp, list(1, 3), list(2)), list(1, 2, 3)));
//     assert(same(imp_merge(Core::intcmp, list(1, 3), list(2)), list(1, 2, 3)));
//     region r;
//     assert(same(rmerge_sort(r, Core::intcmp, list(2, 1)), list(1, 2)));
//     assert(same(rimp_merge_sort(Core::intcmp, rlist(r, 2, 1)), list(1, 2)));
//     assert(same(rmerge(r, Core::intcmp, list(2), list(1)), list(1, 2)));
#ifndef _CYC_LIST_INLINE
list_t<`a> merge_sort(int cmp(`a, `a), list_t<`a> x);
list_t<`a, `r> rmerge_sort(region_t<`r> h, int cmp(`a, `a), list_t<`a> x);
#endif
list_t<`a, `r> rimp_merge_sort(int cmp(`a, `a), list_t<`a, `r> x);
list_t<`a> merge(int cmp(`a, `a), list_t<`a, `H> x, list_t<`a, `H> y);
list_t<`a, `r> rmerge(region_t<`r> h, int cmp(`a, `a), list_t<`a> x, list_t<`a> y);
list_t<`a, `r> imp_merge(int cmp(`a, `a), list_t<`a, `r> x, list_t<`a, `r> y);

// The element, and the rest of the list, at a 0-based index; Nth outside.
//
//     assert(nth(list(5, 6), 1) == 6 && same(nth_tail(list(5, 6), 1), list(6)));
//     try { nth(list(5, 6), 2); assert(false); } catch { case &Nth: break; }
`a nth(list_t<`a> x, int n);
list_t<`a, `r> nth_tail(list_t<`a, `r> x, int i);

// Does pred hold of all elements, of some?
//
//     assert(forall(even, list(2, 4)) && !forall_c(above, 2, list(2, 4)));
//     assert(!exists(even, list(1, 3)) && exists_c(above, 2, list(1, 3)));
bool forall(bool pred(`a), list_t<`a> x);
bool forall_c(bool pred(`a, `b), `a env, list_t<`b> x);
bool exists(bool pred(`a), list_t<`a> x);
bool exists_c(bool pred(`a, `b), `a env, list_t<`b> x);

// The first result of pred(env, x) that is not null; null if there is none.
//
//     int *`H square_above(int limit, int x) { return x * x > limit ? new x * x : NULL; }
//     int *found = find_c(square_above, 10, list(1, 2, 5, 7));
//     assert(found != NULL && *found == 25);
`c *`r find_c(`c::A\T *`r pred(`a, `b), `a env, list_t<`b> x);

// Membership by `==` and by compare(…) == 0.
//
//     assert(memq(list(1, 2), 2) && !mem(Core::intcmp, list(1, 2), 3));
bool memq(list_t<`a> l, `a x);
bool mem(int compare(`a, `a), list_t<`a> l, `a x);

// Lists of pairs and triples; List_mismatch for lists of different length.
//
//     let pairs = zip(list(1, 2), list(3, 4));
//     let $(firsts, seconds) = split(pairs);
//     assert((*hd((List_t)pairs))[1] == 3 && same(firsts, list(1, 2)) && same(seconds, list(3, 4)));
//     let triples = zip3(list(1), list(2), list(3));
//     let $(a, b, c) = split3(triples);
//     assert(same(a, list(1)) && same(b, list(2)) && same(c, list(3)));
//     region r;
//     let rpairs = rzip(r, r, list(1), list(2));
//     let $(x, y) = rsplit(r, r, rpairs);
//     let rtriples = rzip3(r, r, list(1), list(2), list(3));
//     let $(p, q, s) = rsplit3(r, r, r, rtriples);
//     assert(same(x, list(1)) && same(y, list(2)) && same(p, list(1)) && same(q, list(2)) && same(s, list(3)));
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
//
//     let l = zip(list(1, 2), list(10, 20));
//     assert(assoc(l, 2) == 20 && assoc_cmp(Core::intcmp, l, 1) == 10);
//     assert(mem_assoc(l, 1) && !mem_assoc_cmp(Core::intcmp, l, 3));
`b assoc(list_t<$(`a, `b) @> l, `a k);
`b assoc_cmp(int cmp(`a, `c), list_t<$(`a, `b) @> l, `c x);
bool mem_assoc(list_t<$(`a, `b) @> l, `a x);
bool mem_assoc_cmp(int cmp(`a, `c), list_t<$(`a, `b) @> l, `c x);

// Unlinks the first such element in place; Core::Not_found.
//
//     assert(same(delete(list(1, 2, 1), 1), list(2, 1)) && same(delete_cmp(Core::intcmp, list(1, 2), 2), list(1)));
//     try { delete(list(1), 2); assert(false); } catch { case &Core::Not_found: break; }
list_t<`a, `r> delete(list_t<`a, `r> l, `a x);
list_t<`a, `r> delete_cmp(int cmp(`a, `a), list_t<`a, `r> l, `a x);

// In a sorted list: some element that occurs twice, or NULL.
//
//     let twice_there = check_unique(Core::intcmp, list(1, 2, 2));
//     assert(twice_there != NULL && twice_there->v == 2 && check_unique(Core::intcmp, list(1, 2)) == NULL);
Core::opt_t<`c> check_unique(int cmp(`c, `c), list_t<`c> x);

// An array of the elements, and the list of an array's.
//
//     assert(to_array(list(5, 6))[1] == 6 && same(from_array(to_array(list(5, 6))), list(5, 6)));
//     region r;
//     int ?`r a = rto_array(r, list(5, 6));
//     assert(numelts(a) == 2 && same(rfrom_array(r, a), list(5, 6)));
`a ?`H to_array(list_t<`a> x);
`a ?`r rto_array(region_t<`r> h, list_t<`a> x);
list_t<`a> from_array(`a ?arr);
list_t<`a, `r> rfrom_array(region_t<`r> h, `a ?arr);

// f(0), …, f(n-1), in increasing order.
//
//     assert(same(tabulate(3, twice), list(0, 2, 4)) && same(tabulate_c(2, add, 10), list(10, 11)));
//     region r;
//     assert(same(rtabulate(r, 2, twice), list(0, 2)) && same(rtabulate_c(r, 2, add, 10), list(10, 11)));
list_t<`a> tabulate(int n, `a f(int));
list_t<`a> tabulate_c(int n, `a f(`b, int), `b env);
list_t<`a, `r> rtabulate(region_t<`r> h, int n, `a f(int));
list_t<`a, `r> rtabulate_c(region_t<`r> h, int n, `a f(`b, int), `b env);

// Lexicographic: a proper prefix is smaller. Where both go on with the same cell they are equal.
//
//     assert(list_cmp(Core::intcmp, list(1, 2), list(1, 3)) < 0 && list_cmp(Core::intcmp, list(2), list(1, 3)) > 0);
//     assert(list_prefix(Core::intcmp, list(1), list(1, 2)) && !list_prefix(Core::intcmp, list(2), list(1, 2)));
int list_cmp(int cmp(`a, `b), list_t<`a> l1, list_t<`b> l2);
bool list_prefix(int cmp(`a, `b), list_t<`a> l1, list_t<`b> l2);

// The elements of which f holds, in order.
//
//     assert(same(filter(even, list(1, 2, 4)), list(2, 4)) && same(filter_c(above, 1, list(1, 2)), list(2)));
//     region r;
//     assert(same(rfilter(r, even, list(1, 2)), list(2)) && same(rfilter_c(r, above, 1, list(1, 2)), list(2)));
list_t<`a> filter(bool f(`a), list_t<`a> x);
list_t<`a> filter_c(bool f(`b, `a), `b env, list_t<`a> x);
list_t<`a, `r> rfilter(region_t<`r> h, bool f(`a), list_t<`a> x);
list_t<`a, `r> rfilter_c(region_t<`r> h, bool f(`b, `a), `b env, list_t<`a> x);

}
#ifdef _CYC_LIST_INLINE
#include <sort/list.cyc>
#endif
#endif

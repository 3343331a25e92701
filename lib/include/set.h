// Sets in the order of a comparison. Membership, insertion and deletion take O(log n) steps. Functions whose names begin with
// `imp_` change their argument, the others return a new set that shares most of the old; `r…` ones take the handle of the
// set's region.
//
//     using Set;
//     static int add(int x, int sum) { return sum + x; }
//     static int add_times(int n, int x, int sum) { return sum + n * x; }
//     static set_t<int> of(... int xs) { return from_list(Core::intcmp, List::from_array(xs)); }
#ifndef _CYC_SET_H
#define _CYC_SET_H

#include <core.h>
#include <iter.h>
#include <list.h>

namespace Set {
using List;

struct Set<`a, `r::E>;
typedef struct Set<`a, `r> @`r set_t<`a, `r::E>;

// The set is empty.
@extensible datatype exn { extern Absent };

// The empty set, ordered by cmp; with one element; with the elements of a list.
//
//     region r;
//     assert(is_empty(empty(Core::intcmp)) && is_empty(rempty(r, Core::intcmp)));
//     assert(member(singleton(Core::intcmp, 5), 5) && cardinality(from_list(Core::intcmp, List::list(1, 2, 1))) == 2);
set_t<`a> empty(int (@`H cmp)(`a, `a));
set_t<`a, `r> rempty(region_t<`r> h, int (@`H cmp)(`a, `a));
set_t<`a> singleton(int (@`H cmp)(`a, `a), `a x);
set_t<`a> from_list(int (@`H cmp)(`a, `a), list_t<`a> l);
// The elements, ascending.
//
//     assert(List::list_cmp(Core::intcmp, to_list(of(3, 1, 2)), List::list(1, 2, 3)) == 0);
list_t<`a, `r> to_list(set_t<`a, `r> s);

// With an element; the set itself if it is one already.
//
//     let s = of(1);
//     assert(cardinality(insert(s, 2)) == 2 && cardinality(s) == 1);
//     imp_insert(s, 3);
//     region r;
//     let t = rinsert(r, rempty(r, Core::intcmp), 4);
//     imp_rinsert(r, t, 5);
//     assert(member(s, 3) && cardinality(t) == 2);
set_t<`a> insert(set_t<`a, `H> s, `a elt);
set_t<`a, `r> rinsert(region_t<`r> h, set_t<`a, `r> s, `a elt);
void imp_insert(set_t<`a, `H> s, `a elt);
void imp_rinsert(region_t<`r> h, set_t<`a, `r> s, `a elt);
// Without an element; the set itself if it is none.
//
//     assert(!member(delete(of(1, 2), 1), 1));
set_t<`a> delete(set_t<`a, `H> s, `a elt);
// Takes an element out and returns it, as it was inserted; elt if it is none.
//
//     let s = of(1, 2);
//     assert(imp_delete(s, 1) == 1 && cardinality(s) == 1);
`a imp_delete(set_t<`a, `H> s, `a elt);

// Elements of one of both, of both, of s1 but not of s2. O(m log(n/m)) steps for sizes m <= n.
//
//     assert(equals(union_two(of(1, 2), of(2, 3)), of(1, 2, 3)) && equals(intersect(of(1, 2), of(2, 3)), of(2)));
//     assert(equals(diff(of(1, 2), of(2, 3)), of(1)));
set_t<`a> union_two(set_t<`a, `H> s1, set_t<`a, `H> s2);
set_t<`a> intersect(set_t<`a, `H> s1, set_t<`a, `H> s2);
set_t<`a> diff(set_t<`a, `H> s1, set_t<`a, `H> s2);

// The number of elements; is there none; is elt one?
//
//     assert(cardinality(of(1, 2)) == 2 && !is_empty(of(1)) && member(of(1, 2), 2));
int cardinality(set_t s);
bool is_empty(set_t s);
bool member(set_t<`a> s, `a elt);
// Are all elements of s1 in s2?
//
//     assert(subset(of(1), of(1, 2)) && !subset(of(3), of(1, 2)));
bool subset(set_t<`a> s1, set_t<`a> s2);
// A total order: by cardinality, then element by element.
//
//     assert(setcmp(of(9), of(1, 2)) < 0 && setcmp(of(1, 3), of(1, 2)) > 0 && equals(of(1, 2), of(2, 1)));
int setcmp(set_t<`a> s1, set_t<`a> s2);
bool equals(set_t<`a> s1, set_t<`a> s2);

// f(xn, … f(x1, accum)…), for x1 < … < xn.
//
//     assert(fold(add, of(1, 2), 10) == 13 && fold_c(add_times, 2, of(1, 2), 10) == 16);
`b fold(`b f(`a, `b), set_t<`a> s, `b accum);
`b fold_c(`b f(`c, `a, `b), `c env, set_t<`a> s, `b accum);
// Apply f to all elements, ascending: `app` throws results away, `iter` has none.
//
//     int seen = 0;
//     void see(int x) { seen = 10 * seen + x; }
//     void see_times(int n, int x) { seen += n * x; }
//     iter(see, of(2, 1));
//     iter_c(see_times, 100, of(3));
//     assert(seen == 312);
//     app(Core::identity, of(1));
void app(`b f(`a), set_t<`a> s);
void iter(void f(`a), set_t<`a> s);
void iter_c(void f(`c, `a), `c env, set_t<`a> s);
// The least element; Absent if there is none.
//
//     assert(choose(of(3, 2)) == 2);
//     try { choose(empty(Core::intcmp)); assert(false); } catch { case &Absent: break; }
`a choose(set_t<`a> s);
// An iterator over the elements, ascending. It goes over the set as it is now.
//
//     region r;
//     let it = make_iter(r, of(2, 1));
//     int first = 0;
//     assert(Iter::next(it, &first) && first == 1);
Iter::iter_t<`a, regions(`a) + `r1 + `r2> make_iter(region_t<`r1> rgn, set_t<`a, `r2> s);

}
#endif

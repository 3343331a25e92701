// Sets in the order of a comparison. Membership, insertion and deletion take O(log n) steps. Functions whose names begin with
// `imp_` change their argument, the others return a new set that shares most of the old; `r…` ones take the handle of the
// set's region.
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
set_t<`a> empty(int (@`H cmp)(`a, `a));
set_t<`a, `r> rempty(region_t<`r> h, int (@`H cmp)(`a, `a));
set_t<`a> singleton(int (@`H cmp)(`a, `a), `a x);
set_t<`a> from_list(int (@`H cmp)(`a, `a), list_t<`a> l);
// The elements, ascending.
list_t<`a, `r> to_list(set_t<`a, `r> s);

// With an element; the set itself if it is one already.
set_t<`a> insert(set_t<`a, `H> s, `a elt);
set_t<`a, `r> rinsert(region_t<`r> h, set_t<`a, `r> s, `a elt);
void imp_insert(set_t<`a, `H> s, `a elt);
void imp_rinsert(region_t<`r> h, set_t<`a, `r> s, `a elt);
// Without an element; the set itself if it is none.
set_t<`a> delete(set_t<`a, `H> s, `a elt);
// Takes an element out and returns it, as it was inserted; elt if it is none.
`a imp_delete(set_t<`a, `H> s, `a elt);

// Elements of one of both, of both, of s1 but not of s2. O(m log(n/m)) steps for sizes m <= n.
set_t<`a> union_two(set_t<`a, `H> s1, set_t<`a, `H> s2);
set_t<`a> intersect(set_t<`a, `H> s1, set_t<`a, `H> s2);
set_t<`a> diff(set_t<`a, `H> s1, set_t<`a, `H> s2);

int cardinality(set_t s);
bool is_empty(set_t s);
bool member(set_t<`a> s, `a elt);
// Are all elements of s1 in s2?
bool subset(set_t<`a> s1, set_t<`a> s2);
// A total order: by cardinality, then element by element.
int setcmp(set_t<`a> s1, set_t<`a> s2);
bool equals(set_t<`a> s1, set_t<`a> s2);

// f(xn, … f(x1, accum)…), for x1 < … < xn.
`b fold(`b f(`a, `b), set_t<`a> s, `b accum);
`b fold_c(`b f(`c, `a, `b), `c env, set_t<`a> s, `b accum);
// Apply f to all elements, ascending: `app` throws results away, `iter` has none.
void app(`b f(`a), set_t<`a> s);
void iter(void f(`a), set_t<`a> s);
void iter_c(void f(`c, `a), `c env, set_t<`a> s);
// The least element; Absent if there is none.
`a choose(set_t<`a> s);
// An iterator over the elements, ascending. It goes over the set as it is now.
Iter::iter_t<`a, regions(`a) + `r1 + `r2> make_iter(region_t<`r1> rgn, set_t<`a, `r2> s);

}
#endif

// Dictionaries of the heap behind a pointer: an older interface to those of dict.h, which it is made of.
//
//     using SlowDict;
//     static int plus3(int k, int v, int sum) { return sum + k * v; }
//     static int plus4(int n, int k, int v, int sum) { return sum + n * k * v; }
//     static dict_t<int, int> two() { return inserts(empty(Core::intcmp), List::list(new $(1, 10), new $(2, 20))); }
#ifndef _CYC_SLOWDICT_H
#define _CYC_SLOWDICT_H

#include <core.h>
#include <list.h>

namespace SlowDict {
using List;

struct Dict<`a, `b>;
typedef struct Dict<`a, `b> @dict_t<`a, `b>;

// The key is there already; the key is missing.
@extensible datatype exn { extern Present; extern Absent };

// The empty dictionary, ordered by cmp; one with a single binding.
//
//     assert(is_empty(empty(Core::intcmp)) && member(singleton(Core::intcmp, 1, 10), 1));
dict_t<`a, `b> empty(int (@`H cmp)(`a, `a));
dict_t<`a, `b> singleton(int (@`H cmp)(`a, `a), `a k, `b v);
bool is_empty(dict_t d);
bool member(dict_t<`a> d, `a k);
// With k bound to v, in place of an old binding; Present if there is one already; with all bindings of a list, from the left.
//
//     assert(lookup(insert(two(), 3, 30), 3) == 30 && lookup(insert_new(two(), 3, 31), 3) == 31);
//     assert(lookup(inserts(two(), List::list(new $(1, 0))), 1) == 0);
dict_t<`a, `b> insert(dict_t<`a, `b> d, `a k, `b v);
dict_t<`a, `b> insert_new(dict_t<`a, `b> d, `a k, `b v);
dict_t<`a, `b> inserts(dict_t<`a, `b> d, list_t<$(`a, `b) @> l);
// The value of a key; Absent, or an option.
//
//     let found = lookup_opt(two(), 1);
//     assert(lookup(two(), 2) == 20 && found != NULL && found->v == 10 && lookup_opt(two(), 3) == NULL);
`b lookup(dict_t<`a, `b> d, `a k);
Core::opt_t<`b> lookup_opt(dict_t<`a, `b> d, `a k);
// Without a key, which may be missing; Absent if it is.
//
//     assert(!member(delete(two(), 1), 1) && !member(delete_present(two(), 1), 1));
//     try { delete_present(two(), 3); assert(false); } catch { case &Absent: break; }
dict_t<`a, `b> delete(dict_t<`a, `b> d, `a k);
dict_t<`a, `b> delete_present(dict_t<`a, `b> d, `a k);
// f(kn, vn, … f(k1, v1, accum)…), for k1 < … < kn.
//
//     assert(fold(plus3, two(), 0) == 50 && fold_c(plus4, 2, two(), 0) == 100);
`c fold(`c f(`a, `b, `c), dict_t<`a, `b> d, `c accum);
`c fold_c(`c f(`d, `a, `b, `c), `d env, dict_t<`a, `b> d, `c accum);
// Apply f to all bindings, by ascending keys: `app` throws results away, `iter` has none, `map` makes them the values.
//
//     int seen = 0;
//     void see(int k, int v) { seen += k * v; }
//     void see_times(int n, int k, int v) { seen += n * k * v; }
//     int half(int v) { return v / 2; }
//     int divided(int n, int v) { return v / n; }
//     iter(see, two());
//     iter_c(see_times, 10, two());
//     assert(seen == 550 && lookup(map(half, two()), 2) == 10 && lookup(map_c(divided, 5, two()), 2) == 4);
//     app(Core::intcmp, two());
//     app_c(plus3, 1, two());
void app(`c f(`a, `b), dict_t<`a, `b> d);
void app_c(`c f(`d, `a, `b), `d env, dict_t<`a, `b> d);
void iter(void f(`a, `b), dict_t<`a, `b> d);
void iter_c(void f(`c, `a, `b), `c env, dict_t<`a, `b> d);
dict_t<`a, `c> map(`c f(`b), dict_t<`a, `b> d);
dict_t<`a, `c> map_c(`c f(`d, `b), `d env, dict_t<`a, `b> d);
// Some binding; Absent if there is none.
//
//     assert((*choose(singleton(Core::intcmp, 1, 10)))[1] == 10);
$(`a, `b) @choose(dict_t<`a, `b> d);
// All bindings, by descending keys.
//
//     assert((*List::nth(to_list(two()), 0))[0] == 2);
list_t<$(`a, `b) @> to_list(dict_t<`a, `b> d);

}
#endif

// Dictionaries of the heap behind a pointer: an older interface to those of dict.h, which it is made of.
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
dict_t<`a, `b> empty(int (@`H cmp)(`a, `a));
dict_t<`a, `b> singleton(int (@`H cmp)(`a, `a), `a k, `b v);
bool is_empty(dict_t d);
bool member(dict_t<`a> d, `a k);
// With k bound to v, in place of an old binding; Present if there is one already; with all bindings of a list, from the left.
dict_t<`a, `b> insert(dict_t<`a, `b> d, `a k, `b v);
dict_t<`a, `b> insert_new(dict_t<`a, `b> d, `a k, `b v);
dict_t<`a, `b> inserts(dict_t<`a, `b> d, list_t<$(`a, `b) @> l);
// The value of a key; Absent, or an option.
`b lookup(dict_t<`a, `b> d, `a k);
Core::opt_t<`b> lookup_opt(dict_t<`a, `b> d, `a k);
// Without a key, which may be missing; Absent if it is.
dict_t<`a, `b> delete(dict_t<`a, `b> d, `a k);
dict_t<`a, `b> delete_present(dict_t<`a, `b> d, `a k);
// f(kn, vn, … f(k1, v1, accum)…), for k1 < … < kn.
`c fold(`c f(`a, `b, `c), dict_t<`a, `b> d, `c accum);
`c fold_c(`c f(`d, `a, `b, `c), `d env, dict_t<`a, `b> d, `c accum);
// Apply f to all bindings, by ascending keys: `app` throws results away, `iter` has none, `map` makes them the values.
void app(`c f(`a, `b), dict_t<`a, `b> d);
void app_c(`c f(`d, `a, `b), `d env, dict_t<`a, `b> d);
void iter(void f(`a, `b), dict_t<`a, `b> d);
void iter_c(void f(`c, `a, `b), `c env, dict_t<`a, `b> d);
dict_t<`a, `c> map(`c f(`b), dict_t<`a, `b> d);
dict_t<`a, `c> map_c(`c f(`d, `b), `d env, dict_t<`a, `b> d);
// Some binding; Absent if there is none.
$(`a, `b) @choose(dict_t<`a, `b> d);
// All bindings, by descending keys.
list_t<$(`a, `b) @> to_list(dict_t<`a, `b> d);

}
#endif

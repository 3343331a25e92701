// Dictionaries: finite maps in the order of a comparison, which never change; what inserts or deletes returns a new one that
// shares most of the old. Lookup, insertion and deletion take O(log n) steps. Functions whose names begin with `r` allocate
// in the region of their first argument.
#ifndef _CYC_DICT_H
#define _CYC_DICT_H

#include <core.h>
#include <iter.h>
#include <list.h>
#include <stdio.h>

namespace Dict {
using List;

struct T<`a, `b, `r::E>;
typedef struct T<`a, `b, `r> const *`r tree<`a, `b, `r::E>;
// The comparison of keys, the region of the tree, and the tree.
struct Dict<`a, `b, `r::E> {
  int (@`H rel)(`a, `a);
  region_t<`r> r;
  tree<`a, `b, `r> t;
};
typedef struct Dict<`a, `b, `r> dict_t<`a, `b, `r::E>;

// The key is missing; the key is there already.
@extensible datatype exn { extern Absent; extern Present };

// The empty dictionary, ordered by cmp; one with a single binding.
dict_t<`a, `b> empty(int (@`H cmp)(`a, `a));
dict_t<`a, `b, `r> rempty(region_t<`r> h, int (@`H cmp)(`a, `a));
dict_t<`a, `b> singleton(int (@`H cmp)(`a, `a), `a k, `b v);
dict_t<`a, `b, `r> rsingleton(region_t<`r> h, int (@`H cmp)(`a, `a), `a k, `b v);
// The same dictionary as one of both regions; what is inserted is allocated in the one of the handle.
dict_t<`a, `b, `r + `r2> rshare(region_t<`r> h, dict_t<`a, `b, `r2> d);

bool is_empty(dict_t d);
int cardinality(dict_t d);
bool member(dict_t<`a> d, `a k);

// With k bound to v, in place of an old binding; Present if there is one already; with all bindings of a list, from the left.
dict_t<`a, `b, `r> insert(dict_t<`a, `b, `r> d, `a k, `b v);
dict_t<`a, `b, `r> insert_new(dict_t<`a, `b, `r> d, `a k, `b v);
dict_t<`a, `b, `r> inserts(dict_t<`a, `b, `r> d, list_t<$(`a, `b) @> l);

// The value of a key; Absent. The _other one compares with another type of keys, in the same order.
`b lookup(dict_t<`a, `b> d, `a k);
`b lookup_other(dict_t<`a, `b> d, int cmp(`c, `a), `c k);
// Where the value of a key is stored, or null.
`b *`r lookup_opt(dict_t<`a, `b, `r> d, `a k);
// Stores the value of a key, if there is one, and tells whether.
bool lookup_bool(dict_t<`a, `b> d, `a k, `b @ans);

// f(kn, vn, … f(k1, v1, accum)…), for k1 < … < kn.
`c fold(`c f(`a, `b, `c), dict_t<`a, `b> d, `c accum);
`c fold_c(`c f(`d, `a, `b, `c), `d env, dict_t<`a, `b> d, `c accum);
// Apply f to all bindings, by ascending keys: `app` throws results away, `iter` has none.
void app(`c f(`a, `b), dict_t<`a, `b> d);
void app_c(`c f(`d, `a, `b), `d env, dict_t<`a, `b> d);
void iter(void f(`a, `b), dict_t<`a, `b> d);
void iter_c(void f(`c, `a, `b), `c env, dict_t<`a, `b> d);
// For each key of d1, with the values of both; Absent if it is none of d2.
void iter2(void (@f)(`b, `b), dict_t<`a, `b> d1, dict_t<`a, `b> d2);
void iter2_c(void (@f)(`c, `b, `b), `c env, dict_t<`a, `b> d1, dict_t<`a, `b> d2);
`c fold2_c(`c (@f)(`d, `a, `b1, `b2, `c), `d env, dict_t<`a, `b1> d1, dict_t<`a, `b2> d2, `c accum);

// Copies of the tree; and with f of each value.
dict_t<`a, `b> copy(dict_t<`a, `b> d);
dict_t<`a, `b, `r> rcopy(region_t<`r> h, dict_t<`a, `b> d);
dict_t<`a, `c> map(`c f(`b), dict_t<`a, `b> d);
dict_t<`a, `c, `r> rmap(region_t<`r> h, `c f(`b), dict_t<`a, `b> d);
dict_t<`a, `c> map_c(`c f(`d, `b), `d env, dict_t<`a, `b> d);
dict_t<`a, `c, `r> rmap_c(region_t<`r> h, `c f(`d, `b), `d env, dict_t<`a, `b> d);

// Keys of one of both, or of both; the value of common ones is f(k, v1, v2). O(m log(n/m)) steps for sizes m <= n.
dict_t<`a, `b, `r> union_two_c(`b (@f)(`c, `a, `b, `b), `c env, dict_t<`a, `b, `r> d1, dict_t<`a, `b, `r> d2);
dict_t<`a, `b, `r> intersect(`b (@f)(`a, `b, `b), dict_t<`a, `b, `r> d1, dict_t<`a, `b, `r> d2);
dict_t<`a, `b, `r> intersect_c(`b (@f)(`c, `a, `b, `b), `c env, dict_t<`a, `b, `r> d1, dict_t<`a, `b, `r> d2);
// Does f hold for all bindings; for all common keys, with both values?
bool forall_c(bool f(`c, `a, `b), `c env, dict_t<`a, `b> d);
bool forall_intersect(bool f(`a, `b, `b), dict_t<`a, `b> d1, dict_t<`a, `b> d2);

// Some binding; Absent if there is none.
$(`a, `b) @`r rchoose(region_t<`r> h, dict_t<`a, `b> d);
// All bindings, by descending keys.
list_t<$(`a, `b) @> to_list(dict_t<`a, `b> d);
list_t<$(`a, `b) @`r, `r> rto_list(region_t<`r> h, dict_t<`a, `b> d);

// The bindings for which f holds.
dict_t<`a, `b> filter(bool f(`a, `b), dict_t<`a, `b> d);
dict_t<`a, `b, `r> rfilter(region_t<`r> h, bool f(`a, `b), dict_t<`a, `b> d);
dict_t<`a, `b> filter_c(bool f(`c, `a, `b), `c env, dict_t<`a, `b> d);
dict_t<`a, `b, `r> rfilter_c(region_t<`r> h, bool f(`c, `a, `b), `c env, dict_t<`a, `b> d);
// The bindings of d1 whose key is none of d2.
dict_t<`a, `b> difference(dict_t<`a, `b> d1, dict_t<`a, `b> d2);
dict_t<`a, `b, `r> rdifference(region_t<`r> h, dict_t<`a, `b> d1, dict_t<`a, `b> d2);
// Without a key: a copy; or in the same region, which shares, and is d itself when the key is absent.
dict_t<`a, `b> delete(dict_t<`a, `b> d, `a k);
dict_t<`a, `b, `r> rdelete(region_t<`r> h, dict_t<`a, `b> d, `a k);
dict_t<`a, `b, `r> rdelete_same(dict_t<`a, `b, `r> d, `a k);

// An iterator by ascending keys.
Iter::iter_t<$(`a, `b), regions($(`a, `b)) + `r1 + `r2> make_iter(region_t<`r1> rgn, dict_t<`a, `b, `r2> d);

// Writes the number of bindings (putw), then each key and its value by ascending keys, with functions that are handed env and return
// the next one; the last one. Core::Failure if the stream fails.
`c marshal(region_t<`r> h, `c env, `c write_key(`c, FILE @`f, `a), `c write_val(`c, FILE @`f, `b), FILE @`f fp, dict_t<`a, `b> d);
// Reads what marshal wrote. Core::Failure if the input ends within it, or the number is negative.
dict_t<`a, `b> unmarshal(region_t<`r> h, `c::A @`H env, int (@`H cmp)(`a, `a), `a read_key(`c @`H, FILE @`f),
                         `b read_val(`c @`H, FILE @`f), FILE @`f fp);

}
#endif

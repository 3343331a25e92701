// Dictionaries: finite maps in the order of a comparison, which never change: what inserts or deletes returns a new version, and
// the old one stays as it is. Functions whose names begin with `r` allocate in the region of their first argument.
//
// Lookup, insertion and deletion take O(log n) comparisons and steps. What is changed is the tree of the newest version, in place;
// an older one keeps what to undo, and gets a tree of its own when it is used, in O(log n) for each version between: once for each,
// so that m operations on any versions take O(m log n) together. A version that is held keeps O(n) memory alive. What goes through
// all bindings takes O(n). After `lookup_opt` and what goes through a dictionary it keeps its tree, and the next insertions copy
// what they change, a few hundred bytes on each level.
//
// Functions that a dictionary is handed may use it, insert into it, and raise exceptions; nothing is lost. A lookup may write:
// threads cannot share dictionaries.
//
//     using Dict;
//     static int plus3(int k, int v, int sum) { return sum + k * v; }
//     static int plus4(int n, int k, int v, int sum) { return sum + n * k * v; }
//     static bool small(int k, int v) { return k < 2; }
//     static bool below(int limit, int k, int v) { return k < limit; }
//     static int half(int v) { return v / 2; }
//     static int divided(int n, int v) { return v / n; }
//     static int both(int k, int v, int w) { return v + w; }
//     static int both_and(int n, int k, int v, int w) { return n + v + w; }
//     // {1: 10, 2: 20}
//     static dict_t<int, int> two() { return inserts(empty(Core::intcmp), List::list(new $(1, 10), new $(2, 20))); }
#ifndef _CYC_DICT_H
#define _CYC_DICT_H

#include <core.h>
#include <iter.h>
#include <list.h>
#include <stdio.h>

namespace Dict {
using List;

struct T<`a, `b, `r::E>;
typedef struct T<`a, `b, `r> *`r tree<`a, `b, `r::E>;
// The comparison of keys, the region, and the version, null for the empty one.
struct Dict<`a, `b, `r::E> {
  int (@`H rel)(`a, `a);
  region_t<`r> r;
  tree<`a, `b, `r> t;
};
typedef struct Dict<`a, `b, `r> dict_t<`a, `b, `r::E>;

// The key is missing; the key is there already.
@extensible datatype exn { extern Absent; extern Present };

// The empty dictionary, ordered by cmp; one with a single binding.
//
//     assert(is_empty(empty(Core::intcmp)) && lookup(singleton(Core::intcmp, 1, 10), 1) == 10);
//     region r;
//     dict_t<int, int, `r> d = rempty(r, Core::intcmp);
//     assert(member(insert(d, 1, 10), 1) && lookup(rsingleton(r, Core::intcmp, 2, 20), 2) == 20);
dict_t<`a, `b> empty(int (@`H cmp)(`a, `a));
dict_t<`a, `b, `r> rempty(region_t<`r> h, int (@`H cmp)(`a, `a));
dict_t<`a, `b> singleton(int (@`H cmp)(`a, `a), `a k, `b v);
dict_t<`a, `b, `r> rsingleton(region_t<`r> h, int (@`H cmp)(`a, `a), `a k, `b v);
// The same dictionary as one of both regions, without copying; what is inserted is allocated in the one of the handle.
//
//     region r;
//     let wide = rshare(r, two());
//     let more = insert(wide, 3, 30);
//     assert(cardinality(more) == 3 && cardinality(wide) == 2);
dict_t<`a, `b, `r + `r2> rshare(region_t<`r> h, dict_t<`a, `b, `r2> d);

// Has it no keys; how many; is k one of them?
//
//     assert(!is_empty(two()) && cardinality(two()) == 2 && member(two(), 1) && !member(two(), 3));
bool is_empty(dict_t d);
int cardinality(dict_t d);
bool member(dict_t<`a> d, `a k);

// With k bound to v, in place of an old binding; Present if there is one already; with all bindings of a list, from the left.
//
//     assert(lookup(insert(two(), 2, 21), 2) == 21 && lookup(two(), 2) == 20);
//     assert(cardinality(inserts(two(), List::list(new $(2, 0), new $(3, 0)))) == 3);
//     try { insert_new(two(), 2, 0); assert(false); } catch { case &Present: break; }
dict_t<`a, `b, `r> insert(dict_t<`a, `b, `r> d, `a k, `b v);
dict_t<`a, `b, `r> insert_new(dict_t<`a, `b, `r> d, `a k, `b v);
dict_t<`a, `b, `r> inserts(dict_t<`a, `b, `r> d, list_t<$(`a, `b) @> l);

// The value of a key; Absent. The _other one compares with another type of keys, in the same order.
//
//     int by_half(long half, int k) { return Core::intcmp(2 * (int)half, k); }
//     assert(lookup(two(), 1) == 10 && lookup_other(two(), by_half, 1L) == 20);
//     try { lookup(two(), 3); assert(false); } catch { case &Absent: break; }
`b lookup(dict_t<`a, `b> d, `a k);
`b lookup_other(dict_t<`a, `b> d, int cmp(`c, `a), `c k);
// Where the value of a key is stored in this version, or null. What is written there is seen in it; in others perhaps.
//
//     int *place = lookup_opt(two(), 2);
//     assert(place != NULL && *place == 20 && lookup_opt(two(), 3) == NULL);
`b *`r lookup_opt(dict_t<`a, `b, `r> d, `a k);
// Stores the value of a key, if there is one, and tells whether.
//
//     int v = 0;
//     assert(lookup_bool(two(), 2, &v) && v == 20 && !lookup_bool(two(), 3, &v));
bool lookup_bool(dict_t<`a, `b> d, `a k, `b @ans);

// f(kn, vn, … f(k1, v1, accum)…), for k1 < … < kn.
//
//     assert(fold(plus3, two(), 0) == 50 && fold_c(plus4, 2, two(), 0) == 100);
`c fold(`c f(`a, `b, `c), dict_t<`a, `b> d, `c accum);
`c fold_c(`c f(`d, `a, `b, `c), `d env, dict_t<`a, `b> d, `c accum);
// Apply f to all bindings, by ascending keys: `app` throws results away, `iter` has none.
//
//     int seen = 0;
//     void see(int k, int v) { seen += k * v; }
//     void see_times(int n, int k, int v) { seen += n * k * v; }
//     iter(see, two());
//     iter_c(see_times, 10, two());
//     assert(seen == 50 + 500);
//     app(Core::intcmp, two());
//     app_c(both, 1, two());
void app(`c f(`a, `b), dict_t<`a, `b> d);
void app_c(`c f(`d, `a, `b), `d env, dict_t<`a, `b> d);
void iter(void f(`a, `b), dict_t<`a, `b> d);
void iter_c(void f(`c, `a, `b), `c env, dict_t<`a, `b> d);
// For each key of d1, with the values of both; Absent if it is none of d2.
//
//     int seen = 0;
//     void see(int v, int w) { seen += v * w; }
//     void see_times(int n, int v, int w) { seen += n * v * w; }
//     int sum(int n, int k, int v, int w, int accum) { return accum + n * (k + v + w); }
//     iter2(see, two(), two());
//     iter2_c(see_times, 10, two(), two());
//     assert(seen == 500 + 5000 && fold2_c(sum, 1, two(), two(), 0) == 63);
void iter2(void (@f)(`b, `b), dict_t<`a, `b> d1, dict_t<`a, `b> d2);
void iter2_c(void (@f)(`c, `b, `b), `c env, dict_t<`a, `b> d1, dict_t<`a, `b> d2);
`c fold2_c(`c (@f)(`d, `a, `b1, `b2, `c), `d env, dict_t<`a, `b1> d1, dict_t<`a, `b2> d2, `c accum);

// Copies; and with f of each value, by ascending keys.
//
//     region r;
//     assert(cardinality(copy(two())) == 2 && cardinality(rcopy(r, two())) == 2);
//     assert(lookup(map(half, two()), 2) == 10 && lookup(map_c(divided, 5, two()), 2) == 4);
//     assert(lookup(rmap(r, half, two()), 2) == 10 && lookup(rmap_c(r, divided, 5, two()), 2) == 4);
dict_t<`a, `b> copy(dict_t<`a, `b> d);
dict_t<`a, `b, `r> rcopy(region_t<`r> h, dict_t<`a, `b> d);
dict_t<`a, `c> map(`c f(`b), dict_t<`a, `b> d);
dict_t<`a, `c, `r> rmap(region_t<`r> h, `c f(`b), dict_t<`a, `b> d);
dict_t<`a, `c> map_c(`c f(`d, `b), `d env, dict_t<`a, `b> d);
dict_t<`a, `c, `r> rmap_c(region_t<`r> h, `c f(`d, `b), `d env, dict_t<`a, `b> d);

// Keys of one of both, or of both; the value of common ones is f(k, v1, v2), by ascending keys. O(m log n) steps for sizes
// m <= n, or O(m + n) if that is less.
//
//     let other = insert(insert(empty(Core::intcmp), 2, 2), 3, 3);
//     assert(lookup(union_two_c(both_and, 100, two(), other), 2) == 122 && cardinality(union_two_c(both_and, 0, two(), other)) == 3);
//     assert(lookup(intersect(both, two(), other), 2) == 22 && cardinality(intersect_c(both_and, 0, two(), other)) == 1);
dict_t<`a, `b, `r> union_two_c(`b (@f)(`c, `a, `b, `b), `c env, dict_t<`a, `b, `r> d1, dict_t<`a, `b, `r> d2);
dict_t<`a, `b, `r> intersect(`b (@f)(`a, `b, `b), dict_t<`a, `b, `r> d1, dict_t<`a, `b, `r> d2);
dict_t<`a, `b, `r> intersect_c(`b (@f)(`c, `a, `b, `b), `c env, dict_t<`a, `b, `r> d1, dict_t<`a, `b, `r> d2);
// Does f hold for all bindings; for all common keys, with both values?
//
//     bool equal(int k, int v, int w) { return v == w; }
//     assert(forall_c(below, 3, two()) && forall_intersect(equal, two(), insert(two(), 3, 30)));
bool forall_c(bool f(`c, `a, `b), `c env, dict_t<`a, `b> d);
bool forall_intersect(bool f(`a, `b, `b), dict_t<`a, `b> d1, dict_t<`a, `b> d2);

// Some binding; Absent if there is none.
//
//     region r;
//     assert((*rchoose(r, insert(empty(Core::intcmp), 1, 10)))[1] == 10);
$(`a, `b) @`r rchoose(region_t<`r> h, dict_t<`a, `b> d);
// All bindings, by descending keys.
//
//     region r;
//     assert((*List::nth(to_list(two()), 0))[0] == 2 && (*List::nth(rto_list(r, two()), 1))[1] == 10);
list_t<$(`a, `b) @> to_list(dict_t<`a, `b> d);
list_t<$(`a, `b) @`r, `r> rto_list(region_t<`r> h, dict_t<`a, `b> d);

// The bindings for which f holds.
//
//     region r;
//     assert(cardinality(filter(small, two())) == 1 && cardinality(rfilter(r, small, two())) == 1);
//     assert(cardinality(filter_c(below, 1, two())) == 0 && cardinality(rfilter_c(r, below, 3, two())) == 2);
dict_t<`a, `b> filter(bool f(`a, `b), dict_t<`a, `b> d);
dict_t<`a, `b, `r> rfilter(region_t<`r> h, bool f(`a, `b), dict_t<`a, `b> d);
dict_t<`a, `b> filter_c(bool f(`c, `a, `b), `c env, dict_t<`a, `b> d);
dict_t<`a, `b, `r> rfilter_c(region_t<`r> h, bool f(`c, `a, `b), `c env, dict_t<`a, `b> d);
// The bindings of d1 whose key is none of d2.
//
//     region r;
//     let one = insert(empty(Core::intcmp), 1, 0);
//     assert(member(difference(two(), one), 2) && !member(rdifference(r, two(), one), 1));
dict_t<`a, `b> difference(dict_t<`a, `b> d1, dict_t<`a, `b> d2);
dict_t<`a, `b, `r> rdifference(region_t<`r> h, dict_t<`a, `b> d1, dict_t<`a, `b> d2);
// Without a key: a copy; or in the same region, which shares, and is d itself when the key is absent.
//
//     region r;
//     let d = two();
//     assert(!member(delete(d, 1), 1) && !member(rdelete(r, d, 1), 1) && cardinality(rdelete_same(d, 3)) == 2);
dict_t<`a, `b> delete(dict_t<`a, `b> d, `a k);
dict_t<`a, `b, `r> rdelete(region_t<`r> h, dict_t<`a, `b> d, `a k);
dict_t<`a, `b, `r> rdelete_same(dict_t<`a, `b, `r> d, `a k);

// An iterator by ascending keys.
//
//     region r;
//     let it = make_iter(r, two());
//     $(int, int) binding = $(0, 0);
//     int sum = 0;
//     while (Iter::next(it, &binding)) sum += binding[0] * binding[1];
//     assert(sum == 50);
Iter::iter_t<$(`a, `b), regions($(`a, `b)) + `r1 + `r2> make_iter(region_t<`r1> rgn, dict_t<`a, `b, `r2> d);

// Writes the number of bindings (putw), then each key and its value by ascending keys, with functions that are handed env and return
// the next one; the last one. Core::Failure if the stream fails.
//
//     int write(int n, FILE @`r f, int x) { putw(x, f); return n + 1; }
//     FILE *f = tmpfile();
//     if (f == NULL) return;
//     assert(marshal(Core::heap_region, 0, write, write, f, two()) == 4);
//     rewind(f);
//     int read(int @`H n, FILE @`r f) { *n += 1; return getw(f); }
//     int @`H n = new 0;
//     assert(lookup(unmarshal(Core::heap_region, n, Core::intcmp, read, read, f), 2) == 20 && *n == 4);
`c marshal(region_t<`r> h, `c env, `c write_key(`c, FILE @`f, `a), `c write_val(`c, FILE @`f, `b), FILE @`f fp, dict_t<`a, `b> d);
// Reads what marshal wrote. Core::Failure if the input ends within it, or the number is negative.
//
//     FILE *f = tmpfile();
//     if (f == NULL) return;
//     putw(0, f);
//     rewind(f);
//     int read(int @`H n, FILE @`r f) { return getw(f); }
//     dict_t<int, int> d = unmarshal(Core::heap_region, new 0, Core::intcmp, read, read, f);
//     assert(is_empty(d));
dict_t<`a, `b> unmarshal(region_t<`r> h, `c::A @`H env, int (@`H cmp)(`a, `a), `a read_key(`c @`H, FILE @`f),
                         `b read_val(`c @`H, FILE @`f), FILE @`f fp);

}
#endif

// Hash tables that change in place. Bindings of one key are stacked: the newest hides the older ones until it is removed.
// Lookup, insertion and removal take constant time on average, if hash scatters the keys.
//
//     using Hashtable;
//     static int modulo(int x) { return x % 7; }
//     static table_t<int, int> two() {
//       let t = create(8, Core::intcmp, modulo);
//       insert(t, 1, 10);
//       insert(t, 2, 20);
//       return t;
//     }
#ifndef _CYC_HASHTABLE_H
#define _CYC_HASHTABLE_H

#include <core.h>

namespace Hashtable {

struct Table<`a, `b, `r::E>;
typedef struct Table<`a, `b, `r> @`r table_t<`a, `b, `r::E>;

// A table of sz > 0 buckets at first, for keys that cmp and hash agree about; Core::Invalid_argument.
//
//     table_t<int, int> t = create(8, Core::intcmp, modulo);
//     region r;
//     table_t<int, int, `r> u = rcreate(r, 8, Core::intcmp, modulo);
//     assert(num_buckets(t) == 8 && num_buckets(u) == 8);
table_t<`a, `b> create(int sz, int (@`H cmp)(`a, `a), int (@`H hash)(`a));
table_t<`a, `b, `r> rcreate(region_t<`r> h, int sz, int (@`H cmp)(`a, `a), int (@`H hash)(`a));
// Pushes a binding.
//
//     let t = two();
//     insert(t, 1, 11);
//     assert(lookup(t, 1) == 11);
void insert(table_t<`a, `b> t, `a key, `b val);
// The newest value of a key; Core::Not_found.
//
//     assert(lookup(two(), 2) == 20);
//     try { lookup(two(), 3); assert(false); } catch { case &Core::Not_found: break; }
`b lookup(table_t<`a, `b> t, `a key);
// Where it is stored, or null. The _other one looks for another type of keys: cmp(key, stored), and hash agrees.
//
//     int by_half(long half, int k) { return Core::intcmp(2 * (int)half, k); }
//     int hash_half(long half) { return modulo(2 * (int)half); }
//     int *place = lookup_opt(two(), 2);
//     int *other = lookup_other_opt(two(), 1L, by_half, hash_half);
//     assert(place != NULL && *place == 20 && other != NULL && *other == 20);
`b *`r lookup_opt(table_t<`a, `b, `r> t, `a key);
`b *`r lookup_other_opt(table_t<`a, `b, `r> t, `c key, int cmp(`c, `a), int hash(`c));
// Stores it through data, if there is one, and tells whether.
//
//     int v = 0;
//     assert(try_lookup(two(), 1, &v) && v == 10 && !try_lookup(two(), 3, &v));
bool try_lookup(table_t<`a, `b> t, `a key, `b @data);
// More buckets: 2 n + 7 in place of n. A table resizes itself before bindings become more than buckets.
//
//     let t = two();
//     resize(t);
//     assert(num_buckets(t) == 23 && lookup(t, 1) == 10);
void resize(table_t<`a, `b> t);
// Pops the newest binding of a key, if there is one.
//
//     let t = two();
//     insert(t, 1, 11);
//     Hashtable::remove(t, 1);
//     assert(lookup(t, 1) == 10);
void remove(table_t<`a, `b> t, `a key);
// Hashes of all bytes of a string's extent, each shifted left by 0, 8, 16, 24 bits in rotation.
//
//     stringptr_t<`H, `H> p = new (string_t<`H>)"ab";
//     assert(hash_string("ab") == ('a' ^ 'b' << 8) && hash_stringptr(p) == hash_string("ab"));
int hash_string(string_t s);
int hash_stringptr(stringptr_t p);
// Calls f for every binding, bucket after bucket; the environment goes last.
//
//     int sum = 0;
//     void see(int k, int v) { sum += k * v; }
//     void see_times(int k, int v, int n) { sum += n * k * v; }
//     iter(see, two());
//     iter_c(see_times, two(), 10);
//     assert(sum == 50 + 500 && num_buckets(two()) == 8);
void iter(void f(`a, `b), table_t<`a, `b> t);
void iter_c(void f(`a, `b, `c), table_t<`a, `b> t, `c env);
unsigned int num_buckets(table_t<`a, `b> t);
// For debugging: the bindings on standard output; how many buckets have how many bindings, on standard error.
//
//     void show(int x) { printf("%d", x); }
//     print_table_map(two(), show, show);
//     print_hist(two());
void print_table_map(table_t<`a, `b> t, void prn_key(`a), void prn_val(`b));
void print_hist(table_t<`a, `b> t);

}
#endif

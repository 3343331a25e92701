// Hash tables that change in place. Bindings of one key are stacked: the newest hides the older ones until it is removed.
// Lookup, insertion and removal take constant time on average, if hash scatters the keys.
#ifndef _CYC_HASHTABLE_H
#define _CYC_HASHTABLE_H

#include <core.h>

namespace Hashtable {

struct Table<`a, `b, `r::E>;
typedef struct Table<`a, `b, `r> @`r table_t<`a, `b, `r::E>;

// A table of sz > 0 buckets at first, for keys that cmp and hash agree about; Core::Invalid_argument.
table_t<`a, `b> create(int sz, int (@`H cmp)(`a, `a), int (@`H hash)(`a));
table_t<`a, `b, `r> rcreate(region_t<`r> h, int sz, int (@`H cmp)(`a, `a), int (@`H hash)(`a));
// Pushes a binding.
void insert(table_t<`a, `b> t, `a key, `b val);
// The newest value of a key; Core::Not_found.
`b lookup(table_t<`a, `b> t, `a key);
// Where it is stored, or null. The _other one looks for another type of keys: cmp(key, stored), and hash agrees.
`b *`r lookup_opt(table_t<`a, `b, `r> t, `a key);
`b *`r lookup_other_opt(table_t<`a, `b, `r> t, `c key, int cmp(`c, `a), int hash(`c));
// Stores it through data, if there is one, and tells whether.
bool try_lookup(table_t<`a, `b> t, `a key, `b @data);
// More buckets: 2 n + 7 in place of n. A table resizes itself before bindings become more than buckets.
void resize(table_t<`a, `b> t);
// Pops the newest binding of a key, if there is one.
void remove(table_t<`a, `b> t, `a key);
// Hashes of all bytes of a string's extent, each shifted left by 0, 8, 16, 24 bits in rotation.
int hash_string(string_t s);
int hash_stringptr(stringptr_t p);
// Calls f for every binding, bucket after bucket; the environment goes last.
void iter(void f(`a, `b), table_t<`a, `b> t);
void iter_c(void f(`a, `b, `c), table_t<`a, `b> t, `c env);
unsigned int num_buckets(table_t<`a, `b> t);
// For debugging: the bindings on standard output; how many buckets have how many bindings, on standard error.
void print_table_map(table_t<`a, `b> t, void prn_key(`a), void prn_val(`b));
void print_hist(table_t<`a, `b> t);

}
#endif

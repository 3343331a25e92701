// Iterators: one element after the other of whatever collection, whose type is hidden.
//
//     #include <set.h>
#ifndef _CYC_ITER_H
#define _CYC_ITER_H

#include <core.h>

namespace Iter {

// `bd bounds the regions that the hidden state may point into. The state changes; `next` stores an element, if there is one.
struct Iter<`a::A, `bd::E> { <`env> : regions(`env) <= `bd
  `env env;
  bool (@`H next)<`r>(`env env, `a @`r dest);
};
typedef struct Iter<`a, `bd> iter_t<`a::A, `bd::E>;

// Stores the next element and returns true; false, and nothing is stored, after the last one.
//
//     region r;
//     let it = Set::make_iter(r, Set::from_list(Core::intcmp, List::list(2, 1)));
//     int x = 0, sum = 0;
//     while (Iter::next(it, &x)) sum += x;
//     assert(sum == 3);
bool next(iter_t<`a::A> iter, `a @dest);

}
#endif

// Closures: functions with an environment whose type is hidden. `bd bounds the regions that the environment may point into.
//
//     using Fn;
//     static int add(int a, int b) { return a + b; }
//     static int twice(int x) { return 2 * x; }
//     static int add_pair($(int, int) @`H p) { return (*p)[0] + (*p)[1]; }
#ifndef _CYC_FN_H
#define _CYC_FN_H

#include <core.h>
#include <list.h>

namespace Fn {

struct Function<`arg, `res, `bd::E> { <`env> : regions(`env) <= `bd
  `res (@`H f)(`env, `arg);
  `env env;
};
typedef struct Function<`arg, `res, `bd> @fn_t<`arg, `res, `bd::E>;

// From code and an environment; from code alone.
//
//     fn_t<int, int, `H> add10 = make_fn(add, 10);
//     fn_t<int, int, `H> double_it = fp2fn(twice);
//     assert(apply(add10, 5) == 15 && apply(double_it, 5) == 10);
fn_t<`arg, `res, `bd> make_fn(`res (@`H f)(`env, `arg), `env x : regions(`env) <= `bd);
fn_t<`arg, `res, `bd> fp2fn(`res (@`H f)(`arg) : regions($(`arg, `res) @`H) <= `bd);
// The call.
//
//     fn_t<int, int, `H> add10 = make_fn(add, 10);
//     assert(apply(add10, 5) == 15);
`res apply(fn_t<`arg, `res> f, `arg x);
// First g, then f.
//
//     fn_t<int, int, `H> add10 = make_fn(add, 10);
//     fn_t<int, int, `H> double_it = fp2fn(twice);
//     fn_t<int, int, `H> first_add = compose(add10, double_it);
//     assert(apply(first_add, 5) == 30);
fn_t<`a, `c, `bd2> compose(fn_t<`a, `b, `bd> g, fn_t<`b, `c, `bd> f : regions($(`a, `b, `c) @`H + `bd) <= `bd2);
// A function of pairs as one that returns functions, and back.
//
//     fn_t<$(int, int) @`H, int, `H> pairs = fp2fn(add_pair);
//     fn_t<int, fn_t<int, int, `H>, `H> curried = curry(pairs);
//     assert(apply(apply(curried, 2), 3) == 5);
//     fn_t<$(int, int) @`H, int, `H> back = uncurry(curried);
//     assert(apply(back, new $(2, 3)) == 5);
fn_t<`a, fn_t<`b, `c, `bd2>, `bd2> curry(fn_t<$(`a, `b) @`H, `c, `bd> f : regions($(`a, `b, `c) @`H + `bd) <= `bd2);
fn_t<$(`a, `b) @, `c, `bd3> uncurry(fn_t<`a, fn_t<`b, `c, `bd2>, `bd> f : regions($(`a, `b, `c) @`H + `bd + `bd2) <= `bd3);
// The results for the elements of a list.
//
//     fn_t<int, int, `H> add10 = make_fn(add, 10);
//     assert(List::list_cmp(Core::intcmp, map_fn(add10, List::list(1, 2)), List::list(11, 12)) == 0);
List::list_t<`b, `H> map_fn(fn_t<`a, `b, `bd> f, List::list_t<`a> x);

}
#endif

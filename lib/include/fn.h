// Closures: functions with an environment whose type is hidden. `bd bounds the regions that the environment may point into.
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
fn_t<`arg, `res, `bd> make_fn(`res (@`H f)(`env, `arg), `env x : regions(`env) <= `bd);
fn_t<`arg, `res, `bd> fp2fn(`res (@`H f)(`arg) : regions($(`arg, `res) @`H) <= `bd);
// The call.
`res apply(fn_t<`arg, `res> f, `arg x);
// First g, then f.
fn_t<`a, `c, `bd2> compose(fn_t<`a, `b, `bd> g, fn_t<`b, `c, `bd> f : regions($(`a, `b, `c) @`H + `bd) <= `bd2);
// A function of pairs as one that returns functions, and back.
fn_t<`a, fn_t<`b, `c, `bd2>, `bd2> curry(fn_t<$(`a, `b) @`H, `c, `bd> f : regions($(`a, `b, `c) @`H + `bd) <= `bd2);
fn_t<$(`a, `b) @, `c, `bd3> uncurry(fn_t<`a, fn_t<`b, `c, `bd2>, `bd> f : regions($(`a, `b, `c) @`H + `bd + `bd2) <= `bd3);
// The results for the elements of a list.
List::list_t<`b, `H> map_fn(fn_t<`a, `b, `bd> f, List::list_t<`a> x);

}
#endif

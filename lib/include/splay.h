// Splay trees (Sleator and Tarjan, "Self-adjusting binary search trees", 1985): a search brings what it found to the root.
//
//     using Splay;
#ifndef _CYC_SPLAY_H
#define _CYC_SPLAY_H

#include <core.h>

namespace Splay {

typedef int dummy_t;
struct node<`a::B, `b::B, `r::E>;
struct noderef<`a::B, `b::B, `r::E>;
datatype tree<`a::B\T, `b::B\T, `r::E>;
// Keys on the left are smaller, on the right larger. A search replaces what is behind a noderef.
datatype tree<`a::B\T, `b::B\T, `r::E> {
  Leaf(dummy_t);
  Node(struct noderef<`a, `b, `r> @`r)
};
struct node<`a::B, `b::B, `r::E> {
  `a key;
  `b data;
  datatype tree<`a, `b, `r> @`r left;
  datatype tree<`a, `b, `r> @`r right;
};
struct noderef<`a::B, `b::B, `r::E> {
  struct node<`a, `b, `r> @`r v;
};

// Searches for a key by f(key, that of a node). True, and its node is the root; or false, and the last one that was compared
// is.
//
//     datatype tree<int, int, `H> @`H leaf = new Leaf(0);
//     datatype tree<int, int, `H> @`H t = new Node(new noderef{new node{1, 10, leaf, leaf}});
//     assert(splay(Core::intcmp, 1, t) && !rsplay(Core::heap_region, Core::intcmp, 2, t));
bool rsplay(region_t<`r> h, int f(`a, `a), `a key, datatype tree<`a, `b, `r> @`r t);
bool splay(int f(`a, `a), `a key, datatype tree<`a, `b, `H> @`H t);

}
#endif

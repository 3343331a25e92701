// Ropes: strings whose concatenation takes constant time.
//
//     using Rope;
#ifndef _CYC_ROPE_H
#define _CYC_ROPE_H

#include <core.h>
#include <list.h>

namespace Rope {

struct Rope_node;
typedef struct Rope_node @rope_t;

// The rope of a string, up to its zero.
//
//     assert(length(from_string("rope")) == 4);
rope_t from_string(string_t<`H> s);
// The string; the rope remembers it.
//
//     assert(strcmp(to_string(concat(from_string("a"), from_string("b"))), "ab") == 0);
mstring_t to_string(rope_t r);
// Concatenations of two, of an array, of a list.
//
//     rope_t a = from_string("a");
//     rope_t ?`H both = new {a, a};
//     assert(strcmp(to_string(concat(a, a)), "aa") == 0 && length(concata(both)) == 2 && length(concatl(List::list(a, a, a))) == 3);
rope_t concat(rope_t a, rope_t b);
rope_t concata(rope_t ?`H ropes);
rope_t concatl(List::list_t<rope_t> ropes);
unsigned int length(rope_t r);
// Lexicographic comparison.
//
//     assert(cmp(from_string("ab"), concat(from_string("a"), from_string("b"))) == 0 && cmp(from_string("a"), from_string("b")) < 0);
int cmp(rope_t a, rope_t b);

}
#endif

// Ropes: strings whose concatenation takes constant time.
#ifndef _CYC_ROPE_H
#define _CYC_ROPE_H

#include <core.h>
#include <list.h>

namespace Rope {

struct Rope_node;
typedef struct Rope_node @rope_t;

// The rope of a string, up to its zero.
rope_t from_string(string_t<`H> s);
// The string; the rope remembers it.
mstring_t to_string(rope_t r);
// Concatenations of two, of an array, of a list.
rope_t concat(rope_t a, rope_t b);
rope_t concata(rope_t ?`H ropes);
rope_t concatl(List::list_t<rope_t> ropes);
unsigned int length(rope_t r);
// Lexicographic comparison.
int cmp(rope_t a, rope_t b);

}
#endif

// Buffers: text that grows at its end. Adding a byte takes constant time on average.
//
//     using Buffer;
//     static T holding(string_t s) {
//       T b = create(4);
//       add_string(b, s);
//       return b;
//     }
#ifndef _CYC_BUFFER_H
#define _CYC_BUFFER_H

#include <core.h>

namespace Buffer {

struct t;
typedef struct t @T;

// An empty buffer with room for n bytes.
//
//     assert(length(create(100)) == 0);
T create(unsigned int n);
// A copy of the contents; null when nothing was ever allocated.
//
//     assert(strcmp(contents(holding("text")), "text") == 0 && contents(create(0)) == NULL);
mstring_t contents(T buf);
// The storage itself, zero-terminated behind the contents; the buffer is empty and has none until it is restored.
//
//     T b = holding("text");
//     mstring_t<`H, UNIQUE> storage = extract(b);
//     assert(length(b) == 0 && restore(b, storage));
mstring_t<`H, UNIQUE> extract(T buf);
// Gives an empty buffer storage. False, and the storage is freed, if the buffer has some already.
//
//     T b = holding("text");
//     mstring_t<`H, UNIQUE> storage = extract(b);
//     assert(restore(b, storage) && length(b) == 0);
bool restore(T buf, mstring_t<`H, UNIQUE> storage) __attribute__((consume(2)));
size_t length(T buf);
// Empty the buffer: its storage stays; it shrinks to what it was at first.
//
//     T b = holding("text");
//     clear(b);
//     assert(length(b) == 0);
//     reset(b);
//     assert(length(b) == 0);
void clear(T buf);
void reset(T buf);
// Append a byte; exactly len bytes from offset on, zeros too (Core::Invalid_argument if there are not as many); a string; what
// another buffer holds.
//
//     T b = holding("a");
//     add_char(b, 'b');
//     add_string(b, "cd");
//     add_substring(b, "xefx", 1, 2);
//     add_buffer(b, holding("g"));
//     assert(strcmp(contents(b), "abcdefg") == 0);
void add_char(T buf, char c);
void add_substring(T buf, string_t s, int offset, int len);
void add_string(T buf, string_t s);
void add_buffer(T buf_dest, T buf_source);

}
#endif

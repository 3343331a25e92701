// Places in the current source file, as segments of compilers and their messages: the offset of a byte, 0 for none.
//
//     using Position;
//     static void here() {
//       FILE @f = file_open("example", "w");
//       fputs("one\ntwo\n", f);
//       file_close(f);
//       reset_position("example");
//     }
#ifndef _CYC_POSITION_H
#define _CYC_POSITION_H

#include <core.h>
#include <list.h>

namespace Position {

typedef unsigned int seg_t;
struct Error {
  seg_t seg;
  string_t<`H> desc;
};
typedef struct Error @`H error_t;

// `file:line`, as gcc has it; if it is false, `file:(line:column)`.
extern bool use_gcc_style_location;

// The current source file.
//
//     reset_position("a.cyc");
//     set_position_file("b.cyc");
//     assert(strcmp(get_position_file(), "b.cyc") == 0);
void reset_position(string_t<`H> file);
void set_position_file(string_t<`H> file);
string_t get_position_file(void);
// The segment at an offset, which is the same number; the first of two unless it is none.
//
//     assert(loc_to_seg(5) == 5 && segment_join(0, 5) == 5 && segment_equals(5, 5));
seg_t loc_to_seg(unsigned int loc);
seg_t segment_join(seg_t a, seg_t b);
bool segment_equals(seg_t a, seg_t b);
// Places as text: lines are counted as Lineno does. FileOpenError if the current file cannot be read.
//
//     here();
//     assert(strcmp(string_of_loc(5), "example:2") == 0 && strcmp(string_of_segment(0), "example:1") == 0);
//     assert(List::length(strings_of_segments(List::list((seg_t)0, (seg_t)5))) == 2);
mstring_t string_of_loc(unsigned int loc);
mstring_t string_of_segment(seg_t s);
List::list_t<mstringptr_t> strings_of_segments(List::list_t<seg_t> segs);
// A message about a segment, and its parts.
//
//     error_t e = mk_err(5, "a mistake");
//     assert(get_seg(e) == 5 && strcmp(get_desc(e), "a mistake") == 0);
error_t mk_err(seg_t s, string_t<`H> desc);
seg_t get_seg(error_t e);
string_t get_desc(error_t e);
// `#line N "file"` for a segment; null if it is none.
//
//     here();
//     assert(strcmp(get_line_directive(5), "#line 2 \"example\"") == 0 && get_line_directive(0) == NULL);
string_t get_line_directive(seg_t s);

}
#endif

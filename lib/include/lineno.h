// Lines and columns of places in a file, which are given by their offsets in bytes.
//
//     static string_t<`H> file() {
//       FILE @f = file_open("example", "w");
//       fputs("one\ntwo\n", f);
//       file_close(f);
//       return "example";
//     }
#ifndef _CYC_LINENO_H
#define _CYC_LINENO_H

#include <core.h>
#include <list.h>
#include <stdio.h>

namespace Lineno {

// The file and line as `#line` directives have it (`# 7 "file"` as well), the text of the line, and the column from 0.
struct Pos {
  string_t<`H> logical_file;
  mstring_t<`H> line;
  int line_no;
  int col;
};
typedef struct Pos @`H pos_t;

// The place of an offset; one behind the end is at the end of the last line. FileOpenError if there is no such file.
//
//     let p = Lineno::pos_of_abs(file(), 5);
//     assert(p->line_no == 2 && p->col == 1 && strcmp(p->line, "two") == 0);
pos_t pos_of_abs(string_t filename, int offset);
// Fills in the places of many offsets, in one pass over the file.
//
//     let p = Lineno::pos_of_abs(file(), 0);
//     $(int, Lineno::pos_t) @`H place = new $(6, p);
//     Lineno::poss_of_abss(file(), List::list(place));
//     assert(p->line_no == 2 && p->col == 2);
void poss_of_abss(string_t filename, List::list_t<$(int, pos_t) @`H, `H> places);

}
#endif

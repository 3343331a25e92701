// Lines and columns of places in a file, which are given by their offsets in bytes.
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
pos_t pos_of_abs(string_t filename, int offset);
// Fills in the places of many offsets, in one pass over the file.
void poss_of_abss(string_t filename, List::list_t<$(int, pos_t) @`H, `H> places);

}
#endif

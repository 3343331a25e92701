// Pretty printing: documents are built from texts, line breaks and alternatives, and laid out for a width.
#ifndef _CYC_PP_H
#define _CYC_PP_H

#include <core.h>
#include <list.h>
#include <stdio.h>

namespace PP {
using List;

struct Doc;
typedef struct Doc @`H doc_t;
struct PPstate;
typedef struct PPstate @`H ppstate_t;
struct Out;
typedef struct Out @`H out_t;

// Not 0: line breaks become `\\` and a newline, and indentation `~`.
extern int tex_output;

// Lays a document out for w columns: to a stream, to a string, to a string and its links (line from 1, column from 0, length,
// target).
void file_of_doc(doc_t d, int w, FILE @f);
string_t string_of_doc(doc_t d, int w);
$(string_t, list_t<$(int, int, int, string_t) @>) @string_and_links(doc_t d, int w);

// Nothing; a space; a line break; a line break unless there is room without.
doc_t nil_doc();
doc_t blank_doc();
doc_t line_doc();
doc_t oline_doc();
// A text; that behind a pointer; one that counts as w columns; one that links to another.
doc_t text(string_t<`H> s);
doc_t textptr(stringptr_t<`H> p);
doc_t text_width(string_t<`H> s, int w);
doc_t hyperlink(string_t<`H> shrt, string_t<`H> full);
// The document with k more columns behind its line breaks, with the current column behind them.
doc_t nest(int k, doc_t d);
doc_t tab(doc_t d);
// One after the other: the arguments, a list, an array (Core::Failure if it is empty).
doc_t cat(... doc_t docs);
doc_t cats(list_t<doc_t, `H> doclist);
doc_t cats_arr(doc_t ?`H docs);
// d1 if there is room, else d2.
doc_t doc_union(doc_t d1, doc_t d2);
// The elements with sep and an optional break (`l`: a break) between them, aligned; what pp makes of the elements; the same
// between start and stop; nothing for an empty list.
doc_t seq(string_t<`H> sep, list_t<doc_t, `H> l);
doc_t ppseq(doc_t pp(`a), string_t<`H> sep, list_t<`a> l);
doc_t seql(string_t<`H> sep, list_t<doc_t, `H> l0);
doc_t ppseql(doc_t pp(`a), string_t<`H> sep, list_t<`a> l);
doc_t group(string_t<`H> start, string_t<`H> stop, string_t<`H> sep, list_t<doc_t, `H> l);
doc_t groupl(string_t<`H> start, string_t<`H> stop, string_t<`H> sep, list_t<doc_t, `H> l);
doc_t egroup(string_t<`H> start, string_t<`H> stop, string_t<`H> sep, list_t<doc_t, `H> l);

}
#endif

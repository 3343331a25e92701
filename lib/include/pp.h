// Pretty printing: documents are built from texts, line breaks and alternatives, and laid out for a width.
//
//     using PP;
//     static bool is(doc_t d, int w, string_t s) { return strcmp(string_of_doc(d, w), s) == 0; }
//     static doc_t number(int n) { return text(aprintf("%d", n)); }
//     static List::list_t<doc_t> two() { return List::list(text("a"), text("b")); }
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
//
//     doc_t d = cat(text("a"), line_doc(), hyperlink("b", "target"));
//     file_of_doc(d, 72, stdout);
//     assert(strcmp(string_of_doc(d, 72), "a\nb") == 0);
//     let both = string_and_links(d, 72);
//     assert(List::length((*both)[1]) == 1);
void file_of_doc(doc_t d, int w, FILE @f);
string_t string_of_doc(doc_t d, int w);
$(string_t, list_t<$(int, int, int, string_t) @>) @string_and_links(doc_t d, int w);

// Nothing; a space; a line break; a line break unless there is room without.
//
//     assert(is(cat(text("a"), nil_doc(), blank_doc(), text("b"), line_doc(), text("c")), 72, "a b\nc"));
//     assert(is(cat(text("a"), oline_doc(), text("b")), 72, "ab") && is(cat(text("aaa"), oline_doc(), text("bbb")), 4, "aaa\nbbb"));
doc_t nil_doc();
doc_t blank_doc();
doc_t line_doc();
doc_t oline_doc();
// A text; that behind a pointer; one that counts as w columns; one that links to another.
//
//     stringptr_t<`H, `H> p = new (string_t<`H>)"b";
//     assert(is(cat(text("a"), textptr(p), text_width("&amp;", 1), hyperlink("c", "target")), 72, "ab&amp;c"));
doc_t text(string_t<`H> s);
doc_t textptr(stringptr_t<`H> p);
doc_t text_width(string_t<`H> s, int w);
doc_t hyperlink(string_t<`H> shrt, string_t<`H> full);
// The document with k more columns behind its line breaks, with the current column behind them.
//
//     assert(is(nest(2, cat(text("a"), line_doc(), text("b"))), 72, "a\n  b"));
//     assert(is(cat(text("abc"), tab(cat(text("d"), line_doc(), text("e")))), 72, "abcd\n   e"));
doc_t nest(int k, doc_t d);
doc_t tab(doc_t d);
// One after the other: the arguments, a list, an array (Core::Failure if it is empty).
//
//     doc_t ?`H both = new {text("a"), text("b")};
//     assert(is(cat(text("a"), text("b")), 72, "ab") && is(cats(two()), 72, "ab") && is(cats_arr(both), 72, "ab"));
doc_t cat(... doc_t docs);
doc_t cats(list_t<doc_t, `H> doclist);
doc_t cats_arr(doc_t ?`H docs);
// d1 if there is room, else d2.
//
//     assert(is(doc_union(text("long"), text("l")), 2, "l") && is(doc_union(text("long"), text("l")), 9, "long"));
doc_t doc_union(doc_t d1, doc_t d2);
// The elements with sep and an optional break (`l`: a break) between them, aligned; what pp makes of the elements; the same
// between start and stop; nothing for an empty list.
//
//     assert(is(seq(", ", two()), 72, "a, b") && is(ppseq(number, ", ", List::list(1, 2)), 72, "1, 2"));
//     assert(is(seql(",", two()), 72, "a,\nb") && is(ppseql(number, ",", List::list(1, 2)), 72, "1,\n2"));
//     assert(is(group("(", ")", ", ", two()), 72, "(a, b)") && is(egroup("(", ")", ", ", NULL), 72, ""));
//     assert(is(groupl("{", "}", ";", two()), 72, "{a;\n b}"));
doc_t seq(string_t<`H> sep, list_t<doc_t, `H> l);
doc_t ppseq(doc_t pp(`a), string_t<`H> sep, list_t<`a> l);
doc_t seql(string_t<`H> sep, list_t<doc_t, `H> l0);
doc_t ppseql(doc_t pp(`a), string_t<`H> sep, list_t<`a> l);
doc_t group(string_t<`H> start, string_t<`H> stop, string_t<`H> sep, list_t<doc_t, `H> l);
doc_t groupl(string_t<`H> start, string_t<`H> stop, string_t<`H> sep, list_t<doc_t, `H> l);
doc_t egroup(string_t<`H> start, string_t<`H> stop, string_t<`H> sep, list_t<doc_t, `H> l);

}
#endif

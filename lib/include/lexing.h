// What generated lexers run on: a buffer of input, refilled on demand, with the positions of the current token.
//
//     using Lexing;
//     static int read_once(mstring_t<`H> buf, int most, int @`H left) {
//       if (*left == 0) return 0;
//       *left = 0;
//       strncpy(buf, "abc", 3);
//       return 3;
//     }
#ifndef _CYC_LEXING_H
#define _CYC_LEXING_H

#include <core.h>
#include <stdio.h>

namespace Lexing {

// The input cannot be analysed.
@extensible datatype exn { extern Error(string_t) };

// lex_buffer holds the lex_buffer_len bytes of the input from lex_abs_pos on that are still needed. In it the token begins
// at lex_start_pos and ends before lex_curr_pos. refill_buff appends input, or sets lex_eof_reached; it may move the token to
// the front.
struct lexbuf<`a::B> {
  void (@`H refill_buff)(struct lexbuf<`a> @`H);
  `a refill_state;
  mstring_t<`H> lex_buffer;
  int lex_buffer_len;
  int lex_abs_pos;
  int lex_start_pos;
  int lex_curr_pos;
  int lex_last_pos;
  int lex_last_action;
  bool lex_eof_reached;
};
typedef struct lexbuf<`a> @`H Lexbuf<`a>;

struct function_lexbuf_state<`b::B> {
  int (@`H read_fun)(mstring_t<`H>, int, `b);
  `b read_fun_state;
};
typedef struct function_lexbuf_state<`b> @`H Function_lexbuf_state<`b>;

// Tables of an automaton, laid out as those of ocamllex.
struct lex_tables {
  int ?`H lex_base;
  int ?`H lex_backtrk;
  int ?`H lex_default;
  int ?`H lex_trans;
  int ?`H lex_check;
};
typedef struct lex_tables @`H LexTables;

// Input from read_fun(buffer, most, state), which returns how many bytes it stored, at most 0 at the end; from a stream; from a
// copy of a string.
//
//     let a = from_function(read_once, new 1);
//     let b = from_string(strdup("text"));
//     FILE *f = fopen("/dev/null", "r");
//     if (f == NULL) return;
//     let c = from_file((FILE @)f);
//     assert(lexeme_start(a) == 0 && lexeme_start(b) == 0 && lexeme_end(c) == 0);
Lexbuf<Function_lexbuf_state<`b>> from_function(int (@`H read_fun)(mstring_t<`H>, int, `b), `b state);
Lexbuf<Function_lexbuf_state<FILE @`r>> from_file(FILE @`r f);
Lexbuf<bool> from_string(mstring_t s);
// The token; its i-th character; where in the input it begins, and ends.
//
//     let b = from_string(strdup("text"));
//     b->lex_start_pos = 1;
//     b->lex_curr_pos = 3;
//     region r;
//     assert(strcmp(lexeme(b), "ex") == 0 && strcmp(rlexeme(r, b), "ex") == 0 && lexeme_char(b, 1) == 'x');
//     assert(lexeme_start(b) == 1 && lexeme_end(b) == 3);
mstring_t lexeme(Lexbuf<`a> lbuf);
mstring_t<`r> rlexeme(region_t<`r> h, Lexbuf<`a> lbuf);
char lexeme_char(Lexbuf<`a> lbuf, int i);
int lexeme_start(Lexbuf<`a> lbuf);
int lexeme_end(Lexbuf<`a> lbuf);

}
#endif

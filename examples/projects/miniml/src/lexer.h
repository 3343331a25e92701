#ifndef LEXER_H
#define LEXER_H

#include "syntax.h"

enum Kind { NUMBER, STRING, NAME, SYMBOL, END };

struct Token<`r::E> {
  enum Kind kind; // SYMBOL: words of the language, too
  bytes_t<`r> text;
  int line;
  int column; // from 1
};

struct Lexer<`r::E> {
  region_t<`r> home;
  bytes_t<`r> text;
  size_t at;
  int line;
  size_t line_start;
};

struct Lexer<`r> @`r new_lexer(region_t<`r> home, bytes_t<`r> text);
struct Token<`r> next_token(struct Lexer<`r> @`r l);

#endif

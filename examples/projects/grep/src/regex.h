// Regular expressions as in POSIX, over bytes, matched in time linear in the text.
#ifndef REGEX_H
#define REGEX_H

#include <lines.h>

// A set of bytes.
struct Set {
  unsigned long bits[4];
};

// An expression, its tree in the region `r.
datatype Re<`r::E> {
  Nothing; // matches the empty text
  Byte(struct Set);
  Line_begin;
  Line_end;
  Cat(datatype Re<`r> @`r, datatype Re<`r> @`r);
  Alt(datatype Re<`r> @`r, datatype Re<`r> @`r);
  Repeat(datatype Re<`r> @`r, int, int) // at least, and at most or -1
};
typedef datatype Re<`r> @`r re_t<`r::E>;

// What is wrong with an expression, and where.
@extensible datatype exn {
  extern Bad_regex(int, const char ?)
};

// Parses an expression, basic or extended; `fold`: without regard to case. Bad_regex if it is wrong, or no regular one.
re_t<`r> parse_regex(region_t<`r> home, bytes_t text, int extended, int fold);

// An automaton that reads lines.
struct Program<`r::E>;

// The automaton of an expression; Bad_regex if it would be larger than is reasonable.
struct Program<`r> @`r compile(region_t<`r> home, re_t<`r> re);

// How far a line was read: the offset of the next byte, and the states of the automaton there.
struct Progress<`r::E> {
  int at;
  int count;
  int ?`r states;
};
struct Progress<`r> @`r new_progress(region_t<`r> home, struct Program<`r> @`r program);

// Sets of states that were met already, in a region of their own. When there are many, FULL is the answer: the region is
// given up, and the line goes on with an empty cache.
struct Cache<`r::E, `c::E>;
struct Cache<`r, `c> @`c new_cache(region_t<`c> home, struct Program<`r> @`r program);

enum Answer { NO, YES, FULL };

// Does a part of the line match? `progress` is where the line was left by FULL; after another answer, at its beginning.
enum Answer matches(struct Cache<`r, `c> @`c cache, struct Progress<`r> @`r progress, bytes_t line);

#endif

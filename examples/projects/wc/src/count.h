#ifndef COUNT_H
#define COUNT_H

#include <stdio.h>

// What there is in a stream; `longest` is the width of the longest line, where a tab leads to the next multiple of 8.
struct Counts {
  long lines;
  long words;
  long bytes;
  long longest;
};

// Counts the rest of a stream.
struct Counts count(FILE @in);

// Of two streams, one after the other.
struct Counts add(struct Counts a, struct Counts b);

#endif

// Codes of 9 to 16 bits, lowest bits first. Codes of a width come in groups of eight; when the width changes, or the table is
// cleared, the rest of the group is filled with nothing.
#ifndef BITS_H
#define BITS_H

#include <stdio.h>

struct Writer {
  FILE @`H out;
  int width;
  int in_group; // codes that the current group has
  int filled;   // bits of `pending` that are not yet written
  unsigned long pending;
};

void put_code(struct Writer @w, unsigned code);

// Fills the group and goes on with codes of another width.
void put_width(struct Writer @w, int width);

// Writes what is left, at the end.
void put_end(struct Writer @w);

struct Source {
  FILE @`H in;
  int width;
  int in_group;
  int filled;
  unsigned long pending;
};

// The next code; -1 at the end of the stream.
int get_code(struct Source @s);

// Leaves the rest of the group out and goes on with codes of another width.
void get_width(struct Source @s, int width);

#endif

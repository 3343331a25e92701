// Lines and the order they are sorted by.
#ifndef ORDER_H
#define ORDER_H

#include <lines.h>

struct Order {
  int numeric;
  int reverse;
  int unique;
  int first;     // field of the key, from 1; 0: the whole line
  int last;      // last field of the key; 0: up to the end of the line
  int separator; // between fields; -1: blanks begin a field
};

// A line and the part of it that is compared, both in the region `r.
struct Line<`r::E> {
  bytes_t<`r> text;
  bytes_t<`r> key;
};
typedef struct Line<`r> @`r line_t<`r::E>;

// The part of a line that `order` compares.
bytes_t<`r> key_of(const struct Order @order, bytes_t<`r> text);

// Negative, zero or positive as a goes before b, is equal, or goes after it.
int compare(const struct Order @order, line_t a, line_t b);

// Sorts the first n lines, equal ones in the order in which they are; `spare` has as many elements.
void merge_sort(const struct Order @order, line_t<`r> ?`r lines, line_t<`r> ?`r spare, unsigned n);

#endif

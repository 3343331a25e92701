// Expressions, and their values.
#ifndef EXPR_H
#define EXPR_H

#include <lines.h>

// An expression in the region `r, where its whole tree lies. Names are parts of the line that was read; the numbers behind
// names and operators are their columns.
datatype Expr<`r::E> {
  Number(double);
  Name(bytes_t<`r>, int);
  Negated(datatype Expr<`r> @`r);
  Binary(char, datatype Expr<`r> @`r, datatype Expr<`r> @`r, int);
  Call(bytes_t<`r>, datatype Expr<`r> @`r, int);
  Assign(bytes_t<`r>, datatype Expr<`r> @`r)
};
typedef datatype Expr<`r> @`r expr_t<`r::E>;

// What is wrong with a line, and the column where, from 0.
@extensible datatype exn {
  extern Wrong(int, const char ?)
};

// Parses a line into its region; Wrong if it is no expression.
expr_t<`r> parse(region_t<`r> home, bytes_t<`r> line);

// The values of variables live as long as the program.
struct Variable;
struct Memory {
  struct Variable *first;
};

// The value of an expression; Wrong where a name or function is unknown.
double evaluate(struct Memory @memory, expr_t<`r> e);

#endif

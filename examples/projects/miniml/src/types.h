// Types, unification and inference.
#ifndef TYPES_H
#define TYPES_H

#include "syntax.h"

// A variable: what it stands for, once that is known; and the depth of the `let` that it belongs to (D. Remy's levels), or GENERIC.
struct Variable<`r::E>;

datatype Type<`r::E> {
  Int;
  Bool;
  String;
  Unit;
  List_of(datatype Type<`r> @`r);
  Pair(datatype Type<`r> @`r, datatype Type<`r> @`r);
  Arrow(datatype Type<`r> @`r, datatype Type<`r> @`r);
  Var(struct Variable<`r> @`r)
};
typedef datatype Type<`r> @`r type_t<`r::E>;

struct Variable<`r::E> {
  datatype Type<`r> *`r is;
  int level;
};

// What names mean.
struct Scope<`r::E> {
  bytes_t<`r> name;
  type_t<`r> type;
  struct Scope<`r> *`r outer;
};
typedef struct Scope<`r> *`r scope_t<`r::E>;

// The names that every program knows.
scope_t<`r> initial_scope(region_t<`r> home);

// The scope with what a declaration binds; Wrong if it has no type.
$(scope_t<`r>, type_t<`r>) declare(region_t<`r> home, scope_t<`r> scope, struct Binding<`r> @`r binding);

// Types as ML writes them, in a region; in two at once the same variable has the same name.
char ?`s show(region_t<`s> home, type_t<`r> type);
$(char ?`s, char ?`s) show_both(region_t<`s> home, type_t<`r> a, type_t<`r> b);

#endif

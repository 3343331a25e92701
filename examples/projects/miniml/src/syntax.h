// Programs of a small ML, and their syntax.
//
//     program ::= { declaration [ ';;' ] }
//     declaration ::= 'let' [ 'rec' ] binding | expression            an expression begins the program or follows `;;`
//     binding ::= pattern '=' expression | NAME atom-pattern { atom-pattern } '=' expression
//     expression ::= 'let' [ 'rec' ] binding 'in' expression | 'fun' atom-pattern { atom-pattern } '->' expression
//                  | 'if' expression 'then' expression 'else' expression
//                  | 'match' expression 'with' [ '|' ] pattern '->' expression { '|' pattern '->' expression }
//                  | operators || && = <> < > <= >= :: + - ^ * /, applications, and atoms
//     atom    ::= NUMBER | STRING | 'true' | 'false' | NAME | '(' [ expression [ ',' expression ] ] ')'
//               | '[' [ expression { ';' expression } ] ']'
#ifndef SYNTAX_H
#define SYNTAX_H

#include <lines.h>

// What is wrong, and the line and column where.
@extensible datatype exn {
  extern Wrong(int, int, const char ?)
};

datatype Pattern<`r::E> {
  Any;
  Bind(bytes_t<`r>);
  Unit_pattern;
  Int_pattern;
  Bool_pattern;
  String_pattern;
  Pair_pattern(datatype Pattern<`r> @`r, datatype Pattern<`r> @`r);
  Nil_pattern;
  Cons_pattern(datatype Pattern<`r> @`r, datatype Pattern<`r> @`r)
};
typedef datatype Pattern<`r> @`r pattern_t<`r::E>;

// An expression and where it begins.
struct Exp<`r::E>;
typedef struct Exp<`r> @`r exp_t<`r::E>;

// A case of `match`, and those after it.
struct Case<`r::E> {
  pattern_t<`r> pattern;
  exp_t<`r> body;
  struct Case<`r> *`r next;
};

// What a `let` binds; `recursive`: the body knows the name.
struct Binding<`r::E> {
  int recursive;
  pattern_t<`r> pattern;
  exp_t<`r> body;
};

// What an expression is. Values of literals do not matter here.
datatype Form<`r::E> {
  Unit_value;
  Int_value;
  Bool_value;
  String_value;
  Name(bytes_t<`r>);
  Nil_value;
  Pair_value(exp_t<`r>, exp_t<`r>);
  Function(pattern_t<`r>, exp_t<`r>);
  Apply(exp_t<`r>, exp_t<`r>);
  Let(struct Binding<`r> @`r, exp_t<`r>);
  If(exp_t<`r>, exp_t<`r>, exp_t<`r>);
  Match(exp_t<`r>, struct Case<`r> @`r)
};

struct Exp<`r::E> {
  int line;
  int column;
  datatype Form<`r> @`r form;
};

// A parser of a text in the region `r.
struct Parser<`r::E>;
struct Parser<`r> @`r new_parser(region_t<`r> home, bytes_t<`r> text);

// The next declaration; an expression binds nothing and has the pattern Any. Null at the end.
struct Binding<`r> *`r next_declaration(struct Parser<`r> @`r p);

#endif

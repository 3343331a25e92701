// Automata: what `compile` makes and `matches` runs.
#ifndef PROGRAM_H
#define PROGRAM_H

#include "regex.h"

enum Kind { READ, SPLIT, BEGIN, END, ACCEPT };

// One state of the automaton without determinism. READ goes on to `next` with a byte of the set, SPLIT to `next` and to
// `other`, BEGIN and END to `next` there.
struct Instruction {
  enum Kind kind;
  int next;
  int other;
  struct Set set;
};

struct Program<`r::E> {
  struct Instruction ?`r code;
  int size;
  int start;
};

#endif

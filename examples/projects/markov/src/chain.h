// Which words follow which two words.
#ifndef CHAIN_H
#define CHAIN_H

#include <lines.h>

struct State<`r::E>;

// A table of states in the region `r.
struct Chain<`r::E> {
  region_t<`r> home;
  struct State<`r> *`r ?`r buckets; // as many as a power of two
  unsigned states;
  bytes_t<`r> last[2];              // the words read last
};

// A chain that has seen nothing.
struct Chain<`r> @`r new_chain(region_t<`r> home);

// The chain sees one more word.
void see(struct Chain<`r> @`r chain, bytes_t word);

// Numbers that look random: the same for the same seed on every machine.
struct Random {
  unsigned long state;
};

// Generates at most `most` words and hands each to `out`.
void generate(struct Chain<`r> @`r chain, struct Random @random, int most, void (@out)(bytes_t<`r>, FILE @`H),
              FILE @`H to);

#endif

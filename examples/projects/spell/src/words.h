// Word lists.
#ifndef WORDS_H
#define WORDS_H

#include <lines.h>

struct Word<`r::E>;

// A list of words in the region `r: by hash value, to be found, and by length, to be searched for similar ones.
struct Words<`r::E> {
  region_t<`r> home;
  struct Word<`r> *`r ?`r buckets;
  struct Word<`r> *`r ?`r by_length;
  unsigned count;
};

// Longer words are left out; nobody spells them.
#define LONGEST 64

struct Words<`r> @`r new_words(region_t<`r> home);
void add_word(struct Words<`r> @`r words, bytes_t word);
int contains(struct Words<`r> @`r words, bytes_t word);

// The word that differs least from this one, by at most two letters that are put in, left out, exchanged or swapped with their
// neighbours; the first of several in the list. Null if there is none.
bytes_t<`r> nearest(struct Words<`r> @`r words, bytes_t word);

#endif

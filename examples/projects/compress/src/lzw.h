// LZW as compress(1) writes it, files with the ending .Z.
#ifndef LZW_H
#define LZW_H

#include <stdio.h>

// What is wrong with compressed data.
@extensible datatype exn {
  extern Damaged(const char ?)
};

// Compresses all of `in` with codes of at most `bits` bits, 10 to 16: nobody reads those with 9 alike.
void compress(FILE @`H in, FILE @`H out, int bits);

// Gives back what was compressed; Damaged if `in` is not such a file.
void decompress(FILE @`H in, FILE @`H out);

#endif

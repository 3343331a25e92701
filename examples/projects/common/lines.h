// Lines of a stream, however long, in memory of a region.
#ifndef LINES_H
#define LINES_H

#include <core.h>
#include <stdio.h>

// Bytes that know their number: no zero at the end, and none forbidden within.
typedef const char ?@nozeroterm `r bytes_t<`r::E>;

// Reads a stream through a buffer in the region `r; the lines are parts of it.
struct Reader<`r::E> {
  region_t<`r> home;
  FILE @`H in;
  char ?@nozeroterm `r buf;
  size_t start;  // of the next line in the buffer
  size_t filled; // bytes of the buffer that were read
  int at_end;
};

// Begins to read.
struct Reader<`r> @`r new_reader(region_t<`r> home, FILE @`H in);

// The next line, without its newline, or null at the end of the stream. It stays as it is until the next call. A last line
// without newline counts.
bytes_t<`r> next_line(struct Reader<`r> @`r reader);

// The first n bytes at p; Array_bounds if there are not as many.
bytes_t<`r> slice(bytes_t<`r> p, size_t n);

// A copy in a region.
bytes_t<`r> copy_bytes(region_t<`r> home, bytes_t p);

// Three-way comparison as unsigned bytes; a proper prefix comes first.
int compare_bytes(bytes_t a, bytes_t b);

// Opens a file to be read, standard input for "-". Null after the reason was printed, with the program's name before it.
FILE *`H open_input(const char ?program, const char @name);

// Closes what open_input opened; 0 if all of it could be read, else 1 after the reason was printed.
int close_input(const char ?program, const char @name, FILE @`H in);

#endif

// Numbers from text, random numbers, and the process.
//
// `malloc` and `calloc` are keywords of the language. Heap objects are not freed one by one, unless they are unique
// (Core::ufree) or counted: `free` does nothing.
#ifndef _CYC_STDLIB_H
#define _CYC_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

typedef struct _cyc_div { int quot; int rem; } div_t;
typedef struct _cyc_ldiv { long quot; long rem; } ldiv_t;
typedef struct _cyc_lldiv { long long quot; long long rem; } lldiv_t;

extern "C" {
  void abort(void) __attribute__((noreturn));
  void exit(int status) __attribute__((noreturn));
  void _Exit(int status) __attribute__((noreturn));
  int atexit(void (@action)(void));
  // The value in a fresh string, or null.
  char *getenv(const char @name) asm("cyc_lib_getenv");
  // `NAME=value` is copied. setenv replaces an old value only if it is told to.
  int putenv(const char @entry) asm("cyc_lib_putenv");
  int setenv(const char @name, const char @value, int replace);
  int unsetenv(const char @name);
  int system(const char @command);
  // Makes and opens a file; the last six characters of its name, which must be XXXXXX, are chosen. A descriptor, or -1.
  int mkstemp(char @name);

  int abs(int n);
  long labs(long n);
  long long llabs(long long n);
  div_t div(int a, int b);
  ldiv_t ldiv(long a, long b);
  lldiv_t lldiv(long long a, long long b);

  int atoi(const char @s);
  long atol(const char @s);
  long long atoll(const char @s);
  double atof(const char @s);
  // *end, unless `end` is null, becomes the place where the number ends.
  long strtol(const char @`r s, const char @`r *end, int base);
  long long strtoll(const char @`r s, const char @`r *end, int base);
  unsigned long strtoul(const char @`r s, const char @`r *end, int base);
  unsigned long long strtoull(const char @`r s, const char @`r *end, int base);
  double strtod(const char @`r s, const char @`r *end);
  float strtof(const char @`r s, const char @`r *end);
  long double strtold(const char @`r s, const char @`r *end);

  // Sorts the first n elements of x in place, not stably; Core::Failure if there are not as many, or x is null.
  void qsort(`a::A ?`r x, size_t n, tag_t<valueof_t(sizeof(`a))> size, int (@cmp)(const `a @`r, const `a @`r))
      asm("cyc_lib_qsort");
  // So that programs written for C compile.
  void free(`a::A ?p) asm("cyc_lib_free");

  int rand(void);
  void srand(unsigned seed);
  int rand_r(unsigned @seed);
  long random(void);
  void srandom(unsigned seed);
  double drand48(void);
  double erand48(unsigned short @{3} state);
  long lrand48(void);
  long nrand48(unsigned short @{3} state);
  long mrand48(void);
  long jrand48(unsigned short @{3} state);
  void srand48(long seed);
  void lcong48(unsigned short @{7} param);
  // The seed that there was before, in an array that the next call overwrites.
  unsigned short @{3} seed48(unsigned short @{3} state);

  // The other side of a pseudo-terminal.
  int grantpt(int fd);
  int unlockpt(int fd);
}

#endif

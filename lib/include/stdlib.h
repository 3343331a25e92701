// Numbers from text, random numbers, and the process.
//
// `malloc` and `calloc` are keywords of the language. Heap objects are not freed one by one, unless they are unique
// (Core::ufree) or counted: `free` does nothing.
//
//     #include <unistd.h>
//     static int compare(const int @`r a, const int @`r b) { return Core::intcmp(*a, *b); }
//     static void goodbye() { puts("goodbye"); }
#ifndef _CYC_STDLIB_H
#define _CYC_STDLIB_H

#include <ending.h>
#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

typedef struct _cyc_div { int quot; int rem; } div_t;
typedef struct _cyc_ldiv { long quot; long rem; } ldiv_t;
typedef struct _cyc_lldiv { long long quot; long long rem; } lldiv_t;

extern "C" {
  // The end of the program without what atexit was given (abort and exit: ending.h); what is to happen at the end. An exception
  // that an action raises is one that nothing catches.
  //
  //     assert(atexit(goodbye) == 0);
  //     bool never = false;
  //     if (never) _Exit(EXIT_FAILURE);
  void _Exit(int status) __attribute__((noreturn));
  int atexit(void (@`H action)(void)) asm("cyc_lib_atexit");
  // The value in a fresh string, or null.
  //
  //     assert(setenv("NAME", "value", 1) == 0 && strcmp(getenv("NAME"), "value") == 0);
  char *getenv(const char @name) __attribute__((single_threaded)) asm("cyc_lib_getenv");
  // `NAME=value` is copied. setenv replaces an old value only if it is told to.
  //
  //     assert(putenv("NAME=other") == 0 && setenv("NAME", "third", 0) == 0 && strcmp(getenv("NAME"), "other") == 0);
  //     assert(unsetenv("NAME") == 0 && getenv("NAME") == NULL && system("exit 3") == 3 << 8);
  int putenv(const char @entry) __attribute__((single_threaded)) asm("cyc_lib_putenv");
  int setenv(const char @name, const char @value, int replace) __attribute__((single_threaded));
  int unsetenv(const char @name) __attribute__((single_threaded));
  int system(const char @command);
  // Makes and opens a file; the last six characters of its name, which must be XXXXXX, are chosen. A descriptor, or -1.
  //
  //     mstring_t<`H> name = strdup("/tmp/example-XXXXXX");
  //     int fd = mkstemp((char @)name);
  //     assert(fd >= 0 && close(fd) == 0 && unlink((const char @)name) == 0);
  int mkstemp(char @name);

  // Absolute values; quotients and rests.
  //
  //     assert(abs(-3) == 3 && labs(-3) == 3 && llabs(-3) == 3);
  //     assert(div(7, 2).quot == 3 && ldiv(7, 2).rem == 1 && lldiv(-7, 2).rem == -1);
  int abs(int n);
  long labs(long n);
  long long llabs(long long n);
  div_t div(int a, int b);
  ldiv_t ldiv(long a, long b);
  lldiv_t lldiv(long long a, long long b);

  // The number at the beginning of a text; 0 if there is none.
  //
  //     assert(atoi("12x") == 12 && atol("-5") == -5 && atoll("7") == 7 && atof("2.5") == 2.5);
  int atoi(const char @s);
  long atol(const char @s);
  long long atoll(const char @s);
  double atof(const char @s);
  // *end, unless `end` is null, becomes the place where the number ends.
  //
  //     const char @`H text = "ff rest";
  //     const char @`H end = text;
  //     assert(strtol("-12", NULL, 10) == -12 && strtoll("12", NULL, 0) == 12 && strtoul("z", NULL, 36) == 35 && strtoull("12", NULL, 8) == 10);
  //     assert(strtod("1e3", NULL) == 1000.0 && strtof("0.5", NULL) == 0.5 && strtold("0.25", NULL) == 0.25);
  //     assert(strtol(text, &end, 16) == 255 && strcmp(end, " rest") == 0);
  long strtol(const char @`r s, const char @`r *end, int base);
  long long strtoll(const char @`r s, const char @`r *end, int base);
  unsigned long strtoul(const char @`r s, const char @`r *end, int base);
  unsigned long long strtoull(const char @`r s, const char @`r *end, int base);
  double strtod(const char @`r s, const char @`r *end);
  float strtof(const char @`r s, const char @`r *end);
  long double strtold(const char @`r s, const char @`r *end);

  // Sorts the first n elements of x in place, not stably; Core::Failure if there are not as many, or x is null.
  //
  //     int x[3] = {3, 1, 2};
  //     qsort(x, 3, sizeof(int), compare);
  //     assert(x[0] == 1 && x[2] == 3);
  void qsort(`a::A ?`r x, size_t n, tag_t<valueof_t(sizeof(`a))> size, int (@cmp)(const `a @`r, const `a @`r))
      __attribute__((overwrites(1))) asm("cyc_lib_qsort");
  // So that programs written for C compile.
  //
  //     char ?`H p = strdup("text");
  //     free(p);
  //     assert(strcmp(p, "text") == 0);
  void free(`a::A ?p) asm("cyc_lib_free");

  // Pseudo-random numbers, the same after the same seed: up to RAND_MAX; of 31 bits; from 0 to 1; of 48 bits, whose state may be an array.
  //
  //     srand(1);
  //     int first = rand();
  //     srand(1);
  //     unsigned seed = 1;
  //     assert(rand() == first && rand_r(&seed) >= 0);
  //     srandom(7);
  //     assert(random() >= 0);
  //     srand48(7);
  //     unsigned short state[3] = {1, 2, 3};
  //     unsigned short all[7] = {1, 2, 3, 4, 5, 6, 7};
  //     assert(drand48() < 1.0 && erand48(state) < 1.0 && lrand48() >= 0 && nrand48(state) >= 0 && mrand48() != 0 && jrand48(state) != 0);
  //     lcong48(all);
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
  void lcong48(const unsigned short @{7} param);
  // The seed that there was before, in an array that the next call overwrites.
  //
  //     unsigned short state[3] = {1, 2, 3};
  //     seed48(state);
  //     assert(seed48(state)[0] == 1);
  unsigned short @{3} seed48(const unsigned short @{3} state);

  // The other side of a pseudo-terminal.
  //
  //     assert(grantpt(-1) == -1 && unlockpt(-1) == -1);
  int grantpt(int fd);
  int unlockpt(int fd);
}

#endif

// What the tests of the library share: checks that count themselves, expected exceptions, random numbers that are the same in
// every run.
#ifndef _CYC_LIB_TESTS_CHECK_H
#define _CYC_LIB_TESTS_CHECK_H

#include <core.h>
#include <stdio.h>
#include <stdlib.h>

static int checks_made = 0, checks_failed = 0;

static void check_that(bool holds, string_t what, int line) {
  checks_made++;
  if (holds) return;
  checks_failed++;
  printf("line %d: %s\n", line, what);
}

// The condition must hold.
#define CHECK(...) check_that((__VA_ARGS__) ? 1 : 0, #__VA_ARGS__, __LINE__)

// Does the statement raise an exception that matches the pattern?
#define RAISES(pattern, ...)                                                                         \
  do {                                                                                               \
    bool raised_ = false;                                                                            \
    try { __VA_ARGS__; }                                                                             \
    catch { case pattern: raised_ = true; break; }                                                   \
    check_that(raised_, #__VA_ARGS__ " raises " #pattern, __LINE__);                                 \
  } while (0)

// How often, or how many: `n`; `few` under the hostile heap, where each allocation collects.
static int rounds(int n, int few) { return getenv("CYC_HOSTILE") != NULL ? few : n; }

// The state of a linear congruential generator (the constants of POSIX's drand48).
static unsigned long random_state = 20261122;
// A number below n.
static int random_below(int n) {
  random_state = (random_state * 0x5DEECE66DUL + 11) & 0xFFFFFFFFFFFFUL;
  return (int)((random_state >> 17) % (unsigned long)n);
}

// Begins with another seed, if CYC_TEST_SEED is one: tests with random input print theirs, so that what they found can be found again.
static void random_begin(void) {
  char *given = getenv("CYC_TEST_SEED");
  unsigned long seed = 0;
  if (given != NULL && sscanf((const char @)given, "%lu", &seed) == 1) random_state = seed;
  printf("seed %lu\n", random_state);
}

// The exit status of the test: prints how many checks hold.
static int checks_report(void) {
  printf("%d of %d checks hold\n", checks_made - checks_failed, checks_made);
  return checks_failed != 0;
}

#endif

// How a program ends before `main` returns. <core.h>, <stdio.h>, <stdlib.h> and <string.h> bring these along, as they
// always did in Cyclone.
#ifndef _CYC_ENDING_H
#define _CYC_ENDING_H

extern "C" {
  // By a signal; after what atexit was given, from the last on.
  //
  //     bool never = false;
  //     if (never) abort();
  //     if (never) exit(2);
  `a abort(void) __attribute__((noreturn)); // stands for a value of any type
  void exit(int status) __attribute__((single_threaded, noreturn));
}

#endif

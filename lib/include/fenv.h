// Exceptions and rounding of floating-point numbers.
#ifndef _CYC_FENV_H
#define _CYC_FENV_H

#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00

typedef unsigned short fexcept_t;
typedef struct _cyc_fenv {
  unsigned int _cyc_words[8];
} fenv_t;

extern "C" {
  // The exceptions that happened: forget, raise, which of these did.
  //
  //     fexcept_t flag = 0;
  //     assert(feclearexcept(FE_ALL_EXCEPT) == 0 && feraiseexcept(FE_INEXACT) == 0 && fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT);
  //     assert(fegetexceptflag(&flag, FE_INEXACT) == 0 && fesetexceptflag(&flag, FE_INEXACT) == 0);
  int feclearexcept(int which);
  int feraiseexcept(int which);
  int fetestexcept(int which);
  int fegetexceptflag(fexcept_t @flag, int which) __attribute__((initializes(1)));
  int fesetexceptflag(const fexcept_t @flag, int which);
  // The direction of rounding; 0 if it could be set.
  //
  //     assert(fesetround(FE_UPWARD) == 0 && fegetround() == FE_UPWARD && fesetround(FE_TONEAREST) == 0);
  int fegetround(void);
  int fesetround(int direction);
  // All of it: keep, keep and forget the exceptions, restore, restore and raise what happened meanwhile.
  //
  //     fenv_t env;
  //     assert(fegetenv(&env) == 0 && fesetenv(&env) == 0 && feholdexcept(&env) == 0 && feupdateenv(&env) == 0);
  int fegetenv(fenv_t @env) __attribute__((initializes(1)));
  int feholdexcept(fenv_t @env) __attribute__((initializes(1)));
  int fesetenv(const fenv_t @env);
  int feupdateenv(const fenv_t @env);
}

#endif

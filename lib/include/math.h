// The C99 functions on real numbers, bound directly to the C library.
// Out-parameters may not be null.
//
//     static bool near(double a, double b) { return fabs(a - b) < 1e-5; }
#ifndef _CYC_MATH_H
#define _CYC_MATH_H

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define MAXFLOAT 3.40282347e+38F
#define HUGE_VAL (1e308 * 10)
#define HUGE_VALF (1e38F * 10)
#define HUGE_VALL (1e4932L * 10)
#define INFINITY HUGE_VALF
#define NAN (0.0F / 0.0F)

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2

// Kinds of numbers: is it none, infinite, a number, a normal one, below zero?
//
//     assert(isnan(NAN) && isinf(INFINITY) && isfinite(1.0) && isnormal(1.0) && signbit(-1.0) && !isnan(1.0));
#define isnan(x) ((x) != (x))
#define isinf(x) (fabs(x) == HUGE_VAL)
#define isfinite(x) (fabs(x) < HUGE_VAL)
#define isnormal(x) (fabs(x) >= 2.2250738585072014e-308 && fabs(x) < HUGE_VAL)
#define signbit(x) (copysign(1.0, (x)) < 0.0)

extern "C" {
  // Sines and cosines of radians and their like, and angles from them; atan2(y, x) is that of a point.
  //
  //     assert(near(sin(0.5), 0.479425538604203) && near(sinf(0.5F), 0.479425538604203) && near((double)sinl(0.5L), 0.479425538604203));
  //     assert(near(cos(0.5), 0.8775825618903728) && near(cosf(0.5F), 0.8775825618903728) && near((double)cosl(0.5L), 0.8775825618903728));
  //     assert(near(tan(0.5), 0.5463024898437905) && near(tanf(0.5F), 0.5463024898437905) && near((double)tanl(0.5L), 0.5463024898437905));
  //     assert(near(asin(0.5), 0.5235987755982989) && near(asinf(0.5F), 0.5235987755982989) && near((double)asinl(0.5L), 0.5235987755982989));
  //     assert(near(acos(0.5), 1.0471975511965979) && near(acosf(0.5F), 1.0471975511965979) && near((double)acosl(0.5L), 1.0471975511965979));
  //     assert(near(atan(0.5), 0.4636476090008061) && near(atanf(0.5F), 0.4636476090008061) && near((double)atanl(0.5L), 0.4636476090008061));
  //     assert(near(atan2(1.0, 2.0), 0.4636476090008061) && near(atan2f(1.0F, 2.0F), 0.4636476090008061) && near((double)atan2l(1.0L, 2.0L), 0.4636476090008061));
  double sin(double x) __attribute__((noheap));
  float sinf(float x) __attribute__((noheap));
  long double sinl(long double x) __attribute__((noheap));
  double cos(double x) __attribute__((noheap));
  float cosf(float x) __attribute__((noheap));
  long double cosl(long double x) __attribute__((noheap));
  double tan(double x) __attribute__((noheap));
  float tanf(float x) __attribute__((noheap));
  long double tanl(long double x) __attribute__((noheap));
  double asin(double x) __attribute__((noheap));
  float asinf(float x) __attribute__((noheap));
  long double asinl(long double x) __attribute__((noheap));
  double acos(double x) __attribute__((noheap));
  float acosf(float x) __attribute__((noheap));
  long double acosl(long double x) __attribute__((noheap));
  double atan(double x) __attribute__((noheap));
  float atanf(float x) __attribute__((noheap));
  long double atanl(long double x) __attribute__((noheap));
  double atan2(double x, double y) __attribute__((noheap));
  float atan2f(float x, float y) __attribute__((noheap));
  long double atan2l(long double x, long double y) __attribute__((noheap));

  // Hyperbolic functions and their inverses.
  //
  //     assert(near(sinh(0.5), 0.5210953054937474) && near(sinhf(0.5F), 0.5210953054937474) && near((double)sinhl(0.5L), 0.5210953054937474));
  //     assert(near(cosh(0.5), 1.1276259652063807) && near(coshf(0.5F), 1.1276259652063807) && near((double)coshl(0.5L), 1.1276259652063807));
  //     assert(near(tanh(0.5), 0.46211715726000974) && near(tanhf(0.5F), 0.46211715726000974) && near((double)tanhl(0.5L), 0.46211715726000974));
  //     assert(near(asinh(0.5), 0.48121182505960347) && near(asinhf(0.5F), 0.48121182505960347) && near((double)asinhl(0.5L), 0.48121182505960347));
  //     assert(near(acosh(1.5), 0.9624236501192069) && near(acoshf(1.5F), 0.9624236501192069) && near((double)acoshl(1.5L), 0.9624236501192069));
  //     assert(near(atanh(0.5), 0.5493061443340548) && near(atanhf(0.5F), 0.5493061443340548) && near((double)atanhl(0.5L), 0.5493061443340548));
  double sinh(double x) __attribute__((noheap));
  float sinhf(float x) __attribute__((noheap));
  long double sinhl(long double x) __attribute__((noheap));
  double cosh(double x) __attribute__((noheap));
  float coshf(float x) __attribute__((noheap));
  long double coshl(long double x) __attribute__((noheap));
  double tanh(double x) __attribute__((noheap));
  float tanhf(float x) __attribute__((noheap));
  long double tanhl(long double x) __attribute__((noheap));
  double asinh(double x) __attribute__((noheap));
  float asinhf(float x) __attribute__((noheap));
  long double asinhl(long double x) __attribute__((noheap));
  double acosh(double x) __attribute__((noheap));
  float acoshf(float x) __attribute__((noheap));
  long double acoshl(long double x) __attribute__((noheap));
  double atanh(double x) __attribute__((noheap));
  float atanhf(float x) __attribute__((noheap));
  long double atanhl(long double x) __attribute__((noheap));

  // Powers of e and of 2, less 1 for `expm1`; logarithms to e, 10 and 2, of 1 + x for `log1p`.
  //
  //     assert(near(exp(0.5), 1.6487212707001282) && near(expf(0.5F), 1.6487212707001282) && near((double)expl(0.5L), 1.6487212707001282));
  //     assert(near(exp2(3.0), 8.0) && near(exp2f(3.0F), 8.0) && near((double)exp2l(3.0L), 8.0));
  //     assert(near(expm1(0.5), 0.6487212707001282) && near(expm1f(0.5F), 0.6487212707001282) && near((double)expm1l(0.5L), 0.6487212707001282));
  //     assert(near(log(2.0), 0.6931471805599453) && near(logf(2.0F), 0.6931471805599453) && near((double)logl(2.0L), 0.6931471805599453));
  //     assert(near(log10(1000.0), 3.0) && near(log10f(1000.0F), 3.0) && near((double)log10l(1000.0L), 3.0));
  //     assert(near(log1p(0.5), 0.4054651081081644) && near(log1pf(0.5F), 0.4054651081081644) && near((double)log1pl(0.5L), 0.4054651081081644));
  //     assert(near(log2(8.0), 3.0) && near(log2f(8.0F), 3.0) && near((double)log2l(8.0L), 3.0));
  double exp(double x) __attribute__((noheap));
  float expf(float x) __attribute__((noheap));
  long double expl(long double x) __attribute__((noheap));
  double exp2(double x) __attribute__((noheap));
  float exp2f(float x) __attribute__((noheap));
  long double exp2l(long double x) __attribute__((noheap));
  double expm1(double x) __attribute__((noheap));
  float expm1f(float x) __attribute__((noheap));
  long double expm1l(long double x) __attribute__((noheap));
  double log(double x) __attribute__((noheap));
  float logf(float x) __attribute__((noheap));
  long double logl(long double x) __attribute__((noheap));
  double log10(double x) __attribute__((noheap));
  float log10f(float x) __attribute__((noheap));
  long double log10l(long double x) __attribute__((noheap));
  double log1p(double x) __attribute__((noheap));
  float log1pf(float x) __attribute__((noheap));
  long double log1pl(long double x) __attribute__((noheap));
  double log2(double x) __attribute__((noheap));
  float log2f(float x) __attribute__((noheap));
  long double log2l(long double x) __attribute__((noheap));

  // Powers, roots, and the hypotenuse.
  //
  //     assert(near(pow(2.0, 10.0), 1024.0) && near(powf(2.0F, 10.0F), 1024.0) && near((double)powl(2.0L, 10.0L), 1024.0));
  //     assert(near(sqrt(2.0), 1.4142135623730951) && near(sqrtf(2.0F), 1.4142135623730951) && near((double)sqrtl(2.0L), 1.4142135623730951));
  //     assert(near(cbrt(27.0), 3.0) && near(cbrtf(27.0F), 3.0) && near((double)cbrtl(27.0L), 3.0));
  //     assert(near(hypot(3.0, 4.0), 5.0) && near(hypotf(3.0F, 4.0F), 5.0) && near((double)hypotl(3.0L, 4.0L), 5.0));
  double pow(double x, double y) __attribute__((noheap));
  float powf(float x, float y) __attribute__((noheap));
  long double powl(long double x, long double y) __attribute__((noheap));
  double sqrt(double x) __attribute__((noheap));
  float sqrtf(float x) __attribute__((noheap));
  long double sqrtl(long double x) __attribute__((noheap));
  double cbrt(double x) __attribute__((noheap));
  float cbrtf(float x) __attribute__((noheap));
  long double cbrtl(long double x) __attribute__((noheap));
  double hypot(double x, double y) __attribute__((noheap));
  float hypotf(float x, float y) __attribute__((noheap));
  long double hypotl(long double x, long double y) __attribute__((noheap));

  // Whole numbers: not below, not above, towards zero, the nearest (halves away from zero); `rint` and its like round as
  // fesetround said.
  //
  //     assert(near(ceil(1.5), 2.0) && near(ceilf(1.5F), 2.0) && near((double)ceill(1.5L), 2.0));
  //     assert(near(floor(1.5), 1.0) && near(floorf(1.5F), 1.0) && near((double)floorl(1.5L), 1.0));
  //     assert(near(trunc(-1.5), -1.0) && near(truncf(-1.5F), -1.0) && near((double)truncl(-1.5L), -1.0));
  //     assert(near(round(2.5), 3.0) && near(roundf(2.5F), 3.0) && near((double)roundl(2.5L), 3.0));
  //     assert(near(rint(2.5), 2.0) && near(rintf(2.5F), 2.0) && near((double)rintl(2.5L), 2.0));
  //     assert(near(nearbyint(2.5), 2.0) && near(nearbyintf(2.5F), 2.0) && near((double)nearbyintl(2.5L), 2.0));
  //     assert(near(lround(2.5), 3.0) && near(lroundf(2.5F), 3.0) && near(lroundl(2.5L), 3.0));
  //     assert(near(llround(2.5), 3.0) && near(llroundf(2.5F), 3.0) && near(llroundl(2.5L), 3.0));
  //     assert(near(lrint(2.5), 2.0) && near(lrintf(2.5F), 2.0) && near(lrintl(2.5L), 2.0));
  //     assert(near(llrint(2.5), 2.0) && near(llrintf(2.5F), 2.0) && near(llrintl(2.5L), 2.0));
  double ceil(double x) __attribute__((noheap));
  float ceilf(float x) __attribute__((noheap));
  long double ceill(long double x) __attribute__((noheap));
  double floor(double x) __attribute__((noheap));
  float floorf(float x) __attribute__((noheap));
  long double floorl(long double x) __attribute__((noheap));
  double trunc(double x) __attribute__((noheap));
  float truncf(float x) __attribute__((noheap));
  long double truncl(long double x) __attribute__((noheap));
  double round(double x) __attribute__((noheap));
  float roundf(float x) __attribute__((noheap));
  long double roundl(long double x) __attribute__((noheap));
  double rint(double x) __attribute__((noheap));
  float rintf(float x) __attribute__((noheap));
  long double rintl(long double x) __attribute__((noheap));
  double nearbyint(double x) __attribute__((noheap));
  float nearbyintf(float x) __attribute__((noheap));
  long double nearbyintl(long double x) __attribute__((noheap));
  long lround(double x) __attribute__((noheap));
  long lroundf(float x) __attribute__((noheap));
  long lroundl(long double x) __attribute__((noheap));
  long long llround(double x) __attribute__((noheap));
  long long llroundf(float x) __attribute__((noheap));
  long long llroundl(long double x) __attribute__((noheap));
  long lrint(double x) __attribute__((noheap));
  long lrintf(float x) __attribute__((noheap));
  long lrintl(long double x) __attribute__((noheap));
  long long llrint(double x) __attribute__((noheap));
  long long llrintf(float x) __attribute__((noheap));
  long long llrintl(long double x) __attribute__((noheap));

  // The absolute value; the rest of a division that is cut, that is rounded; x * y + z rounded once; the larger, the
  // smaller, the positive difference; x with the sign of y.
  //
  //     assert(near(fabs(-1.5), 1.5) && near(fabsf(-1.5F), 1.5) && near((double)fabsl(-1.5L), 1.5));
  //     assert(near(fmod(5.5, 2.0), 1.5) && near(fmodf(5.5F, 2.0F), 1.5) && near((double)fmodl(5.5L, 2.0L), 1.5));
  //     assert(near(remainder(5.5, 2.0), -0.5) && near(remainderf(5.5F, 2.0F), -0.5) && near((double)remainderl(5.5L, 2.0L), -0.5));
  //     assert(near(fma(2.0, 3.0, 4.0), 10.0) && near(fmaf(2.0F, 3.0F, 4.0F), 10.0) && near((double)fmal(2.0L, 3.0L, 4.0L), 10.0));
  //     assert(near(fmax(1.0, 2.0), 2.0) && near(fmaxf(1.0F, 2.0F), 2.0) && near((double)fmaxl(1.0L, 2.0L), 2.0));
  //     assert(near(fmin(1.0, 2.0), 1.0) && near(fminf(1.0F, 2.0F), 1.0) && near((double)fminl(1.0L, 2.0L), 1.0));
  //     assert(near(fdim(3.0, 1.0), 2.0) && near(fdimf(3.0F, 1.0F), 2.0) && near((double)fdiml(3.0L, 1.0L), 2.0));
  //     assert(near(copysign(1.0, -2.0), -1.0) && near(copysignf(1.0F, -2.0F), -1.0) && near((double)copysignl(1.0L, -2.0L), -1.0));
  double fabs(double x) __attribute__((noheap));
  float fabsf(float x) __attribute__((noheap));
  long double fabsl(long double x) __attribute__((noheap));
  double fmod(double x, double y) __attribute__((noheap));
  float fmodf(float x, float y) __attribute__((noheap));
  long double fmodl(long double x, long double y) __attribute__((noheap));
  double remainder(double x, double y) __attribute__((noheap));
  float remainderf(float x, float y) __attribute__((noheap));
  long double remainderl(long double x, long double y) __attribute__((noheap));
  double fma(double x, double y, double z) __attribute__((noheap));
  float fmaf(float x, float y, float z) __attribute__((noheap));
  long double fmal(long double x, long double y, long double z) __attribute__((noheap));
  double fmax(double x, double y) __attribute__((noheap));
  float fmaxf(float x, float y) __attribute__((noheap));
  long double fmaxl(long double x, long double y) __attribute__((noheap));
  double fmin(double x, double y) __attribute__((noheap));
  float fminf(float x, float y) __attribute__((noheap));
  long double fminl(long double x, long double y) __attribute__((noheap));
  double fdim(double x, double y) __attribute__((noheap));
  float fdimf(float x, float y) __attribute__((noheap));
  long double fdiml(long double x, long double y) __attribute__((noheap));
  double copysign(double x, double y) __attribute__((noheap));
  float copysignf(float x, float y) __attribute__((noheap));
  long double copysignl(long double x, long double y) __attribute__((noheap));

  // The exponent as a number; times a power of 2; the next number on the way to another.
  //
  //     assert(near(logb(8.0), 3.0) && near(logbf(8.0F), 3.0) && near((double)logbl(8.0L), 3.0));
  //     assert(near(ilogb(8.0), 3.0) && near(ilogbf(8.0F), 3.0) && near(ilogbl(8.0L), 3.0));
  //     assert(near(ldexp(1.5, 2), 6.0) && near(ldexpf(1.5F, 2), 6.0) && near((double)ldexpl(1.5L, 2), 6.0));
  //     assert(near(scalbn(1.5, 2), 6.0) && near(scalbnf(1.5F, 2), 6.0) && near((double)scalbnl(1.5L, 2), 6.0));
  //     assert(near(scalb(1.5, 2.0), 6.0) && near(scalbf(1.5F, 2.0F), 6.0) && near((double)scalbl(1.5L, 2.0L), 6.0));
  //     assert(near(scalbln(1.5, 2), 6.0) && near(scalblnf(1.5F, 2), 6.0) && near((double)scalblnl(1.5L, 2), 6.0));
  //     assert(near(nextafter(1.0, 2.0), 1.0) && near(nextafterf(1.0F, 2.0F), 1.0) && near((double)nextafterl(1.0L, 2.0L), 1.0));
  //     assert(near(nexttoward(1.0, 2.0L), 1.0) && near(nexttowardf(1.0F, 2.0L), 1.0) && near((double)nexttowardl(1.0L, 2.0L), 1.0));
  double logb(double x) __attribute__((noheap));
  float logbf(float x) __attribute__((noheap));
  long double logbl(long double x) __attribute__((noheap));
  int ilogb(double x) __attribute__((noheap));
  int ilogbf(float x) __attribute__((noheap));
  int ilogbl(long double x) __attribute__((noheap));
  double ldexp(double x, int e) __attribute__((noheap));
  float ldexpf(float x, int e) __attribute__((noheap));
  long double ldexpl(long double x, int e) __attribute__((noheap));
  double scalbn(double x, int e) __attribute__((noheap));
  float scalbnf(float x, int e) __attribute__((noheap));
  long double scalbnl(long double x, int e) __attribute__((noheap));
  double scalb(double x, double e) __attribute__((noheap));
  float scalbf(float x, float e) __attribute__((noheap));
  long double scalbl(long double x, long double e) __attribute__((noheap));
  double scalbln(double x, long e) __attribute__((noheap));
  float scalblnf(float x, long e) __attribute__((noheap));
  long double scalblnl(long double x, long e) __attribute__((noheap));
  double nextafter(double x, double y) __attribute__((noheap));
  float nextafterf(float x, float y) __attribute__((noheap));
  long double nextafterl(long double x, long double y) __attribute__((noheap));
  double nexttoward(double x, long double y) __attribute__((noheap));
  float nexttowardf(float x, long double y) __attribute__((noheap));
  long double nexttowardl(long double x, long double y) __attribute__((noheap));

  // The error function and what it lacks to 1; the logarithm of the gamma function, whose sign is signgam, and that
  // function.
  //
  //     assert(near(erf(0.5), 0.5204998778130465) && near(erff(0.5F), 0.5204998778130465) && near((double)erfl(0.5L), 0.5204998778130465));
  //     assert(near(erfc(0.5), 0.4795001221869535) && near(erfcf(0.5F), 0.4795001221869535) && near((double)erfcl(0.5L), 0.4795001221869535));
  //     assert(near(lgamma(5.0), 3.1780538303479458) && near(lgammaf(5.0F), 3.1780538303479458) && near((double)lgammal(5.0L), 3.1780538303479458));
  //     assert(near(tgamma(5.0), 24.0) && near(tgammaf(5.0F), 24.0) && near((double)tgammal(5.0L), 24.0));
  double erf(double x) __attribute__((noheap));
  float erff(float x) __attribute__((noheap));
  long double erfl(long double x) __attribute__((noheap));
  double erfc(double x) __attribute__((noheap));
  float erfcf(float x) __attribute__((noheap));
  long double erfcl(long double x) __attribute__((noheap));
  double lgamma(double x) __attribute__((noheap));
  float lgammaf(float x) __attribute__((noheap));
  long double lgammal(long double x) __attribute__((noheap));
  double tgamma(double x) __attribute__((noheap));
  float tgammaf(float x) __attribute__((noheap));
  long double tgammal(long double x) __attribute__((noheap));

  // Bessel functions of the first and the second kind, of order 0, 1 and n.
  //
  //     assert(near(j0(1.0), 0.7651976865579666));
  //     assert(near(j1(1.0), 0.44005058574493355));
  //     assert(near(jn(2, 1.0), 0.1149034849319005));
  //     assert(near(y0(1.0), 0.08825696421567697));
  //     assert(near(y1(1.0), -0.7812128213002887));
  //     assert(near(yn(2, 1.0), -1.6506826068162543));
  double j0(double x) __attribute__((noheap));
  double j1(double x) __attribute__((noheap));
  double jn(int n, double x) __attribute__((noheap));
  double y0(double x) __attribute__((noheap));
  double y1(double x) __attribute__((noheap));
  double yn(int n, double x) __attribute__((noheap));

  // The fraction from 0.5 to 1 and the exponent of 2.
  //
  //     int e = 0;
  //     assert(near(frexp(6.0, &e), 0.75) && e == 3 && near(frexpf(6.0F, &e), 0.75) && near((double)frexpl(6.0L, &e), 0.75));
  double frexp(double x, int @e) __attribute__((noheap));
  float frexpf(float x, int @e) __attribute__((noheap));
  long double frexpl(long double x, int @e) __attribute__((noheap));

  // The fraction and the whole number.
  //
  //     double whole = 0.0;
  //     float wholef = 0.0;
  //     long double wholel = 0.0;
  //     assert(near(modf(2.5, &whole), 0.5) && whole == 2.0 && near(modff(2.5F, &wholef), 0.5) && near((double)modfl(2.5L, &wholel), 0.5));
  double modf(double x, double @whole) __attribute__((noheap));
  float modff(float x, float @whole) __attribute__((noheap));
  long double modfl(long double x, long double @whole) __attribute__((noheap));

  // The rest of a division that is rounded, and the last bits of the quotient.
  //
  //     int q = 0;
  //     assert(near(remquo(5.5, 2.0, &q), -0.5) && q == 3 && near(remquof(5.5F, 2.0F, &q), -0.5) && near((double)remquol(5.5L, 2.0L, &q), -0.5));
  double remquo(double x, double y, int @quo) __attribute__((noheap));
  float remquof(float x, float y, int @quo) __attribute__((noheap));
  long double remquol(long double x, long double y, int @quo) __attribute__((noheap));

  // The sign of the gamma function, of the last lgamma.
  extern int signgam;
}

#endif

// Integers of any size, which never change. Null, a zero divisor and a base outside 2 to 36 raise Assert.
#ifndef _CYC_AP_H
#define _CYC_AP_H

#include <core.h>

typedef struct AP_number *`H AP_T;

// 0 and 1, once any number was made; null before.
extern AP_T AP_zero;
extern AP_T AP_one;

AP_T AP_new(int n);
AP_T AP_fromint(long n);
// The number modulo 2 ** 64.
long AP_toint(AP_T x);
// An optional sign and digits, after white space; what follows is not looked at. 0 without digits.
AP_T AP_fromstr(const char ?str, int base);
char ?AP_tostr(AP_T x, int base);

AP_T AP_neg(AP_T x);
AP_T AP_abs(AP_T x);
AP_T AP_add(AP_T x, AP_T y);
AP_T AP_sub(AP_T x, AP_T y);
AP_T AP_mul(AP_T x, AP_T y);
// The quotient without its fraction; the rest has the sign of x.
AP_T AP_div(AP_T x, AP_T y);
AP_T AP_mod(AP_T x, AP_T y);
// x ** y, for y that is not negative; modulo p unless that is null.
AP_T AP_pow(AP_T x, AP_T y, AP_T p);
// The same with small numbers.
AP_T AP_addi(AP_T x, long y);
AP_T AP_subi(AP_T x, long y);
AP_T AP_muli(AP_T x, long y);
AP_T AP_divi(AP_T x, long y);
long AP_modi(AP_T x, long y);
// Times and divided by 2 ** s; what is shifted out of a negative number is dropped too. Assert if s is negative.
AP_T AP_lshift(AP_T x, int s);
AP_T AP_rshift(AP_T x, int s);
// Bits of numbers in two's complement.
AP_T AP_and(AP_T x, AP_T y);
AP_T AP_or(AP_T x, AP_T y);
AP_T AP_xor(AP_T x, AP_T y);

int AP_cmp(AP_T x, AP_T y);
int AP_cmpi(AP_T x, long y);
// The greatest common divisor and the least common multiple, not negative.
AP_T AP_gcd(AP_T x, AP_T y);
AP_T AP_lcm(AP_T x, AP_T y);

#endif

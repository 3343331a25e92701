// Integers of any size, which never change. Null, a zero divisor and a base outside 2 to 36 raise Assert.
//
//     static bool is(AP_T x, const char ?text) { return strcmp(AP_tostr(x, 10), text) == 0; }
#ifndef _CYC_AP_H
#define _CYC_AP_H

#include <core.h>

typedef struct AP_number *`H AP_T;

// 0 and 1, once any number was made; null before.
extern AP_T AP_zero;
extern AP_T AP_one;

// Numbers from others.
//
//     assert(is(AP_new(5), "5") && is(AP_fromint(-7), "-7") && AP_one != NULL);
AP_T AP_new(int n);
AP_T AP_fromint(long n);
// The number modulo 2 ** 64.
//
//     assert(AP_toint(AP_fromint(-7)) == -7);
long AP_toint(AP_T x);
// An optional sign and digits, after white space; what follows is not looked at. 0 without digits.
//
//     assert(is(AP_fromstr("123456789012345678901234567890", 10), "123456789012345678901234567890"));
//     assert(strcmp(AP_tostr(AP_fromstr("-ff", 16), 2), "-11111111") == 0);
AP_T AP_fromstr(const char ?str, int base);
char ?AP_tostr(AP_T x, int base);

// The number with the other sign, without its sign; sum, difference, product.
//
//     AP_T x = AP_fromint(6);
//     AP_T y = AP_fromint(-4);
//     assert(is(AP_neg(x), "-6") && is(AP_abs(y), "4") && is(AP_add(x, y), "2") && is(AP_sub(x, y), "10") && is(AP_mul(x, y), "-24"));
AP_T AP_neg(AP_T x);
AP_T AP_abs(AP_T x);
AP_T AP_add(AP_T x, AP_T y);
AP_T AP_sub(AP_T x, AP_T y);
AP_T AP_mul(AP_T x, AP_T y);
// The quotient without its fraction; the rest has the sign of x.
//
//     assert(is(AP_div(AP_fromint(-7), AP_fromint(2)), "-3") && is(AP_mod(AP_fromint(-7), AP_fromint(2)), "-1"));
AP_T AP_div(AP_T x, AP_T y);
AP_T AP_mod(AP_T x, AP_T y);
// x ** y, for y that is not negative; modulo p unless that is null.
//
//     AP_T ten = AP_fromint(10);
//     assert(is(AP_pow(ten, AP_fromint(20), NULL), "100000000000000000000") && is(AP_pow(ten, AP_fromint(20), AP_fromint(7)), "2"));
AP_T AP_pow(AP_T x, AP_T y, AP_T p);
// The same with small numbers.
//
//     AP_T x = AP_fromint(7);
//     assert(is(AP_addi(x, 2), "9") && is(AP_subi(x, 2), "5") && is(AP_muli(x, 2), "14") && is(AP_divi(x, 2), "3") && AP_modi(x, 2) == 1);
AP_T AP_addi(AP_T x, long y);
AP_T AP_subi(AP_T x, long y);
AP_T AP_muli(AP_T x, long y);
AP_T AP_divi(AP_T x, long y);
long AP_modi(AP_T x, long y);
// Times and divided by 2 ** s; what is shifted out of a negative number is dropped too. Assert if s is negative.
//
//     assert(is(AP_lshift(AP_fromint(5), 10), "5120") && is(AP_rshift(AP_fromint(5120), 10), "5"));
AP_T AP_lshift(AP_T x, int s);
AP_T AP_rshift(AP_T x, int s);
// Bits of numbers in two's complement.
//
//     AP_T x = AP_fromint(12);
//     AP_T y = AP_fromint(10);
//     assert(is(AP_and(x, y), "8") && is(AP_or(x, y), "14") && is(AP_xor(x, y), "6") && is(AP_and(x, AP_fromint(-1)), "12"));
AP_T AP_and(AP_T x, AP_T y);
AP_T AP_or(AP_T x, AP_T y);
AP_T AP_xor(AP_T x, AP_T y);

// -1, 0 or 1.
//
//     assert(AP_cmp(AP_fromint(1), AP_fromint(2)) < 0 && AP_cmpi(AP_fromint(3), 2) > 0);
int AP_cmp(AP_T x, AP_T y);
int AP_cmpi(AP_T x, long y);
// The greatest common divisor and the least common multiple, not negative.
//
//     assert(is(AP_gcd(AP_fromint(12), AP_fromint(-18)), "6") && is(AP_lcm(AP_fromint(4), AP_fromint(6)), "12"));
AP_T AP_gcd(AP_T x, AP_T y);
AP_T AP_lcm(AP_T x, AP_T y);

#endif

// Unsigned numbers of n digits to the base 256, the least significant one first, after Hanson's "C Interfaces and Implementations"
// (1996). Results are stored in z, which may be an argument; carries go in and come out. Array_bounds if an array has fewer digits.
#ifndef _CYC_XP_H
#define _CYC_XP_H

#include <core.h>

typedef unsigned char ?@nozeroterm XP_T;

// x + y + carry and x - y - borrow; the carry out, the borrow out.
int XP_add(int n, XP_T z, XP_T x, XP_T y, int carry);
int XP_sub(int n, XP_T z, XP_T x, XP_T y, int borrow);
// z + x * y in the n + m digits of z, none of which is one of x or y; the carry out.
int XP_mul(XP_T z, int n, XP_T x, int m, XP_T y);
// The quotient of n digits and the rest of m digits; 0 if y is 0. tmp has room for n + m + 2 digits.
int XP_div(int n, XP_T q, XP_T x, int m, XP_T y, XP_T r, XP_T tmp);
// The same with one digit y: the carry, the borrow, the carry, the rest. (Assert if the divisor is 0 or above 256.)
int XP_sum(int n, XP_T z, XP_T x, int y);
int XP_diff(int n, XP_T z, XP_T x, int y);
int XP_product(int n, XP_T z, XP_T x, int y);
int XP_quotient(int n, XP_T z, XP_T x, int y);
// The complement, plus carry: with 1, what x lacks to 256 ** n.
int XP_neg(int n, XP_T z, XP_T x, int carry);
// -1, 0 or 1.
int XP_cmp(int n, XP_T x, XP_T y);
// x of m digits shifted by s bits to n digits; empty bits become those of fill, 0 or 1.
void XP_lshift(int n, XP_T z, int m, XP_T x, int s, int fill);
void XP_rshift(int n, XP_T z, int m, XP_T x, int s, int fill);
void XP_and(int n, XP_T z, XP_T x, XP_T y);
void XP_or(int n, XP_T z, XP_T x, XP_T y);
void XP_xor(int n, XP_T z, XP_T x, XP_T y);
// The number of digits without leading zeros, at least 1.
int XP_length(int n, XP_T x);
// The digits of u, and what is left of it; the number, as far as it fits.
unsigned long XP_fromint(int n, XP_T z, unsigned long u);
unsigned long XP_toint(int n, XP_T x);
// z * base ** k + the number of k digits at the front of the text; the carry out, and `end` becomes the rest of the text.
int XP_fromstr(int n, XP_T z, const char ?`r str, int base, const char ?`r *end);
// The text, in str, which it has to fit in; x becomes 0.
char ?`r XP_tostr(char ?`r str, int size, int base, int n, XP_T x);

#endif

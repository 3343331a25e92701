// Unsigned numbers of n digits to the base 256, the least significant one first, after Hanson's "C Interfaces and Implementations"
// (1996). Results are stored in z, which may be an argument; carries go in and come out. Array_bounds if an array has fewer digits.
//
//     static XP_T number(unsigned long u) {
//       XP_T z = new {for i < 4 : (unsigned char)0};
//       XP_fromint(4, z, u);
//       return z;
//     }
//     static XP_T zero() { return new {for i < 12 : (unsigned char)0}; }
#ifndef _CYC_XP_H
#define _CYC_XP_H

#include <core.h>

typedef unsigned char ?@nozeroterm XP_T;

// x + y + carry and x - y - borrow; the carry out, the borrow out.
//
//     XP_T z = zero();
//     assert(XP_add(4, z, number(300), number(500), 0) == 0 && XP_toint(4, z) == 800);
//     assert(XP_sub(4, z, number(1), number(2), 0) == 1 && XP_toint(4, z) == 0xffffffff);
int XP_add(int n, XP_T z, XP_T x, XP_T y, int carry);
int XP_sub(int n, XP_T z, XP_T x, XP_T y, int borrow);
// z + x * y in the n + m digits of z, none of which is one of x or y; the carry out.
//
//     XP_T z = zero();
//     assert(XP_mul(z, 4, number(100000), 4, number(100000)) == 0 && XP_toint(8, z) == 10000000000);
int XP_mul(XP_T z, int n, XP_T x, int m, XP_T y);
// The quotient of n digits and the rest of m digits; 0 if y is 0. tmp has room for n + m + 2 digits.
//
//     XP_T q = zero();
//     XP_T r = zero();
//     assert(XP_div(4, q, number(1000000), 4, number(3000), r, zero()) == 1 && XP_toint(4, q) == 333 && XP_toint(4, r) == 1000);
int XP_div(int n, XP_T q, XP_T x, int m, XP_T y, XP_T r, XP_T tmp);
// The same with one digit y: the carry, the borrow, the carry, the rest. (Assert if the divisor is 0 or above 256.)
//
//     XP_T z = zero();
//     assert(XP_sum(4, z, number(300), 5) == 0 && XP_toint(4, z) == 305 && XP_diff(4, z, number(300), 5) == 0 && XP_toint(4, z) == 295);
//     assert(XP_product(4, z, number(300), 5) == 0 && XP_toint(4, z) == 1500 && XP_quotient(4, z, number(301), 5) == 1 && XP_toint(4, z) == 60);
int XP_sum(int n, XP_T z, XP_T x, int y);
int XP_diff(int n, XP_T z, XP_T x, int y);
int XP_product(int n, XP_T z, XP_T x, int y);
int XP_quotient(int n, XP_T z, XP_T x, int y);
// The complement, plus carry: with 1, what x lacks to 256 ** n.
//
//     XP_T z = zero();
//     assert(XP_neg(4, z, number(1), 1) == 0 && XP_toint(4, z) == 0xffffffff);
int XP_neg(int n, XP_T z, XP_T x, int carry);
// -1, 0 or 1.
//
//     assert(XP_cmp(4, number(1), number(2)) < 0);
int XP_cmp(int n, XP_T x, XP_T y);
// x of m digits shifted by s bits to n digits; empty bits become those of fill, 0 or 1.
//
//     XP_T z = zero();
//     XP_lshift(4, z, 4, number(3), 4, 1);
//     assert(XP_toint(4, z) == 0x3f);
//     XP_rshift(4, z, 4, number(0x3f), 4, 0);
//     assert(XP_toint(4, z) == 3);
//     XP_and(4, z, number(12), number(10));
//     assert(XP_toint(4, z) == 8);
//     XP_or(4, z, number(12), number(10));
//     assert(XP_toint(4, z) == 14);
//     XP_xor(4, z, number(12), number(10));
//     assert(XP_toint(4, z) == 6);
void XP_lshift(int n, XP_T z, int m, XP_T x, int s, int fill);
void XP_rshift(int n, XP_T z, int m, XP_T x, int s, int fill);
void XP_and(int n, XP_T z, XP_T x, XP_T y);
void XP_or(int n, XP_T z, XP_T x, XP_T y);
void XP_xor(int n, XP_T z, XP_T x, XP_T y);
// The number of digits without leading zeros, at least 1.
//
//     assert(XP_length(4, number(256)) == 2);
int XP_length(int n, XP_T x);
// The digits of u, and what is left of it; the number, as far as it fits.
//
//     XP_T z = zero();
//     assert(XP_fromint(2, z, 0x12345) == 1 && XP_toint(2, z) == 0x2345);
unsigned long XP_fromint(int n, XP_T z, unsigned long u);
unsigned long XP_toint(int n, XP_T x);
// z * base ** k + the number of k digits at the front of the text; the carry out, and `end` becomes the rest of the text.
//
//     XP_T z = zero();
//     const char ?rest = NULL;
//     assert(XP_fromstr(4, z, "255;", 10, &rest) == 0 && XP_toint(4, z) == 255 && strcmp(rest, ";") == 0);
int XP_fromstr(int n, XP_T z, const char ?`r str, int base, const char ?`r *end);
// The text, in str, which it has to fit in; x becomes 0.
//
//     mstring_t<`H> text = Core::new_string(10);
//     assert(strcmp(XP_tostr(text, 10, 16, 4, number(255)), "ff") == 0);
char ?`r XP_tostr(char ?`r str, int size, int base, int n, XP_T x);

#endif

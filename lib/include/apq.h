// Fractions of integers of any size (ap.h), reduced, with denominators above 0, which never change. Null raises Assert.
//
//     static bool is(APQ_T x, const char ?text) { return strcmp(APQ_tostr(x, 10), text) == 0; }
//     static APQ_T half() { return APQ_fromstr("1/2", 10); }
#ifndef _CYC_APQ_H
#define _CYC_APQ_H

#include <ap.h>
#include <core.h>

typedef struct APQ_number *`H APQ_T;

// The fractions n / 1 and n / d. A denominator of 0 raises Core::Invalid_argument.
//
//     assert(is(APQ_fromint(5), "5") && is(APQ_fromAP(AP_fromint(2), AP_fromint(-4)), "-1/2"));
APQ_T APQ_fromint(int n);
APQ_T APQ_fromAP(AP_T n, AP_T d);
// `n` or `n/d`. A text that is no fraction, or has the denominator 0, raises Core::Invalid_argument.
//
//     assert(is(APQ_fromstr("6/4", 10), "3/2") && strcmp(APQ_tostr(APQ_fromstr("f/10", 16), 16), "f/10") == 0);
//     try { APQ_fromstr("1/0", 10); assert(false); } catch { case &Core::Invalid_argument(_): break; }
APQ_T APQ_fromstr(const char ?str, int base);
char ?APQ_tostr(APQ_T x, int base);

// The fraction with the other sign, without its sign; sum, difference, product, quotient; -1, 0 or 1.
//
//     APQ_T third = APQ_fromstr("1/3", 10);
//     assert(is(APQ_neg(half()), "-1/2") && is(APQ_abs(APQ_neg(half())), "1/2") && is(APQ_add(half(), third), "5/6") && is(APQ_sub(half(), third), "1/6"));
//     assert(is(APQ_mul(half(), third), "1/6") && is(APQ_div(half(), third), "3/2") && APQ_cmp(half(), third) > 0);
APQ_T APQ_neg(APQ_T x);
APQ_T APQ_abs(APQ_T x);
APQ_T APQ_add(APQ_T x, APQ_T y);
APQ_T APQ_sub(APQ_T x, APQ_T y);
APQ_T APQ_mul(APQ_T x, APQ_T y);
APQ_T APQ_div(APQ_T x, APQ_T y);
int APQ_cmp(APQ_T x, APQ_T y);

#endif

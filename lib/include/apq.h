// Fractions of integers of any size (ap.h), reduced, with denominators above 0, which never change. Null raises Assert.
#ifndef _CYC_APQ_H
#define _CYC_APQ_H

#include <ap.h>

typedef struct APQ_number *`H APQ_T;

// A denominator of 0, or a text that is no fraction. (Not Core's, which holds a string of the heap.)
@extensible datatype exn { extern Invalid_argument(const char ?) };

APQ_T APQ_fromint(int n);
APQ_T APQ_fromAP(AP_T n, AP_T d);
// `n` or `n/d`.
APQ_T APQ_fromstr(const char ?str, int base);
char ?APQ_tostr(APQ_T x, int base);

APQ_T APQ_neg(APQ_T x);
APQ_T APQ_abs(APQ_T x);
APQ_T APQ_add(APQ_T x, APQ_T y);
APQ_T APQ_sub(APQ_T x, APQ_T y);
APQ_T APQ_mul(APQ_T x, APQ_T y);
APQ_T APQ_div(APQ_T x, APQ_T y);
int APQ_cmp(APQ_T x, APQ_T y);

#endif

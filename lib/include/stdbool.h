// `bool`, `true` and `false` as in C99; `bool` is a name for `int`.
#ifndef _CYC_STDBOOL_H
#define _CYC_STDBOOL_H

#include <core.h>
#define __bool_true_false_are_defined 1

#endif

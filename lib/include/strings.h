#ifndef _CYC_STRINGS_H
#define _CYC_STRINGS_H

#include <string.h>

#endif

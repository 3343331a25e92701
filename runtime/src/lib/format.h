/* Formatted output, as that of C's functions of these names; format.c has more. */
#ifndef CYC_LIB_FORMAT_H
#define CYC_LIB_FORMAT_H

#include "lib.h"

int lib_vfprintf(FILE *stream, const char *format, va_list args);
int lib_vsnprintf(char *to, size_t room, const char *format, va_list args);

#endif

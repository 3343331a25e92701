// Common types.  `NULL` and `offsetof` are keywords of the language.
#ifndef _CYC_STDDEF_H
#define _CYC_STDDEF_H

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;

#endif

// Names that nearly every program uses: truth values and the usual string types.
#ifndef _CYC_CORE_H
#define _CYC_CORE_H

#include <stddef.h>

// A program may define its own `bool`; it then defines _CYC_HAVE_BOOL first.
#ifndef _CYC_HAVE_BOOL
#define _CYC_HAVE_BOOL
typedef int bool;
#ifndef true
#define true 1
#define false 0
#endif
#endif

// Strings of the heap that know their length: read-only and writable.
typedef const char ?`H string_t;
typedef char ?`H mstring_t;

// Bytes of the heap, not zero-terminated: read-only and writable.
typedef const char ?@nozeroterm`H buffer_t;
typedef char ?@nozeroterm`H mbuffer_t;

#endif

// Patterns of file names.
#ifndef _CYC_FNMATCH_H
#define _CYC_FNMATCH_H

#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_NOMATCH 1

// 0 if the text is one that the pattern of `*`, `?` and `[…]` stands for, FNM_NOMATCH if not.
//
//     assert(fnmatch("*.[ch]", "list.h", 0) == 0 && fnmatch("*.c", "list.h", 0) == FNM_NOMATCH);
extern "C" int fnmatch(const char @pattern, const char @text, int flags);

#endif

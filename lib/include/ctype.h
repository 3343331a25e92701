// Classes of characters, in the C locale.  Any `int` is a legal argument: one that is no character of
// that locale, EOF among them, belongs to no class and is its own lower and upper case.  (The C library
// looks such an argument up beyond its table.)
#ifndef _CYC_CTYPE_H
#define _CYC_CTYPE_H

// Is the character a digit, a capital, and so on; another one for it.
//
//     assert(isdigit('7') && isupper('A') && islower('a') && isalpha('z') && isalnum('9') && isxdigit('f') && !isdigit(EOF));
//     assert(isspace('\n') && isblank('\t') && isgraph('!') && isprint(' ') && ispunct('.') && iscntrl('\n') && isascii(127));
//     assert(toascii('a' + 128) == 'a' && tolower('A') == 'a' && toupper('a') == 'A' && _tolower('A') == 'a' && _toupper('a') == 'A');
static inline int isdigit(int c) { return (unsigned)c - '0' < 10u; }
static inline int isupper(int c) { return (unsigned)c - 'A' < 26u; }
static inline int islower(int c) { return (unsigned)c - 'a' < 26u; }
static inline int isalpha(int c) { return ((unsigned)c | 32u) - 'a' < 26u; }
static inline int isalnum(int c) { return isalpha(c) || isdigit(c); }
static inline int isxdigit(int c) { return isdigit(c) || ((unsigned)c | 32u) - 'a' < 6u; }
static inline int isspace(int c) { return c == ' ' || (unsigned)c - '\t' < 5u; }
static inline int isblank(int c) { return c == ' ' || c == '\t'; }
static inline int isgraph(int c) { return (unsigned)c - 33u < 94u; }
static inline int isprint(int c) { return (unsigned)c - 32u < 95u; }
static inline int ispunct(int c) { return isgraph(c) && !isalnum(c); }
static inline int iscntrl(int c) { return (unsigned)c < 32u || c == 127; }
static inline int isascii(int c) { return (unsigned)c < 128u; }
static inline int toascii(int c) { return c & 127; }
static inline int _tolower(int c) { return c | 32; }
static inline int _toupper(int c) { return c & ~32; }
static inline int tolower(int c) { return isupper(c) ? c + 32 : c; }
static inline int toupper(int c) { return islower(c) ? c - 32 : c; }

#endif

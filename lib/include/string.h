// Strings and blocks of bytes over fat pointers.
//
// A string ends at its first zero or, failing that, at the end of its pointer's bounds; a null pointer is the empty string.
// Functions whose names begin with `z` take all elements, zeros too; those with `m` search writable text; those with `r`
// allocate in the region of their first argument, the others in the heap; `…ptr…` ones take pointers to strings.
// What does not fit raises Core::Invalid_argument with the name of the function, before anything is written.
#ifndef _CYC_STRING_H
#define _CYC_STRING_H

#include <core.h>
#include <list.h>

extern "C" {
  // The text for an error number; "Unknown error" for others.
  const char @strerror(int errnum) asm("cyc_lib_strerror");

  // The characters before the end; and at most n of them.
  size_t strlen(buffer_t s) asm("cyc_lib_strlen");
  size_t strnlen(buffer_t s, size_t n) asm("cyc_lib_strnlen");

  // Three-way comparison of the bytes as unsigned char; of at most len bytes; without regard to case.
  int strcmp(buffer_t s1, buffer_t s2) asm("cyc_lib_strcmp");
  int strncmp(buffer_t s1, buffer_t s2, size_t len) asm("cyc_lib_strncmp");
  int strcasecmp(buffer_t s1, buffer_t s2) asm("cyc_lib_strcasecmp");
  int strncasecmp(buffer_t s1, buffer_t s2, size_t len) asm("cyc_lib_strncasecmp");
  // The same of all elements, zeros too; a proper prefix is smaller.
  int zstrcmp(buffer_t s1, buffer_t s2) asm("cyc_lib_zstrcmp");
  int zstrncmp(buffer_t s1, buffer_t s2, size_t n) asm("cyc_lib_zstrncmp");

  // Copying the text with its final zero, or behind what dest holds; dest.
  mstring_t<`r> strcpy(mstring_t<`r> dest, buffer_t src) asm("cyc_lib_strcpy");
  mstring_t<`r> strcat(mstring_t<`r> dest, buffer_t src) asm("cyc_lib_strcat");
  // At most n characters, and zeros up to n; both arguments must have n elements.
  mbuffer_t<`r> strncpy(mbuffer_t<`r> dest, buffer_t src, size_t n) asm("cyc_lib_strncpy");
  // n bytes as they are.
  mbuffer_t<`r> zstrncpy(mbuffer_t<`r> dest, buffer_t src, size_t n) asm("cyc_lib_zstrncpy");

  // Fresh copies and concatenations in the heap.
  mstring_t<`H> strdup(buffer_t s) asm("cyc_lib_strdup");
  mstring_t<`H> strndup(buffer_t s, size_t n) asm("cyc_lib_strndup");
  mstring_t<`H> strconcat(buffer_t a, buffer_t b) asm("cyc_lib_strconcat");
  // n bytes from position ofs, and a final zero.
  mstring_t<`H> substring(buffer_t s, int ofs, size_t n) asm("cyc_lib_substring");

  // The first and the last c; null when there is none. The zero at the end is no character.
  string_t<`r> strchr(string_t<`r> s, char c) asm("cyc_lib_strchr");
  mstring_t<`r> mstrchr(mstring_t<`r> s, char c) asm("cyc_lib_strchr");
  string_t<`r> strrchr(string_t<`r> s, char c) asm("cyc_lib_strrchr");
  mstring_t<`r> mstrrchr(mstring_t<`r> s, char c) asm("cyc_lib_strrchr");
  // The first occurrence of needle, or null; that of an empty one is haystack. Neither may be null.
  string_t<`r> strstr(string_t<`r> haystack, string_t needle) asm("cyc_lib_strstr");
  mstring_t<`r> mstrstr(mstring_t<`r> haystack, string_t needle) asm("cyc_lib_strstr");
  // The first character that is in accept, or null.
  string_t<`r> strpbrk(string_t<`r> s, buffer_t accept) asm("cyc_lib_strpbrk");
  mstring_t<`r> mstrpbrk(mstring_t<`r> s, buffer_t accept) asm("cyc_lib_strpbrk");
  // The number of leading characters that are in accept, that are not in it.
  size_t strspn(buffer_t s, buffer_t accept) asm("cyc_lib_strspn");
  size_t strcspn(buffer_t s, buffer_t accept) asm("cyc_lib_strcspn");
  // The next token of s, or of the string of the last call if s is null: it ends where a character of delim was, which is
  // overwritten by zero. Null when there is none.
  mstring_t<`H> strtok(mstring_t<`H> s, buffer_t delim) asm("cyc_lib_strtok");

  // n elements of any type, of sz bytes each, copied; they may overlap.
  `a ?`r _memcpy(`a::A ?`r d, const `a ?s, size_t n, Core::sizeof_t<`a> sz) asm("cyc_lib_memcpy");
  `a ?`r _memmove(`a::A ?`r d, const `a ?s, size_t n, Core::sizeof_t<`a> sz) asm("cyc_lib_memcpy");
  void _bcopy(const `a::A ?src, `a ?dst, size_t n, Core::sizeof_t<`a> sz) asm("cyc_lib_bcopy");

  // Blocks of n bytes. Pointers to numbers, and to arrays and structs of numbers, convert to bytes.
  mbuffer_t<`r> memset(mbuffer_t<`r> s, int c, size_t n) asm("cyc_lib_memset");
  void bzero(mbuffer_t s, size_t n) asm("cyc_lib_bzero");
  int memcmp(buffer_t s1, buffer_t s2, size_t n) asm("cyc_lib_memcmp");
  buffer_t<`r> memchr(buffer_t<`r> s, int c, size_t n) asm("cyc_lib_memchr");
  mbuffer_t<`r> mmemchr(mbuffer_t<`r> s, int c, size_t n) asm("cyc_lib_memchr");
}

// As in C, n bytes, of elements that the arguments have in common.
#define memcpy(d, s, n) _memcpy(d, s, ((n) + sizeof(*(s)) - 1) / sizeof(*(s)), sizeof(*(s)))
#define memmove(d, s, n) _memmove(d, s, ((n) + sizeof(*(s)) - 1) / sizeof(*(s)), sizeof(*(s)))
#define bcopy(s, d, n) _bcopy(s, d, ((n) + sizeof(*(s)) - 1) / sizeof(*(s)), sizeof(*(s)))

// Comparison through pointers: the usual one of keys.
int strptrcmp(stringptr_t s1, stringptr_t s2);
int zstrptrcmp(stringptr_t s1, stringptr_t s2);

// Concatenation of two strings, of a list, and of a list with a separator between the elements.
mstring_t<`r> rstrconcat(region_t<`r> h, buffer_t a, buffer_t b);
mstring_t strconcat_l(List::list_t<stringptr_t> strings);
mstring_t<`r> rstrconcat_l(region_t<`r> h, List::list_t<stringptr_t> strings);
mstring_t str_sepstr(List::list_t<stringptr_t> strings, buffer_t separator);
mstring_t<`r> rstr_sepstr(region_t<`r> h, List::list_t<stringptr_t> strings, buffer_t separator);

// A buffer of sz bytes with as much of the old one as fits; the r… one has as many bytes as the larger.
mbuffer_t realloc(mbuffer_t<`H> s, size_t sz);
mbuffer_t<`r> rrealloc(region_t<`r> h, mbuffer_t s, size_t sz);
// A copy with room for sz bytes, or for the string if that is longer.
mstring_t expand(buffer_t s, size_t sz);
mstring_t<`r> rexpand(region_t<`r> h, buffer_t s, size_t sz);
// The string itself if it has sz bytes; else a copy in a larger one, so that growing takes linear time on the whole. The
// cond_… one gives null when there is nothing to do.
mstring_t realloc_str(mstring_t<`H> str, size_t sz);
mstring_t<`r> cond_rrealloc_str(region_t<`r> h, mstring_t<`r> str, size_t sz);

mstring_t<`r> rstrdup(region_t<`r> h, buffer_t src);
// The same in a region and with an alias qualifier.
mstring_t<`r, `q> rqstrdup(region_t<`r> h, aqual_t<`q\T> q, buffer_t src);
mbuffer_t<`r, `q> rqrealloc(region_t<`r> h, aqual_t<`q\T> q, mbuffer_t s, size_t sz);
mstring_t<`r> rsubstring(region_t<`r> h, buffer_t s, int ofs, size_t n);
// src with new_suffix in place of curr_suffix, in which it must end.
mstring_t replace_suffix(buffer_t src, buffer_t curr_suffix, buffer_t new_suffix);
mstring_t<`r> rreplace_suffix(region_t<`r> h, buffer_t src, buffer_t curr_suffix, buffer_t new_suffix);

// The codes of the characters, as a list; and back.
List::list_t<int> explode(buffer_t s);
List::list_t<int, `r> rexplode(region_t<`r> h, buffer_t s);
mstring_t implode(List::list_t<int> c);

#endif

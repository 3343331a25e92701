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
  //
  //     assert(strlen(strerror(2)) > 0);
  const char @strerror(int errnum) asm("cyc_lib_strerror");

  // The characters before the end; and at most n of them.
  //
  //     assert(strlen("hello") == 5 && strnlen("hello", 3) == 3);
  size_t strlen(buffer_t s) asm("cyc_lib_strlen");
  size_t strnlen(buffer_t s, size_t n) asm("cyc_lib_strnlen");

  // Three-way comparison of the bytes as unsigned char; of at most len bytes; without regard to case.
  //
  //     assert(strcmp("abc", "abd") < 0 && strncmp("abc", "abd", 2) == 0);
  //     assert(strcasecmp("ABC", "abc") == 0 && strncasecmp("ABx", "aby", 2) == 0);
  int strcmp(buffer_t s1, buffer_t s2) asm("cyc_lib_strcmp");
  int strncmp(buffer_t s1, buffer_t s2, size_t len) asm("cyc_lib_strncmp");
  int strcasecmp(buffer_t s1, buffer_t s2) asm("cyc_lib_strcasecmp");
  int strncasecmp(buffer_t s1, buffer_t s2, size_t len) asm("cyc_lib_strncasecmp");
  // The same of all elements, zeros too; a proper prefix is smaller.
  //
  //     assert(zstrcmp("a\0b", "a\0c") < 0 && zstrncmp("a\0b", "a\0c", 2) == 0);
  int zstrcmp(buffer_t s1, buffer_t s2) asm("cyc_lib_zstrcmp");
  int zstrncmp(buffer_t s1, buffer_t s2, size_t n) asm("cyc_lib_zstrncmp");

  // Copying the text with its final zero, or behind what dest holds; dest.
  //
  //     mstring_t<`H> s = Core::new_string(10);
  //     strcpy(s, "abc");
  //     strcat(s, "de");
  //     assert(strcmp(s, "abcde") == 0);
  //     try { strcat(s, "too long"); assert(false); } catch { case &Core::Invalid_argument(_): break; }
  mstring_t<`r> strcpy(mstring_t<`r> dest, buffer_t src) asm("cyc_lib_strcpy");
  mstring_t<`r> strcat(mstring_t<`r> dest, buffer_t src) asm("cyc_lib_strcat");
  // At most n characters, and zeros up to n; both arguments must have n elements.
  //
  //     mstring_t<`H> s = Core::new_string(10);
  //     strncpy(s, "abcdef", 3);
  //     assert(strcmp(s, "abc") == 0);
  mbuffer_t<`r> strncpy(mbuffer_t<`r> dest, buffer_t src, size_t n) asm("cyc_lib_strncpy");
  // n bytes as they are.
  //
  //     mstring_t<`H> s = Core::new_string(10);
  //     zstrncpy(s, "a\0b", 3);
  //     assert(s[2] == 'b');
  mbuffer_t<`r> zstrncpy(mbuffer_t<`r> dest, buffer_t src, size_t n) asm("cyc_lib_zstrncpy");

  // Fresh copies and concatenations in the heap.
  //
  //     assert(strcmp(strdup("abc"), "abc") == 0 && strcmp(strndup("abc", 2), "ab") == 0 && strcmp(strconcat("ab", "cd"), "abcd") == 0);
  mstring_t<`H> strdup(buffer_t s) asm("cyc_lib_strdup");
  mstring_t<`H> strndup(buffer_t s, size_t n) asm("cyc_lib_strndup");
  mstring_t<`H> strconcat(buffer_t a, buffer_t b) asm("cyc_lib_strconcat");
  // n bytes from position ofs, and a final zero.
  //
  //     assert(strcmp(substring("hello", 2, 2), "ll") == 0);
  mstring_t<`H> substring(buffer_t s, int ofs, size_t n) asm("cyc_lib_substring");

  // The first and the last c; null when there is none. The zero at the end is no character.
  //
  //     mstring_t<`H> m = strdup("hello");
  //     string_t<`H> s = m;
  //     assert(strchr(s, 'l') == s + 2 && strrchr(s, 'l') == s + 3 && strchr(s, 'x') == NULL);
  //     assert(mstrchr(m, 'l') == m + 2 && mstrrchr(m, 'l') == m + 3);
  string_t<`r> strchr(string_t<`r> s, char c) asm("cyc_lib_strchr");
  mstring_t<`r> mstrchr(mstring_t<`r> s, char c) asm("cyc_lib_strchr");
  string_t<`r> strrchr(string_t<`r> s, char c) asm("cyc_lib_strrchr");
  mstring_t<`r> mstrrchr(mstring_t<`r> s, char c) asm("cyc_lib_strrchr");
  // The first occurrence of needle, or null; that of an empty one is haystack. Neither may be null.
  //
  //     mstring_t<`H> m = strdup("hello");
  //     string_t<`H> s = m;
  //     assert(strstr(s, "ll") == s + 2 && mstrstr(m, "x") == NULL);
  string_t<`r> strstr(string_t<`r> haystack, string_t needle) asm("cyc_lib_strstr");
  mstring_t<`r> mstrstr(mstring_t<`r> haystack, string_t needle) asm("cyc_lib_strstr");
  // The first character that is in accept, or null.
  //
  //     mstring_t<`H> m = strdup("hello");
  //     string_t<`H> s = m;
  //     assert(strpbrk(s, "ol") == s + 2 && mstrpbrk(m, "xyz") == NULL);
  string_t<`r> strpbrk(string_t<`r> s, buffer_t accept) asm("cyc_lib_strpbrk");
  mstring_t<`r> mstrpbrk(mstring_t<`r> s, buffer_t accept) asm("cyc_lib_strpbrk");
  // The number of leading characters that are in accept, that are not in it.
  //
  //     assert(strspn("aabc", "ab") == 3 && strcspn("aabc", "c") == 3);
  size_t strspn(buffer_t s, buffer_t accept) asm("cyc_lib_strspn");
  size_t strcspn(buffer_t s, buffer_t accept) asm("cyc_lib_strcspn");
  // The next token of s, or of the string of the last call if s is null: it ends where a character of delim was, which is
  // overwritten by zero. Null when there is none.
  //
  //     mstring_t<`H> s = strdup("one, two");
  //     assert(strcmp(strtok(s, ", "), "one") == 0 && strcmp(strtok(NULL, ", "), "two") == 0 && strtok(NULL, ", ") == NULL);
  mstring_t<`H> strtok(mstring_t<`H> s, buffer_t delim) asm("cyc_lib_strtok");

  // n elements of any type without `const` parts, of sz bytes each, copied; they may overlap.
  `a ?`r _memcpy(`a::A ?`r d, const `a ?s, size_t n, Core::sizeof_t<`a> sz) __attribute__((overwrites(1))) asm("cyc_lib_memcpy");
  `a ?`r _memmove(`a::A ?`r d, const `a ?s, size_t n, Core::sizeof_t<`a> sz) __attribute__((overwrites(1))) asm("cyc_lib_memcpy");
  void _bcopy(const `a::A ?src, `a ?dst, size_t n, Core::sizeof_t<`a> sz) __attribute__((overwrites(2))) asm("cyc_lib_bcopy");

  // Blocks of n bytes. Pointers to numbers, and to arrays and structs of numbers, convert to bytes.
  //
  //     char b[4] @nozeroterm = {'a', 'b', 'c', 'd'};
  //     memset(b, 'x', 2);
  //     assert(memcmp(b, "xxcd", 4) == 0 && memchr(b, 'c', 4) == b + 2 && mmemchr(b, 'z', 4) == NULL);
  //     bzero(b, 4);
  //     assert(b[3] == 0);
  mbuffer_t<`r> memset(mbuffer_t<`r> s, int c, size_t n) asm("cyc_lib_memset");
  void bzero(mbuffer_t s, size_t n) asm("cyc_lib_bzero");
  int memcmp(buffer_t s1, buffer_t s2, size_t n) asm("cyc_lib_memcmp");
  buffer_t<`r> memchr(buffer_t<`r> s, int c, size_t n) asm("cyc_lib_memchr");
  mbuffer_t<`r> mmemchr(mbuffer_t<`r> s, int c, size_t n) asm("cyc_lib_memchr");
}

// So many elements have n bytes; the last one may be cut.
static inline size_t _cyc_elements(size_t n, size_t size) { return n / size + (n % size != 0); }

// As in C, n bytes, of elements that the arguments have in common.
//
//     int a[3] = {1, 2, 3};
//     int ?from = a;
//     int b[3] = {0, 0, 0};
//     int ?to = b;
//     memcpy(to, from, 2 * sizeof(int));
//     memmove(to + 1, to, 2 * sizeof(int));
//     assert(b[2] == 2);
//     bcopy(from, to, sizeof(a));
//     assert(b[2] == 3);
#define memcpy(d, s, n) _memcpy(d, s, _cyc_elements(n, sizeof(*(s))), sizeof(*(s)))
#define memmove(d, s, n) _memmove(d, s, _cyc_elements(n, sizeof(*(s))), sizeof(*(s)))
#define bcopy(s, d, n) _bcopy(s, d, _cyc_elements(n, sizeof(*(s))), sizeof(*(s)))

// Comparison through pointers: the usual one of keys.
//
//     string_t<`H> a = "a";
//     string_t<`H> b = "b";
//     assert(strptrcmp(&a, &b) < 0 && zstrptrcmp(&a, &a) == 0);
int strptrcmp(stringptr_t s1, stringptr_t s2);
int zstrptrcmp(stringptr_t s1, stringptr_t s2);

// Concatenation of two strings, of a list, and of a list with a separator between the elements.
//
//     let words = List::list(new (string_t<`H>)"a", new (string_t<`H>)"b");
//     region r;
//     assert(strcmp(rstrconcat(r, "a", "b"), "ab") == 0 && strcmp(strconcat_l(words), "ab") == 0 && strcmp(rstrconcat_l(r, words), "ab") == 0);
//     assert(strcmp(str_sepstr(words, ", "), "a, b") == 0 && strcmp(rstr_sepstr(r, words, "-"), "a-b") == 0);
mstring_t<`r> rstrconcat(region_t<`r> h, buffer_t a, buffer_t b);
mstring_t strconcat_l(List::list_t<stringptr_t> strings);
mstring_t<`r> rstrconcat_l(region_t<`r> h, List::list_t<stringptr_t> strings);
mstring_t str_sepstr(List::list_t<stringptr_t> strings, buffer_t separator);
mstring_t<`r> rstr_sepstr(region_t<`r> h, List::list_t<stringptr_t> strings, buffer_t separator);

// A buffer of sz bytes with as much of the old one as fits; the r… one has as many bytes as the larger.
//
//     mbuffer_t<`H> b = strdup("abc");
//     region r;
//     assert(numelts(realloc(b, 10)) == 10 && numelts(rrealloc(r, b, 10)) == 10);
mbuffer_t realloc(mbuffer_t<`H> s, size_t sz);
mbuffer_t<`r> rrealloc(region_t<`r> h, mbuffer_t s, size_t sz);
// A copy with room for sz bytes, or for the string if that is longer.
//
//     region r;
//     assert(numelts(expand("abc", 10)) >= 10 && strcmp(rexpand(r, "abc", 2), "abc") == 0);
mstring_t expand(buffer_t s, size_t sz);
mstring_t<`r> rexpand(region_t<`r> h, buffer_t s, size_t sz);
// The string itself if it has sz bytes; else a copy in a larger one, so that growing takes linear time on the whole. The
// cond_… one gives null when there is nothing to do.
//
//     mstring_t<`H> s = realloc_str(strdup("abc"), 10);
//     region r;
//     assert(numelts(s) >= 10 && strcmp(s, "abc") == 0 && cond_rrealloc_str(r, rstrdup(r, "abc"), 2) == NULL);
mstring_t realloc_str(mstring_t<`H> str, size_t sz);
mstring_t<`r> cond_rrealloc_str(region_t<`r> h, mstring_t<`r> str, size_t sz);

// A copy in a region.
//
//     region r;
//     assert(strcmp(rstrdup(r, "abc"), "abc") == 0);
mstring_t<`r> rstrdup(region_t<`r> h, buffer_t src);
// The same in a region and with an alias qualifier.
//
//     region r;
//     mstring_t<`H, UNIQUE> u = rqstrdup(Core::heap_region, Core::unique_qual, "abc");
//     assert(strcmp(u, "abc") == 0 && strcmp(rsubstring(r, "hello", 2, 2), "ll") == 0);
//     Core::ufree((char *@nozeroterm `U)u);
//     mbuffer_t<`H, UNIQUE> b = rqrealloc(Core::heap_region, Core::unique_qual, strdup("abc"), 10);
//     assert(numelts(b) == 10);
//     Core::ufree((char *@nozeroterm `U)b);
mstring_t<`r, `q> rqstrdup(region_t<`r> h, aqual_t<`q\T> q, buffer_t src);
mbuffer_t<`r, `q> rqrealloc(region_t<`r> h, aqual_t<`q\T> q, mbuffer_t s, size_t sz);
mstring_t<`r> rsubstring(region_t<`r> h, buffer_t s, int ofs, size_t n);
// src with new_suffix in place of curr_suffix, in which it must end.
//
//     region r;
//     assert(strcmp(replace_suffix("a.cyc", ".cyc", ".o"), "a.o") == 0 && strcmp(rreplace_suffix(r, "a.cyc", "cyc", "c"), "a.c") == 0);
mstring_t replace_suffix(buffer_t src, buffer_t curr_suffix, buffer_t new_suffix);
mstring_t<`r> rreplace_suffix(region_t<`r> h, buffer_t src, buffer_t curr_suffix, buffer_t new_suffix);

// The codes of the characters, as a list; and back.
//
//     region r;
//     assert(List::length(explode("abc")) == 3 && List::length(rexplode(r, "ab")) == 2 && strcmp(implode(List::list((int)'h', (int)'i')), "hi") == 0);
List::list_t<int> explode(buffer_t s);
List::list_t<int, `r> rexplode(region_t<`r> h, buffer_t s);
mstring_t implode(List::list_t<int> c);

#endif

// Strings and blocks of bytes over fat pointers.
//
// A string ends at its first zero or, failing that, at the end of its pointer's bounds; a null pointer is the
// empty string.  Functions that take a count raise Array_bounds when a pointer has fewer bytes than that.
#ifndef _CYC_STRING_H
#define _CYC_STRING_H

#include <core.h>

extern "C" {
  // The text for an error number; "Unknown error" for others.
  const char @strerror(int errnum) asm("cyc_lib_strerror");

  size_t strlen(const char ?@nozeroterm s) asm("cyc_lib_strlen");
  size_t strnlen(const char ?@nozeroterm s, size_t n) asm("cyc_lib_strnlen");

  // Three-way comparison of the bytes as unsigned char.
  int strcmp(const char ?@nozeroterm a, const char ?@nozeroterm b) asm("cyc_lib_strcmp");
  int strncmp(const char ?@nozeroterm a, const char ?@nozeroterm b, size_t n)
      asm("cyc_lib_strncmp");
  int strcasecmp(const char ?@nozeroterm a, const char ?@nozeroterm b) asm("cyc_lib_strcasecmp");
  int strncasecmp(const char ?@nozeroterm a, const char ?@nozeroterm b, size_t n)
      asm("cyc_lib_strncasecmp");

  // Copying: Array_bounds unless the text and its final zero fit.
  char ?`r strcpy(char ?`r dest, const char ?@nozeroterm src) asm("cyc_lib_strcpy");
  char ?`r strcat(char ?`r dest, const char ?@nozeroterm src) asm("cyc_lib_strcat");
  char ?@nozeroterm`r strncpy(char ?@nozeroterm`r dest, const char ?@nozeroterm src, size_t n)
      asm("cyc_lib_strncpy");

  // A fresh copy in the heap.
  char ?`H strdup(const char ?@nozeroterm s) asm("cyc_lib_strdup");
  char ?`H strndup(const char ?@nozeroterm s, size_t n) asm("cyc_lib_strndup");
  char ?`H strconcat(const char ?@nozeroterm a, const char ?@nozeroterm b) asm("cyc_lib_strconcat");
  // n bytes from position `ofs`, and a final zero.
  char ?`H substring(const char ?@nozeroterm s, int ofs, size_t n) asm("cyc_lib_substring");

  // Searching: null when there is none.  The m… forms search writable text.
  const char ?`r strchr(const char ?`r s, char c) asm("cyc_lib_strchr");
  char ?`r mstrchr(char ?`r s, char c) asm("cyc_lib_strchr");
  const char ?`r strrchr(const char ?`r s, char c) asm("cyc_lib_strrchr");
  char ?`r mstrrchr(char ?`r s, char c) asm("cyc_lib_strrchr");
  const char ?`r strstr(const char ?`r s, const char ?@nozeroterm part) asm("cyc_lib_strstr");
  char ?`r mstrstr(char ?`r s, const char ?@nozeroterm part) asm("cyc_lib_strstr");
  const char ?`r strpbrk(const char ?`r s, const char ?@nozeroterm accept) asm("cyc_lib_strpbrk");
  char ?`r mstrpbrk(char ?`r s, const char ?@nozeroterm accept) asm("cyc_lib_strpbrk");
  size_t strspn(const char ?@nozeroterm s, const char ?@nozeroterm accept) asm("cyc_lib_strspn");
  size_t strcspn(const char ?@nozeroterm s, const char ?@nozeroterm reject) asm("cyc_lib_strcspn");
  char ?`H strtok(char ?`H s, const char ?@nozeroterm delim) asm("cyc_lib_strtok");

  // Blocks of n bytes.  Pointers to numbers, and to arrays and structs of numbers, convert to bytes.
  char ?@nozeroterm`r memcpy(char ?@nozeroterm`r dest, const char ?@nozeroterm src, size_t n)
      asm("cyc_lib_memmove");
  char ?@nozeroterm`r memmove(char ?@nozeroterm`r dest, const char ?@nozeroterm src, size_t n)
      asm("cyc_lib_memmove");
  char ?@nozeroterm`r memset(char ?@nozeroterm`r s, int c, size_t n) asm("cyc_lib_memset");
  void bzero(char ?@nozeroterm s, size_t n) asm("cyc_lib_bzero");
  int memcmp(const char ?@nozeroterm a, const char ?@nozeroterm b, size_t n) asm("cyc_lib_memcmp");
  const char ?@nozeroterm`r memchr(const char ?@nozeroterm`r s, int c, size_t n)
      asm("cyc_lib_memchr");
  char ?@nozeroterm`r mmemchr(char ?@nozeroterm`r s, int c, size_t n) asm("cyc_lib_memchr");
}

#endif

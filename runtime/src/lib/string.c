/* Shims of <string.h>: texts and blocks of bytes over fat pointers. */
#define _GNU_SOURCE
#include "cyc_heap.h"
#include "lib.h"

#include <strings.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* `new Core::Invalid_argument(what)`, made by lib/src/core.cyc. */
struct cyc_exn *cyc_invalid_argument(const char *what) __asm__("Cyc_Core$$invalid_argument");

/* The address of `n` bytes in bounds; raises Core::Invalid_argument if there are not as many. */
static char *argument(cyc_fat p, cyc_u64 n, const char *function) {
  if (CYC_UNLIKELY(n != 0 && !cyc_fat_ok(p, 0, n))) cyc_throw(cyc_invalid_argument(function), function, 0);
  return lib_at(p);
}

const char *cyc_lib_strerror(int number) {
  const char *text = strerrordesc_np(number);
  return text ? text : "Unknown error";
}

size_t cyc_lib_strlen(cyc_fat s) { return lib_text(s).n; }

size_t cyc_lib_strnlen(cyc_fat s, size_t n) {
  cyc_u64 room = cyc_fat_numelts(s);
  return strnlen(lib_at(s), n < room ? n : room);
}

/* ---------------------------------------------------------------- comparison */

/* The order of two texts whose common part compares as `common`. */
static int by_length(int common, struct lib_text a, struct lib_text b) {
  if (common != 0) return common;
  return a.n == b.n ? 0 : a.n < b.n ? -1 : 1;
}

static struct lib_text at_most(struct lib_text text, size_t n) {
  if (text.n > n) text.n = n;
  return text;
}

static int compare(struct lib_text a, struct lib_text b) {
  size_t n = a.n < b.n ? a.n : b.n;
  return by_length(n ? memcmp(a.at, b.at, n) : 0, a, b);
}

static int compare_ignoring_case(struct lib_text a, struct lib_text b) {
  size_t n = a.n < b.n ? a.n : b.n;
  return by_length(n ? strncasecmp(a.at, b.at, n) : 0, a, b);
}

int cyc_lib_strcmp(cyc_fat a, cyc_fat b) { return compare(lib_text(a), lib_text(b)); }

int cyc_lib_strncmp(cyc_fat a, cyc_fat b, size_t n) {
  return compare(at_most(lib_text(a), n), at_most(lib_text(b), n));
}

int cyc_lib_strcasecmp(cyc_fat a, cyc_fat b) { return compare_ignoring_case(lib_text(a), lib_text(b)); }

int cyc_lib_strncasecmp(cyc_fat a, cyc_fat b, size_t n) {
  return compare_ignoring_case(at_most(lib_text(a), n), at_most(lib_text(b), n));
}

/* All elements as a text. */
static struct lib_text extent(cyc_fat p) { return (struct lib_text){lib_at(p), cyc_fat_numelts(p)}; }

int cyc_lib_zstrcmp(cyc_fat a, cyc_fat b) { return compare(extent(a), extent(b)); }

int cyc_lib_zstrncmp(cyc_fat a, cyc_fat b, size_t n) { return compare(at_most(extent(a), n), at_most(extent(b), n)); }

/* ---------------------------------------------------------------- copying
 * Destinations of strcpy and strcat are zero-terminated: their last element may only be written with
 * zero. It is, since the text's own final zero is the last byte written. */

cyc_fat cyc_lib_strcpy(cyc_fat dest, cyc_fat src) {
  struct lib_text text = lib_text(src);
  char *to = argument(dest, text.n + 1, "strcpy");
  memmove(to, text.at ? text.at : "", text.n);
  to[text.n] = 0;
  return dest;
}

cyc_fat cyc_lib_strcat(cyc_fat dest, cyc_fat src) {
  struct lib_text text = lib_text(src);
  size_t used = lib_text(dest).n;
  char *to = argument(dest, used + text.n + 1, "strcat");
  memmove(to + used, text.at ? text.at : "", text.n);
  to[used + text.n] = 0;
  return dest;
}

cyc_fat cyc_lib_strncpy(cyc_fat dest, cyc_fat src, size_t n) {
  struct lib_text text = at_most(lib_text(src), n);
  char *to = argument(dest, n, "strncpy");
  argument(src, n, "strncpy");
  if (text.n) memmove(to, text.at, text.n);
  if (n > text.n) memset(to + text.n, 0, n - text.n);
  return dest;
}

cyc_fat cyc_lib_zstrncpy(cyc_fat dest, cyc_fat src, size_t n) {
  char *to = argument(dest, n, "zstrncpy"), *from = argument(src, n, "zstrncpy");
  if (n) memmove(to, from, n);
  return dest;
}

/* A fresh string of `n` bytes, all to be written, and a final zero. */
static cyc_fat fresh(cyc_u64 n, const char *function) {
  char *object = CYC_LIKELY(n < CYC_FAT_MAX) ? cyc_alloc(CYC_BITS, n + 1, function, 0)
                                             : cyc_alloc_array(CYC_BITS, n + 1, 1, function, 0);
  object[n] = 0;
  return cyc_fat_make_nonnull(object, n + 1);
}

static cyc_fat duplicate(const char *at, size_t n, const char *function) {
  cyc_fat copy = fresh(n, function);
  if (n) memcpy(copy.base, at, n);
  return copy;
}

cyc_fat cyc_lib_strdup(cyc_fat s) {
  struct lib_text text = lib_text(s);
  return duplicate(text.at, text.n, "strdup");
}

cyc_fat cyc_lib_strndup(cyc_fat s, size_t n) {
  size_t length = cyc_lib_strnlen(s, n);
  return duplicate(lib_at(s), length, "strndup");
}

cyc_fat cyc_lib_strconcat(cyc_fat a, cyc_fat b) {
  struct lib_text first = lib_text(a), second = lib_text(b);
  cyc_fat result = fresh((cyc_u64)first.n + second.n, "strconcat");
  if (first.n) memcpy(result.base, first.at, first.n);
  if (second.n) memcpy(result.base + first.n, second.at, second.n);
  return result;
}

cyc_fat cyc_lib_substring(cyc_fat s, int ofs, size_t n) {
  cyc_fat from = cyc_fat_add(s, ofs);
  return duplicate(argument(from, n, "substring"), n, "substring");
}

/* ---------------------------------------------------------------- searching
 * Results point into the searched object with its bounds. */

static cyc_fat found(cyc_fat s, const char *start, const char *at) {
  return at ? cyc_fat_add(s, at - start) : CYC_FAT_NULL;
}

/* Where `wanted`, which is not empty and has no zero, begins in the text at the beginning of `room`, or null. Both look at no
 * more of the text than they have to, so that a loop that goes on behind each place is linear. */

/* In windows that double, each searched for the final zero first. */
static const char *search_windows(struct lib_text room, struct lib_text wanted) {
  size_t from = 0, end = 0;
  for (size_t step = 256; end < room.n; step *= 2) {
    size_t next = room.n - end < step ? room.n : end + step;
    const char *zero = memchr(room.at + end, 0, next - end);
    if (zero) next = (size_t)(zero - room.at);
    if (next - from >= wanted.n) {
      const char *place = memmem(room.at + from, next - from, wanted.at, wanted.n);
      if (place) return place;
      from = next - wanted.n + 1;
    }
    if (zero) return 0;
    end = next;
  }
  return 0;
}

#ifdef __SSE2__
/* Sixteen places at a time, of which those count whose byte is the first of `wanted`, with its last at the right distance. When
 * comparing the rest of them was in vain too often, memmem, whose time is linear, takes over. */
static const char *search(struct lib_text room, struct lib_text wanted) {
  size_t i = 0, rest = wanted.n - 1, in_vain = 0;
  __m128i first = _mm_set1_epi8(wanted.at[0]), last = _mm_set1_epi8(wanted.at[rest]), zero = _mm_setzero_si128();
  for (; room.n - i >= 16 && room.n - i - 16 >= rest && in_vain <= i + 256; i += 16) {
    __m128i begins = _mm_loadu_si128((const void *)(room.at + i)), ends = _mm_loadu_si128((const void *)(room.at + i + rest));
    unsigned zeros = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(begins, zero));
    unsigned places = (unsigned)_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(begins, first), _mm_cmpeq_epi8(ends, last)));
    if (zeros) places &= (zeros & -zeros) - 1;
    for (; places; places &= places - 1, in_vain += rest) {
      const char *place = room.at + i + __builtin_ctz(places);
      if (memcmp(place, wanted.at, rest) == 0) return place;
    }
    if (zeros) return 0;
  }
  return search_windows((struct lib_text){room.at + i, room.n - i}, wanted);
}
#else
#define search search_windows
#endif

/* All elements from the current one on. */
static struct lib_text room_of(cyc_fat s) { return (struct lib_text){lib_at(s), cyc_fat_numelts(s)}; }

cyc_fat cyc_lib_strchr(cyc_fat s, char c) {
  struct lib_text room = room_of(s);
  return room.n && c ? found(s, room.at, search(room, (struct lib_text){&c, 1})) : CYC_FAT_NULL;
}

cyc_fat cyc_lib_strrchr(cyc_fat s, char c) {
  struct lib_text text = lib_text(s);
  return text.n ? found(s, text.at, memrchr(text.at, c, text.n)) : CYC_FAT_NULL;
}

cyc_fat cyc_lib_strstr(cyc_fat s, cyc_fat part) {
  if (!cyc_fat_nonnull(s, 1) || !cyc_fat_nonnull(part, 1)) cyc_throw(cyc_invalid_argument("strstr"), "strstr", 0);
  struct lib_text room = room_of(s), wanted = lib_text(part);
  if (wanted.n == 0) return s;
  return room.n ? found(s, room.at, search(room, wanted)) : CYC_FAT_NULL;
}

/* The number of leading bytes, up to a zero, that are in `set` (or not in it, when `in` is 0). */
static size_t span(struct lib_text room, struct lib_text set, int in) {
  unsigned char member[256] = {0};
  for (size_t i = 0; i < set.n; i++) member[(unsigned char)set.at[i]] = 1;
  member[0] = !in;
  size_t n = 0;
  while (n < room.n && member[(unsigned char)room.at[n]] == in) n++;
  return n;
}

size_t cyc_lib_strspn(cyc_fat s, cyc_fat accept) { return span(room_of(s), lib_text(accept), 1); }

size_t cyc_lib_strcspn(cyc_fat s, cyc_fat reject) { return span(room_of(s), lib_text(reject), 0); }

cyc_fat cyc_lib_strpbrk(cyc_fat s, cyc_fat accept) {
  struct lib_text room = room_of(s);
  size_t n = span(room, lib_text(accept), 0);
  return n < room.n && room.at[n] ? cyc_fat_add(s, (cyc_i64)n) : CYC_FAT_NULL;
}

/* The rest of the text that strtok cuts up; heap only, so it stays alive. */
static __thread cyc_fat strtok_rest;

cyc_fat cyc_lib_strtok(cyc_fat s, cyc_fat delim) {
  if (!cyc_fat_nonnull(s, 1)) s = strtok_rest;
  struct lib_text room = room_of(s), set = lib_text(delim);
  size_t start = span(room, set, 1);
  if (start == room.n || !room.at[start]) {
    strtok_rest = CYC_FAT_NULL;
    return CYC_FAT_NULL;
  }
  struct lib_text rest = {room.at + start, room.n - start};
  size_t n = span(rest, set, 0);
  if (n == rest.n || !rest.at[n]) {
    strtok_rest = CYC_FAT_NULL;
  } else {
    lib_at(s)[start + n] = 0;
    strtok_rest = cyc_fat_add(s, (cyc_i64)(start + n + 1));
  }
  return cyc_fat_add(s, (cyc_i64)start);
}

/* ---------------------------------------------------------------- blocks */

/* `n` elements of `size` bytes each. */
cyc_fat cyc_lib_memcpy(cyc_fat dest, cyc_fat src, size_t n, size_t size) {
  argument(dest, n, "memcpy");
  argument(src, n, "memcpy");
  if (n) memmove(cyc_fat_ptr(dest, size), cyc_fat_ptr(src, size), n * size);
  return dest;
}

/* For Buffer: a text of the heap, or null, with room for `n` bytes, the last of them zero; the text itself when there is no
 * memory. */
cyc_fat cyc_lib_resized(cyc_fat text, size_t n) {
  char *moved = n - 1 < CYC_FAT_MAX ? cyc_heap_realloc(text.base, n) : 0;
  if (!moved) return text;
  moved[n - 1] = 0;
  CYC_PROFILED(cyc_profile_free(text.base));
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_UNIQUE, moved, n, "resized", 0));
  return cyc_fat_make_nonnull(moved, n);
}

void cyc_lib_bcopy(cyc_fat src, cyc_fat dest, size_t n, size_t size) { cyc_lib_memcpy(dest, src, n, size); }

cyc_fat cyc_lib_memset(cyc_fat s, int c, size_t n) {
  char *to = argument(s, n, "memset");
  if (n) memset(to, c, n);
  return s;
}

void cyc_lib_bzero(cyc_fat s, size_t n) {
  char *to = argument(s, n, "bzero");
  if (n) memset(to, 0, n);
}

int cyc_lib_memcmp(cyc_fat a, cyc_fat b, size_t n) {
  char *left = argument(a, n, "memcmp"), *right = argument(b, n, "memcmp");
  return n ? memcmp(left, right, n) : 0;
}

cyc_fat cyc_lib_memchr(cyc_fat s, int c, size_t n) {
  char *from = argument(s, n, "memchr");
  return n ? found(s, from, memchr(from, c, n)) : CYC_FAT_NULL;
}

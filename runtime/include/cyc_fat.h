/* cyc_fat.h - fat pointers and zero-terminated sequences: bounds and their checks; part of cyc_rt.h.
 *
 * A fat pointer is the start of its object, the current position as an element offset from there,
 * and the object's length in elements. The address of element `i` from the current one is
 * `base + (off + i) * size`, so an access whose index passes `0 <= off + i < len` lies inside the
 * object whatever happened to `off` before: moving is free and unchecked.
 * Invariant: `len` elements from `base` are readable and writable as the type says; null has
 * `base` 0 and `len` 0 (its `off` may move).
 *
 * Two words (the default): travels in two registers; at most 2^31 - 1 elements, and a position more
 * than 2^31 elements away from the start wraps. Three words (-DCYC_FAT_WORDS=3): no such limits.
 * All objects of a program must be compiled with the same choice: docs/adr/001-fat-pointers.md.
 */
#ifndef CYC_FAT_H
#define CYC_FAT_H

#ifndef CYC_FAT_WORDS
#define CYC_FAT_WORDS 2
#endif

#if CYC_FAT_WORDS == 2
typedef __INT32_TYPE__ cyc_fat_off;
typedef __UINT32_TYPE__ cyc_fat_len;
#define CYC_FAT_MAX ((cyc_u64)0x7fffffff)
#elif CYC_FAT_WORDS == 3
typedef cyc_i64 cyc_fat_off;
typedef cyc_u64 cyc_fat_len;
#define CYC_FAT_MAX ((cyc_u64)1 << 47)
#else
#error "CYC_FAT_WORDS is 2 or 3"
#endif

typedef struct cyc_fat {
  char *base;
  cyc_fat_off off;
  cyc_fat_len len;
} cyc_fat;

#define CYC_FAT_NULL ((cyc_fat){0, 0, 0})

/* What a failed check reports; none returns. `file` and `line` are the programmer's. */
CYC_COLD void cyc_fail_null(const char *file, unsigned line);
/* Element `index` of `len`. */
CYC_COLD void cyc_fail_index(cyc_i64 index, cyc_u64 len, const char *file, unsigned line);
/* Elements `index .. index + count` from the current position of `ptr`. Its parts are handed over one by one: for the pointer as a
 * whole, gcc would load both words before the check, and a load of a word waits until the stores of its halves have left. */
CYC_COLD void cyc_fail_fat_parts(const void *base, cyc_i64 off, cyc_u64 len, cyc_i64 index, cyc_u64 count, const char *file,
                                 unsigned line);
#define cyc_fail_fat(ptr, ...) cyc_fail_fat_parts((ptr).base, (ptr).off, (ptr).len, __VA_ARGS__)
/* A pointer that leads to the start of its object no more. */
CYC_COLD void cyc_fail_base(cyc_fat ptr, const char *file, unsigned line);
/* A subscript or step past the end of a zero-terminated sequence. */
CYC_COLD void cyc_fail_zero_scan(cyc_i64 index, const char *file, unsigned line);
/* The final zero of a zero-terminated sequence would be overwritten. */
CYC_COLD void cyc_fail_zero_write(const char *file, unsigned line);
CYC_COLD void cyc_fail_match(const char *file, unsigned line);
CYC_COLD void cyc_fail_assert(const char *file, unsigned line);
/* A check fails that the compiler had proved needless: ends the program. */
CYC_COLD void cyc_fail_removed(const char *file, unsigned line);
/* `count` elements of `size` bytes could not be had. */
CYC_COLD void cyc_fail_alloc(cyc_u64 count, cyc_u64 size, const char *file, unsigned line);
/* Integer division by zero: raises SIGFPE, as the machine would. */
CYC_COLD void cyc_div_by_zero(void);

/* The fat pointer to the first of `len` elements at `ptr`; null gives null. */
CYC_INLINE cyc_fat cyc_fat_make(const void *ptr, cyc_u64 len) {
  cyc_fat fat = {(char *)ptr, 0, ptr ? (cyc_fat_len)len : 0};
  return fat;
}

/* The same when `ptr` is known not to be null. */
CYC_INLINE cyc_fat cyc_fat_make_nonnull(const void *ptr, cyc_u64 len) {
  cyc_fat fat = {(char *)ptr, 0, (cyc_fat_len)len};
  return fat;
}

CYC_INLINE cyc_fat cyc_fat_add(cyc_fat p, cyc_i64 index) {
  p.off = (cyc_fat_off)((cyc_u64)p.off + (cyc_u64)index);
  return p;
}

/* Address of the element `index` from the current one, unchecked. */
CYC_INLINE void *cyc_fat_at(cyc_fat p, cyc_i64 index, cyc_size size) {
  return (void *)((__UINTPTR_TYPE__)p.base + ((cyc_u64)(cyc_i64)p.off + (cyc_u64)index) * size);
}

/* Are the elements `index .. index + count` in bounds? `count` is at least 1. */
CYC_INLINE int cyc_fat_ok(cyc_fat p, cyc_i64 index, cyc_u64 count) {
  cyc_u64 at = (cyc_u64)(cyc_i64)p.off + (cyc_u64)index;
  return at < p.len && p.len - at >= count;
}

/* Is the current element the first one of the object? */
CYC_INLINE int cyc_fat_at_base(cyc_fat p) { return p.off == 0; }

/* Elements from the current position to the end; 0 when null or outside. */
CYC_INLINE cyc_u64 cyc_fat_numelts(cyc_fat p) {
  cyc_u64 at = (cyc_u64)(cyc_i64)p.off;
  return at < p.len ? (cyc_fat_len)(p.len - (cyc_fat_len)at) : 0;
}

/* The current address as a thin pointer, unchecked. */
CYC_INLINE void *cyc_fat_ptr(cyc_fat p, cyc_size size) { return cyc_fat_at(p, 0, size); }

CYC_INLINE int cyc_fat_nonnull(cyc_fat p, cyc_size size) { return cyc_fat_ptr(p, size) != 0; }

/* One element less at the end: the protected zero of a zero-terminated sequence. */
CYC_INLINE cyc_fat cyc_fat_drop_zero(cyc_fat p) {
  p.len -= p.len != 0;
  return p;
}

/* The same memory as bytes. The object must not be larger than a fat pointer can say. */
CYC_INLINE cyc_fat cyc_fat_to_bytes(cyc_fat p, cyc_size size, const char *file, unsigned line) {
  cyc_fat bytes = {p.base, (cyc_fat_off)((cyc_u64)p.off * size), (cyc_fat_len)(p.len * size)};
  if ((cyc_u64)p.len * size > CYC_FAT_MAX) cyc_fail_fat(p, 0, p.len, file, line);
  return bytes;
}

/* ---------------------------------------------------------------- zero-terminated sequences
 * One instance per element size; `wide` elements are compared as integers. */

#define CYC_ZERO_TERMINATED(suffix, type)                                                            \
  /* Elements up to and including the zero; 0 for null. */                                           \
  CYC_INLINE cyc_u64 cyc_zero_numelts_##suffix(const void *ptr) {                                    \
    const type *p = (const type *)ptr;                                                               \
    cyc_u64 n = 0;                                                                                   \
    if (!p) return 0;                                                                                \
    while (p[n]) n++;                                                                                \
    return n + 1;                                                                                    \
  }                                                                                                  \
  /* May element `index` be accessed: is there no zero before it? */                                 \
  CYC_INLINE int cyc_zero_scan_##suffix(const void *ptr, cyc_i64 index) {                            \
    const type *p = (const type *)ptr;                                                               \
    if (index < 0) return 0;                                                                         \
    for (cyc_i64 i = 0; i < index; i++)                                                              \
      if (!p[i]) return 0;                                                                           \
    return 1;                                                                                        \
  }

CYC_ZERO_TERMINATED(16, __UINT16_TYPE__)
CYC_ZERO_TERMINATED(32, __UINT32_TYPE__)
CYC_ZERO_TERMINATED(64, cyc_u64)
CYC_ZERO_TERMINATED(f, float)
CYC_ZERO_TERMINATED(d, double)
CYC_ZERO_TERMINATED(ld, long double)

CYC_INLINE cyc_u64 cyc_zero_numelts_8(const void *ptr) {
  return ptr ? __builtin_strlen((const char *)ptr) + 1 : 0;
}
CYC_INLINE int cyc_zero_scan_8(const void *ptr, cyc_i64 index) {
  return index >= 0 && (index == 0 || !__builtin_memchr(ptr, 0, (cyc_size)index));
}

#endif

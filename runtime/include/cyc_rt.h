/* The run time as compiled Cyclone sees it: fat pointers, checks, exceptions, allocation.
 *
 * Every unit that `cyc` emits includes this file and nothing else, so it includes nothing itself: a
 * system header would bring names that clash with the programmer's. C code that works with Cyclone
 * (shims, `extern "C"` functions that take fat pointers) includes it too.
 *
 * Prefixes: `cyc_` for everything here; emitted names begin with `Cyc_` or `_cyc`.
 */
#ifndef CYC_RT_H
#define CYC_RT_H

#if !defined __GNUC__
#error "the Cyclone run time needs gcc or clang"
#endif

typedef __SIZE_TYPE__ cyc_size;
typedef __UINT64_TYPE__ cyc_u64;
typedef __INT64_TYPE__ cyc_i64;

#define CYC_COLD __attribute__((cold, noinline, noreturn))
#define CYC_INLINE static inline __attribute__((always_inline, unused))
#define CYC_LIKELY(c) __builtin_expect(!!(c), 1)
#define CYC_UNLIKELY(c) __builtin_expect(!!(c), 0)

/* ---------------------------------------------------------------- fat pointers
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
/* Elements `index .. index + count` from the current position of `ptr`. */
CYC_COLD void cyc_fail_fat(cyc_fat ptr, cyc_i64 index, cyc_u64 count, const char *file, unsigned line);
/* A pointer that leads to the start of its object no more. */
CYC_COLD void cyc_fail_base(cyc_fat ptr, const char *file, unsigned line);
/* A subscript or step past the end of a zero-terminated sequence. */
CYC_COLD void cyc_fail_zero_scan(cyc_i64 index, const char *file, unsigned line);
/* The final zero of a zero-terminated sequence would be overwritten. */
CYC_COLD void cyc_fail_zero_write(const char *file, unsigned line);
CYC_COLD void cyc_fail_match(const char *file, unsigned line);
CYC_COLD void cyc_fail_assert(const char *file, unsigned line);
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
  return at < p.len ? p.len - at : 0;
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

/* ---------------------------------------------------------------- polymorphic functions as values
 * A pointer to a polymorphic function points to the table of its instances, one for each choice of the shapes of its
 * variables, 4 or 8 bytes: the variables' choices are the bits of the index, 1 for 8 bytes, the first the highest.
 * docs/adr/002-polymorphism-by-shape.md */
typedef void (*cyc_code)(void);

/* An instance out of a table; null for null. */
CYC_INLINE cyc_code cyc_instance(const cyc_code *table, cyc_u64 index) { return table ? table[index] : 0; }

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

/* ---------------------------------------------------------------- unspecified values
 * Cyclone lets a program read uninitialised numbers: the value is unspecified but it is one value.
 * For a C compiler such a read is undefined, and it may fold a bounds check on it away. An empty
 * asm statement that claims to write the variable costs nothing and settles the value. */
#define CYC_FREEZE_INT(x) __asm__("" : "=r"(x))
#define CYC_FREEZE_MEM(x) __asm__("" : "=m"(x))
#if defined __x86_64__
#define CYC_FREEZE_FLOAT(x) __asm__("" : "=x"(x))
#else
#define CYC_FREEZE_FLOAT(x) __asm__("" : "=w"(x))
#endif

/* A local without initialiser: zero where that is cheap (and dead where it is overwritten), whatever lies there
 * where it is large. */
#define CYC_UNSET(x)                                                                                 \
  do {                                                                                               \
    if (sizeof(x) <= 64) __builtin_memset(&(x), 0, sizeof(x));                                       \
    else CYC_FREEZE_MEM(x);                                                                          \
  } while (0)

/* ---------------------------------------------------------------- swap
 * What other threads may reach is exchanged at once: two of them never get the same value (memory, section 14.2). As long as
 * the process has one thread, which the C library knows, that needs no lock (unique/swap.c). */
#if defined __has_include
#if __has_include(<sys/single_threaded.h>)
extern char __libc_single_threaded;
#define CYC_ONE_THREAD (__libc_single_threaded)
#endif
#endif
#ifndef CYC_ONE_THREAD
#define CYC_ONE_THREAD 0
#endif

/* The largest value that is exchanged: a fat pointer. */
#define CYC_SWAP_MOST sizeof(cyc_fat)

/* Exchanges `size` bytes at a place that other threads may reach with those at one that only this thread reaches. */
void cyc_swap_with_own(void *place, void *own, cyc_size size);
/* The same for two places that other threads may reach. */
void cyc_swap_shared(void *a, void *b, cyc_size size);

/* Two places that no other thread can reach. The first is written first: where the second lies may not depend on it. */
#define CYC_SWAP(a, b)                                                                               \
  do {                                                                                               \
    __typeof__(a) cyc_w_ = (a);                                                                      \
    (a) = (b);                                                                                       \
    (b) = cyc_w_;                                                                                    \
  } while (0)

/* `own` is such a place, the other one is not, and may depend on it. */
#define CYC_SWAP_WITH_OWN(own, place)                                                                \
  do {                                                                                               \
    __typeof__(own) *cyc_at_ = &(place);                                                             \
    if (CYC_ONE_THREAD) {                                                                            \
      __typeof__(own) cyc_was_ = *cyc_at_;                                                           \
      *cyc_at_ = (own);                                                                              \
      (own) = cyc_was_;                                                                              \
    } else {                                                                                         \
      /* Only here in memory: what is written there word by word cannot be read as a whole soon. */   \
      __typeof__(own) cyc_w_ = (own);                                                                \
      cyc_swap_with_own(cyc_at_, &cyc_w_, sizeof cyc_w_);                                            \
      (own) = cyc_w_;                                                                                \
    }                                                                                                \
  } while (0)

/* Neither is; the first is written first. */
#define CYC_SWAP_SHARED(a, b)                                                                        \
  do {                                                                                               \
    if (CYC_ONE_THREAD) CYC_SWAP(a, b);                                                              \
    else cyc_swap_shared(&(a), &(b), sizeof(a));                                                     \
  } while (0)

/* ---------------------------------------------------------------- arithmetic that C leaves undefined
 * A zero divisor raises SIGFPE, the quotient of the least integer and -1 wraps. Most 64-bit operands fit into 32 bits, whose
 * division is up to four times as fast. */
#define CYC_FIT_32(a, b) (!(((cyc_u64)(a) | (cyc_u64)(b)) >> 32))
#define CYC_DIVISION(suffix, type, is_signed)                                                        \
  CYC_INLINE type cyc_div_##suffix(type a, type b) {                                                 \
    if (b == 0) cyc_div_by_zero();                                                                   \
    if (sizeof(type) == 8 && CYC_FIT_32(a, b)) return (type)((unsigned)a / (unsigned)b);             \
    return is_signed && CYC_UNLIKELY(b == (type)-1) ? (type)0 - a : a / b;                           \
  }                                                                                                  \
  CYC_INLINE type cyc_rem_##suffix(type a, type b) {                                                 \
    if (b == 0) cyc_div_by_zero();                                                                   \
    if (sizeof(type) == 8 && CYC_FIT_32(a, b)) return (type)((unsigned)a % (unsigned)b);             \
    return is_signed && CYC_UNLIKELY(b == (type)-1) ? 0 : a % b;                                     \
  }

CYC_DIVISION(i32, int, 1)
CYC_DIVISION(u32, unsigned, 0)
CYC_DIVISION(i64, long, 1)
CYC_DIVISION(u64, unsigned long, 0)
__extension__ typedef __int128 cyc_i128;
__extension__ typedef unsigned __int128 cyc_u128;
CYC_DIVISION(i128, cyc_i128, 1)
CYC_DIVISION(u128, cyc_u128, 0)

/* A float that the integer type cannot hold becomes an unspecified integer, as in the machine; clang must be kept
 * from treating it as no value at all. */
#if defined __clang__
#define CYC_FLOAT_TO_INT(type, x)                                                                    \
  __extension__({                                                                                    \
    type cyc_int_ = (type)(x);                                                                       \
    __asm__("" : "+r"(cyc_int_));                                                                    \
    cyc_int_;                                                                                        \
  })
#else
#define CYC_FLOAT_TO_INT(type, x) ((type)(x))
#endif

/* A local that a `try` body assigns and its handler reads, or whose address is taken: kept in memory across
 * the non-local jump by letting the address escape, which costs nothing between calls (`volatile` would). */
#define CYC_SURVIVES(x) __asm__ volatile("" : : "r"(&(x)) : "memory")

/* ---------------------------------------------------------------- exceptions
 *
 * A value of type `datatype exn @` points to an object that begins with the address of its
 * variant's tag object. Handlers form a per-thread stack of frames in the frames of the functions
 * that have a `try`; raising jumps to the innermost. A function without `try` pays nothing.
 */
struct cyc_exn_tag {
  const char *name; /* as printed when uncaught */
  const char *fields; /* a letter for each component (exn/show.c), up to the first whose type has none; null: no components */
};
struct cyc_exn {
  const struct cyc_exn_tag *tag;
};

extern const struct cyc_exn_tag cyc_tag_Null_Exception, cyc_tag_Array_bounds, cyc_tag_Match_Exception,
    cyc_tag_Bad_alloc, cyc_tag_Assert;
/* The preallocated objects, in the order of the compiler's table of built-in exceptions. */
extern struct cyc_exn cyc_exn_builtin[5];

typedef struct cyc_region cyc_region;
typedef cyc_region *cyc_handle;

typedef struct cyc_handler {
  struct cyc_handler *outer;
  /* The innermost lexical region around the `try`: those within it are freed when an exception arrives. */
  cyc_region *regions;
  /* The frame register: the C library disguises it in its jmp_buf, where it could be all that leads to an object. */
  void *frame;
  /* At least the size of the C library's jmp_buf (checked where the run time is compiled). */
  cyc_u64 jump[40];
} cyc_handler;

#include "cyc_profile.h"

extern __thread cyc_handler *cyc_handlers;
extern __thread cyc_region *cyc_regions;

extern int cyc_setjmp(void *) __asm__("_setjmp") __attribute__((returns_twice));

CYC_INLINE void cyc_keep_frame(cyc_handler *h) {
#if defined __x86_64__
  __asm__ volatile("movq %%rbp, %0" : "=m"(h->frame));
#else
  (void)h;
#endif
}

/* Makes `h` the innermost handler. 0 at first; 1 when an exception has arrived (the handler is
 * then no longer active). Expands in the function that has the `try`, as setjmp must. */
#define CYC_TRY(h)                                                                                   \
  ((h).outer = cyc_handlers, (h).regions = cyc_regions, cyc_handlers = &(h), cyc_keep_frame(&(h)), cyc_setjmp((h).jump))
/* Leaves the body in the normal way. */
#define CYC_POP(h) ((void)(cyc_handlers = (h).outer))
/* The exception that arrived at a handler. */
struct cyc_exn *cyc_caught(void);

CYC_COLD void cyc_throw(struct cyc_exn *exn, const char *file, unsigned line);
/* Passes on the exception that is being handled, with its first position. */
CYC_COLD void cyc_rethrow(struct cyc_exn *exn);
/* Name, file and line of the exception last raised in this thread. */
const char *cyc_exn_name(void);
const char *cyc_exn_file(void);
int cyc_exn_line(void);

/* ---------------------------------------------------------------- allocation
 * Never null: raises Bad_alloc. The contents of `cyc_alloc` are unspecified; the functions are not
 * marked `malloc`, because a C compiler would then treat reading them as undefined.
 *
 * A shape tells the collector of the heap where an object may hold pointers: any word (CYC_ANY), none (CYC_BITS), or
 * the words of a map that repeats (CYC_LAYOUT of a static `struct cyc_layout`). With the suffix 1 the object holds no array: no
 * C compiler keeps it by a pointer just past its end alone, so the slot need not be longer than the object. Regions ignore it. */
struct cyc_layout {
  unsigned id;        /* the collector's; 0 at first */
  unsigned words;     /* of one element */
  const cyc_u64 *map; /* bit i: word i may hold a pointer */
};
typedef __UINTPTR_TYPE__ cyc_shape;
enum { CYC_ANY = 0, CYC_SINGLE = 1, CYC_ANY1 = 1, CYC_BITS = 2, CYC_BITS1 = 3 };
#define CYC_LAYOUT(layout) ((cyc_shape) & (layout))
#define CYC_LAYOUT1(layout) (CYC_LAYOUT(layout) + CYC_SINGLE)

/* An object of the heap, which lives until nothing points to it any more. */
void *cyc_alloc(cyc_shape shape, cyc_size size, const char *file, unsigned line);
void *cyc_alloc_zero(cyc_shape shape, cyc_size size, const char *file, unsigned line);
/* `count` elements of `size` bytes, overflow checked, and checked to fit a fat pointer. */
void *cyc_alloc_array(cyc_shape shape, cyc_u64 count, cyc_size size, const char *file, unsigned line);
void *cyc_alloc_array_zero(cyc_shape shape, cyc_u64 count, cyc_size size, const char *file, unsigned line);

/* ---------------------------------------------------------------- closures
 *
 * A pointer to a nested function that uses variables around it: `entry` takes the arguments, and reads the addresses of
 * those variables, the captures, before it does anything else. Lives as long as the function that makes it. Raises
 * Bad_alloc. */
void *cyc_closure_make(void *entry, void *frame, cyc_size count, const void *const *captures, const char *file, unsigned line);
#define cyc_closure(entry, ...)                                                                        \
  cyc_closure_make(entry, __builtin_frame_address(0), sizeof((const void *[]){__VA_ARGS__}) / sizeof(void *), \
                   (const void *[]){__VA_ARGS__}, __FILE__, __LINE__)
extern __thread const void *const *cyc_closure_captures __attribute__((tls_model("initial-exec")));
#define cyc_closure_capture(i) ((void *)cyc_closure_captures[i])

/* ---------------------------------------------------------------- regions
 *
 * A region is a chain of pages and a bump pointer into the newest (memory, section 10.2). Objects are aligned to 16
 * bytes and freed together, with the region. A handle is the address of a region; the heap's is that of a region that
 * is always full, so that the test for room is the only one an allocation makes.
 *
 * Lexical regions lie in the frames of their functions and form a per-thread stack: `cyc_regions` is the innermost, and
 * the current region of section 2.9. Raising an exception frees those that were entered since the handler's `try`.
 *
 * Invariant: `bump` and `limit` are multiples of 16 and lie in the same page, or are both null; `bump <= limit`.
 */
struct cyc_region {
  char *bump, *limit;
  struct cyc_rgn_page *pages; /* newest first; null before the first allocation */
  cyc_region *outer;          /* the next one of the thread's stack; lexical regions only */
  cyc_u64 used;               /* bytes of page payload obtained */
  cyc_u64 wasted;             /* bytes given up at the ends of pages */
  cyc_u64 most;               /* `used` may not become more; 0: no limit */
  struct cyc_rgn_owned *owned; /* what can be given back before the region ends; lies in its pages; null if nothing can */
};

/* The heap as a region. */
extern cyc_region cyc_rgn_heap;

enum { CYC_RGN_ALIGN = 16 };

/* AddressSanitizer is told which bytes of a page are objects: what was not allocated, and what was freed with its
 * region, must not be touched. Objects are then kept apart. */
#if defined __SANITIZE_ADDRESS__
#define CYC_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define CYC_ASAN 1
#endif
#endif
#ifdef CYC_ASAN
void __asan_poison_memory_region(void const volatile *, cyc_size);
void __asan_unpoison_memory_region(void const volatile *, cyc_size);
#define CYC_RGN_GAP CYC_RGN_ALIGN
#define CYC_RGN_CLOSE(p, n) __asan_poison_memory_region(p, n)
#define CYC_RGN_OPEN(p, n) __asan_unpoison_memory_region(p, n)
#else
#define CYC_RGN_GAP 0
#define CYC_RGN_CLOSE(p, n) ((void)0)
#define CYC_RGN_OPEN(p, n) ((void)0)
#endif

/* For the run time's own hands on what is closed to the program. */
#define CYC_RAW __attribute__((no_sanitize_address))

/* The slow path: a new page, or the heap. `size` is at most CYC_RGN_MOST. Never null: raises Bad_alloc. */
void *cyc_rgn_more(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line);
/* Drops what is pooled and gives the pages back; the region is empty afterwards. */
void cyc_rgn_release(cyc_region *r);
/* Frees the lexical regions of this thread down to `until`, innermost first. */
void cyc_rgn_unwind(cyc_region *until);

/* No request may be larger. */
#define CYC_RGN_MOST ((cyc_size)1 << 47)

CYC_INLINE void cyc_rgn_push(cyc_region *r) {
  *r = (cyc_region){.outer = cyc_regions};
  cyc_regions = r;
  CYC_PROFILED(cyc_profile_open(r, "region", 0));
}

CYC_INLINE void cyc_rgn_pop(cyc_region *r) {
  cyc_regions = r->outer;
  CYC_PROFILED(cyc_profile_close(r));
  if (r->pages) cyc_rgn_release(r);
}

/* `size` bytes, at most CYC_RGN_MOST, of unspecified contents; those that the run time wants for itself. */
CYC_INLINE void *cyc_rgn_take(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  cyc_size rounded = size ? (size + (CYC_RGN_ALIGN - 1)) & ~(cyc_size)(CYC_RGN_ALIGN - 1) : CYC_RGN_ALIGN;
  char *object = r->bump;
  if (CYC_UNLIKELY(rounded + CYC_RGN_GAP > (cyc_size)(r->limit - object))) return cyc_rgn_more(r, shape, size, file, line);
  r->bump = object + (rounded + CYC_RGN_GAP);
  CYC_RGN_OPEN(object, size);
  return object;
}

/* The same for the program. */
CYC_INLINE void *cyc_rgn_alloc(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  void *object = cyc_rgn_take(r, shape, size, file, line);
  CYC_PROFILED(cyc_profile_in_region(r, 0, size, file, line));
  return object;
}

CYC_INLINE void *cyc_rgn_alloc_zero(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  return __builtin_memset(cyc_rgn_alloc(r, shape, size, file, line), 0, size);
}

/* `count` elements of `size` bytes, overflow checked, and checked to fit a fat pointer. */
CYC_INLINE void *cyc_rgn_alloc_array(cyc_region *r, cyc_shape shape, cyc_u64 count, cyc_size size, const char *file,
                                     unsigned line) {
  cyc_size bytes;
  if (CYC_UNLIKELY(count > CYC_FAT_MAX || __builtin_mul_overflow(count, size, &bytes) || bytes > CYC_RGN_MOST))
    cyc_fail_alloc(count, size, file, line);
  return cyc_rgn_alloc(r, shape, bytes, file, line);
}

CYC_INLINE void *cyc_rgn_alloc_array_zero(cyc_region *r, cyc_shape shape, cyc_u64 count, cyc_size size, const char *file,
                                          unsigned line) {
  return __builtin_memset(cyc_rgn_alloc_array(r, shape, count, size, file, line), 0, count * size);
}

/* ---------------------------------------------------------------- objects that are given back one by one
 *
 * What the compiler calls an alias qualifier tells how an object is allocated (memory, sections 6.3 and 7). A unique object of
 * the heap is liblowfat's, and scanned conservatively; one of a region lies in its reap, which finds its size again. A counted
 * object, of the heap or of a region, has its count in the word before it, and 16 bytes are reserved for that.
 * Invariant: a pointer by which an object is given back points to its first byte; a fat one has it as `base`.
 */
enum { CYC_ALIASABLE, CYC_UNIQUE, CYC_REFCNT, CYC_COUNT_ROOM = 16 };

/* An object of the heap that cyc_ufree takes back. Never null: raises Bad_alloc. The allocator is one call away, and where it
 * fails is told out of line. (cyc_unique_get: null when memory is out.) */
void *cyc_unique_get(cyc_size size);
CYC_INLINE void *cyc_unique(cyc_size size, const char *file, unsigned line) {
  void *object = cyc_unique_get(size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_UNIQUE, object, size, file, line));
  return object;
}
void *cyc_unique_zero(cyc_size size, const char *file, unsigned line);
/* `count` elements of `size` bytes, overflow checked, and checked to fit a fat pointer. */
CYC_INLINE void *cyc_unique_array(cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  if (CYC_UNLIKELY(count > CYC_FAT_MAX || __builtin_mul_overflow(count, size, &bytes) || bytes > CYC_RGN_MOST))
    cyc_fail_alloc(count, size, file, line);
  void *object = cyc_unique_get(bytes);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_UNIQUE, object, bytes, file, line));
  return object;
}
void *cyc_unique_array_zero(cyc_u64 count, cyc_size size, const char *file, unsigned line);
/* An object that cyc_reap_free of the same region takes back; in the heap, cyc_ufree. Never null: raises Bad_alloc. */
void *cyc_reap_alloc(cyc_region *r, cyc_size size, const char *file, unsigned line);
/* An object whose count is 1. Never null: raises Bad_alloc. */
void *cyc_rc_alloc(cyc_region *r, cyc_size size, const char *file, unsigned line);
/* Ends an object whose count is 0; of the heap, of a region. */
void cyc_rc_free(void *object);
void cyc_rc_rfree(cyc_region *r, void *object);

CYC_INLINE cyc_u64 *cyc_rc_count_of(void *object) { return (cyc_u64 *)object - 1; }

/* A counted object of the heap. At least a byte lies behind the count: the pointer, which is not to the first byte of the
 * slot, must be to some byte of it. */
CYC_INLINE void *cyc_rc_new(cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  char *object = 0;
  if (CYC_LIKELY(!__builtin_add_overflow(size + !size, CYC_COUNT_ROOM, &bytes))) object = cyc_unique_get(bytes);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  object += CYC_COUNT_ROOM;
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_COUNTED, object, size, file, line));
  *cyc_rc_count_of(object) = 1;
  return object;
}

/* What core.h declares, with the types that keep it safe: one more pointer to the object, with the same bounds. Counts have
 * 64 bits: adding one each nanosecond would take five hundred years to overflow them. Counted pointers stay in their thread, but
 * a count that a region has in its pool moves with the key of the region; so with several threads counts are atomic. */
CYC_INLINE cyc_fat cyc_rc_alias(cyc_fat p) {
  if (!p.base) return p;
  if (CYC_ONE_THREAD) ++*cyc_rc_count_of(p.base);
  else __atomic_fetch_add(cyc_rc_count_of(p.base), 1, __ATOMIC_RELAXED);
  return p;
}

/* One pointer less: was it the last one? */
CYC_INLINE int cyc_rc_last(void *object) {
  if (CYC_ONE_THREAD) return !--*cyc_rc_count_of(object);
  return __atomic_sub_fetch(cyc_rc_count_of(object), 1, __ATOMIC_ACQ_REL) == 0;
}

/* The same, out of a pointer whose count belongs to a pool. */
CYC_INLINE cyc_fat cyc_rc_inc(cyc_fat p) { return cyc_rc_alias(p); }

/* One pointer less; the last one frees the object. */
CYC_INLINE void cyc_rc_drop(cyc_fat p) {
  if (p.base && cyc_rc_last(p.base)) cyc_rc_free(p.base);
}

CYC_INLINE void cyc_rc_rdrop(cyc_region *r, cyc_fat p) {
  if (p.base && cyc_rc_last(p.base)) cyc_rc_rfree(r, p.base);
}

/* The pointers to the object, 0 for null; the largest `int` when there are more. */
CYC_INLINE int cyc_rc_count(cyc_fat p) {
  cyc_u64 count = p.base ? *cyc_rc_count_of(p.base) : 0;
  return count < __INT_MAX__ ? (int)count : __INT_MAX__;
}

/* An object of `size` bytes in the region, allocated as the qualifier, one of the above, asks for. */
CYC_INLINE void *cyc_own_alloc(cyc_region *r, long qualifier, cyc_shape shape, cyc_size size, const char *file,
                               unsigned line) {
  if (qualifier == CYC_REFCNT && __builtin_constant_p(r == &cyc_rgn_heap) && r == &cyc_rgn_heap)
    return cyc_rc_new(size, file, line);
  if (qualifier == CYC_REFCNT) return cyc_rc_alloc(r, size, file, line);
  if (qualifier == CYC_UNIQUE) return cyc_reap_alloc(r, size, file, line);
  return cyc_rgn_alloc(r, shape, size, file, line);
}

CYC_INLINE void *cyc_own_alloc_zero(cyc_region *r, long qualifier, cyc_shape shape, cyc_size size, const char *file,
                               unsigned line) {
  return __builtin_memset(cyc_own_alloc(r, qualifier, shape, size, file, line), 0, size);
}

/* `count` elements of `size` bytes, overflow checked, and checked to fit a fat pointer. */
CYC_INLINE void *cyc_own_alloc_array(cyc_region *r, long qualifier, cyc_shape shape, cyc_u64 count, cyc_size size,
                                     const char *file, unsigned line) {
  cyc_size bytes;
  if (CYC_UNLIKELY(count > CYC_FAT_MAX || __builtin_mul_overflow(count, size, &bytes) || bytes > CYC_RGN_MOST))
    cyc_fail_alloc(count, size, file, line);
  return cyc_own_alloc(r, qualifier, shape, bytes, file, line);
}

CYC_INLINE void *cyc_own_alloc_array_zero(cyc_region *r, long qualifier, cyc_shape shape, cyc_u64 count, cyc_size size,
                                          const char *file, unsigned line) {
  return __builtin_memset(cyc_own_alloc_array(r, qualifier, shape, count, size, file, line), 0, count * size);
}

/* The region behind the key of a dynamic region: the key is its address. */
CYC_INLINE cyc_region *cyc_rgn_of_key(const void *key) { return (cyc_region *)key; }

/* The innermost lexical region of the thread, or the heap. */
CYC_INLINE cyc_region *cyc_rgn_current(void) { return cyc_regions ? cyc_regions : &cyc_rgn_heap; }

/* Defined in the run time and declared, with their types, by core.h: cyc_rgn_heap_handle, cyc_rgn_current_handle,
 * cyc_rgn_used_bytes, cyc_rgn_free_bytes, cyc_rgn_alloc_bytes, cyc_rgn_set_limit. */

/* ---------------------------------------------------------------- start
 * Defined by the unit that has Cyclone's `main`: `argv` has argc + 1 elements, the last one null. */
int cyc_user_main(int argc, cyc_fat argv);

#endif

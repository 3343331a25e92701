/* cyc_rt.h - the run time as compiled Cyclone sees it: fat pointers, checks, exceptions, allocation.
 *
 * Every unit that `cyc` emits includes this file and nothing else, so it includes nothing but its own parts: a
 * system header would bring names that clash with the programmer's. C code that works with Cyclone
 * (shims, `extern "C"` functions that take fat pointers) includes it too. The parts, one construct each, are for
 * inclusion from here: cyc_fat.h, cyc_profile.h, cyc_region.h, cyc_owned.h; and lowfat_slot.h.
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

#include "cyc_fat.h"

/* ---------------------------------------------------------------- polymorphic functions as values
 * A pointer to a polymorphic function points to the table of its instances, one for each choice of the shapes of its
 * variables, 4 or 8 bytes: the variables' choices are the bits of the index, 1 for 8 bytes, the first the highest.
 * docs/adr/002-polymorphism-by-shape.md */
typedef void (*cyc_code)(void);

/* An instance out of a table; null for null. */
CYC_INLINE cyc_code cyc_instance(const cyc_code *table, cyc_u64 index) { return table ? table[index] : 0; }

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
 * division is faster: on a processor of 2023 2.0 instead of 3.4 ns (6.4 instead of 7.5 where one waits for the other), on
 * older ones much more. clang does the same by itself, gcc does not. Where operands of both widths alternate without
 * rule it costs what a wrong prediction costs. */
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

/* A floating number as an integer, towards zero. What the type cannot hold becomes the nearest value that it can, NaN becomes 0;
 * C leaves both undefined, and compilers fold them otherwise than the machine computes them. On x86-64 what is narrower than
 * 64 bits goes by way of them: the instruction is defined for all operands, and one comparison of integers tells whether its
 * result is the one wanted. */
#define CYC_INT_LEAST(type) ((type)-1 < 1 ? (type)((cyc_u128)1 << (sizeof(type) * 8 - 1)) : (type)0)
#define CYC_INT_GREATEST(type) ((type)~CYC_INT_LEAST(type))
/* The nearest value of the type to a number outside of it. */
#define CYC_INT_NEAREST(type, x) ((x) > 0 ? CYC_INT_GREATEST(type) : (x) < 0 ? CYC_INT_LEAST(type) : (type)0)
/* Also for initialisers of globals, if `x` is a constant. The bound below may be rounded to the least value itself, which is then
 * found as the nearest; the one above is a power of two. */
#define CYC_CONSTANT_TO_INT(type, x)                                                                 \
  ((x) > CYC_INT_LEAST(type) - (__typeof__(x))1 && (x) < (__typeof__(x))(CYC_INT_GREATEST(type) / 2 + 1) * 2 \
       ? (type)(x)                                                                                   \
       : CYC_INT_NEAREST(type, x))

#if defined __x86_64__
typedef double cyc_2_doubles __attribute__((vector_size(16)));
typedef float cyc_4_floats __attribute__((vector_size(16)));
/* The least number for what is outside of 64 bits; where gcc computes it, the greatest for what is above, 0 for NaN. */
CYC_INLINE cyc_i64 cyc_truncate_4(float x) { return __builtin_ia32_cvttss2si64((cyc_4_floats){x}); }
CYC_INLINE cyc_i64 cyc_truncate_8(double x) { return __builtin_ia32_cvttsd2si64((cyc_2_doubles){x}); }
#define CYC_TRUNCATES(type, x) (sizeof(type) < 8 && sizeof(x) <= 8)
#define CYC_TRUNCATE(x) (sizeof(x) == 4 ? cyc_truncate_4((float)(x)) : cyc_truncate_8((double)(x)))
#else
#define CYC_TRUNCATES(type, x) 0
#define CYC_TRUNCATE(x) 0
#endif

#define CYC_FLOAT_TO_INT(type, x)                                                                    \
  __extension__({                                                                                    \
    const __typeof__(x) cyc_x_ = (x);                                                                \
    type cyc_int_;                                                                                   \
    if (CYC_TRUNCATES(type, cyc_x_)) {                                                               \
      const cyc_i64 cyc_wide_ = CYC_TRUNCATE(cyc_x_);                                                \
      cyc_int_ = (type)cyc_wide_;                                                                    \
      if (CYC_UNLIKELY(cyc_int_ != cyc_wide_)) cyc_int_ = CYC_INT_NEAREST(type, cyc_x_);             \
    } else cyc_int_ = CYC_CONSTANT_TO_INT(type, cyc_x_);                                             \
    cyc_int_;                                                                                        \
  })

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

#include "cyc_region.h"

#include "lowfat_slot.h"

#include "cyc_owned.h"

/* ---------------------------------------------------------------- start
 * Defined by the unit that has Cyclone's `main`: `argv` has argc + 1 elements, the last one null. */
int cyc_user_main(int argc, cyc_fat argv);

#endif

/* lowfat.h - an allocator whose pointers know their object.
 *
 * Every object that liblowfat places (heap, stack or global) lies in a slot of a known size at an
 * address that is a multiple of that size.  The slot's size and reciprocal are found by the top bits
 * of the address, so the size, base and offset of *any* interior pointer cost a few instructions and
 * no header.  The interface follows Duck and Yap, "An Extended Low Fat Allocator API and
 * Applications" (2018), section 3; the comments name the section of each operation.
 *
 *   class I    malloc and friends, under their own names and with the prefix lowfat_   (3.1)
 *   class II   lowfat_is_ptr, lowfat_is_heap_ptr, ..._stack_ptr, ..._global_ptr        (3.2)
 *   class III  lowfat_index, lowfat_size, lowfat_base, lowfat_offset, lowfat_usable_size (3.2)
 *
 * Classes II and III are inlined.  They accept every pointer a program can hold: null, pointers to
 * objects that are not low-fat (size SIZE_MAX, base null), MAP_FAILED, kernel addresses.  What they do
 * not accept is a *word* that is no canonical 48-bit address (random bits, a pointer with a tag in its
 * top bits, an address above 2^47 obtained by an explicit hint): test it with lowfat_is_canonical()
 * first, or compile with -DLOWFAT_ANY_WORD=1, which makes every operation safe for any bit pattern at
 * one more instruction.
 *
 * One past the end.  The paper counts ptr+1 ... ptr+size as interior pointers of the object at ptr.
 * A pointer just past an object belongs to it whenever the object is smaller than its slot.  Stack and
 * global objects always are.  Heap objects are when the option past_end=1 is set, or when the program
 * asks for one byte more than it uses; by default a heap object may fill its slot, and its
 * one-past-the-end pointer is then the base of the next slot.
 */
#ifndef LOWFAT_H
#define LOWFAT_H

#include <stddef.h>
#include <stdint.h>

#define LOWFAT_VERSION_MAJOR 0
#define LOWFAT_VERSION_MINOR 1
#define LOWFAT_VERSION_PATCH 0

#if defined(__cplusplus)
#define LOWFAT_BEGIN_DECLS extern "C" {
#define LOWFAT_END_DECLS }
#define LOWFAT_NOEXCEPT_ noexcept(true)
#else
#define LOWFAT_BEGIN_DECLS
#define LOWFAT_END_DECLS
#define LOWFAT_NOEXCEPT_
#endif

#define LOWFAT_API __attribute__((visibility("default")))
#define LOWFAT_INLINE static inline __attribute__((always_inline, unused))
#define LOWFAT_ALLOC_(...) __attribute__((malloc, warn_unused_result, alloc_size(__VA_ARGS__)))

/* ---------------------------------------------------------------------------------------------
 * The map: one row per 32 GiB of address space.
 * ------------------------------------------------------------------------------------------- */

/* log2 of the region size in bytes.  Fixed when the library is built; a program must be compiled with
 * the value its library was built with (the default, unless someone rebuilt both). */
#ifndef LOWFAT_REGION_SHIFT
#define LOWFAT_REGION_SHIFT 35
#endif
#define LOWFAT_REGION_SIZE ((uint64_t)1 << LOWFAT_REGION_SHIFT)

/* Rows cover all canonical 48-bit addresses, user and kernel half; row LOWFAT_ROWS/2 is address 0. */
#define LOWFAT_ROWS ((size_t)1 << (48 - LOWFAT_REGION_SHIFT))

/* What lives in a region. */
enum lowfat_kind {
    LOWFAT_KIND_NONE = 0, /* nothing low-fat */
    LOWFAT_KIND_HEAP = 1,
    LOWFAT_KIND_STACK = 2,
    LOWFAT_KIND_GLOBAL = 3,
    LOWFAT_KIND_TRACED = 4 /* the collector's: lowfat_gc.h */
};

/* Size classes are numbered 1 ... LOWFAT_CLASSES in increasing size; 0 means "not low-fat". */
#define LOWFAT_CLASSES 93
/* Objects of more than the largest class get regions of their own; their class number is this. */
#define LOWFAT_CLASS_HUGE 94

/* Invariant, for every row r: either the row is low-fat, size[r] is the slot size of the region, magic[r]
 * = ceil(2^64 / size[r]), row[r].kind != NONE and row[r].class_id in 1..LOWFAT_CLASS_HUGE, and state[r][slot] is the
 * library's own byte for each slot of the region; or size[r] = SIZE_MAX and the rest is 0.  A row never changes
 * while an object lives in it, which is why programs may see the map as constant.  The sizes are apart because they
 * alone do not start as zeros: the rest needs no pages until it is written. */
struct lowfat_map {
    uint64_t magic[LOWFAT_ROWS];
    uint8_t *state[LOWFAT_ROWS]; /* the library's own */
    struct lowfat_row {
        int32_t cell; /* the library's own */
        uint8_t class_id;
        uint8_t kind;
    } row[LOWFAT_ROWS];
};

#ifndef LOWFAT_MAP_CONST_
#define LOWFAT_MAP_CONST_ const
#endif

LOWFAT_BEGIN_DECLS

extern LOWFAT_API LOWFAT_MAP_CONST_ uint64_t lowfat_sizes_[LOWFAT_ROWS];
extern LOWFAT_API LOWFAT_MAP_CONST_ struct lowfat_map lowfat_map_;

__extension__ typedef unsigned __int128 lowfat_u128_;

/* True when `word` is a canonical 48-bit address, the domain of the operations below. */
LOWFAT_INLINE int lowfat_is_canonical(uintptr_t word) {
    return (uintptr_t)(((intptr_t)word >> 47) + 1) <= 1;
}

/* Row of the map.  The arithmetic shift sends kernel addresses and small negative sentinels such as
 * (void *)-1 to the lower half of the map instead of far beyond it. */
LOWFAT_INLINE size_t lowfat_row_(const volatile void *ptr) {
#if defined(LOWFAT_ANY_WORD) && LOWFAT_ANY_WORD
    return (size_t)((intptr_t)((uintptr_t)ptr << 16) >> (LOWFAT_REGION_SHIFT + 16)) + LOWFAT_ROWS / 2;
#else
    return (size_t)((intptr_t)ptr >> LOWFAT_REGION_SHIFT) + LOWFAT_ROWS / 2;
#endif
}

/* ---------------------------------------------------------------------------------------------
 * Class III (section 3.2)
 * ------------------------------------------------------------------------------------------- */

/* Region index: the address divided by LOWFAT_REGION_SIZE.  One instruction.  Two pointers with equal
 * index have equal size; the numbers differ from run to run (use lowfat_class for stable ones). */
LOWFAT_INLINE size_t lowfat_index(const volatile void *ptr) {
    return (size_t)((uintptr_t)ptr >> LOWFAT_REGION_SHIFT);
}

/* Slot size in bytes of the object `ptr` points into, padding included; SIZE_MAX when it is not low-fat.
 * Two instructions. */
LOWFAT_INLINE size_t lowfat_size(const volatile void *ptr) { return lowfat_sizes_[lowfat_row_(ptr)]; }

/* Absolute slot number: address / slot size, exact (proof in src/lowfat/classes.c).  Slots of one class
 * are numbered consecutively, so the number indexes side tables.  0 when `ptr` is not low-fat. */
LOWFAT_INLINE uint64_t lowfat_slot(const volatile void *ptr) {
    return (uint64_t)(((lowfat_u128_)(uintptr_t)ptr * lowfat_map_.magic[lowfat_row_(ptr)]) >> 64);
}

/* First byte of the object `ptr` points into; null when it is not low-fat.  At most six instructions. */
LOWFAT_INLINE void *lowfat_base(const volatile void *ptr) {
    size_t row = lowfat_row_(ptr);
    uint64_t slot = (uint64_t)(((lowfat_u128_)(uintptr_t)ptr * lowfat_map_.magic[row]) >> 64);
    return (void *)(uintptr_t)(slot * lowfat_sizes_[row]);
}

/* Bytes from the base of the object to `ptr`; for a pointer that is not low-fat, the address itself
 * (its base being null). */
LOWFAT_INLINE size_t lowfat_offset(const volatile void *ptr) {
    return (size_t)((uintptr_t)ptr - (uintptr_t)lowfat_base(ptr));
}

/* Bytes from `ptr` to the end of its slot: lowfat_size - lowfat_offset.  For a pointer that is not low-fat
 * this is the distance to the end of the address space, so a bounds check against it always passes. */
LOWFAT_INLINE size_t lowfat_usable_size(const volatile void *ptr) {
    return lowfat_size(ptr) - lowfat_offset(ptr);
}

/* ---------------------------------------------------------------------------------------------
 * Class II (section 3.2): range tests
 * ------------------------------------------------------------------------------------------- */

/* True when `ptr` points into a low-fat region.  These are tests of the address alone: they do not say
 * that the object is alive (lowfat_is_live does). */
LOWFAT_INLINE int lowfat_is_ptr(const volatile void *ptr) {
    return lowfat_map_.row[lowfat_row_(ptr)].kind != LOWFAT_KIND_NONE;
}
LOWFAT_INLINE int lowfat_is_heap_ptr(const volatile void *ptr) {
    return lowfat_map_.row[lowfat_row_(ptr)].kind == LOWFAT_KIND_HEAP;
}
LOWFAT_INLINE int lowfat_is_stack_ptr(const volatile void *ptr) {
    return lowfat_map_.row[lowfat_row_(ptr)].kind == LOWFAT_KIND_STACK;
}
LOWFAT_INLINE int lowfat_is_global_ptr(const volatile void *ptr) {
    return lowfat_map_.row[lowfat_row_(ptr)].kind == LOWFAT_KIND_GLOBAL;
}

LOWFAT_INLINE int lowfat_is_traced_ptr(const volatile void *ptr) {
    return lowfat_map_.row[lowfat_row_(ptr)].kind == LOWFAT_KIND_TRACED;
}

/* True when `ptr` is the base of a slot: one multiplication and a comparison, as in `free`. */
LOWFAT_INLINE int lowfat_is_base(const volatile void *ptr) {
    uint64_t magic = lowfat_map_.magic[lowfat_row_(ptr)];
    return (uintptr_t)ptr * magic < magic;
}

/* ---------------------------------------------------------------------------------------------
 * Size classes
 * ------------------------------------------------------------------------------------------- */

/* Class number of the object, the same in every run; 0 when it is not low-fat.  Two instructions. */
LOWFAT_INLINE unsigned lowfat_class(const volatile void *ptr) { return lowfat_map_.row[lowfat_row_(ptr)].class_id; }

/* The class a request of `size` bytes is served from, a constant expression for constant sizes when
 * optimising; LOWFAT_CLASS_HUGE above the largest class.  16 ... 128 by 16; then eight classes per doubling
 * up to 16 KiB, four up to 128 KiB, and powers of two (whose unused tail stays untouched) up to 16 GiB. */
LOWFAT_INLINE unsigned lowfat_class_of_size(size_t size) {
    if (size <= 128)
        return size == 0 ? 1 : (unsigned)((size + 15) >> 4);
    unsigned log = 63u - (unsigned)__builtin_clzll((unsigned long long)size - 1);
    if (size <= 16384)
        return (log - 7) * 8 + (unsigned)((size - 1) >> (log - 3)) + 1;
    if (size <= 131072)
        return 61 + (log - 14) * 4 + (unsigned)((size - 1) >> (log - 2));
    return log <= 33 ? log + 60 : LOWFAT_CLASS_HUGE;
}

/* Slot size in bytes of class `id`; 0 for an id outside 1..LOWFAT_CLASSES. */
LOWFAT_INLINE size_t lowfat_class_size(unsigned id) {
    if (id <= 8)
        return (size_t)id * 16;
    if (id <= 64)
        return ((size_t)((id - 1) % 8) + 9) << ((id - 1) / 8 + 3);
    if (id <= 76)
        return ((size_t)((id - 65) % 4) + 5) << ((id - 65) / 4 + 12);
    return id <= LOWFAT_CLASSES ? (size_t)1 << (id - 59) : 0;
}

/* The slot size a request of `size` bytes gets (0 when it is larger than every class). */
LOWFAT_INLINE size_t lowfat_good_size(size_t size) { return lowfat_class_size(lowfat_class_of_size(size)); }

/* ---------------------------------------------------------------------------------------------
 * Class I (section 3.1)
 *
 * Each is what its standard name is; the standard names themselves are defined by the library too.  All set
 * errno to ENOMEM and return null when memory or address space is exhausted or the size exceeds PTRDIFF_MAX.
 * A size of 0 yields a distinct object.  Every pointer returned is the base of its slot, also an aligned one.
 * ------------------------------------------------------------------------------------------- */

LOWFAT_API void lowfat_free(void *ptr) LOWFAT_NOEXCEPT_;
LOWFAT_API void *lowfat_malloc(size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(1);
LOWFAT_API void *lowfat_calloc(size_t count, size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(1, 2);
/* realloc(p, 0) frees p and returns null, as glibc does. */
LOWFAT_API void *lowfat_realloc(void *ptr, size_t size) LOWFAT_NOEXCEPT_
    __attribute__((warn_unused_result, alloc_size(2)));
LOWFAT_API void *lowfat_reallocarray(void *ptr, size_t count, size_t size) LOWFAT_NOEXCEPT_
    __attribute__((warn_unused_result, alloc_size(2, 3)));
/* C23: the caller states what it asked for; a size of another class, or an alignment the pointer does not
 * have, is reported as an error. */
LOWFAT_API void lowfat_free_sized(void *ptr, size_t size) LOWFAT_NOEXCEPT_;
LOWFAT_API void lowfat_free_aligned_sized(void *ptr, size_t alignment, size_t size) LOWFAT_NOEXCEPT_;
/* EINVAL unless alignment is a power of two (and, for posix_memalign, a multiple of sizeof(void *)). */
LOWFAT_API int lowfat_posix_memalign(void **out, size_t alignment, size_t size) LOWFAT_NOEXCEPT_;
LOWFAT_API void *lowfat_aligned_alloc(size_t alignment, size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(2);
LOWFAT_API void *lowfat_memalign(size_t alignment, size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(2);
LOWFAT_API void *lowfat_valloc(size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(1);
LOWFAT_API void *lowfat_pvalloc(size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(1);
/* Bytes usable from `ptr`, which must be a live heap object's base; 0 for null. */
LOWFAT_API size_t lowfat_malloc_usable_size(const void *ptr) LOWFAT_NOEXCEPT_;
LOWFAT_API char *lowfat_strdup(const char *s) LOWFAT_NOEXCEPT_ __attribute__((malloc, warn_unused_result));
LOWFAT_API char *lowfat_strndup(const char *s, size_t n) LOWFAT_NOEXCEPT_
    __attribute__((malloc, warn_unused_result));

/* ---------------------------------------------------------------------------------------------
 * The heap as a whole
 * ------------------------------------------------------------------------------------------- */

/* True when `ptr` points into a heap object that is allocated now.  Meaningful only while no other thread
 * frees that object; free slots that wait in a thread's cache count as free. */
LOWFAT_API int lowfat_is_live(const volatile void *ptr) LOWFAT_NOEXCEPT_;

/* The bytes the program asked for when the object was allocated, from an interior pointer: exact with the option
 * exact=1, for sizes above 128 KiB rounded up to whole pages, else the slot size.  0 when no live heap object. */
LOWFAT_API size_t lowfat_requested_size(const volatile void *ptr) LOWFAT_NOEXCEPT_;

/* Calls visit(base, slot size, context) for every live heap object, by class and address, until it returns
 * non-zero; returns that value, else 0.  The walk takes no lock while it calls back: objects allocated or freed
 * meanwhile may or may not be visited.  The visitor may allocate and free. */
typedef int lowfat_visitor(void *base, size_t size, void *context);
LOWFAT_API int lowfat_heap_walk(lowfat_visitor *visit, void *context);

/* Where the slots of a class lie: numbers first <= n < end have been handed out at some time; slot n is at address
 * n * lowfat_class_size(id).  `limit` bounds `end` for ever, so a side table of limit-first entries, reserved but
 * not committed, serves all of the class.  Returns 0, or -1 for a class that has no region. */
struct lowfat_class_range {
    uint64_t first, end, limit;
};
LOWFAT_API int lowfat_class_range(unsigned id, struct lowfat_class_range *out) LOWFAT_NOEXCEPT_;

/* How the address space was obtained (section "Processes" of lowfat(3)). */
enum lowfat_mode {
    LOWFAT_MODE_ARENA = 0, /* one reservation of all regions */
    LOWFAT_MODE_GROWN = 1, /* address space is limited: regions are mapped piece by piece as they grow */
    LOWFAT_MODE_PLAIN = 2  /* no regions at all: a plain allocator; nothing is low-fat */
};

/* Figures in bytes unless said otherwise, gathered at the time of the call. */
struct lowfat_stats {
    int mode;                /* enum lowfat_mode */
    uint64_t live_objects;   /* count */
    uint64_t live_bytes;     /* slots in use */
    uint64_t cached_bytes;   /* free slots in thread caches */
    uint64_t free_bytes;     /* free slots in spans, resident or not */
    uint64_t huge_bytes;     /* objects above the largest class (counted in live_bytes too) */
    uint64_t mapped_bytes;   /* address space handed out by the regions */
    uint64_t metadata_bytes; /* side tables in use */
    uint64_t warm_bytes;     /* free memory kept resident for reuse */
    uint64_t stack_bytes;    /* low-fat stack objects in use, all threads */
    uint64_t threads;        /* thread caches in use, count */
    uint64_t purges;         /* times memory was returned to the system, count */
    struct {
        uint64_t live, cached, freed, spans; /* counts */
    } classes[LOWFAT_CLASSES + 1];           /* by class number */
};
LOWFAT_API void lowfat_stats(struct lowfat_stats *out) LOWFAT_NOEXCEPT_;
/* Write the figures to a file descriptor, as a table or as one JSON object. Return 0, or -1 with errno. */
LOWFAT_API int lowfat_stats_print(int fd) LOWFAT_NOEXCEPT_;
LOWFAT_API int lowfat_stats_json(int fd) LOWFAT_NOEXCEPT_;

/* Returns all free memory to the system that can be returned; the number of bytes given back. */
LOWFAT_API size_t lowfat_trim(void) LOWFAT_NOEXCEPT_;

LOWFAT_API enum lowfat_mode lowfat_mode(void) LOWFAT_NOEXCEPT_;

/* ---------------------------------------------------------------------------------------------
 * Errors
 *
 * A misuse of free or realloc (double, interior, stack, global, foreign pointer, wrong size, damaged slack) prints a
 * report with address, base, size, class and backtrace to standard error, and aborts.  A handler may replace
 * the abort, for tests; when it returns, the offending call does nothing.
 * ------------------------------------------------------------------------------------------- */

enum lowfat_error {
    LOWFAT_ERROR_DOUBLE_FREE = 1, /* the object is free already */
    LOWFAT_ERROR_INTERIOR_FREE,   /* not the base of its object */
    LOWFAT_ERROR_STACK_FREE,
    LOWFAT_ERROR_GLOBAL_FREE,
    LOWFAT_ERROR_FOREIGN_FREE,    /* not from this allocator */
    LOWFAT_ERROR_UNALLOCATED_FREE,/* a slot that was never handed out */
    LOWFAT_ERROR_SIZE_MISMATCH,   /* free_sized, free_aligned_sized, sized delete */
    LOWFAT_ERROR_OVERFLOW,        /* slack after the object was written (option exact=1) */
    LOWFAT_ERROR_USE_AFTER_FREE,  /* a freed object was written (option fill=1 with quarantine) */
    LOWFAT_ERROR_BOUNDS,          /* reported by a program through lowfat_report */
    LOWFAT_ERROR_TRACED_FREE      /* the collector's object */
};

struct lowfat_error_info {
    enum lowfat_error error;
    const char *operation; /* "free", "realloc", ... */
    const void *ptr;       /* what was passed */
    const void *base;      /* of its slot, or null */
    size_t size;           /* of its slot, or SIZE_MAX */
    unsigned class_id;
    enum lowfat_kind kind;
};
typedef void lowfat_error_handler(const struct lowfat_error_info *info);

/* Installs a handler (null: the default, report and abort) and returns the former one. */
LOWFAT_API lowfat_error_handler *lowfat_set_error_handler(lowfat_error_handler *handler) LOWFAT_NOEXCEPT_;

/* Reports an error of the program's own checks (for example a bounds error) the same way. */
LOWFAT_API void lowfat_report(enum lowfat_error error, const char *operation, const volatile void *ptr)
    LOWFAT_NOEXCEPT_;

/* ---------------------------------------------------------------------------------------------
 * Stack objects (section 2.3)
 *
 * Each thread has a stack per size class inside the stack regions.  A scope releases what was allocated within
 * it, however deep, when it is left: by its end, return, break, goto, a C++ exception, or thread exit.
 *
 *     void f(void) {
 *         LOWFAT_STACK_ARRAY(char, buf, 100);     // char *buf, 100 bytes, low-fat, released at scope end
 *         LOWFAT_STACK_OBJECT(struct s, s);       // struct s *s
 *         LOWFAT_STACK_SCOPE();                   // or: a scope for any number of
 *         int *v = (int *)lowfat_alloca(n * sizeof *v);
 *     }
 *
 * longjmp over scopes: use lowfat_setjmp/lowfat_longjmp, which restore the stacks; after a plain longjmp the objects
 * skipped stay allocated until the next enclosing scope is left.  The contents start undefined.  When the stack of a
 * class is exhausted the functions return null with errno ENOMEM.
 * ------------------------------------------------------------------------------------------- */

/* Objects larger than this (one byte less, because of one past the end) are refused with ENOMEM. */
#define LOWFAT_STACK_MAX ((size_t)131072)

LOWFAT_API void *lowfat_alloca(size_t size) LOWFAT_NOEXCEPT_;
/* The number of stack objects of this thread; restoring releases all objects allocated since. */
LOWFAT_API size_t lowfat_stack_mark(void) LOWFAT_NOEXCEPT_;
LOWFAT_API void lowfat_stack_restore(size_t mark) LOWFAT_NOEXCEPT_;

LOWFAT_INLINE void lowfat_stack_leave_(const size_t *mark) { lowfat_stack_restore(*mark); }

#define LOWFAT_CAT2_(a, b) a##b
#define LOWFAT_CAT_(a, b) LOWFAT_CAT2_(a, b)
#define LOWFAT_SCOPE_VARIABLE_(name) \
    __attribute__((cleanup(lowfat_stack_leave_), unused)) const size_t name = lowfat_stack_mark()
#define LOWFAT_STACK_SCOPE() LOWFAT_SCOPE_VARIABLE_(LOWFAT_CAT_(lowfat_scope_, __LINE__))
#define LOWFAT_STACK_ARRAY(type, name, count)            \
    LOWFAT_SCOPE_VARIABLE_(LOWFAT_CAT_(lowfat_scope_, name)); \
    type *const name = (type *)lowfat_alloca(sizeof(type) * (size_t)(count))
#define LOWFAT_STACK_OBJECT(type, name) LOWFAT_STACK_ARRAY(type, name, 1)

/* A jump buffer that knows the low-fat stacks: include <setjmp.h> before using these. */
#define LOWFAT_JMP_BUF(name)  \
    struct {                  \
        jmp_buf buffer;       \
        size_t mark;          \
    } name
#define lowfat_setjmp(env) \
    ((env).mark = lowfat_stack_mark(), setjmp((env).buffer) == 0 ? 0 : (lowfat_stack_restore((env).mark), 1))
#define lowfat_longjmp(env) longjmp((env).buffer, 1)

/* ---------------------------------------------------------------------------------------------
 * Global objects (section 2.4)
 *
 *     LOWFAT_GLOBAL(char[100], table, 128) = "initial";      // in a slot of 128 bytes
 *     LOWFAT_GLOBAL_EXTERN(char[100], table);                // in a header
 *     ... LOWFAT_REF(table)[3] ...                           // every use in code compiled without -fPIC
 *
 * The slot is a power of two from 16 bytes to 1 MiB and larger than the object; the compiler says so when it is
 * not.  The program is linked with the script lowfat-globals.ld (pkg-config --variable=globals_ldflags lowfat), without
 * which the linker leaves the objects in place and they are simply not low-fat.  Only uses of moved objects pay for the
 * 64-bit address.  What cannot be moved: objects of shared libraries, thread-local objects.
 * ------------------------------------------------------------------------------------------- */

#if defined(__cplusplus)
#define LOWFAT_STATIC_ASSERT_ static_assert
#else
#define LOWFAT_STATIC_ASSERT_ _Static_assert
#endif

#define LOWFAT_GLOBAL(type, name, slot)                                                                         \
    LOWFAT_STATIC_ASSERT_((slot) >= 16 && (slot) <= 1048576 && ((slot) & ((slot) - 1)) == 0,                    \
                          "lowfat global " #name ": the slot must be a power of two from 16 to 1048576");       \
    LOWFAT_STATIC_ASSERT_(sizeof(__typeof__(type)) < (slot),                                                    \
                          "lowfat global " #name ": the object must be smaller than its slot of " #slot " bytes"); \
    extern __typeof__(type) name;                                                                               \
    __attribute__((section("lowfat_global_" #slot), aligned(slot), used)) __typeof__(type) name
#define LOWFAT_GLOBAL_EXTERN(type, name) extern __typeof__(type) name
/* The object itself (an lvalue), addressed with 64 bits.  In position-independent code through the global offset table
 * (by lea, because the linker would try to shorten a mov to a 32-bit distance). */
#if defined(__PIC__) || defined(__pic__)
#define LOWFAT_GLOBAL_ADDRESS_(name, address) \
    __asm__("leaq " #name "@GOTPCREL(%%rip), %0\n\tmovq (%0), %0" : "=r"(address))
#else
#define LOWFAT_GLOBAL_ADDRESS_(name, address) __asm__("movabsq %1, %0" : "=r"(address) : "i"(&(name)))
#endif
#define LOWFAT_REF(name)                                  \
    (*__extension__({                                     \
        __typeof__(name) *lowfat_address_;                \
        LOWFAT_GLOBAL_ADDRESS_(name, lowfat_address_);    \
        lowfat_address_;                                  \
    }))

LOWFAT_END_DECLS

#endif /* LOWFAT_H */

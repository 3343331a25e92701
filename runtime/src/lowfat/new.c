/* new.c - C++ operators new and delete, in C, so that the library needs no C++ run time of its own.
 *
 * The symbols are the Itanium ABI's mangled names.  When memory is out, the new-handler is called as the standard says,
 * then std::bad_alloc is thrown by the C++ run time's own function, which is there whenever a C++ program is. */
#ifndef LOWFAT_NO_INTERPOSE
#include "internal.h"

#include <stdlib.h>

typedef void new_handler(void);
extern new_handler *get_new_handler(void) __asm__("_ZSt15get_new_handlerv") __attribute__((weak));
extern void throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv") __attribute__((weak));

struct nothrow;

static void *allocate(size_t size, size_t alignment) {
    return alignment <= 16 ? lowfat_malloc(size) : lowfat_aligned_alloc(alignment, size);
}

COLD static void *retry(size_t size, size_t alignment, bool throwing) {
    void *p = NULL;
    while (p == NULL) {
        new_handler *handler = get_new_handler ? get_new_handler() : NULL;
        if (handler == NULL) {
            if (!throwing)
                return NULL;
            if (throw_bad_alloc)
                throw_bad_alloc();
            abort();
        }
        handler();
        p = allocate(size, alignment);
    }
    return p;
}

static inline void *new_aligned(size_t size, size_t alignment, bool throwing) {
    void *p = allocate(size, alignment);
    return LIKELY(p != NULL) ? p : retry(size, alignment, throwing);
}
static inline void *new_plain(size_t size, bool throwing) {
    void *p = lowfat_malloc(size);
    return LIKELY(p != NULL) ? p : retry(size, 16, throwing);
}

#define OPERATOR(result, c_name, mangled, ...) \
    LOWFAT_API result c_name(__VA_ARGS__) __asm__(mangled); \
    LOWFAT_API result c_name(__VA_ARGS__)

OPERATOR(void *, lowfat_new, "_Znwm", size_t n) { return new_plain(n, true); }
OPERATOR(void *, lowfat_new_array, "_Znam", size_t n) { return new_plain(n, true); }
OPERATOR(void *, lowfat_new_aligned, "_ZnwmSt11align_val_t", size_t n, size_t a) { return new_aligned(n, a, true); }
OPERATOR(void *, lowfat_new_array_aligned, "_ZnamSt11align_val_t", size_t n, size_t a) {
    return new_aligned(n, a, true);
}

/* A nothrow form answers null when the handler throws; C cannot catch, so no handler is called here beyond none. */
static inline void *new_nothrow(size_t n, size_t a) {
    void *p = allocate(n, a);
    return LIKELY(p != NULL) ? p : retry(n, a, false);
}
OPERATOR(void *, lowfat_new_nothrow, "_ZnwmRKSt9nothrow_t", size_t n, const struct nothrow *t) {
    (void)t;
    return new_nothrow(n, 16);
}
OPERATOR(void *, lowfat_new_array_nothrow, "_ZnamRKSt9nothrow_t", size_t n, const struct nothrow *t) {
    (void)t;
    return new_nothrow(n, 16);
}
OPERATOR(void *, lowfat_new_aligned_nothrow, "_ZnwmSt11align_val_tRKSt9nothrow_t", size_t n, size_t a,
         const struct nothrow *t) {
    (void)t;
    return new_nothrow(n, a);
}
OPERATOR(void *, lowfat_new_array_aligned_nothrow, "_ZnamSt11align_val_tRKSt9nothrow_t", size_t n, size_t a,
         const struct nothrow *t) {
    (void)t;
    return new_nothrow(n, a);
}

#define DELETE(c_name, mangled) \
    OPERATOR(void, c_name, mangled, void *p) { lowfat_free(p); }
#define DELETE_SIZED(c_name, mangled) \
    OPERATOR(void, c_name, mangled, void *p, size_t n) { lowfat_free_sized(p, n); }
#define DELETE_ALIGNED(c_name, mangled) \
    OPERATOR(void, c_name, mangled, void *p, size_t a) { lowfat_free_aligned_sized(p, a, 0); }
#define DELETE_BOTH(c_name, mangled) \
    OPERATOR(void, c_name, mangled, void *p, size_t n, size_t a) { lowfat_free_aligned_sized(p, a, n); }
#define DELETE_NOTHROW(c_name, mangled)                                                   \
    OPERATOR(void, c_name, mangled, void *p, const struct nothrow *t) {                   \
        (void)t;                                                                          \
        lowfat_free(p);                                                                   \
    }
#define DELETE_ALIGNED_NOTHROW(c_name, mangled)                                           \
    OPERATOR(void, c_name, mangled, void *p, size_t a, const struct nothrow *t) {         \
        (void)t;                                                                          \
        lowfat_free_aligned_sized(p, a, 0);                                               \
    }

DELETE(lowfat_delete, "_ZdlPv")
DELETE(lowfat_delete_array, "_ZdaPv")
DELETE_SIZED(lowfat_delete_sized, "_ZdlPvm")
DELETE_SIZED(lowfat_delete_array_sized, "_ZdaPvm")
DELETE_ALIGNED(lowfat_delete_aligned, "_ZdlPvSt11align_val_t")
DELETE_ALIGNED(lowfat_delete_array_aligned, "_ZdaPvSt11align_val_t")
DELETE_BOTH(lowfat_delete_sized_aligned, "_ZdlPvmSt11align_val_t")
DELETE_BOTH(lowfat_delete_array_sized_aligned, "_ZdaPvmSt11align_val_t")
DELETE_NOTHROW(lowfat_delete_nothrow, "_ZdlPvRKSt9nothrow_t")
DELETE_NOTHROW(lowfat_delete_array_nothrow, "_ZdaPvRKSt9nothrow_t")
DELETE_ALIGNED_NOTHROW(lowfat_delete_aligned_nothrow, "_ZdlPvSt11align_val_tRKSt9nothrow_t")
DELETE_ALIGNED_NOTHROW(lowfat_delete_array_aligned_nothrow, "_ZdaPvSt11align_val_tRKSt9nothrow_t")
#endif

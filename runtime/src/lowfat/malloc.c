/* malloc.c - class I: allocation. The fast path is lowfat_malloc; free.c has its counterpart. */
#include "internal.h"

#include <errno.h>
#include <string.h>

COLD void *lowfat_out_of_memory(void) {
    errno = ENOMEM;
    return NULL;
}

/* A slot of a small class from the thread's window, filled when empty. */
static inline void *pop(struct lowfat_tcache *tc, unsigned c) {
    uint64_t *top = tc->top[c];
    slot_t slot = top[-1];
    if (UNLIKELY(slot == 0)) {
        if (!lowfat_tcache_refill(tc, c))
            return NULL;
        top = tc->top[c];
        slot = top[-1];
    }
    tc->top[c] = top - 1;
    STATE_SET(&lowfat_fast.state[c][slot], tc->tag);
    return (void *)(slot * lowfat_fast.size[c]);
}

/* An object of class c, or of a larger class when c is exhausted; null when memory is out. `requested` is what the
 * program asked for. */
NOINLINE void *lowfat_alloc_class(unsigned c, size_t requested) {
    struct lowfat_tcache *tc = lowfat_tcache_get();
    int saved = errno;
    for (; tc && c <= LOWFAT_SMALL_CLASSES; c++) {
        void *p = lowfat_options.hardened ? lowfat_harden_alloc(c, requested) : pop(tc, c);
        if (LIKELY(p != NULL)) {
            errno = saved;
            return p;
        }
    }
    bool zeroed;
    for (; c <= LOWFAT_CLASSES; c++) {
        void *p = lowfat_large_alloc(c, requested, &zeroed);
        if (p) {
            errno = saved;
            return p;
        }
    }
    return lowfat_out_of_memory();
}

/* Large, huge, and everything in plain mode. */
static void *alloc_large(size_t size, bool *zeroed) {
    *zeroed = false;
    if (UNLIKELY(size > PTRDIFF_MAX))
        return lowfat_out_of_memory();
    if (UNLIKELY(lowfat_mode_ == LOWFAT_MODE_PLAIN)) {
        *zeroed = false;
        return lowfat_plain_alloc(size, 16);
    }
    int saved = errno;
    for (unsigned c = lowfat_class_of_size(size + lowfat_options.past_end); c <= LOWFAT_CLASSES; c++) {
        void *p = lowfat_large_alloc(c, size, zeroed);
        if (p) {
            errno = saved;
            return p;
        }
    }
    *zeroed = true;
    return lowfat_huge_alloc(size, 1);
}

static void *try_alloc(size_t size, bool *zeroed) {
    *zeroed = false;
    if (size <= (size_t)LOWFAT_SMALL_MAX - lowfat_options.past_end && LIKELY(lowfat_mode_ != LOWFAT_MODE_PLAIN))
        return lowfat_alloc_class(lowfat_class_of_size(size + lowfat_options.past_end), size);
    return alloc_large(size, zeroed);
}

/* When memory is out, what is free but still mapped is given back first. */
COLD static void *last_resort(size_t size, bool *zeroed) {
    return lowfat_trim() > 0 ? try_alloc(size, zeroed) : NULL;
}

_Atomic uint64_t lowfat_growth_limit = UINT64_MAX;
void (*lowfat_on_growth)(void);

static void *alloc_slow(size_t size, bool *zeroed) {
    lowfat_ensure();
    if (UNLIKELY(atomic_load_explicit(&lowfat_used_bytes, memory_order_relaxed) >
                 atomic_load_explicit(&lowfat_growth_limit, memory_order_relaxed)))
        lowfat_on_growth();
    void *p = try_alloc(size, zeroed);
    return LIKELY(p != NULL) || size > PTRDIFF_MAX ? p : last_resort(size, zeroed);
}

NOINLINE void *lowfat_malloc_slow(size_t size) {
    bool zeroed;
    return alloc_slow(size, &zeroed);
}

/* Section 3.1.  Table, window, state byte: see struct lowfat_tls for why one test suffices. */
LOWFAT_API void *lowfat_malloc(size_t size) LOWFAT_NOEXCEPT_ {
    if (UNLIKELY(size > LOWFAT_TABLE_MAX))
        return lowfat_malloc_slow(size);
    size_t c = lowfat_fast.class_of_16[(size + LOWFAT_UNIT - 1) / LOWFAT_UNIT];
    lowfat_tls_here *here = lowfat_here();
    uint64_t *top = here->top[c];
    slot_t slot = top[-1];
    if (UNLIKELY(slot == 0))
        return lowfat_malloc_slow(size);
    uintptr_t address = slot * lowfat_fast.size[c];
    __asm__("" : "+r"(address)); /* multiplied early: the caller waits for it, nobody for the stores */
    STATE_SET(&lowfat_fast.state[c][slot], here->tag);
    here->top[c] = top - 1;
    return (void *)address;
}

LOWFAT_API void *lowfat_calloc(size_t count, size_t size) LOWFAT_NOEXCEPT_ {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return lowfat_out_of_memory();
    if (total <= LOWFAT_TABLE_MAX) {
        void *p = lowfat_malloc(total);
        return LIKELY(p != NULL) ? memset(p, 0, total) : NULL;
    }
    bool zeroed;
    void *p = alloc_slow(total, &zeroed);
    if (p && !zeroed)
        memset(p, 0, total);
    return p;
}

/* ---- alignment ---- */

/* Slots lie at multiples of their size, so a class serves an alignment exactly when that divides its size; the pointer
 * is the base of its slot like any other. */
static void *try_aligned(size_t alignment, size_t size) {
    if (UNLIKELY(lowfat_mode_ == LOWFAT_MODE_PLAIN))
        return lowfat_plain_alloc(size, alignment);
    if (alignment <= 16)
        return lowfat_malloc(size);
    bool zeroed;
    for (unsigned c = lowfat_class_of_size(size + lowfat_options.past_end); c <= LOWFAT_CLASSES; c++) {
        if (lowfat_central[c].size % alignment != 0)
            continue;
        if (c > LOWFAT_SMALL_CLASSES) {
            void *p = lowfat_large_alloc(c, size, &zeroed);
            if (p)
                return p;
            continue;
        }
        struct lowfat_tcache *tc = lowfat_tcache_get();
        void *p = tc == NULL ? NULL : lowfat_options.hardened ? lowfat_harden_alloc(c, size) : pop(tc, c);
        if (p)
            return p;
    }
    return lowfat_huge_alloc(size, alignment);
}

static void *alloc_aligned(size_t alignment, size_t size) {
    lowfat_ensure();
    if (UNLIKELY(size > PTRDIFF_MAX || alignment > LOWFAT_HUGE_MAX))
        return lowfat_out_of_memory();
    void *p = try_aligned(alignment, size);
    return LIKELY(p != NULL) || lowfat_trim() == 0 ? p : try_aligned(alignment, size);
}

static bool power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

LOWFAT_API int lowfat_posix_memalign(void **out, size_t alignment, size_t size) LOWFAT_NOEXCEPT_ {
    if (!power_of_two(alignment) || alignment % sizeof(void *) != 0)
        return EINVAL;
    int saved = errno;
    void *p = alloc_aligned(alignment, size);
    errno = saved;
    if (p == NULL)
        return ENOMEM;
    *out = p;
    return 0;
}

/* C17 as amended: any size is allowed, an alignment that is none is an error. */
LOWFAT_API void *lowfat_aligned_alloc(size_t alignment, size_t size) LOWFAT_NOEXCEPT_ {
    if (UNLIKELY(!power_of_two(alignment))) {
        errno = EINVAL;
        return NULL;
    }
    return alloc_aligned(alignment, size);
}

/* The traditional one rounds odd alignments up to a power of two, as glibc does. */
LOWFAT_API void *lowfat_memalign(size_t alignment, size_t size) LOWFAT_NOEXCEPT_ {
    if (!power_of_two(alignment)) {
        if (alignment > LOWFAT_HUGE_MAX) {
            errno = EINVAL;
            return NULL;
        }
        size_t up = 16;
        while (up < alignment)
            up *= 2;
        alignment = up;
    }
    return alloc_aligned(alignment, size);
}

LOWFAT_API void *lowfat_valloc(size_t size) LOWFAT_NOEXCEPT_ { return alloc_aligned(LOWFAT_PAGE, size); }

LOWFAT_API void *lowfat_pvalloc(size_t size) LOWFAT_NOEXCEPT_ {
    if (size > PTRDIFF_MAX)
        return lowfat_out_of_memory();
    return alloc_aligned(LOWFAT_PAGE, size == 0 ? LOWFAT_PAGE : lowfat_round_up(size, LOWFAT_PAGE));
}

static char *duplicate(const char *s, size_t length) {
    char *copy = lowfat_malloc(length + 1);
    if (copy) {
        memcpy(copy, s, length);
        copy[length] = '\0';
    }
    return copy;
}

LOWFAT_API char *lowfat_strdup(const char *s) LOWFAT_NOEXCEPT_ { return duplicate(s, strlen(s)); }

LOWFAT_API char *lowfat_strndup(const char *s, size_t n) LOWFAT_NOEXCEPT_ { return duplicate(s, strnlen(s, n)); }

#ifdef LOWFAT_OF_CYCLONE
__attribute__((alias("lowfat_malloc"))) void *cyc_unique_get(size_t size);
#endif

#ifndef LOWFAT_NO_INTERPOSE
#define ALIAS(name) LOWFAT_API __attribute__((alias("lowfat_" #name)))
ALIAS(malloc) void *malloc(size_t size);
ALIAS(calloc) void *calloc(size_t count, size_t size);
ALIAS(posix_memalign) int posix_memalign(void **out, size_t alignment, size_t size);
ALIAS(aligned_alloc) void *aligned_alloc(size_t alignment, size_t size);
ALIAS(memalign) void *memalign(size_t alignment, size_t size);
ALIAS(valloc) void *valloc(size_t size);
ALIAS(pvalloc) void *pvalloc(size_t size);
#endif

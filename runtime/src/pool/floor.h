/* floor.h - what pools stand on: memory, locks, reports; liblowfat's, or, where a sanitizer has to see the heap
 * (CYC_HEAP_LIBC, as in cyc_heap.h), the C library's. */
#ifndef LOWFAT_POOL_FLOOR_H
#define LOWFAT_POOL_FLOOR_H

#if defined CYC_HEAP_LIBC
#include <lowfat.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef pthread_mutex_t pool_lock;
static inline void pool_lock_init(pool_lock *lock) { pthread_mutex_init(lock, 0); }
static inline void pool_acquire(pool_lock *lock) { pthread_mutex_lock(lock); }
static inline void pool_release(pool_lock *lock) { pthread_mutex_unlock(lock); }

static inline void *floor_take(size_t bytes) {
    void *memory = 0;
    return posix_memalign(&memory, 64, bytes) ? 0 : memory;
}
static inline void floor_give(void *memory) { free(memory); }
static inline void floor_report(enum lowfat_error error, const char *operation, const volatile void *ptr) {
    fprintf(stderr, "lowfat: %s(%p): misuse of a pool (error %d)\n", operation, (void *)ptr, (int)error);
    abort();
}
#else
#include "../lowfat/internal.h"

typedef lowfat_lock pool_lock;
static inline void pool_lock_init(pool_lock *lock) { *lock = (pool_lock){0}; }
static inline void pool_acquire(pool_lock *lock) { lowfat_acquire(lock); }
static inline void pool_release(pool_lock *lock) { lowfat_release(lock); }

static inline void *floor_take(size_t bytes) { return lowfat_aligned_alloc(64, bytes); }
static inline void floor_give(void *memory) { lowfat_free(memory); }
static inline void floor_report(enum lowfat_error error, const char *operation, const volatile void *ptr) {
    lowfat_report(error, operation, ptr);
}
#endif

/* AddressSanitizer is told which bytes are objects. */
#if defined __SANITIZE_ADDRESS__
#define POOL_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define POOL_ASAN 1
#endif
#endif
#ifdef POOL_ASAN
void __asan_poison_memory_region(void const volatile *, size_t);
void __asan_unpoison_memory_region(void const volatile *, size_t);
#define POOL_CLOSE(p, n) __asan_poison_memory_region(p, n)
#define POOL_OPEN(p, n) __asan_unpoison_memory_region(p, n)
#else
#define POOL_CLOSE(p, n) ((void)0)
#define POOL_OPEN(p, n) ((void)0)
#endif
/* For the pool's own hands on what is closed to the program. */
#define POOL_RAW __attribute__((no_sanitize_address))

#endif

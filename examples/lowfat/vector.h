/* Low-fat vectors (Duck and Yap, section 4.5): a growable array that is one pointer.
 *
 * The pointer is where the next item goes. Its object's base is the data, its offset the
 * length, its size the capacity; so a vector of n words takes n words and one pointer where
 * the usual structure takes three words more.
 *
 * Invariant: the pointer lies inside its slot, never one past the end (which would be the
 * next slot). A push that fills the slot therefore moves the items to the next one at once.
 */
#ifndef LOWFAT_VECTOR_H
#define LOWFAT_VECTOR_H

#include <lowfat.h>
#include <string.h>

typedef uint64_t item;
typedef item *vector;

enum { VECTOR_FIRST_BYTES = 32 };

/* An empty vector; NULL with errno ENOMEM when there is no memory. */
static inline vector vector_new(void) { return (vector)lowfat_malloc(VECTOR_FIRST_BYTES); }

static inline item *vector_data(vector v) { return (item *)lowfat_base(v); }
static inline size_t vector_length(vector v) { return lowfat_offset(v) / sizeof(item); }
static inline size_t vector_capacity(vector v) { return lowfat_size(v) / sizeof(item); }

/* Frees the vector; NULL is fine. */
static inline void vector_free(vector v) {
    if (v) lowfat_free(vector_data(v));
}

/* The items of a full slot in one of twice the size; `v` points at the last item. */
__attribute__((noinline, unused)) static int vector_grow_(vector *v) {
    size_t bytes = lowfat_size(*v);
    char *moved = (char *)lowfat_realloc(vector_data(*v), 2 * bytes);
    if (!moved) return -1;
    *v = (vector)(void *)(moved + bytes);
    return 0;
}

/* Appends x. 0, or -1 with errno ENOMEM: the vector is then as it was. */
static inline int vector_push(vector *v, item x) {
    **v = x;
    if (__builtin_expect(lowfat_usable_size(*v) == sizeof(item), 0)) return vector_grow_(v);
    ++*v;
    return 0;
}

/* Removes the last item of a vector that is not empty and returns it. */
static inline item vector_pop(vector *v) { return *--*v; }

/* Item number i, which must be below the length. */
static inline item vector_get(vector v, size_t i) { return vector_data(v)[i]; }
static inline void vector_set(vector v, size_t i, item x) { vector_data(v)[i] = x; }

/* Capacities are powers of two (VECTOR_FIRST_BYTES doubled), so the base of a vector can also be had
 * by a mask instead of a multiplication: the paper's "LowFat Pow2". */
static inline item *vector_data_pow2(vector v) { return (item *)((uintptr_t)v & -(uintptr_t)lowfat_size(v)); }

static inline int vector_push_pow2(vector *v, item x) {
    **v = x;
    if (__builtin_expect((((uintptr_t)(*v + 1)) & (lowfat_size(*v) - 1)) == 0, 0)) return vector_grow_(v);
    ++*v;
    return 0;
}

#endif

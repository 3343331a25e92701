/* lowfat_pool.h - scoped pools: a region of fixed size with its own malloc and free.
 *
 * After Patil, Mehta, Chavan and Florentino, "malloc() & free() in Scoped Memory" (2015). A pool is created with the bytes it
 * may ever use; objects and arrays come and go in it, and what was not freed goes with the pool.  Whoever needs bounded time
 * (a thread that may not wait for a collector) gets it: `malloc` and `free` of an object take a number of steps that is the
 * same for every pool and every history (the proof is in src/pool/pool.h), arrays as many as they have blocks of 64 bytes.
 *
 *     struct lowfat_pool *pool = lowfat_pool_create(1 << 20, 0, 0);     // 1 MiB for malloc and free
 *     struct node *n = lowfat_pool_malloc(pool, sizeof *n);
 *     lowfat_pool_free(pool, n);
 *     lowfat_pool_destroy(pool);                                        // and everything in it
 *
 * The memory of a pool has two parts, as in the paper: the *unmanaged* one, for malloc, free and arrays; and the *plain* one,
 * from which lowfat_pool_new takes objects that only go with the pool.  Either may be empty.
 *
 * Several threads may use a pool at once, unless it was created with LOWFAT_POOL_PRIVATE, which saves the lock.  The lock is
 * held for a bounded number of steps.  A child of fork(2) uses no pool that other threads of its parent were using.
 *
 * Errors.  A request that cannot be met returns null and changes nothing; errno says why: ENOMEM, there is no room; EINVAL,
 * the request makes no sense (a null pool, or a size above PTRDIFF_MAX, which is what a negative number becomes).  A misuse
 * of lowfat_pool_free is reported like one of lowfat_free (lowfat.h, "Errors"); so are free blocks that were written to,
 * after which the process ends even if a handler returns.
 */
#ifndef LOWFAT_POOL_H
#define LOWFAT_POOL_H

#include <lowfat.h>

LOWFAT_BEGIN_DECLS

struct lowfat_pool;

/* ---------------------------------------------------------------------------------------------
 * Pools
 * ------------------------------------------------------------------------------------------- */

/* Memory for objects above 32 bytes and arrays is given in blocks of this many bytes. */
#define LOWFAT_POOL_BLOCK ((size_t)64)
/* No pool has more bytes of unmanaged memory. */
#define LOWFAT_POOL_MOST ((size_t)1 << 36)
/* Pools are nested at most this deep. */
#define LOWFAT_POOL_DEPTH 64

enum lowfat_pool_flag {
    LOWFAT_POOL_PRIVATE = 1 /* used by one thread at a time: no lock */
};

/* A pool of `unmanaged` bytes (rounded up to blocks) and `plain` bytes (rounded up to 16), which come from liblowfat. */
LOWFAT_API struct lowfat_pool *lowfat_pool_create(size_t unmanaged, size_t plain, unsigned flags) LOWFAT_NOEXCEPT_
    __attribute__((warn_unused_result));

/* The bytes that such a pool needs in all; 0 if there is no such pool. */
LOWFAT_API size_t lowfat_pool_bytes(size_t unmanaged, size_t plain) LOWFAT_NOEXCEPT_;

/* A pool in a buffer of the caller's, of `bytes` bytes at a multiple of 64 (else EINVAL), of which what is left is plain.
 * ENOMEM if lowfat_pool_bytes(unmanaged, 0) is more.  The buffer is the pool's until it is destroyed. */
LOWFAT_API struct lowfat_pool *lowfat_pool_create_at(void *buffer, size_t bytes, size_t unmanaged, unsigned flags)
    LOWFAT_NOEXCEPT_ __attribute__((warn_unused_result));

/* A pool inside another one, from whose unmanaged memory it comes.  EINVAL beyond LOWFAT_POOL_DEPTH. */
LOWFAT_API struct lowfat_pool *lowfat_pool_create_in(struct lowfat_pool *outer, size_t unmanaged, size_t plain, unsigned flags)
    LOWFAT_NOEXCEPT_ __attribute__((warn_unused_result));

/* Ends the pool with everything in it, pools inside it too; null is nothing to do.  Nobody may be using it. */
LOWFAT_API void lowfat_pool_destroy(struct lowfat_pool *pool) LOWFAT_NOEXCEPT_;

/* Bytes of the pool's memory that are no longer to be had for lowfat_pool_new: its own tables, all unmanaged memory, and what
 * lowfat_pool_new gave away (`consumed` of the paper). */
LOWFAT_API size_t lowfat_pool_consumed(struct lowfat_pool *pool) LOWFAT_NOEXCEPT_;
/* Bytes of unmanaged memory in use, whole blocks (`consumedUnmanaged` of the paper). 0 when everything was freed. */
LOWFAT_API size_t lowfat_pool_consumed_unmanaged(struct lowfat_pool *pool) LOWFAT_NOEXCEPT_;
/* Bytes of unmanaged memory. */
LOWFAT_API size_t lowfat_pool_unmanaged(const struct lowfat_pool *pool) LOWFAT_NOEXCEPT_;

/* ---------------------------------------------------------------------------------------------
 * Nesting.  An object may hold a pointer to another one if that lives at least as long: if it lies in the same pool, or in
 * one around it.
 * ------------------------------------------------------------------------------------------- */

/* The pool around it, or null. */
LOWFAT_API struct lowfat_pool *lowfat_pool_outer(const struct lowfat_pool *pool) LOWFAT_NOEXCEPT_;
/* The innermost pool, `pool` or one inside it, whose memory `ptr` points into; null if there is none. */
LOWFAT_API struct lowfat_pool *lowfat_pool_find(struct lowfat_pool *pool, const volatile void *ptr) LOWFAT_NOEXCEPT_;
/* True when objects of `from` may hold pointers to objects of `to`: the one is, or lies in, the other. */
LOWFAT_API int lowfat_pool_may_refer(const struct lowfat_pool *from, const struct lowfat_pool *to) LOWFAT_NOEXCEPT_;

/* ---------------------------------------------------------------------------------------------
 * Objects.  Up to 8 bytes they are aligned to 8, up to 16 to 16, up to 32 to 32, above that to 64.  No bytes still make an
 * object.
 *
 * Up to 4 KiB a request is met if any run of free blocks is long enough. Above that it may miss a run that is less than one
 * eighth longer than it has to be, if there are more than eight of nearly that length: the price of not searching.
 * ------------------------------------------------------------------------------------------- */

/* `size` bytes of unspecified contents. */
LOWFAT_API void *lowfat_pool_malloc(struct lowfat_pool *pool, size_t size) LOWFAT_NOEXCEPT_
    __attribute__((malloc, warn_unused_result, alloc_size(2)));
/* `count * size` bytes, zero. */
LOWFAT_API void *lowfat_pool_calloc(struct lowfat_pool *pool, size_t count, size_t size) LOWFAT_NOEXCEPT_
    __attribute__((malloc, warn_unused_result, alloc_size(2, 3)));
/* Takes an object back, or an array; null is nothing to do. */
LOWFAT_API void lowfat_pool_free(struct lowfat_pool *pool, void *ptr) LOWFAT_NOEXCEPT_;
/* Bytes of the object at `ptr` that may be used; 0 if that is no object of the pool. */
LOWFAT_API size_t lowfat_pool_usable_size(struct lowfat_pool *pool, const void *ptr) LOWFAT_NOEXCEPT_;
/* `size` bytes of plain memory, at a multiple of 16. */
LOWFAT_API void *lowfat_pool_new(struct lowfat_pool *pool, size_t size) LOWFAT_NOEXCEPT_
    __attribute__((malloc, warn_unused_result, alloc_size(2)));

/* ---------------------------------------------------------------------------------------------
 * Arrays that do not mind fragmentation
 *
 * An array whose elements find room behind its header is one object. Where no run of free blocks is long enough it
 * is an arraylet: its elements lie in chunks of one block each, wherever blocks are free, and the spine has the block numbers
 * of the chunks, four bytes each. If there is not even a run for the spine, that is made of blocks as well, and so on, up to a
 * table of one block. So an array of elements of at most 64 bytes fails only when the blocks that are free, however they
 * lie, are too few.  Any element is found in a bounded number of loads: none beside the header, one, or at most eight.
 *
 * Elements are addressed by their number; each access checks that there is an array, that it has this element, and that its
 * elements have the size of the type that is asked for. A loop goes faster over spans, elements that lie side by side:
 *
 *     LOWFAT_POOL_SPANS(double, p, n, array, 0, count)
 *         for (size_t i = 0; i < n; i++) sum += p[i];
 *
 * A loop that needs elements in another order goes faster with a view, a local variable that the compiler keeps in registers.
 * Array and element size are checked once, when the view is made; then an access is one comparison, and base + index where the
 * elements lie in one piece. Elements at equal distances, a column of a matrix say, come without a comparison each:
 *
 *     struct lowfat_pool_view view = LOWFAT_POOL_VIEW(double, array);
 *     *LOWFAT_POOL_IN(double, &view, i) = 1.0;
 *     LOWFAT_POOL_STRIDED(double, p, n, &view, column, width, height)
 *         for (size_t i = 0; i < n; i++) sum += p[i * width];
 * ------------------------------------------------------------------------------------------- */

/* Read only, and only by the functions below. Invariant: with 0 levels element i is at base + i * size; else it is element
 * i % per of chunk i / per, where per = 64 / size, and chunk c is block n of the pool, at base + 64 * n, where n is entry c of
 * the spine: with 1 level that is top[c]; with more, spine and tables are cut into blocks of 16 entries, and `top` has
 * the numbers of the uppermost of these. */
struct lowfat_pool_array {
    char *base;
    uint32_t *top;
    size_t count;
    size_t shape; /* size + (levels << 32), so that one comparison tells the right size and no levels */
};

/* `count` elements of `size` bytes, of unspecified contents, or zero.  EINVAL when `size` is 0. Elements of more than 64 bytes
 * must find a run; none has 2^32 bytes or more. */
LOWFAT_API struct lowfat_pool_array *lowfat_pool_array_new(struct lowfat_pool *pool, size_t count, size_t size)
    LOWFAT_NOEXCEPT_ __attribute__((warn_unused_result));
LOWFAT_API struct lowfat_pool_array *lowfat_pool_array_new_zero(struct lowfat_pool *pool, size_t count, size_t size)
    LOWFAT_NOEXCEPT_ __attribute__((warn_unused_result));
/* The same as lowfat_pool_free; anything but an array of the pool is reported. */
LOWFAT_API void lowfat_pool_array_free(struct lowfat_pool *pool, struct lowfat_pool_array *array) LOWFAT_NOEXCEPT_;

/* Sets errno: EINVAL for no array or another element size, ERANGE for an index out of bounds. */
LOWFAT_API void lowfat_pool_array_fault_(const struct lowfat_pool_array *array, size_t index, size_t size)
    LOWFAT_NOEXCEPT_ __attribute__((cold));
/* The block number of a chunk when there are two levels or more. */
LOWFAT_API uint32_t lowfat_pool_array_block_(const struct lowfat_pool_array *array, size_t chunk) LOWFAT_NOEXCEPT_
    __attribute__((pure));

/* The same as lowfat_pool_array_at, out of the way of loops; of a chunked array the element is `offset` bytes into that chunk. */
LOWFAT_API void *lowfat_pool_array_far_(const struct lowfat_pool_array *array, size_t index, size_t size, size_t chunk,
                                        size_t offset) LOWFAT_NOEXCEPT_;

/* Number of elements; 0 of null. */
LOWFAT_INLINE size_t lowfat_pool_array_count(const struct lowfat_pool_array *array) { return array ? array->count : 0; }

/* Bytes of an element. */
LOWFAT_INLINE size_t lowfat_pool_array_size(const struct lowfat_pool_array *array) { return (uint32_t)array->shape; }
/* Loads on the way to an element, beside the header; 0 when the elements lie in one piece. */
LOWFAT_INLINE unsigned lowfat_pool_array_levels(const struct lowfat_pool_array *array) { return (unsigned)(array->shape >> 32); }

/* Elements of a chunk. (Larger elements never lie in chunks.) */
LOWFAT_INLINE size_t lowfat_pool_array_per_(size_t size) { return size <= LOWFAT_POOL_BLOCK ? LOWFAT_POOL_BLOCK / size : 1; }

LOWFAT_INLINE char *lowfat_pool_array_chunk_(const struct lowfat_pool_array *array, size_t chunk) {
    uint32_t block = __builtin_expect(lowfat_pool_array_levels(array) == 1, 1) ? array->top[chunk] : lowfat_pool_array_block_(array, chunk);
    return array->base + (size_t)block * LOWFAT_POOL_BLOCK;
}

/* Where element `index` is, which exists and has `size` bytes. */
LOWFAT_INLINE void *lowfat_pool_array_locate_(const struct lowfat_pool_array *array, size_t index, size_t size) {
    if (__builtin_expect(array->shape == size, 1))
        return array->base + index * size;
    size_t per = lowfat_pool_array_per_(size);
    return lowfat_pool_array_chunk_(array, index / per) + index % per * size;
}

LOWFAT_INLINE int lowfat_pool_array_has_(const struct lowfat_pool_array *array, size_t index, size_t size) {
    return __builtin_expect(array && index < array->count && size == (uint32_t)array->shape, 1);
}

/* The address of an element, good as long as the array is; null and errno as above. */
LOWFAT_INLINE void *lowfat_pool_array_at(const struct lowfat_pool_array *array, size_t index, size_t size) {
    if (__builtin_expect(array && index < array->count && size == array->shape, 1))
        return array->base + index * size;
    if (lowfat_pool_array_has_(array, index, size))
        return lowfat_pool_array_locate_(array, index, size);
    lowfat_pool_array_fault_(array, index, size);
    return 0; /* known to the compiler: a program that does not look at the result traps, and its loops stay simple */
}
#define LOWFAT_POOL_AT(type, array, index) ((type *)lowfat_pool_array_at((array), (size_t)(index), sizeof(type)))

/* How to reach the elements of an array, good as long as it is. Elements below `flat` are at base + i * size; of an array whose
 * spine is one piece, those below `chunked` are in chunks at base + 64 * top[i / per]; others are looked up by `array`. */
struct lowfat_pool_view {
    char *base;
    const uint32_t *top;
    size_t flat, chunked;
    const struct lowfat_pool_array *array;
};

/* Of no array, or one of elements of another size, a view of no elements. */
LOWFAT_INLINE struct lowfat_pool_view lowfat_pool_array_view(const struct lowfat_pool_array *array, size_t size) {
    struct lowfat_pool_view view = {0, 0, 0, 0, array};
    if (array && size == lowfat_pool_array_size(array)) {
        view.base = array->base;
        view.top = array->top;
        view.flat = lowfat_pool_array_levels(array) == 0 ? array->count : 0;
        view.chunked = lowfat_pool_array_levels(array) == 1 ? array->count : 0;
    }
    return view;
}
#define LOWFAT_POOL_VIEW(type, array) lowfat_pool_array_view((array), sizeof(type))

/* The address of an element of the size of which the view was made; null and errno as above. */
LOWFAT_INLINE void *lowfat_pool_view_at(const struct lowfat_pool_view *view, size_t index, size_t size) {
    if (__builtin_expect(index < view->flat, 1))
        return view->base + index * size;
    size_t per = lowfat_pool_array_per_(size);
    if (__builtin_expect(index < view->chunked, 1))
        return view->base + (size_t)view->top[index / per] * LOWFAT_POOL_BLOCK + index % per * size;
    return lowfat_pool_array_far_(view->array, index, size, index / per, index % per * size);
}
#define LOWFAT_POOL_IN(type, view, index) ((type *)lowfat_pool_view_at((view), (size_t)(index), sizeof(type)))

/* Copies an element out, or in.  0, or -1 and errno as above. */
LOWFAT_INLINE int lowfat_pool_array_get(const struct lowfat_pool_array *array, size_t index, void *out, size_t size) {
    if (!lowfat_pool_array_has_(array, index, size))
        return lowfat_pool_array_fault_(array, index, size), -1;
    __builtin_memcpy(out, lowfat_pool_array_locate_(array, index, size), size);
    return 0;
}
LOWFAT_INLINE int lowfat_pool_array_set(struct lowfat_pool_array *array, size_t index, const void *value, size_t size) {
    if (!lowfat_pool_array_has_(array, index, size))
        return lowfat_pool_array_fault_(array, index, size), -1;
    __builtin_memcpy(lowfat_pool_array_locate_(array, index, size), value, size);
    return 0;
}

/* The address of element `index`, and how many elements lie side by side from there on: at least 1 and at most `most`, which is
 * at least 1.  Null, no elements, and errno as above. */
LOWFAT_INLINE void *lowfat_pool_array_span(const struct lowfat_pool_array *array, size_t index, size_t most, size_t size,
                                           size_t *number) {
    *number = 0;
    if (!lowfat_pool_array_has_(array, index, size)) {
        lowfat_pool_array_fault_(array, index, size);
        return 0;
    }
    if (most > array->count - index)
        most = array->count - index;
    if (__builtin_expect(array->shape == size, 1)) {
        *number = most;
        return array->base + index * size;
    }
    size_t per = lowfat_pool_array_per_(size), chunk = index / per, found = per - index % per;
    char *at = lowfat_pool_array_chunk_(array, chunk), *next = at;
    if (size * per == LOWFAT_POOL_BLOCK && lowfat_pool_array_levels(array) == 1) /* chunks without padding may be neighbours in memory, too */
        while (found < most && lowfat_pool_array_chunk_(array, ++chunk) == (next += LOWFAT_POOL_BLOCK))
            found += per;
    *number = found < most ? found : most;
    return at + index % per * size;
}

/* A loop over the spans of elements [from, to): in its body `pointer` points to `number` elements; it may change both.  Ends
 * early if the elements do not exist. */
#define LOWFAT_POOL_SPANS(type, pointer, number, array, from, to)                                                         \
    for (size_t number = 0, lowfat_at_ = (from), lowfat_to_ = (to), lowfat_next_ = lowfat_at_; lowfat_at_ < lowfat_to_;  \
         lowfat_at_ = lowfat_to_)                                                                                         \
        for (type *pointer; lowfat_at_ < lowfat_to_ &&                                                                    \
                            (pointer = (type *)lowfat_pool_array_span((array), lowfat_at_, lowfat_to_ - lowfat_at_,       \
                                                                      sizeof(type), &number)) != 0 &&                     \
                            (lowfat_next_ = lowfat_at_ + number) != 0;                                                    \
             lowfat_at_ = lowfat_next_)

/* The address of element `index`, and how many of the elements index, index + step, index + 2 * step ... lie as far apart in
 * memory as `step` elements of one piece: at least 1 and at most `most`, which is at least 1.  Null, no elements, and errno
 * as above if there is no element `index`. */
LOWFAT_INLINE void *lowfat_pool_view_strided(const struct lowfat_pool_view *view, size_t index, size_t step, size_t most,
                                             size_t size, size_t *number) {
    size_t way;
    *number = most;
    if (__builtin_expect(index < view->flat && !__builtin_mul_overflow(most - 1, step, &way) && way < view->flat - index, 1)) {
        void *first = view->base + index * size;
        if (!first)
            __builtin_unreachable();
        return first;
    }
    if (step == 1)
        return lowfat_pool_array_span(view->array, index, most, size, number);
    void *at = lowfat_pool_view_at(view, index, size);
    *number = at != 0;
    if (at && index < view->flat) /* some of them are beyond the end */
        *number = (view->flat - 1 - index) / step + 1;
    return at;
}

/* A loop over the elements from, from + step ... of a view, `count` of them: in its body `pointer` points to the first of `number`
 * elements which are `step` elements apart; it may change both.  Ends early if the elements do not exist. */
#define LOWFAT_POOL_STRIDED(type, pointer, number, view, from, step, count)                                               \
    for (size_t number = 0, lowfat_at_ = (from), lowfat_step_ = (step), lowfat_left_ = (count), lowfat_got_ = 0;          \
         lowfat_left_ > 0; lowfat_left_ = 0)                                                                              \
        for (type *pointer; lowfat_left_ > 0 &&                                                                           \
                            (pointer = (type *)lowfat_pool_view_strided((view), lowfat_at_, lowfat_step_, lowfat_left_,   \
                                                                        sizeof(type), &number)) != 0 &&                   \
                            (lowfat_got_ = number) != 0;                                                                  \
             lowfat_at_ += lowfat_got_ * lowfat_step_, lowfat_left_ -= lowfat_got_)

LOWFAT_END_DECLS

#endif

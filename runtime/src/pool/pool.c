/* pool.c - pools: their making and end, nesting, objects. */
#include "pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- layout: the pool, its tables, the blocks, plain memory ---- */

struct layout {
    uint32_t blocks;
    size_t bins, edge, partial, state; /* offsets */
    size_t base;                       /* of block 0, and so the size of the tables */
    size_t plain;
};

static size_t align(size_t n, size_t to) { return (n + to - 1) & ~(to - 1); }

static struct layout layout_for(size_t unmanaged) {
    struct layout at = {.blocks = (uint32_t)blocks_for(unmanaged)};
    at.bins = sizeof(struct lowfat_pool);
    at.edge = align(at.bins + (at.blocks ? bin_of(at.blocks) + 1 : 0) * sizeof(uint32_t), 8);
    at.partial = at.edge + bits_words(at.blocks + 1) * sizeof(uint64_t);
    at.state = at.partial + CELL_SIZES * bits_words(at.blocks + 1) * sizeof(uint64_t);
    at.base = align(at.state + at.blocks * sizeof(uint16_t), BLOCK);
    at.plain = at.base + (size_t)at.blocks * BLOCK;
    return at;
}

LOWFAT_API size_t lowfat_pool_bytes(size_t unmanaged, size_t plain) LOWFAT_NOEXCEPT_ {
    if (unmanaged > LOWFAT_POOL_MOST || plain > PTRDIFF_MAX / 2)
        return 0;
    return layout_for(unmanaged).plain + align(plain, 16);
}

/* ---- making ---- */

static struct lowfat_pool *init(void *buffer, size_t bytes, size_t unmanaged, unsigned flags, struct lowfat_pool *outer) {
    struct layout at = layout_for(unmanaged);
    memset(buffer, 0, at.base);
    struct lowfat_pool *pool = buffer;
    char *start = buffer;
    pool_lock_init(&pool->lock);
    pool->private = flags & LOWFAT_POOL_PRIVATE;
    pool->outer = outer;
    pool->depth = (uint8_t)(outer ? outer->depth + 1 : 1);
    pool->base = start + at.base;
    pool->blocks = at.blocks;
    pool->state = (uint16_t *)(start + at.state);
    pool->bins = (uint32_t *)(start + at.bins);
    bits_init(&pool->edge, at.blocks + 1, (uint64_t *)(start + at.edge));
    uint64_t *words = (uint64_t *)(start + at.partial);
    for (unsigned index = 0; index < CELL_SIZES; index++) {
        words = bits_init(&pool->partial[index], at.blocks + 1, words);
        pool->current[index] = NO_BLOCK;
    }
    pool->plain = pool->plain_from = start + at.plain;
    pool->plain_end = start + align(bytes - 15, 16);
    runs_init(pool);
    POOL_CLOSE(pool->base, (size_t)(pool->plain_end - pool->base));
    return pool;
}

/* 0 when a pool of these sizes makes sense, else an errno. */
static int refusal(size_t unmanaged, size_t plain, unsigned flags) {
    if (unmanaged > PTRDIFF_MAX || plain > PTRDIFF_MAX || (flags & ~(unsigned)LOWFAT_POOL_PRIVATE))
        return EINVAL;
    return lowfat_pool_bytes(unmanaged, plain) == 0 ? ENOMEM : 0;
}

static void *fail(int error) {
    errno = error;
    return 0;
}

LOWFAT_API struct lowfat_pool *lowfat_pool_create(size_t unmanaged, size_t plain, unsigned flags) LOWFAT_NOEXCEPT_ {
    int error = refusal(unmanaged, plain, flags);
    if (error)
        return fail(error);
    size_t bytes = lowfat_pool_bytes(unmanaged, plain);
    void *memory = floor_take(bytes);
    if (!memory)
        return fail(ENOMEM);
    struct lowfat_pool *pool = init(memory, bytes, unmanaged, flags, 0);
    pool->memory = memory;
    return pool;
}

LOWFAT_API struct lowfat_pool *lowfat_pool_create_at(void *buffer, size_t bytes, size_t unmanaged, unsigned flags)
    LOWFAT_NOEXCEPT_ {
    int error = refusal(unmanaged, 0, flags);
    if (!buffer || (uintptr_t)buffer % BLOCK || bytes > PTRDIFF_MAX)
        error = EINVAL;
    else if (!error && lowfat_pool_bytes(unmanaged, 0) > bytes)
        error = ENOMEM;
    return error ? fail(error) : init(buffer, bytes, unmanaged, flags, 0);
}

LOWFAT_API struct lowfat_pool *lowfat_pool_create_in(struct lowfat_pool *outer, size_t unmanaged, size_t plain,
                                                     unsigned flags) LOWFAT_NOEXCEPT_ {
    int error = refusal(unmanaged, plain, flags);
    if (!outer || outer->depth >= LOWFAT_POOL_DEPTH)
        error = EINVAL;
    if (error)
        return fail(error);
    size_t bytes = lowfat_pool_bytes(unmanaged, plain), blocks = blocks_for(bytes);
    lock(outer);
    uint32_t run = blocks <= outer->blocks ? run_take(outer, (uint32_t)blocks, KIND_POOL) : NO_BLOCK;
    if (run != NO_BLOCK)
        outer->in_use += (uint32_t)blocks;
    unlock(outer);
    if (run == NO_BLOCK)
        return fail(ENOMEM);
    POOL_OPEN(address_of(outer, run), bytes);
    return init(address_of(outer, run), bytes, unmanaged, flags, outer);
}

LOWFAT_API void lowfat_pool_destroy(struct lowfat_pool *pool) LOWFAT_NOEXCEPT_ {
    if (!pool)
        return;
    struct lowfat_pool *outer = pool->outer;
    POOL_OPEN(pool, (size_t)(pool->plain_end - (char *)pool));
    if (pool->memory) {
        floor_give(pool->memory);
    } else if (outer) {
        POOL_CLOSE(pool, (size_t)(pool->plain_end - (char *)pool));
        lock(outer);
        run_free(outer, block_of(outer, pool));
        unlock(outer);
    }
}

/* ---- figures and nesting ---- */

LOWFAT_API size_t lowfat_pool_consumed(struct lowfat_pool *pool) LOWFAT_NOEXCEPT_ {
    lock(pool);
    size_t bytes = (size_t)(pool->plain - (char *)pool);
    unlock(pool);
    return bytes;
}

LOWFAT_API size_t lowfat_pool_consumed_unmanaged(struct lowfat_pool *pool) LOWFAT_NOEXCEPT_ {
    lock(pool);
    size_t bytes = (size_t)pool->in_use * BLOCK;
    unlock(pool);
    return bytes;
}

LOWFAT_API size_t lowfat_pool_unmanaged(const struct lowfat_pool *pool) LOWFAT_NOEXCEPT_ {
    return (size_t)pool->blocks * BLOCK;
}

LOWFAT_API struct lowfat_pool *lowfat_pool_outer(const struct lowfat_pool *pool) LOWFAT_NOEXCEPT_ { return pool->outer; }

LOWFAT_API int lowfat_pool_may_refer(const struct lowfat_pool *from, const struct lowfat_pool *to) LOWFAT_NOEXCEPT_ {
    while (from && from->depth > to->depth)
        from = from->outer;
    return from == to;
}

/* The pool inside `pool` that has `ptr`, or null. */
static struct lowfat_pool *inner_of(struct lowfat_pool *pool, const volatile void *ptr) {
    if (!is_inside(pool, ptr))
        return 0;
    lock(pool);
    uint32_t run = bits_prev(&pool->edge, block_of(pool, ptr));
    bool nested = kind_of(pool, run) == KIND_POOL;
    unlock(pool);
    struct lowfat_pool *inner = nested ? (struct lowfat_pool *)address_of(pool, run) : 0;
    return inner && (const volatile char *)ptr < inner->plain_end ? inner : 0;
}

LOWFAT_API struct lowfat_pool *lowfat_pool_find(struct lowfat_pool *pool, const volatile void *ptr) LOWFAT_NOEXCEPT_ {
    if (!pool || (uintptr_t)ptr - (uintptr_t)pool >= (uintptr_t)pool->plain_end - (uintptr_t)pool)
        return 0;
    for (struct lowfat_pool *inner; (inner = inner_of(pool, ptr)) != 0;)
        pool = inner;
    return pool;
}

/* ---- objects ---- */

LOWFAT_API void *lowfat_pool_malloc(struct lowfat_pool *pool, size_t size) LOWFAT_NOEXCEPT_ {
    if (UNLIKELY(!pool || size > PTRDIFF_MAX))
        return fail(EINVAL);
    void *object = 0;
    lock(pool);
    if (size <= CELL_MAX) {
        object = cell_take(pool, size);
    } else if (size <= (size_t)pool->blocks * BLOCK) {
        uint32_t blocks = (uint32_t)blocks_for(size);
        uint32_t run = blocks == 1 ? block_take(pool, KIND_OBJECT) : run_take(pool, blocks, KIND_OBJECT);
        if (run != NO_BLOCK) {
            pool->in_use += blocks;
            object = address_of(pool, run);
        }
    }
    unlock(pool);
    if (UNLIKELY(!object))
        return fail(ENOMEM);
    POOL_OPEN(object, size);
    return object;
}

LOWFAT_API void *lowfat_pool_calloc(struct lowfat_pool *pool, size_t count, size_t size) LOWFAT_NOEXCEPT_ {
    size_t bytes;
    if (count > PTRDIFF_MAX || size > PTRDIFF_MAX)
        return fail(EINVAL);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        return fail(ENOMEM);
    void *object = lowfat_pool_malloc(pool, bytes);
    return object ? memset(object, 0, bytes) : 0;
}

/* Ends what begins exactly at `ptr`; false when nothing does. */
static inline bool give(struct lowfat_pool *pool, void *ptr) {
    if (UNLIKELY(!is_inside(pool, ptr)))
        return false;
    uint32_t block = block_of(pool, ptr);
    enum kind kind = kind_of(pool, block);
    if (kind >= KIND_CELLS)
        return cell_free(pool, block, ptr);
    if (UNLIKELY((kind != KIND_OBJECT && kind != KIND_ARRAY) || ptr != address_of(pool, block)))
        return false;
    if (kind == KIND_ARRAY) {
        array_free(pool, block);
        return true;
    }
    uint32_t blocks = run_length(pool, block);
    POOL_CLOSE(ptr, (size_t)blocks * BLOCK);
    pool->in_use -= blocks;
    if (blocks == 1)
        block_give(pool, block);
    else
        run_give(pool, block, blocks);
    return true;
}

LOWFAT_API void lowfat_pool_free(struct lowfat_pool *pool, void *ptr) LOWFAT_NOEXCEPT_ {
    if (!ptr)
        return;
    if (UNLIKELY(!pool)) {
        floor_report(LOWFAT_ERROR_FOREIGN_FREE, "lowfat_pool_free", ptr);
        return;
    }
    lock(pool);
    bool done = give(pool, ptr);
    unlock(pool);
    if (UNLIKELY(!done))
        bad_free(pool, "lowfat_pool_free", ptr);
}

LOWFAT_API size_t lowfat_pool_usable_size(struct lowfat_pool *pool, const void *ptr) LOWFAT_NOEXCEPT_ {
    size_t bytes = 0;
    if (!ptr || !is_inside(pool, ptr))
        return 0;
    uint32_t block = block_of(pool, ptr);
    lock(pool);
    enum kind kind = kind_of(pool, block);
    if (kind >= KIND_CELLS && cell_is_used(pool, block, ptr))
        bytes = cell_size(pool, block);
    else if (kind == KIND_OBJECT && ptr == address_of(pool, block))
        bytes = (size_t)run_length(pool, block) * BLOCK;
    unlock(pool);
    return bytes;
}

LOWFAT_API void *lowfat_pool_new(struct lowfat_pool *pool, size_t size) LOWFAT_NOEXCEPT_ {
    if (!pool || size > PTRDIFF_MAX)
        return fail(EINVAL);
    size_t rounded = size ? align(size, 16) : 16;
    char *object = 0;
    lock(pool);
    if (rounded <= (size_t)(pool->plain_end - pool->plain)) {
        object = pool->plain;
        pool->plain += rounded;
    }
    unlock(pool);
    if (!object)
        return fail(ENOMEM);
    POOL_OPEN(object, size);
    return object;
}

/* ---- misuse ---- */

void bad_free(struct lowfat_pool *pool, const char *operation, const volatile void *ptr) {
    enum lowfat_error error = LOWFAT_ERROR_FOREIGN_FREE;
    if (is_inside(pool, ptr)) {
        lock(pool);
        uint32_t run = bits_prev(&pool->edge, block_of(pool, ptr));
        enum kind kind = kind_of(pool, run);
        bool is_cell = kind >= KIND_CELLS && ((uintptr_t)ptr & (cell_size(pool, run) - 1)) == 0;
        unlock(pool);
        error = kind == KIND_FREE || kind == KIND_KEPT || is_cell ? LOWFAT_ERROR_DOUBLE_FREE : LOWFAT_ERROR_INTERIOR_FREE;
    } else if ((uintptr_t)ptr - (uintptr_t)pool->plain_from < (uintptr_t)(pool->plain_end - pool->plain_from)) {
        error = LOWFAT_ERROR_UNALLOCATED_FREE; /* plain memory is not given back */
    }
    floor_report(error, operation, ptr);
}

_Noreturn void damaged(struct lowfat_pool *pool, uint32_t block) {
    floor_report(LOWFAT_ERROR_USE_AFTER_FREE, "lowfat_pool", block < pool->blocks ? address_of(pool, block) : pool->base);
    abort(); /* whatever a handler thinks of it: the lists are lost */
}

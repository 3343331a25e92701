/* array.c - arrays, in one run or scattered over chunks and tables of block numbers (lowfat_pool.h). */
#include "pool.h"

#include <errno.h>
#include <string.h>

enum {
    FANOUT = BLOCK / sizeof(uint32_t), /* entries of a table of one block */
    FANOUT_SHIFT = 4,
    ARRAY_LEVELS = 8, /* FANOUT^8 chunks are more than any pool has */
    BATCH = 64        /* runs that are taken or given back while the lock is held */
};

_Static_assert(FANOUT == 1 << FANOUT_SHIFT && (uint64_t)BLOCKS_MOST <= (uint64_t)1 << (FANOUT_SHIFT * ARRAY_LEVELS),
               "the tables reach every chunk");
_Static_assert(sizeof(struct lowfat_pool_array) == 32, "half a block is left for small arrays");

/* Entry `index` of all tables of a level: of level 1, the chunk's block; of one above, that of a table of the level below. */
static inline uint32_t *entry(const struct lowfat_pool_array *array, unsigned level, size_t index) {
    unsigned shift = FANOUT_SHIFT * (lowfat_pool_array_levels(array) - level);
    uint32_t *at = &array->top[index >> shift];
    while (shift > 0) {
        shift -= FANOUT_SHIFT;
        at = (uint32_t *)(array->base + (size_t)*at * BLOCK) + (index >> shift & (FANOUT - 1));
    }
    return at;
}

LOWFAT_API uint32_t lowfat_pool_array_block_(const struct lowfat_pool_array *array, size_t chunk) LOWFAT_NOEXCEPT_ {
    return *entry(array, 1, chunk);
}

LOWFAT_API void *lowfat_pool_array_far_(const struct lowfat_pool_array *array, size_t index, size_t size, size_t chunk,
                                        size_t offset) LOWFAT_NOEXCEPT_ {
    if (lowfat_pool_array_has_(array, index, size) && lowfat_pool_array_levels(array) > 0)
        return lowfat_pool_array_chunk_(array, chunk) + offset;
    return lowfat_pool_array_at(array, index, size);
}

LOWFAT_API void lowfat_pool_array_fault_(const struct lowfat_pool_array *array, size_t index, size_t size) LOWFAT_NOEXCEPT_ {
    errno = array && size == lowfat_pool_array_size(array) && index >= array->count ? ERANGE : EINVAL;
}

static size_t chunks_of(size_t count, size_t size) {
    size_t per = BLOCK / size;
    return count / per + (count % per != 0);
}

/* What the entries of a level stand for: level 1 chunks, level 2 tables of level 1 ... */
static size_t entries_of(size_t chunks, unsigned level) {
    for (unsigned here = 1; here < level; here++)
        chunks = (chunks + FANOUT - 1) >> FANOUT_SHIFT;
    return chunks;
}

/* ---- making ---- */

static struct lowfat_pool_array *in_one_run(struct lowfat_pool *pool, size_t count, size_t size) {
    size_t bytes = sizeof(struct lowfat_pool_array) + count * size, blocks = blocks_for(bytes);
    uint32_t run = blocks <= pool->blocks ? run_take(pool, (uint32_t)blocks, KIND_ARRAY) : NO_BLOCK;
    if (run == NO_BLOCK)
        return 0;
    pool->in_use += (uint32_t)blocks;
    struct lowfat_pool_array *array = (struct lowfat_pool_array *)address_of(pool, run);
    POOL_OPEN(array, bytes);
    *array = (struct lowfat_pool_array){.base = (char *)(array + 1), .count = count, .shape = size};
    return array;
}

/* A run of blocks that were promised. */
static uint32_t take_promised(struct lowfat_pool *pool, uint32_t most, enum kind kind, uint32_t *got) {
    pool->promised -= most;
    pool->available += most;
    uint32_t run = run_take_longest(pool, most, kind, got);
    pool->available -= most - *got;
    pool->promised += most - *got;
    POOL_OPEN(address_of(pool, run), (size_t)*got * BLOCK);
    return run;
}

/* Takes what the entries of a level stand for. */
static void fill_level(struct lowfat_pool *pool, struct lowfat_pool_array *array, unsigned level, size_t entries) {
    int batch = 0;
    for (size_t done = 0; done < entries;) {
        uint32_t got, run = take_promised(pool, (uint32_t)(entries - done), KIND_PIECE, &got);
        for (size_t room; got > 0; done += room, got -= (uint32_t)room, run += (uint32_t)room) {
            uint32_t *to = entry(array, level, done); /* as many as are in one table */
            room = level == lowfat_pool_array_levels(array) ? got : FANOUT - done % FANOUT;
            if (room > got)
                room = got;
            for (uint32_t i = 0; i < room; i++)
                to[i] = run + i;
        }
        if (++batch % BATCH == 0) {
            unlock(pool);
            lock(pool);
        }
    }
}

/* The array in chunks, with as few levels as there is a run for the uppermost table; null when the free blocks are too few. */
static struct lowfat_pool_array *in_chunks(struct lowfat_pool *pool, size_t count, size_t size) {
    size_t chunks = chunks_of(count, size), total = 1 + chunks, tables = chunks;
    uint32_t top = NO_BLOCK, got;
    unsigned levels = 0;
    do {
        levels++;
        tables = (tables + FANOUT - 1) >> FANOUT_SHIFT;
        total += tables;
        if (total > pool->available)
            cells_flush(pool);
        if (total > pool->available)
            return 0;
        top = run_take(pool, (uint32_t)tables, KIND_PIECE);
    } while (top == NO_BLOCK); /* ends: one block is to be had */
    POOL_OPEN(address_of(pool, top), tables * BLOCK);
    pool->in_use += (uint32_t)total;
    pool->available -= (uint32_t)(total - tables);
    pool->promised += (uint32_t)(total - tables);
    struct lowfat_pool_array *array =
        (struct lowfat_pool_array *)address_of(pool, take_promised(pool, 1, KIND_ARRAY, &got));
    *array = (struct lowfat_pool_array){.base = pool->base,
                                        .top = (uint32_t *)address_of(pool, top),
                                        .count = count,
                                        .shape = size | (size_t)levels << 32};
    for (unsigned level = levels; level > 0; level--)
        fill_level(pool, array, level, entries_of(chunks, level));
    return array;
}

static struct lowfat_pool_array *make(struct lowfat_pool *pool, size_t count, size_t size) {
    size_t bytes;
    if (!pool || size == 0 || size > PTRDIFF_MAX || count > PTRDIFF_MAX) {
        errno = EINVAL;
        return 0;
    }
    struct lowfat_pool_array *array = 0;
    if (size <= UINT32_MAX && !__builtin_mul_overflow(count, size, &bytes) && bytes <= (size_t)pool->blocks * BLOCK) {
        lock(pool);
        array = in_one_run(pool, count, size);
        if (!array && size <= BLOCK && bytes + sizeof *array > BLOCK)
            array = in_chunks(pool, count, size);
        unlock(pool);
    }
    if (!array)
        errno = ENOMEM;
    return array;
}

LOWFAT_API struct lowfat_pool_array *lowfat_pool_array_new(struct lowfat_pool *pool, size_t count, size_t size)
    LOWFAT_NOEXCEPT_ {
    return make(pool, count, size);
}

LOWFAT_API struct lowfat_pool_array *lowfat_pool_array_new_zero(struct lowfat_pool *pool, size_t count, size_t size)
    LOWFAT_NOEXCEPT_ {
    struct lowfat_pool_array *array = make(pool, count, size);
    size_t number = 0;
    for (size_t at = 0; array && at < count; at += number) {
        void *span = lowfat_pool_array_span(array, at, count - at, size, &number);
        memset(span, 0, number * size);
    }
    return array;
}

/* ---- ending ---- */

/* Gives back what the entries of a level stand for. The block numbers lie where the program can write: they are looked at. */
static void empty_level(struct lowfat_pool *pool, const struct lowfat_pool_array *array, unsigned level, size_t entries) {
    int batch = 0;
    for (size_t done = 0; done < entries;) {
        uint32_t run = *entry(array, level, done);
        if (UNLIKELY(run >= pool->blocks || kind_of(pool, run) != KIND_PIECE))
            damaged(pool, run);
        uint32_t blocks = run_length(pool, run);
        POOL_CLOSE(address_of(pool, run), (size_t)blocks * BLOCK);
        run_free(pool, run);
        done += blocks;
        if (++batch % BATCH == 0) {
            unlock(pool);
            lock(pool);
        }
    }
}

void array_free(struct lowfat_pool *pool, uint32_t block) {
    struct lowfat_pool_array array = *(struct lowfat_pool_array *)address_of(pool, block);
    unsigned levels = lowfat_pool_array_levels(&array);
    size_t size = lowfat_pool_array_size(&array);
    if (levels > 0) {
        set_kind(pool, block, KIND_PIECE); /* so that nobody frees it again meanwhile */
        if (UNLIKELY(levels > ARRAY_LEVELS || array.base != pool->base || !is_inside(pool, array.top) ||
                     size - 1 >= BLOCK))
            damaged(pool, block);
        size_t chunks = chunks_of(array.count, size);
        for (unsigned level = 1; level <= levels; level++)
            empty_level(pool, &array, level, entries_of(chunks, level));
        uint32_t top = block_of(pool, array.top);
        POOL_CLOSE(array.top, (size_t)run_length(pool, top) * BLOCK);
        run_free(pool, top);
    }
    POOL_CLOSE(address_of(pool, block), (size_t)run_length(pool, block) * BLOCK);
    run_free(pool, block);
}

LOWFAT_API void lowfat_pool_array_free(struct lowfat_pool *pool, struct lowfat_pool_array *array) LOWFAT_NOEXCEPT_ {
    if (!array)
        return;
    bool is_array = false;
    if (pool && is_inside(pool, array)) {
        lock(pool);
        uint32_t block = block_of(pool, array);
        is_array = kind_of(pool, block) == KIND_ARRAY && (char *)array == address_of(pool, block);
        if (is_array)
            array_free(pool, block);
        unlock(pool);
    }
    if (is_array)
        return;
    if (pool)
        bad_free(pool, "lowfat_pool_array_free", array);
    else
        floor_report(LOWFAT_ERROR_FOREIGN_FREE, "lowfat_pool_array_free", array);
}

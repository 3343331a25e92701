/* cells.c - objects of up to 8, 16, 32 bytes: eight, four, two to a block.
 *
 * The `current` block of a size is where new objects go; it is not in the set of partial blocks, and stays a block of cells when
 * its last object goes, so that a program which takes and gives back one object does not join and cut runs each time. */
#include "pool.h"

static unsigned index_of(const struct lowfat_pool *pool, uint32_t block) { return kind_of(pool, block) - KIND_CELLS; }

static unsigned all_cells(unsigned index) { return (1u << (8u >> index)) - 1; }

static unsigned used_cells(const struct lowfat_pool *pool, uint32_t block) { return pool->state[block] & 0xff; }

size_t cell_size(const struct lowfat_pool *pool, uint32_t block) { return (size_t)8 << index_of(pool, block); }

/* Makes a block current that has a free cell. */
static uint32_t renew(struct lowfat_pool *pool, unsigned index) {
    uint32_t block = bits_next(&pool->partial[index], 0);
    if (block != NO_BLOCK)
        bits_clear(&pool->partial[index], block);
    else
        block = block_take(pool, (enum kind)(KIND_CELLS + index));
    return pool->current[index] = block;
}

void *cell_take(struct lowfat_pool *pool, size_t size) {
    unsigned index = (unsigned)(size > 8) + (unsigned)(size > 16);
    uint32_t block = pool->current[index];
    if (UNLIKELY(block == NO_BLOCK) && (block = renew(pool, index)) == NO_BLOCK)
        return 0;
    unsigned used = used_cells(pool, block), cell = (unsigned)__builtin_ctz(~used);
    STEP();
    pool->in_use += used == 0;
    pool->state[block] |= (uint16_t)(1u << cell);
    if ((used | 1u << cell) == all_cells(index))
        pool->current[index] = NO_BLOCK;
    return address_of(pool, block) + ((size_t)cell << (3 + index));
}

static unsigned cell_of(const struct lowfat_pool *pool, uint32_t block, const void *ptr) {
    return (unsigned)((const char *)ptr - address_of(pool, block)) >> (3 + index_of(pool, block));
}

bool cell_is_used(const struct lowfat_pool *pool, uint32_t block, const void *ptr) {
    return ((uintptr_t)ptr & (cell_size(pool, block) - 1)) == 0 && used_cells(pool, block) >> cell_of(pool, block, ptr) & 1;
}

/* The bit of a cell went: what that means for its block. */
static inline void cell_gone(struct lowfat_pool *pool, uint32_t block, unsigned index, unsigned before, unsigned after) {
    if (block == pool->current[index])
        return;
    if (before == all_cells(index)) {
        if (pool->current[index] == NO_BLOCK)
            pool->current[index] = block;
        else
            bits_set(&pool->partial[index], block);
    } else if (after == 0) {
        bits_clear(&pool->partial[index], block);
        block_give(pool, block);
    }
}

bool cell_free(struct lowfat_pool *pool, uint32_t block, void *ptr) {
    unsigned index = index_of(pool, block), before = used_cells(pool, block);
    size_t offset = (size_t)((char *)ptr - address_of(pool, block)), size = (size_t)8 << index;
    unsigned after = before & ~(1u << (offset >> (3 + index)));
    STEP();
    if (UNLIKELY((offset & (size - 1)) != 0 || after == before))
        return false;
    POOL_CLOSE(ptr, size);
    pool->state[block] ^= (uint16_t)(before ^ after);
    pool->in_use -= after == 0;
    cell_gone(pool, block, index, before, after);
    return true;
}

void cells_flush(struct lowfat_pool *pool) {
    for (unsigned index = 0; index < CELL_SIZES; index++) {
        uint32_t block = pool->current[index];
        if (block != NO_BLOCK && used_cells(pool, block) == 0) {
            pool->current[index] = NO_BLOCK;
            run_give(pool, block, 1);
        }
    }
    while (pool->kept_count > 0)
        run_give(pool, kept_take(pool), 1);
}

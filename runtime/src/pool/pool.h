/* pool.h - the vocabulary of scoped pools.
 *
 * Unmanaged memory is cut into blocks of 64 bytes, and the blocks into *runs*: consecutive blocks that are one thing, an
 * object or free.  Beside the blocks, where objects that overflow do not reach, are
 *
 *   edge      a bit for each block, set where a run begins, and for the block after the last one;
 *   state     16 bits for each block: where a run begins, what it is, and which cells of it are in use; else 0;
 *   partial   for each size of cells a bit for each block, set where a block has cells in use and free ones;
 *   bins      for each size class of runs the first of the free runs of that class, and a bit if there is one.
 *
 * The free runs of a class are linked through their first blocks. That is the one thing here that a program can damage, by
 * writing to what it freed; links are compared with the state, the edges and each other before they are used. The few single
 * blocks that were freed last are in no free run: `kept` has their numbers, and they hold a stamp.
 *
 * Invariants, whenever the lock is not held:
 *   - no two free runs touch;
 *   - each free run but the spare one is in the bin of its length, and its node knows that length;
 *   - `available` + `promised` is the number of blocks in free runs; nobody takes a free block unless it is available, or was
 *     promised to him;
 *   - no more than KEPT blocks are kept, and none when a run is not found;
 *   - a block of cells has one in use, or is the `current` one of its size.
 *
 * Time.  A step is a look at a word of the tables or at a free run.  A bit set of n bits is a tree of 64-ary words of
 * L = ceil(log64 n) levels (bits.h); a pool has at most 2^30 blocks, and with the bit behind the last one L <= 6.
 *   - A bit is set or cleared in at most L steps: one word a level.  The next or previous bit is found in at most 2L: up and down.
 *   - A run is linked in 2 steps, unlinked in 4 (itself, its two neighbours, its bin); its length takes 2L, a look at its node 1.
 *   - find: the head of a bin, two looks for a larger bin, PROBES runs: 11 with PROBES = 8.
 *   - carve, with the length: 2L + 1, unlink, link, an edge: 3L + 7 = 25.
 *   - run_give: for the run after it length, node, unlink, edge: 3L + 5; for the one before 2L more; link: 8L + 12 = 60.
 *   - run_take: find; if there is none, cells_flush gives at most three blocks and KEPT ones back, and find again; carve:
 *     11 + 424 + 11 + 25 = 471.
 *   - malloc: run_take, or a cell: the cell 1, a partial block 2L and L, or 2L and run_take: at most 484.
 *   - free: length 2L and run_give: 72; or a cell 1, a bit L, run_give: 67.
 * None of these depends on the size of the pool, the number of objects, or what happened before: STEPS_MOST is the bound.
 * tests/pool/steps.c counts them.
 */
#ifndef LOWFAT_POOL_INTERNAL_H
#define LOWFAT_POOL_INTERNAL_H

#include "bits.h"
#include "floor.h"

#include <lowfat_pool.h>

#include <stdbool.h>

#pragma GCC visibility push(hidden)

enum {
    BLOCK = 64,
    BLOCK_SHIFT = 6,
    PROBES = 8,
    STEPS_MOST = 484,
    EXACT_BINS = 64,    /* for runs of 1, 2 ... 64 blocks */
    BINS = EXACT_BINS + 8 * 25,
    BIN_WORDS = (BINS + 63) / 64,
    KEPT = 4,
    CELL_SIZES = 3,     /* of 8, 16, 32 bytes */
    CELL_MAX = 32
};

#define BLOCKS_MOST ((uint32_t)(LOWFAT_POOL_MOST / BLOCK))

/* What a run is: the high byte of its state. */
enum kind {
    KIND_NONE = 0, /* no run begins here */
    KIND_FREE,
    KIND_OBJECT,
    KIND_ARRAY,  /* header of an array, perhaps with its elements */
    KIND_PIECE,  /* of an array: chunks or spine */
    KIND_POOL,   /* a pool inside this one */
    KIND_KEPT,   /* one block, which is free but in no free run */
    KIND_CELLS   /* one block; and the two numbers above, for 16 and 32 bytes: the low byte has a bit for each cell in use */
};

/* The first bytes of a free run. */
struct node {
    uint32_t next, prev; /* in the bin; NO_BLOCK: none */
    uint32_t blocks;
};

struct lowfat_pool {
    pool_lock lock;
    bool private;
    uint8_t depth;
    char *base; /* of block 0 */
    uint32_t blocks;
    uint32_t available, promised;
    uint32_t spare, spare_blocks; /* the free run that is in no bin; NO_BLOCK and 0: there is none */
    uint32_t longest, second;     /* no run in a bin is longer than `longest`; but for one, none is longer than `second` */
    uint32_t in_use; /* blocks of objects, arrays, pools, and of cells of which one is in use */
    uint16_t *state;
    struct bits edge;
    struct bits partial[CELL_SIZES];
    uint32_t kept[KEPT], kept_count; /* single blocks that were freed last, to be taken first: joined and cut no runs */
    uint32_t current[CELL_SIZES]; /* where to look for a free cell first; NO_BLOCK: not known */
    uint64_t bins_used[BIN_WORDS];
    uint64_t bin_words; /* which of these are not 0 */
    uint32_t *bins;     /* as many as the pool's size asks for */
    char *plain, *plain_from, *plain_end;
    struct lowfat_pool *outer;
    void *memory; /* from liblowfat, to be freed; null: the caller's or the outer pool's */
};

static inline enum kind kind_of(const struct lowfat_pool *pool, uint32_t block) {
    return (enum kind)(pool->state[block] >> 8);
}
static inline void set_kind(struct lowfat_pool *pool, uint32_t block, enum kind kind) {
    pool->state[block] = (uint16_t)(kind << 8);
}
static inline char *address_of(const struct lowfat_pool *pool, uint32_t block) {
    return pool->base + ((size_t)block << BLOCK_SHIFT);
}
static inline size_t blocks_for(size_t bytes) { return (bytes + (BLOCK - 1)) >> BLOCK_SHIFT; }

/* True when `ptr` points into the unmanaged memory. */
static inline bool is_inside(const struct lowfat_pool *pool, const volatile void *ptr) {
    return (uintptr_t)ptr - (uintptr_t)pool->base < (uintptr_t)pool->blocks << BLOCK_SHIFT;
}
static inline uint32_t block_of(const struct lowfat_pool *pool, const volatile void *ptr) {
    return (uint32_t)(((uintptr_t)ptr - (uintptr_t)pool->base) >> BLOCK_SHIFT);
}

static inline void lock(struct lowfat_pool *pool) {
    if (!pool->private)
        pool_acquire(&pool->lock);
}
static inline void unlock(struct lowfat_pool *pool) {
    if (!pool->private)
        pool_release(&pool->lock);
}

/* ---- runs.c. The caller holds the lock ---- */

/* The number of the bin of runs of this length. */
unsigned bin_of(uint32_t blocks);
/* All blocks of a new pool become one free run. */
void runs_init(struct lowfat_pool *pool);
/* Looks for the shortest free run that is long enough. */
uint32_t run_search(struct lowfat_pool *pool, uint32_t blocks, enum kind kind);

/* The last blocks of the spare run, which has more; none of them was promised. */
static inline uint32_t spare_take(struct lowfat_pool *pool, uint32_t blocks, enum kind kind) {
    uint32_t taken = pool->spare + (pool->spare_blocks -= blocks);
    pool->available -= blocks;
    bits_set(&pool->edge, taken);
    set_kind(pool, taken, kind);
    return taken;
}

/* A run of so many blocks that are available, of that kind; NO_BLOCK: none. At least one block. */
static inline uint32_t run_take(struct lowfat_pool *pool, uint32_t blocks, enum kind kind) {
    if (blocks > pool->longest && blocks < pool->spare_blocks && blocks <= pool->available)
        return spare_take(pool, blocks, kind);
    return run_search(pool, blocks, kind);
}

/* Ends a run of so many blocks that is not free. */
void run_give(struct lowfat_pool *pool, uint32_t block, uint32_t blocks);

/* Free memory was written to: reports it and ends the process. */
_Noreturn void damaged(struct lowfat_pool *pool, uint32_t block);

/* What a kept block holds, so that writing to it is noticed. */
static inline uint64_t kept_stamp(const uint64_t *at) { return (uintptr_t)at ^ 0xa5c35a3cf00f6996u; }

/* The block kept last, of those there are. */
POOL_RAW static inline uint32_t kept_take(struct lowfat_pool *pool) {
    uint32_t block = pool->kept[--pool->kept_count];
    const uint64_t *at = (const uint64_t *)address_of(pool, block);
    STEP();
    if (UNLIKELY(*at != kept_stamp(at)))
        damaged(pool, block);
    return block;
}
/* A single block; NO_BLOCK: none. */
static inline uint32_t block_take(struct lowfat_pool *pool, enum kind kind) {
    if (pool->kept_count == 0)
        return run_take(pool, 1, kind);
    uint32_t block = kept_take(pool);
    set_kind(pool, block, kind);
    return block;
}
/* Ends a run of a single block that is not free. */
POOL_RAW static inline void block_give(struct lowfat_pool *pool, uint32_t block) {
    uint64_t *at = (uint64_t *)address_of(pool, block);
    if (pool->kept_count == KEPT) {
        run_give(pool, block, 1);
        return;
    }
    STEP();
    *at = kept_stamp(at);
    set_kind(pool, block, KIND_KEPT);
    pool->kept[pool->kept_count++] = block;
}

/* The longest run that is easily found, but of `most` blocks at most; its length in `*got`. */
uint32_t run_take_longest(struct lowfat_pool *pool, uint32_t most, enum kind kind, uint32_t *got);
/* The length of the run that begins there. */
uint32_t run_length(struct lowfat_pool *pool, uint32_t block);
/* The same, of blocks that count as used. */
void run_free(struct lowfat_pool *pool, uint32_t block);

/* ---- cells.c: objects of up to 32 bytes.  The caller holds the lock ---- */

void *cell_take(struct lowfat_pool *pool, size_t size);
/* Is there a cell in use at this address, in a block of cells? */
bool cell_is_used(const struct lowfat_pool *pool, uint32_t block, const void *ptr);
/* Ends the cell at this address, in a block of cells; false when there is none in use. */
bool cell_free(struct lowfat_pool *pool, uint32_t block, void *ptr);
size_t cell_size(const struct lowfat_pool *pool, uint32_t block);
/* Gives back the empty blocks that are kept for cells and objects to come. */
void cells_flush(struct lowfat_pool *pool);

/* ---- array.c.  The caller holds the lock; it is released meanwhile if the array has many chunks ---- */

/* Ends the array whose header is at `block`. */
void array_free(struct lowfat_pool *pool, uint32_t block);

/* ---- pool.c ---- */

/* Why nothing begins at `ptr`, reported; the lock is not held. */
void bad_free(struct lowfat_pool *pool, const char *operation, const volatile void *ptr);

#pragma GCC visibility pop

#endif

/* runs.c - runs of blocks: taken from the end of a free run that is long enough, and joined with free neighbours when they are
 * given back.
 *
 * One free run, the *spare* one, is in no bin: pool.h has its place and length where no program can damage them, so that taking
 * from it is a subtraction and a bit. It is what was left of the longest run that was taken from. */
#include "pool.h"

#ifdef LOWFAT_POOL_STEPS
_Thread_local uint64_t pool_steps;
#endif

unsigned bin_of(uint32_t blocks) {
    if (blocks <= EXACT_BINS)
        return blocks - 1;
    unsigned log = 31u - (unsigned)__builtin_clz(blocks);
    return EXACT_BINS + (log - 6) * 8 + (blocks >> (log - 3) & 7);
}

/* ---- the bins ---- */

/* The node of a free run, after a look whether one is there. */
POOL_RAW static struct node *node_at(struct lowfat_pool *pool, uint32_t block) {
    STEP();
    if (UNLIKELY(block >= pool->blocks || kind_of(pool, block) != KIND_FREE))
        damaged(pool, block);
    return (struct node *)address_of(pool, block);
}

POOL_RAW static void link_run(struct lowfat_pool *pool, uint32_t block, uint32_t blocks) {
    unsigned bin = bin_of(blocks);
    struct node *node = (struct node *)address_of(pool, block);
    *node = (struct node){.next = pool->bins[bin], .prev = NO_BLOCK, .blocks = blocks};
    if (node->next != NO_BLOCK)
        node_at(pool, node->next)->prev = block;
    if (blocks > pool->longest) {
        pool->second = pool->longest;
        pool->longest = blocks;
    } else if (blocks > pool->second) {
        pool->second = blocks;
    }
    pool->bins[bin] = block;
    pool->bins_used[bin / 64] |= (uint64_t)1 << bin % 64;
    pool->bin_words |= (uint64_t)1 << bin / 64;
    STEP();
}

POOL_RAW static void unlink_run(struct lowfat_pool *pool, uint32_t block, uint32_t blocks) {
    unsigned bin = bin_of(blocks);
    struct node *node = node_at(pool, block);
    struct node *next = node->next != NO_BLOCK ? node_at(pool, node->next) : 0;
    struct node *prev = node->prev != NO_BLOCK ? node_at(pool, node->prev) : 0;
    if (UNLIKELY((next && next->prev != block) || (prev ? prev->next != block : pool->bins[bin] != block)))
        damaged(pool, block);
    if (blocks == pool->longest)
        pool->longest = pool->second;
    if (next)
        next->prev = node->prev;
    if (prev) {
        prev->next = node->next;
    } else if ((pool->bins[bin] = node->next) == NO_BLOCK) {
        STEP();
        if ((pool->bins_used[bin / 64] &= ~((uint64_t)1 << bin % 64)) == 0)
            pool->bin_words &= ~((uint64_t)1 << bin / 64);
    }
}

/* The first bin with a run, from `bin` on; BINS: none. */
static unsigned next_bin(struct lowfat_pool *pool, unsigned bin) {
    STEP();
    if (bin >= BINS)
        return BINS;
    uint64_t word = pool->bins_used[bin / 64] & ~(uint64_t)0 << bin % 64;
    unsigned at = bin / 64;
    if (word == 0) {
        uint64_t words = pool->bin_words & ~(uint64_t)1 << at; /* all above `at` */
        STEP();
        if (words == 0)
            return BINS;
        at = (unsigned)__builtin_ctzll(words);
        word = pool->bins_used[at];
    }
    return at * 64 + (unsigned)__builtin_ctzll(word);
}

/* Up to PROBES runs of a bin, for one of at least so many blocks. */
POOL_RAW static uint32_t probe(struct lowfat_pool *pool, unsigned bin, uint32_t blocks) {
    uint32_t run = pool->bins_used[bin / 64] >> bin % 64 & 1 ? pool->bins[bin] : NO_BLOCK;
    for (int probe = 0; run != NO_BLOCK && probe < PROBES; probe++) {
        struct node *node = node_at(pool, run);
        if (node->blocks >= blocks)
            return run;
        run = node->next;
    }
    return NO_BLOCK;
}

/* A free run of at least so many blocks: the one that was freed last of those of nearly that length, if it is long enough, as
 * when an array comes and goes; then one that is certainly long enough, of the shortest there are; then others of nearly that
 * length. The spare run is one of those that are certainly long enough. */
POOL_RAW static uint32_t find(struct lowfat_pool *pool, uint32_t blocks) {
    bool spare = blocks <= pool->spare_blocks;
    if (pool->bin_words == 0)
        return spare ? pool->spare : NO_BLOCK;
    unsigned bin = bin_of(blocks);
    if (pool->bins_used[bin / 64] >> bin % 64 & 1 && node_at(pool, pool->bins[bin])->blocks >= blocks)
        return pool->bins[bin];
    unsigned larger = next_bin(pool, bin + 1);
    if (spare && (larger == BINS || larger >= bin_of(pool->spare_blocks)))
        return pool->spare;
    return larger < BINS ? pool->bins[larger] : probe(pool, bin, blocks);
}

/* ---- runs ---- */

uint32_t run_length(struct lowfat_pool *pool, uint32_t block) { return bits_next(&pool->edge, block + 1) - block; }

POOL_RAW static uint32_t free_length(struct lowfat_pool *pool, uint32_t block) {
    if (block == pool->spare)
        return pool->spare_blocks;
    uint32_t blocks = run_length(pool, block);
    if (UNLIKELY(node_at(pool, block)->blocks != blocks))
        damaged(pool, block);
    return blocks;
}

static void keep_spare(struct lowfat_pool *pool, uint32_t block, uint32_t blocks) {
    pool->spare = block;
    pool->spare_blocks = blocks;
}

/* No longer in its bin, or spare. */
POOL_RAW static void forget_run(struct lowfat_pool *pool, uint32_t block, uint32_t blocks) {
    if (block == pool->spare)
        keep_spare(pool, NO_BLOCK, 0);
    else
        unlink_run(pool, block, blocks);
}

void runs_init(struct lowfat_pool *pool) {
    bits_set(&pool->edge, pool->blocks);
    pool->available = pool->blocks;
    keep_spare(pool, NO_BLOCK, 0);
    if (pool->blocks == 0)
        return;
    for (unsigned bin = 0; bin <= bin_of(pool->blocks); bin++)
        pool->bins[bin] = NO_BLOCK;
    bits_set(&pool->edge, 0);
    set_kind(pool, 0, KIND_FREE);
    keep_spare(pool, 0, pool->blocks);
}

/* The last `blocks` blocks of a free run of `length`. The front, if any, stays where it is, and mostly in its bin, unless it is
 * longer than what was spare. */
POOL_RAW static uint32_t carve(struct lowfat_pool *pool, uint32_t run, uint32_t length, uint32_t blocks, enum kind kind) {
    uint32_t rest = length - blocks, taken = run + rest;
    if (run == pool->spare && rest > 0)
        return spare_take(pool, blocks, kind);
    pool->available -= blocks;
    if (rest > 0)
        bits_set(&pool->edge, taken);
    if (rest == 0) {
        forget_run(pool, run, length);
    } else if (rest > pool->spare_blocks) {
        uint32_t former = pool->spare, former_blocks = pool->spare_blocks;
        unlink_run(pool, run, length);
        keep_spare(pool, run, rest);
        if (former != NO_BLOCK)
            link_run(pool, former, former_blocks);
    } else if (bin_of(rest) == bin_of(length)) {
        node_at(pool, run)->blocks = rest;
    } else {
        unlink_run(pool, run, length);
        link_run(pool, run, rest);
    }
    set_kind(pool, taken, kind);
    return taken;
}

uint32_t run_search(struct lowfat_pool *pool, uint32_t blocks, enum kind kind) {
    uint32_t run = blocks <= pool->available ? find(pool, blocks) : NO_BLOCK;
    if (UNLIKELY(run == NO_BLOCK)) {
        cells_flush(pool);
        run = blocks <= pool->available ? find(pool, blocks) : NO_BLOCK;
        if (run == NO_BLOCK)
            return NO_BLOCK;
    }
    return carve(pool, run, free_length(pool, run), blocks, kind);
}

uint32_t run_take_longest(struct lowfat_pool *pool, uint32_t most, enum kind kind, uint32_t *got) {
    uint32_t run = find(pool, most);
    if (run == NO_BLOCK && pool->bin_words != 0) { /* the highest bin has the longest ones */
        unsigned word = 63u - (unsigned)__builtin_clzll(pool->bin_words);
        unsigned bin = word * 64 + 63u - (unsigned)__builtin_clzll(pool->bins_used[word]);
        STEP();
        if (pool->spare == NO_BLOCK || bin_of(pool->spare_blocks) < bin)
            run = pool->bins[bin];
    }
    if (run == NO_BLOCK)
        run = pool->spare;
    if (run == NO_BLOCK)
        return NO_BLOCK;
    uint32_t length = free_length(pool, run);
    *got = length < most ? length : most;
    return carve(pool, run, length, *got, kind);
}

/* A free neighbour becomes part of a run; true when it was spare. */
POOL_RAW static bool absorb(struct lowfat_pool *pool, uint32_t neighbour, uint32_t *blocks) {
    uint32_t more = free_length(pool, neighbour);
    bool spare = neighbour == pool->spare;
    forget_run(pool, neighbour, more);
    *blocks += more;
    return spare;
}

/* What begins there begins no run any more. */
static void no_edge(struct lowfat_pool *pool, uint32_t block) {
    bits_clear(&pool->edge, block);
    pool->state[block] = 0;
}

void run_give(struct lowfat_pool *pool, uint32_t block, uint32_t blocks) {
    uint32_t after = block + blocks;
    bool spare = false;
    pool->available += blocks;
    if (after < pool->blocks && kind_of(pool, after) == KIND_FREE) {
        spare = absorb(pool, after, &blocks);
        no_edge(pool, after);
    }
    uint32_t before = block > 0 ? bits_prev(&pool->edge, block - 1) : NO_BLOCK;
    if (before != NO_BLOCK && kind_of(pool, before) == KIND_FREE) {
        spare |= absorb(pool, before, &blocks);
        no_edge(pool, block);
        block = before;
    }
    set_kind(pool, block, KIND_FREE);
    if (spare)
        keep_spare(pool, block, blocks);
    else
        link_run(pool, block, blocks);
}

void run_free(struct lowfat_pool *pool, uint32_t block) {
    uint32_t blocks = run_length(pool, block);
    pool->in_use -= blocks;
    run_give(pool, block, blocks);
}

/* bits.h - sets of block numbers: trees of 64-ary words, whose lowest level has a bit for each number. */
#ifndef LOWFAT_POOL_BITS_H
#define LOWFAT_POOL_BITS_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define NO_BLOCK UINT32_MAX

/* Steps are counted in one build of the tests, for each thread. */
#ifdef LOWFAT_POOL_STEPS
extern _Thread_local uint64_t pool_steps;
#define STEP() ((void)pool_steps++)
#else
#define STEP() ((void)0)
#endif

enum { WORD = 64, WORD_SHIFT = 6, LEVELS = 6 };

/* Invariant: a bit of a level is set when the word below it, which has its number, is not 0. */
struct bits {
    uint64_t *level[LEVELS];
    unsigned levels;
};

/* Words for a set of `count` numbers, all levels. */
size_t bits_words(uint32_t count);
/* An empty set in zeroed words; the next free word. */
uint64_t *bits_init(struct bits *set, uint32_t count, uint64_t *words);

/* The rest of what follows, beyond the lowest level. */
void bits_told(struct bits *set, uint32_t number);
void bits_forgotten(struct bits *set, uint32_t number);
uint32_t bits_next_far(const struct bits *set, uint32_t number);
uint32_t bits_prev_far(const struct bits *set, uint32_t number);

static inline void bits_set(struct bits *set, uint32_t number) {
    uint64_t *word = &set->level[0][number >> WORD_SHIFT], before = *word;
    STEP();
    *word = before | (uint64_t)1 << number % WORD;
    if (before == 0)
        bits_told(set, number);
}

static inline void bits_clear(struct bits *set, uint32_t number) {
    uint64_t *word = &set->level[0][number >> WORD_SHIFT];
    STEP();
    if ((*word &= ~((uint64_t)1 << number % WORD)) == 0)
        bits_forgotten(set, number);
}

/* The least number of the set that is `number` or more, which exists unless `number` is 0; NO_BLOCK: none. */
static inline uint32_t bits_next(const struct bits *set, uint32_t number) {
    uint64_t word = set->level[0][number >> WORD_SHIFT] >> number % WORD;
    STEP();
    return word != 0 ? number + (uint32_t)__builtin_ctzll(word) : bits_next_far(set, number);
}

/* The greatest number of the set that is `number` or less; NO_BLOCK: none. */
static inline uint32_t bits_prev(const struct bits *set, uint32_t number) {
    uint64_t word = set->level[0][number >> WORD_SHIFT] << (WORD - 1 - number % WORD);
    STEP();
    return word != 0 ? number - (uint32_t)__builtin_clzll(word) : bits_prev_far(set, number);
}

#pragma GCC visibility pop

#endif

/* bits.c - sets of block numbers as trees of 64-ary words: a bit above tells whether the word below has one. What touches the
 * lowest words only is in bits.h. */
#include "pool.h"

static size_t words_of(size_t bits) { return (bits + (WORD - 1)) / WORD; }

size_t bits_words(uint32_t count) {
    size_t words = 0, here = count;
    do
        words += here = words_of(here);
    while (here > 1);
    return words;
}

uint64_t *bits_init(struct bits *set, uint32_t count, uint64_t *words) {
    size_t here = count;
    set->levels = 0;
    do {
        set->level[set->levels++] = words;
        words += here = words_of(here);
    } while (here > 1);
    return words;
}

void bits_told(struct bits *set, uint32_t number) {
    for (unsigned level = 1; level < set->levels; level++) {
        number >>= WORD_SHIFT;
        uint64_t *word = &set->level[level][number >> WORD_SHIFT], before = *word;
        STEP();
        *word = before | (uint64_t)1 << number % WORD;
        if (before != 0)
            return; /* those above know */
    }
}

void bits_forgotten(struct bits *set, uint32_t number) {
    for (unsigned level = 1; level < set->levels; level++) {
        number >>= WORD_SHIFT;
        uint64_t *word = &set->level[level][number >> WORD_SHIFT];
        STEP();
        if ((*word &= ~((uint64_t)1 << number % WORD)) != 0)
            return;
    }
}

/* Both climb until a word has a bit on the right side, then descend to the number below it that is nearest. */
uint32_t bits_next_far(const struct bits *set, uint32_t number) {
    for (unsigned level = 1; level < set->levels; level++) {
        STEP();
        number = (number >> WORD_SHIFT) + 1; /* the words after this one */
        uint64_t word = set->level[level][number >> WORD_SHIFT] & ~(uint64_t)0 << number % WORD;
        if (word != 0) {
            number = (number & ~(uint32_t)(WORD - 1)) | (uint32_t)__builtin_ctzll(word);
            while (level > 0) {
                STEP();
                number = number << WORD_SHIFT | (uint32_t)__builtin_ctzll(set->level[--level][number]);
            }
            return number;
        }
    }
    return NO_BLOCK;
}

uint32_t bits_prev_far(const struct bits *set, uint32_t number) {
    for (unsigned level = 1; level < set->levels; level++) {
        STEP();
        if (number < WORD)
            return NO_BLOCK;
        number = (number >> WORD_SHIFT) - 1;
        uint64_t word = set->level[level][number >> WORD_SHIFT] & ~(uint64_t)0 >> (WORD - 1 - number % WORD);
        if (word != 0) {
            number = (number & ~(uint32_t)(WORD - 1)) | (uint32_t)(WORD - 1 - __builtin_clzll(word));
            while (level > 0) {
                STEP();
                number = number << WORD_SHIFT | (uint32_t)(WORD - 1 - __builtin_clzll(set->level[--level][number]));
            }
            return number;
        }
    }
    return NO_BLOCK;
}

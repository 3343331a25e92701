/* alloc-test: a random working set with skewed sizes and skewed life times (after the
 * description of the allocator test by O'Log'n, "Testing memory allocators", 2018).
 *
 * A slot is picked by an approximate Pareto distribution: few slots are hot and their
 * blocks live shortly, many are cold. An empty slot gets a block whose size class
 * loses half its probability with each doubling up to 4 KiB; a full one has its bytes
 * read and is freed. All bytes are written once and read once.
 */
#include "common.h"

enum { SLOTS = 1 << 15, MAX_LOG = 12 };

typedef struct {
    uint8_t *block;
    uint32_t size;
} slot;

/* The product of two uniforms: dense near zero. */
static uint32_t pick_slot(rng *r) {
    uint64_t product = (uint64_t)rng_below(r, SLOTS) * rng_below(r, SLOTS);
    return (uint32_t)(product / SLOTS);
}

static uint32_t pick_size(rng *r) {
    uint64_t bits = rng_next(r);
    unsigned log = 3 + (unsigned)__builtin_ctzll(bits | (1u << (MAX_LOG - 3 - 1)));
    return (1u << log) + (uint32_t)(bits >> 40 & ((1u << log) - 1));
}

int main(int argc, char **argv) {
    uint64_t rounds = work(argc, argv, 24000000), sum = 0;
    slot *slots = calloc(SLOTS, sizeof *slots);
    require(slots != NULL, "out of memory");
    rng random = rng_seed(7);
    for (uint64_t i = 0; i < rounds; i++) {
        slot *s = &slots[pick_slot(&random)];
        if (s->block) {
            for (uint32_t at = 0; at < s->size; at += 64) sum += s->block[at];
            free(s->block);
            s->block = NULL;
        } else {
            s->size = pick_size(&random);
            s->block = must_malloc(s->size);
            memset(s->block, (uint8_t)i, s->size);
        }
    }
    for (int i = 0; i < SLOTS; i++) free(slots[i].block);
    free(slots);
    return report("alloc-test", sum);
}

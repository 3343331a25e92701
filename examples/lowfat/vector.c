/* Tests of the low-fat vectors. */
#include "vector.h"

#include "check.h"

static void grow_and_shrink(size_t count, int (*push)(vector *, item)) {
    vector v = vector_new();
    CHECK(v && vector_length(v) == 0);
    for (size_t i = 0; i < count; i++) {
        CHECK(push(&v, i * i) == 0);
        CHECK(vector_length(v) == i + 1 && vector_length(v) < vector_capacity(v));
        CHECK(vector_data(v) == vector_data_pow2(v));
    }
    for (size_t i = 0; i < count; i++) CHECK(vector_get(v, i) == i * i);
    if (count > 1) {
        vector_set(v, count / 2, 7);
        CHECK(vector_get(v, count / 2) == 7);
        vector_set(v, count / 2, (count / 2) * (count / 2));
    }
    for (size_t i = count; i-- > 0;) {
        CHECK(vector_pop(&v) == i * i);
        CHECK(vector_length(v) == i);
    }
    vector_free(v);
}

/* Many small vectors: what the representation is for. */
static void many_small(void) {
    enum { VECTORS = 1000, ITEMS = 3 };
    vector all[VECTORS];
    for (size_t n = 0; n < VECTORS; n++) {
        all[n] = vector_new();
        for (item i = 0; i < ITEMS; i++) CHECK(vector_push(&all[n], n + i) == 0);
        CHECK(lowfat_size(all[n]) == VECTOR_FIRST_BYTES);
    }
    for (size_t n = 0; n < VECTORS; n++) {
        for (size_t i = 0; i < ITEMS; i++) CHECK(vector_get(all[n], i) == n + i);
        vector_free(all[n]);
    }
}

int main(void) {
    const size_t counts[] = {0, 1, 3, 4, 5, 1000, 100000, 1000000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        grow_and_shrink(counts[i], vector_push);
        grow_and_shrink(counts[i], vector_push_pow2);
    }
    many_small();
    vector_free(NULL);
    puts("vector: ok");
    return 0;
}

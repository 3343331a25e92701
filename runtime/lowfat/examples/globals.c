/* globals.c - global and stack objects that know their bounds. */
#include <lowfat.h>
#include <stdio.h>

LOWFAT_GLOBAL(int[20], squares, 128);

static int sum(const int *first) {
    int total = 0;
    size_t count = lowfat_usable_size(first) / sizeof *first;
    for (size_t i = 0; i < count && i < 20; i++)
        total += first[i];
    return total;
}

int main(void) {
    LOWFAT_STACK_ARRAY(int, copy, 20);
    for (int i = 0; i < 20; i++)
        copy[i] = LOWFAT_REF(squares)[i] = i * i;
    printf("global: slot of %zu bytes, stack: slot of %zu bytes, sums %d and %d\n", lowfat_size(LOWFAT_REF(squares)),
           lowfat_size(copy), sum(LOWFAT_REF(squares)), sum(copy));
    return lowfat_is_global_ptr(LOWFAT_REF(squares)) && lowfat_is_stack_ptr(copy) ? 0 : 1;
}

/* closed.c - AddressSanitizer sees what is no object of a pool: each of these accesses must be reported.
 *
 *     closed freed|beyond|cell|chunk */
#include "check.h"

int main(int argc, char **argv) {
    static void *held[101];
    CHECK(argc == 2);
    struct lowfat_pool *pool = pool_of(100);
    volatile char *object = lowfat_pool_malloc(pool, 100), *cell = lowfat_pool_malloc(pool, 8);
    object[99] = cell[7] = 1;
    if (!strcmp(argv[1], "freed")) {
        lowfat_pool_free(pool, (void *)object);
        object[50] = 1;
    } else if (!strcmp(argv[1], "beyond")) {
        object[104] = 1;
    } else if (!strcmp(argv[1], "cell")) {
        cell[8] = 1;
    } else if (!strcmp(argv[1], "chunk")) {
        fragment(pool, held);
        struct lowfat_pool_array *array = lowfat_pool_array_new(pool, 100, 4);
        CHECK(array && lowfat_pool_array_levels(array) > 0);
        volatile int *last = LOWFAT_POOL_AT(int, array, 99);
        *last = 1;
        lowfat_pool_array_free(pool, array);
        *last = 1;
    }
    return 0;
}

/* pool.c - a program whose memory is bounded: a pool of 64 KiB, an array that finds room between other objects, and a pool
 * inside the pool. */
#include <lowfat_pool.h>
#include <stdio.h>

static long sum(const struct lowfat_pool_array *array) {
    long result = 0;
    LOWFAT_POOL_SPANS(int, p, n, array, 0, lowfat_pool_array_count(array))
        for (size_t i = 0; i < n; i++)
            result += p[i];
    return result;
}

int main(void) {
    static void *objects[1000];
    struct lowfat_pool *pool = lowfat_pool_create(1000 * LOWFAT_POOL_BLOCK, 0, 0);
    if (pool == NULL)
        return 1;
    for (size_t i = 0; i < 1000; i++)
        objects[i] = lowfat_pool_malloc(pool, LOWFAT_POOL_BLOCK);
    for (size_t i = 0; i < 1000; i += 2) /* no two free blocks touch */
        lowfat_pool_free(pool, objects[i]);
    void *object = lowfat_pool_malloc(pool, 2 * LOWFAT_POOL_BLOCK);
    struct lowfat_pool_array *array = lowfat_pool_array_new(pool, 5000, sizeof(int));
    if (array == NULL)
        return 1;
    for (int i = 0; i < 5000; i++)
        *LOWFAT_POOL_AT(int, array, i) = i;
    printf("half of the pool is free: an object of two blocks %s, an array of 20000 bytes does; its sum is %ld\n",
           object ? "fits" : "does not fit", sum(array));
    lowfat_pool_array_free(pool, array);
    printf("%zu bytes are in use\n", lowfat_pool_consumed_unmanaged(pool));
    lowfat_pool_destroy(pool);
    return object == NULL ? 0 : 1;
}

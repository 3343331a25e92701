/* huge.c - an object of malloc that is larger than every class holds traced objects. */
#include "check.h"

enum { AT = 70000000 };

__attribute__((noinline)) static void fill(uint64_t **huge) {
    huge[AT] = lowfat_gc_malloc(sizeof **huge);
    *huge[AT] = 42;
}

__attribute__((noinline)) static void churn(void) {
    for (int i = 0; i < 100000; i++)
        *(uint64_t *)lowfat_gc_malloc(sizeof(uint64_t)) = 7;
}

int main(void) {
    uint64_t **huge = lowfat_malloc(((size_t)5 << 28) + 8);
    CHECK(huge != NULL && lowfat_size(huge) >= (uint64_t)1 << 31);
    fill(huge);
    churn();
    lowfat_gc_collect();
    churn();
    CHECK(lowfat_gc_is_live(huge[AT]) && *huge[AT] == 42);
    lowfat_free(huge);
    puts("huge: ok");
    return 0;
}

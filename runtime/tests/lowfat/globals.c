/* globals.c - low-fat global objects; linked with lowfat-globals.ld. */
#include "check.h"

#include <string.h>

struct pair {
    long a, b;
};
LOWFAT_GLOBAL(char[60], text, 64) = "in a slot of 64 bytes";
LOWFAT_GLOBAL(char[60], other, 64) = "its neighbour";
LOWFAT_GLOBAL(struct pair, pair, 32) = {1, 2};
LOWFAT_GLOBAL(int[1000], zeros, 8192);
LOWFAT_GLOBAL(char[600000], big, 1048576);
LOWFAT_GLOBAL(struct pair *, pointer, 16) = 0;
static int ordinary;

static void check_object(const char *p, size_t object, size_t slot) {
    CHECK(lowfat_is_global_ptr(p) && lowfat_is_ptr(p) && !lowfat_is_heap_ptr(p) && !lowfat_is_stack_ptr(p));
    CHECK(lowfat_size(p) == slot && (uintptr_t)p % slot == 0);
    for (size_t i = 0; i <= object; i++) { /* one past the end too */
        CHECK(lowfat_base(p + i) == p);
        CHECK(lowfat_offset(p + i) == i && lowfat_usable_size(p + i) == slot - i);
    }
}

static struct lowfat_error_info last;
static void remember(const struct lowfat_error_info *info) { last = *info; }

int main(void) {
    check_object(LOWFAT_REF(text), 60, 64);
    check_object(LOWFAT_REF(other), 60, 64);
    check_object((char *)&LOWFAT_REF(pair), sizeof(struct pair), 32);
    check_object((char *)LOWFAT_REF(zeros), sizeof(int) * 1000, 8192);
    check_object(LOWFAT_REF(big), 600000, 1048576);
    check_object((char *)&LOWFAT_REF(pointer), sizeof(void *), 16);
    CHECK(strcmp(LOWFAT_REF(text), "in a slot of 64 bytes") == 0 && strcmp(LOWFAT_REF(other), "its neighbour") == 0);
    CHECK(LOWFAT_REF(pair).a == 1 && LOWFAT_REF(pair).b == 2);
    LOWFAT_REF(pair).b = 5;
    CHECK(LOWFAT_REF(pair).b == 5);
    for (int i = 0; i < 1000; i++)
        CHECK(LOWFAT_REF(zeros)[i] == 0);
    CHECK(!lowfat_is_ptr(&ordinary));
    lowfat_set_error_handler(remember);
    lowfat_free(&LOWFAT_REF(pair));
    CHECK(last.error == LOWFAT_ERROR_GLOBAL_FREE && last.size == 32);
    puts("globals: ok");
    return 0;
}

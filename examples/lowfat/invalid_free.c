/* Finding misuses of free (Duck and Yap, section 4.1, "Finding free API errors").
 *
 * `strict_free` is the paper's test, written with the API: only the base of a heap object
 * may be freed. The library's own free makes the same test and more (double frees), so the
 * second half shows that nothing is lost when a program just calls free.
 */
#include "check.h"

static int global_object[4];

/* Returns 0 and frees, or -1 and leaves the object alone. */
static int strict_free(void *p) {
    if (p && (!lowfat_is_heap_ptr(p) || lowfat_offset(p) != 0)) return -1;
    free(p);
    return 0;
}

static void by_the_api(void) {
    char *object = opaque_malloc(100);
    int local = 0;
    LOWFAT_STACK_OBJECT(int, low_fat_local);
    CHECK(strict_free(object + 1) == -1);
    CHECK(strict_free(object + 99) == -1);
    CHECK(strict_free(&local) == -1);
    CHECK(strict_free(low_fat_local) == -1);
    CHECK(strict_free(global_object) == -1);
    CHECK(strict_free((void *)(uintptr_t)strict_free) == -1);
    CHECK(strict_free((void *)16) == -1);
    CHECK(strict_free(NULL) == 0);
    memset(object, 1, 100); /* still ours */
    CHECK(strict_free(object) == 0);
}

/* free, but the compiler does not know: it recognises most of these errors. */
static void (*volatile release)(void *) = free;

static void by_the_library(void) {
    char *object = opaque_malloc(100);
    LOWFAT_STACK_OBJECT(int, low_fat_local);
    CHECK_REPORTS(LOWFAT_ERROR_INTERIOR_FREE, object + 1, release(object + 1));
    CHECK_REPORTS(LOWFAT_ERROR_INTERIOR_FREE, object + 64, release(object + 64));
    CHECK_REPORTS(LOWFAT_ERROR_STACK_FREE, low_fat_local, release(low_fat_local));
    CHECK_REPORTS(LOWFAT_ERROR_FOREIGN_FREE, global_object, release(global_object));
    memset(object, 1, 100);
    release(object);
    CHECK_REPORTS(LOWFAT_ERROR_DOUBLE_FREE, object, release(object));
    /* the free list is intact: two objects do not share memory */
    char *one = opaque_malloc(100), *two = opaque_malloc(100);
    CHECK(one != two);
    release(one), release(two);
}

static void free_interior(void) {
    release((char *)opaque_malloc(100) + 8);
}

static void free_twice(void) {
    char *object = opaque_malloc(100);
    release(object);
    release(object);
}

int main(void) {
    by_the_api();
    by_the_library();
    check_aborts(free_interior, "not the base of its object");
    check_aborts(free_twice, "the object is free already");
    puts("invalid_free: ok");
    return 0;
}

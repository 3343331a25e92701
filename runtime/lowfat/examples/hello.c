/* hello.c - an ordinary program that asks its pointers questions. */
#include <lowfat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies only what fits the object `to` points into (the paper's figure 4b). */
static int copy_checked(char *to, const char *from) {
    size_t length = strlen(from) + 1;
    if (length > lowfat_usable_size(to))
        return -1;
    memcpy(to, from, length);
    return 0;
}

int main(void) {
    char *buffer = HELLO_ALLOCATE(50);
    if (buffer == NULL)
        return 1;
    printf("50 bytes are in a slot of %zu; from byte 20 on, %zu are left\n", lowfat_size(buffer),
           lowfat_usable_size(buffer + 20));
    printf("a copy that fits: %d, one that does not: %d\n", copy_checked(buffer, "short"),
           copy_checked(buffer + 20, "this text is longer than what is left of the object behind byte 20"));
    printf("interior pointer finds its base: %s\n", lowfat_base(buffer + 33) == buffer ? "yes" : "no");
    int whole = lowfat_is_heap_ptr(buffer) && lowfat_size(buffer) == 64;
    HELLO_RELEASE(buffer);
    return whole ? 0 : 1;
}

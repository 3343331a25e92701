/* Copying functions that refuse to overflow: what they allow, what they stop. */
#include "checked_string.h"

#include "check.h"

/* Refused, reported about `about`, and not a byte of the object at `kept` touched. */
#define CHECK_REFUSED(about, kept, call)                                      \
    do {                                                                      \
        size_t size_ = lowfat_size(kept);                                     \
        char *copy_ = opaque_malloc(size_);                                          \
        memcpy(copy_, lowfat_base(kept), size_);                              \
        CHECK_REPORTS(LOWFAT_ERROR_BOUNDS, about, CHECK(!(call)));            \
        CHECK(memcmp(copy_, lowfat_base(kept), size_) == 0);                  \
        free(copy_);                                                          \
    } while (0)

static void memory_functions(size_t size) {
    char *a = opaque_malloc(size), *b = opaque_malloc(size);
    size_t room = lowfat_size(a);
    memset(a, 'a', room), memset(b, 'b', room);
    CHECK(lowfat_memcpy(a, b, room) == a && a[room - 1] == 'b');
    CHECK(lowfat_memset(a, 'c', room) == a && a[0] == 'c');
    CHECK(lowfat_memmove(a + 1, a, room - 1) == a + 1);
    CHECK(lowfat_memcpy(a + room, b, 0) == a + room); /* empty: fine one past the end */
    CHECK_REFUSED(a, a, lowfat_memcpy(a, b, room + 1));
    CHECK_REFUSED(a, a, lowfat_memset(a, 0, room + 1));
    CHECK_REFUSED(a + 1, a, lowfat_memset(a + 1, 0, room));
    CHECK_REFUSED(a + 1, a, lowfat_memmove(a + 1, a, room));
    CHECK_REFUSED(b + 5, a, lowfat_memcpy(a, b + 5, room));
    CHECK_REFUSED(a, a, lowfat_memcpy(a, b, SIZE_MAX));
    CHECK_REFUSED(a + room - 1, a, lowfat_memset(a + room - 1, 0, 2));
    free(a), free(b);
}

static void string_functions(void) {
    char *small = opaque_malloc(16), *large = opaque_malloc(64), *open = opaque_malloc(16);
    memset(open, 'x', lowfat_size(open)); /* no terminator in it */
    strcpy(large, "fifteen letters");
    CHECK(lowfat_strlen(large) == 15);
    CHECK(lowfat_strcpy(small, large) == small && strcmp(small, "fifteen letters") == 0);
    CHECK_REFUSED(small, small, lowfat_strcat(small, "!"));
    strcpy(large, "sixteen letters.");
    CHECK_REFUSED(small, small, lowfat_strcpy(small, large));
    CHECK_REFUSED(small, small, lowfat_stpcpy(small, large));
    CHECK_REFUSED(small + 8, small, lowfat_strcpy(small + 8, large + 8));
    CHECK(lowfat_strcpy(small + 8, large + 9) == small + 8 && strcmp(small, "fifteen etters.") == 0);
    CHECK_REFUSED(open, small, lowfat_strcpy(small, open));
    CHECK_REFUSED(open, large, lowfat_strcat(large, open));
    CHECK_REFUSED(small, small, lowfat_strncpy(small, "", 17));
    CHECK_REFUSED(open, large, lowfat_strncpy(large, open, 17));
    CHECK(lowfat_strncpy(large, open, 16) == large);
    CHECK(lowfat_strncpy(small, "abc", 16) == small && lowfat_strlen(small) == 3);
    CHECK(lowfat_stpcpy(small + 3, "def") == small + 6);
    CHECK(lowfat_strncat(small, "ghijkl", 3) == small && strcmp(small, "abcdefghi") == 0);
    CHECK_REFUSED(small, small, lowfat_strncat(small, "1234567", 7));
    CHECK(lowfat_strncat(small, "1234567", 6) == small && strlen(small) == 15);
    CHECK_REPORTS(LOWFAT_ERROR_BOUNDS, open, CHECK(lowfat_strlen(open) == SIZE_MAX));
    free(small), free(large), free(open);
}

static void printing_and_reading(void) {
    char *line = opaque_malloc(32);
    CHECK(lowfat_sprintf(line, "%d bottles", 99) == 10 && strcmp(line, "99 bottles") == 0);
    CHECK(lowfat_sprintf(line + 16, "%015d", 7) == 15);
    CHECK_REPORTS(LOWFAT_ERROR_BOUNDS, line + 16, CHECK(lowfat_sprintf(line + 16, "%016d", 7) == -1));
    CHECK(line[16] == '\0');
    CHECK(lowfat_snprintf(line, 8, "%s", "too long for it") == 15 && strlen(line) == 7);
    CHECK_REPORTS(LOWFAT_ERROR_BOUNDS, line, CHECK(lowfat_snprintf(line, 33, "%s", "x") == -1));
    FILE *file = tmpfile();
    CHECK(file && fputs("a first line that is long enough for the test\nsecond\n", file) >= 0);
    rewind(file);
    CHECK_REPORTS(LOWFAT_ERROR_BOUNDS, line, CHECK(lowfat_fgets(line, 33, file) == NULL));
    CHECK(lowfat_fgets(line, 32, file) == line && strlen(line) == 31);
    CHECK_REPORTS(LOWFAT_ERROR_BOUNDS, line, CHECK(lowfat_fread(line, 8, 5, file) == 0));
    CHECK_REPORTS(LOWFAT_ERROR_BOUNDS, line, CHECK(lowfat_fread(line, SIZE_MAX, 2, file) == 0));
    CHECK(lowfat_fread(line, 4, 2, file) == 2);
    fclose(file);
    free(line);
}

/* Buffers on the low-fat stack are checked like those on the heap; ordinary locals are not low-fat and unlimited. */
static void other_objects(void) {
    LOWFAT_STACK_ARRAY(char, buffer, 20);
    size_t room = lowfat_size(buffer);
    char text[100];
    memset(text, 't', sizeof text);
    CHECK(room >= 20 && room < sizeof text);
    CHECK(lowfat_memcpy(buffer, text, room) == buffer);
    CHECK_REFUSED(buffer, buffer, lowfat_memcpy(buffer, text, room + 1));
    char plain[100];
    CHECK(lowfat_memcpy(plain, text, sizeof plain) == plain);
}

static void overflow(void) {
    char *name = opaque_malloc(16);
    lowfat_strcpy(name, "a name that is longer than sixteen bytes");
}

int main(void) {
    const size_t sizes[] = {1, 16, 24, 100, 1000, 5000, 70000, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) memory_functions(sizes[i]);
    string_functions();
    printing_and_reading();
    other_objects();
    check_aborts(overflow, "strcpy");
    puts("checked_string: ok");
    return 0;
}

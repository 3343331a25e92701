/* Hidden metadata on heap, stack and global objects: found from every interior pointer,
 * invisible to the program that uses the objects. */
#include "hidden_meta.h"

#include "check.h"
#include "hidden_global.h"

/* From every byte of the object and one past its end. */
static void check_everywhere(const char *object, size_t length, const char *type) {
    struct meta *meta = meta_of(object);
    CHECK((const char *)(meta + 1) == object);
    CHECK(strcmp(meta->type, type) == 0 && meta->length == length);
    for (size_t at = 0; at <= length; at++) {
        CHECK(meta_of(object + at) == meta);
        CHECK(meta_room(object + at) == length - at);
    }
}

static void heap_objects(void) {
    const size_t sizes[] = {0, 1, 15, 16, 17, 100, 111, 112, 4000, 40000, 300000};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    char *object[COUNT];
    for (int i = 0; i < COUNT; i++) {
        object[i] = meta_malloc(sizes[i], "bytes");
        CHECK(object[i] && (uintptr_t)object[i] % 16 == 0);
        memset(object[i], 0xAB, sizes[i]);
    }
    for (int i = 0; i < COUNT; i++) check_everywhere(object[i], sizes[i], "bytes");
    for (int i = 0; i < COUNT; i++) meta_free(object[i]);
    meta_free(NULL);
    CHECK(meta_malloc(SIZE_MAX, "too large") == NULL);
}

struct point { double x, y, z; };

static void deeper(int depth) {
    META_STACK(struct point, p);
    CHECK(p != NULL && lowfat_is_stack_ptr(p));
    *p = (struct point){depth, depth, depth};
    if (depth > 0) deeper(depth - 1);
    CHECK(p->x == depth && p->z == depth);
    check_everywhere((const char *)p, sizeof *p, "struct point");
}

static void global_objects(void) {
    struct config *c = &LOWFAT_REF(config);
    scores *s = &LOWFAT_REF(high_scores);
    CHECK(strcmp(c->name, "eye") == 0 && c->level[2] == 3);
    CHECK((*s)[0] == 900 && (*s)[3] == 600 && (*s)[4] == 0);
    CHECK(lowfat_is_global_ptr(c) && lowfat_is_global_ptr(*s));
    check_everywhere((const char *)c, sizeof *c, "struct config");
    check_everywhere((const char *)s, sizeof *s, "scores");
    c->level[7] = 70; /* writable like any global */
    CHECK(LOWFAT_REF(config).level[7] == 70);
}

int main(void) {
    heap_objects();
    deeper(50);
    global_objects();
    puts("hidden_meta: ok");
    return 0;
}

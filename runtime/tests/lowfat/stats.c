/* stats.c - figures, JSON, heap walk, trim, class ranges. */
#define _GNU_SOURCE
#include "check.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 1000 };
static void *objects[N];

struct seen {
    uint64_t count, bytes;
    int found[N];
};

static int visit(void *base, size_t size, void *context) {
    struct seen *seen = context;
    seen->count++;
    seen->bytes += size;
    CHECK(lowfat_is_live(base) && lowfat_size(base) == size && lowfat_base((char *)base + size - 1) == base);
    for (int i = 0; i < N; i++)
        if (objects[i] == base)
            seen->found[i]++;
    return 0;
}

static int stop_at_once(void *base, size_t size, void *context) {
    (void)base, (void)size;
    ++*(int *)context;
    return 42;
}

int main(int argc, char **argv) {
    static struct seen seen;
    struct lowfat_stats before, stats;
    lowfat_stats(&before);
    uint64_t bytes = 0;
    for (int i = 0; i < N; i++) {
        objects[i] = lowfat_malloc((size_t)i * i % 300000);
        bytes += lowfat_size(objects[i]);
    }
    lowfat_stats(&stats);
    CHECK(stats.live_objects == before.live_objects + N && stats.live_bytes == before.live_bytes + bytes);
    CHECK(stats.mapped_bytes >= stats.live_bytes + stats.cached_bytes + stats.free_bytes - stats.huge_bytes);
    CHECK(lowfat_heap_walk(visit, &seen) == 0);
    CHECK(seen.count == stats.live_objects && seen.bytes == stats.live_bytes);
    for (int i = 0; i < N; i++)
        CHECK(seen.found[i] == 1);
    int calls = 0;
    CHECK(lowfat_heap_walk(stop_at_once, &calls) == 42 && calls == 1);
    for (int i = 0; i < N; i++) {
        struct lowfat_class_range range;
        CHECK(lowfat_class_range(lowfat_class(objects[i]), &range) == 0);
        uint64_t slot = lowfat_slot(objects[i]);
        CHECK(range.first <= slot && slot < range.end && range.end <= range.limit);
        CHECK(lowfat_requested_size((char *)objects[i] + lowfat_size(objects[i]) / 2) >= (size_t)i * i % 300000);
        lowfat_free(objects[i]);
        CHECK(!lowfat_is_live(objects[i]) && lowfat_requested_size(objects[i]) == 0);
    }
    CHECK(lowfat_class_range(0, &(struct lowfat_class_range){0}) == -1);
    CHECK(lowfat_class_range(LOWFAT_CLASSES + 1, &(struct lowfat_class_range){0}) == -1);
    lowfat_stats(&stats);
    CHECK(stats.live_objects == before.live_objects);
    /* Memory goes back to the system and comes back zeroed or not, but usable. */
    char *large = lowfat_malloc(8000000);
    memset(large, 1, 8000000);
    lowfat_free(large);
    CHECK(lowfat_trim() > 0);
    lowfat_stats(&stats);
    CHECK(stats.warm_bytes == 0 && stats.cached_bytes == 0 && stats.purges > 0);
    if (argc > 1 && strcmp(argv[1], "json") == 0)
        CHECK(lowfat_stats_json(1) == 0);
    else
        CHECK(lowfat_stats_print(1) == 0);
    CHECK(lowfat_stats_json(-1) == -1);
    return 0;
}

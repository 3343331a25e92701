/* stats.c - figures, heap walk, trim.  Nothing is counted while the program runs: the side tables say it all. */
#define _GNU_SOURCE
#include "internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* ---- gathering ---- */

static void count_class(unsigned c, struct lowfat_stats *out) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    uint32_t spans = atomic_load_explicit(&cl->spans_used, memory_order_acquire);
    slot_t end = cl->first + ((uint64_t)spans << cl->shift);
    uint64_t live = 0, cached = 0, freed = 0;
    for (slot_t slot = cl->first; slot < end; slot++) {
        uint8_t state = STATE_GET(&cl->state[slot]);
        live += state >= LOWFAT_LIVE;
        cached += state == LOWFAT_CACHED || state == LOWFAT_AWAY;
        freed += state == LOWFAT_FREE || state == LOWFAT_QUARANTINED;
    }
    out->classes[c].live = live;
    out->classes[c].cached = cached;
    out->classes[c].freed = freed;
    out->classes[c].spans = spans;
    out->live_objects += live;
    out->live_bytes += live * cl->size;
    out->cached_bytes += cached * cl->size;
    out->free_bytes += freed * cl->size;
    out->mapped_bytes += (end - cl->first) * cl->size;
    out->metadata_bytes += (end - cl->first) + spans * sizeof(struct lowfat_span);
}

static void count_threads(struct lowfat_stats *out) {
    lowfat_acquire(&lowfat_registry_lock);
    for (struct lowfat_tcache *tc = lowfat_registry; tc; tc = tc->next) {
        out->metadata_bytes += sizeof *tc;
        if (!tc->in_use)
            continue;
        out->threads++;
        out->stack_bytes += atomic_load_explicit(&tc->stack_bytes, memory_order_relaxed);
    }
    lowfat_release(&lowfat_registry_lock);
}

LOWFAT_API void lowfat_stats(struct lowfat_stats *out) LOWFAT_NOEXCEPT_ {
    lowfat_ensure();
    memset(out, 0, sizeof *out);
    out->mode = lowfat_mode_;
    out->purges = atomic_load(&lowfat_purges);
    out->warm_bytes = atomic_load(&lowfat_warm_bytes);
    if (lowfat_mode_ == LOWFAT_MODE_PLAIN) {
        lowfat_plain_totals(&out->live_objects, &out->live_bytes);
        return;
    }
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        if (lowfat_central[c].span_count > 0)
            count_class(c, out);
    count_threads(out);
    uint64_t count;
    out->huge_bytes = lowfat_huge_total(&count);
    out->live_objects += count;
    out->live_bytes += out->huge_bytes;
}

/* ---- heap walk ---- */

LOWFAT_API int lowfat_class_range(unsigned id, struct lowfat_class_range *out) LOWFAT_NOEXCEPT_ {
    lowfat_ensure();
    if (id == 0 || id > LOWFAT_CLASSES || lowfat_central[id].span_count == 0)
        return -1;
    struct lowfat_class_central *cl = &lowfat_central[id];
    out->first = cl->first;
    out->end = cl->first + ((uint64_t)atomic_load_explicit(&cl->spans_used, memory_order_acquire) << cl->shift);
    out->limit = cl->limit;
    return 0;
}

LOWFAT_API int lowfat_heap_walk(lowfat_visitor *visit, void *context) {
    struct lowfat_class_range range;
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        if (lowfat_class_range(c, &range) != 0)
            continue;
        struct lowfat_class_central *cl = &lowfat_central[c];
        for (slot_t slot = range.first; slot < range.end; slot++) {
            if (STATE_GET(&cl->state[slot]) < LOWFAT_LIVE)
                continue;
            int result = visit((void *)(slot * cl->size), cl->size, context);
            if (result != 0)
                return result;
        }
    }
    return lowfat_huge_walk(visit, context);
}

LOWFAT_API size_t lowfat_trim(void) LOWFAT_NOEXCEPT_ {
    lowfat_ensure();
    if (lowfat_mode_ == LOWFAT_MODE_PLAIN)
        return 0;
    struct lowfat_tcache *tc = lowfat_tls.cache;
    if (tc) {
        lowfat_tcache_check_away(tc);
        lowfat_enter(tc);
        lowfat_tcache_flush_all(tc);
        lowfat_leave(tc);
    }
    return lowfat_purge_all();
}

#ifndef LOWFAT_NO_INTERPOSE
/* glibc's name for it; `pad`, what to leave, has no meaning here. */
LOWFAT_API int malloc_trim(size_t pad) {
    (void)pad;
    return lowfat_trim() > 0;
}
#endif

/* ---- printing ---- */

static const char *const mode_names[] = {"arena", "grown", "plain"};

static const struct {
    const char *name;
    size_t offset;
} figures[] = {
#define FIGURE(name) {#name, offsetof(struct lowfat_stats, name)}
    FIGURE(live_objects), FIGURE(live_bytes),     FIGURE(cached_bytes), FIGURE(free_bytes),  FIGURE(huge_bytes),
    FIGURE(mapped_bytes), FIGURE(metadata_bytes), FIGURE(warm_bytes),   FIGURE(stack_bytes), FIGURE(threads),
    FIGURE(purges),
};
#define FIGURES (sizeof figures / sizeof figures[0])

static uint64_t figure(const struct lowfat_stats *stats, size_t i) {
    return *(const uint64_t *)(const void *)((const char *)stats + figures[i].offset);
}

static int finish(struct lowfat_text *text) {
    lowfat_text_flush(text);
    return text->failed ? -1 : 0;
}

LOWFAT_API int lowfat_stats_print(int fd) LOWFAT_NOEXCEPT_ {
    struct lowfat_stats stats;
    struct lowfat_text text = {.fd = fd};
    lowfat_stats(&stats);
    lowfat_text_put(&text, "lowfat statistics (mode ");
    lowfat_text_put(&text, mode_names[stats.mode]);
    lowfat_text_put(&text, ")\n");
    for (size_t i = 0; i < FIGURES; i++) {
        lowfat_text_number(&text, figure(&stats, i), 16);
        lowfat_text_put(&text, "  ");
        lowfat_text_put(&text, figures[i].name);
        lowfat_text_put(&text, "\n");
    }
    lowfat_text_put(&text, " class        size        live      cached        free       spans\n");
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        if (stats.classes[c].spans == 0)
            continue;
        lowfat_text_number(&text, c, 6);
        lowfat_text_number(&text, lowfat_class_size(c), 12);
        lowfat_text_number(&text, stats.classes[c].live, 12);
        lowfat_text_number(&text, stats.classes[c].cached, 12);
        lowfat_text_number(&text, stats.classes[c].freed, 12);
        lowfat_text_number(&text, stats.classes[c].spans, 12);
        lowfat_text_put(&text, "\n");
    }
    return finish(&text);
}

static void json_number(struct lowfat_text *text, const char *name, uint64_t value, const char *end) {
    lowfat_text_put(text, "\"");
    lowfat_text_put(text, name);
    lowfat_text_put(text, "\":");
    lowfat_text_number(text, value, 0);
    lowfat_text_put(text, end);
}

LOWFAT_API int lowfat_stats_json(int fd) LOWFAT_NOEXCEPT_ {
    struct lowfat_stats stats;
    struct lowfat_text text = {.fd = fd};
    lowfat_stats(&stats);
    lowfat_text_put(&text, "{\"mode\":\"");
    lowfat_text_put(&text, mode_names[stats.mode]);
    lowfat_text_put(&text, "\",");
    for (size_t i = 0; i < FIGURES; i++)
        json_number(&text, figures[i].name, figure(&stats, i), ",");
    lowfat_text_put(&text, "\"classes\":[");
    const char *separator = "";
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        if (stats.classes[c].spans == 0)
            continue;
        lowfat_text_put(&text, separator);
        lowfat_text_put(&text, "{");
        json_number(&text, "class", c, ",");
        json_number(&text, "size", lowfat_class_size(c), ",");
        json_number(&text, "live", stats.classes[c].live, ",");
        json_number(&text, "cached", stats.classes[c].cached, ",");
        json_number(&text, "free", stats.classes[c].freed, ",");
        json_number(&text, "spans", stats.classes[c].spans, "}");
        separator = ",";
    }
    lowfat_text_put(&text, "]}\n");
    return finish(&text);
}

/* A copy of standard error: programs close theirs in exit handlers that run before ours. */
static int exit_fd = -1;

static void print_at_exit(void) { lowfat_stats_print(exit_fd); }

void lowfat_stats_at_exit(void) {
    exit_fd = fcntl(2, F_DUPFD_CLOEXEC, 100);
    atexit(print_at_exit);
}

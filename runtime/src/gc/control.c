/* control.c - options, figures, and the functions that ask for a collection. */
#ifndef CYC_HEAP_LIBC
#define _GNU_SOURCE
#include "gc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

#ifdef CYC_GC_OF_CYCLONE
#include "../region/page.h"
enum { PAST_END = 0, LOST = 2 };
#else
enum { PAST_END = 1, LOST = 0 };
#endif

static const struct {
    const char *name;
    uint64_t standard, least, most;
} known[LOWFAT_GC_OPTIONS_] = {
    [LOWFAT_GC_LIMIT] = {"limit", 0, 0, INT64_MAX},
    [LOWFAT_GC_RATIO] = {"ratio", CYC_GC_RATIO, 101, 100000},
    [LOWFAT_GC_START] = {"start", (uint64_t)1 << 18, 4096, INT64_MAX / 2},
    [LOWFAT_GC_STACK] = {"stack", 0, 64, (uint64_t)1 << 32},
    [LOWFAT_GC_EVERY] = {"every", 0, 0, UINT64_MAX},
    [LOWFAT_GC_POISON] = {"poison", 0, 0, 1},
    [LOWFAT_GC_LOST] = {"lost", LOST, 0, 2},
    [LOWFAT_GC_PAST_END] = {"past_end", PAST_END, 0, 1},
    [LOWFAT_GC_VERBOSE] = {"verbose", 0, 0, 2},
};

static bool from_environment(const char *name, size_t name_length, const char *value, size_t length) {
    uint64_t number;
    for (unsigned i = 0; i < LOWFAT_GC_OPTIONS_; i++)
        if (strlen(known[i].name) == name_length && memcmp(known[i].name, name, name_length) == 0) {
            if (!lowfat_option_number(value, length, &number) || number < known[i].least || number > known[i].most)
                return false;
            cyc_gc.option[i] = number;
            return true;
        }
    return false;
}

/* A copy of standard error: programs close theirs in exit handlers that run before ours. */
static int exit_fd = -1;
static void print_at_exit(void) { lowfat_gc_stats_print(exit_fd); }

void cyc_gc_options_init(void) {
    for (unsigned i = 0; i < LOWFAT_GC_OPTIONS_; i++)
        cyc_gc.option[i] = known[i].standard;
#ifdef CYC_GC_OF_CYCLONE
    cyc_gc.option[LOWFAT_GC_EVERY] = cyc_gc.option[LOWFAT_GC_POISON] = (uint64_t)cyc_rgn_hostile();
#endif
    lowfat_options_read("LOWFAT_GC_OPTIONS", from_environment);
    cyc_gc.past_end = cyc_gc.option[LOWFAT_GC_PAST_END];
    if (cyc_gc.option[LOWFAT_GC_VERBOSE] == 2) {
        exit_fd = fcntl(2, F_DUPFD_CLOEXEC, 100);
        atexit(print_at_exit);
    }
}

LOWFAT_API int lowfat_gc_set(enum lowfat_gc_option option, uint64_t value) LOWFAT_NOEXCEPT_ {
    cyc_gc_start();
    if ((unsigned)option >= LOWFAT_GC_OPTIONS_ || option == LOWFAT_GC_PAST_END || value < known[option].least ||
        value > known[option].most) {
        errno = EINVAL;
        return -1;
    }
    lowfat_acquire(&cyc_gc.lock);
    cyc_gc.option[option] = value;
    cyc_gc_set_trigger();
    lowfat_release(&cyc_gc.lock);
    return 0;
}

LOWFAT_API uint64_t lowfat_gc_get(enum lowfat_gc_option option) LOWFAT_NOEXCEPT_ {
    cyc_gc_start();
    return (unsigned)option < LOWFAT_GC_OPTIONS_ ? cyc_gc.option[option] : 0;
}

/* ---- collections on request ---- */

static bool may_collect(void) {
    cyc_gc_start();
    int saved = errno;
    bool here = cyc_gc.ready && cyc_gc_thread_here() != NULL;
    errno = saved;
    return here;
}

LOWFAT_API size_t lowfat_gc_collect(void) LOWFAT_NOEXCEPT_ {
    if (!may_collect())
        return 0;
    lowfat_acquire(&cyc_gc.lock);
    cyc_gc_collect(&cyc_gc_self);
    size_t live = cyc_gc.stats.live_bytes;
    lowfat_release(&cyc_gc.lock);
    return live;
}

LOWFAT_API size_t lowfat_gc_trim(void) LOWFAT_NOEXCEPT_ {
    if (!may_collect())
        return 0;
    lowfat_acquire(&cyc_gc.lock);
    size_t returned = cyc_gc_purge_all();
    lowfat_release(&cyc_gc.lock);
    return returned;
}

static void change_disabled(int by) {
    cyc_gc_start();
    lowfat_acquire(&cyc_gc.lock);
    if (by > 0 || cyc_gc.disabled > 0)
        cyc_gc.disabled += (uint32_t)by;
    lowfat_release(&cyc_gc.lock);
}
LOWFAT_API void lowfat_gc_disable(void) LOWFAT_NOEXCEPT_ { change_disabled(1); }
LOWFAT_API void lowfat_gc_enable(void) LOWFAT_NOEXCEPT_ { change_disabled(-1); }

/* ---- figures ---- */

LOWFAT_API void lowfat_gc_stats(struct lowfat_gc_stats *out) LOWFAT_NOEXCEPT_ {
    cyc_gc_start();
    lowfat_acquire(&cyc_gc.lock);
    *out = cyc_gc.stats;
    int64_t since = atomic_load_explicit(&cyc_gc.since, memory_order_relaxed) + cyc_gc_self.allocated;
    out->since_bytes = since > 0 ? (uint64_t)since : 0;
    out->total_bytes += out->since_bytes;
    out->trigger_bytes = (uint64_t)cyc_gc.trigger;
    lowfat_release(&cyc_gc.lock);
}

static const struct {
    const char *name;
    size_t offset;
} figures[] = {
#define FIGURE(name) {#name, offsetof(struct lowfat_gc_stats, name)}
    FIGURE(collections),    FIGURE(live_bytes),    FIGURE(live_objects),      FIGURE(since_bytes),
    FIGURE(total_bytes),    FIGURE(heap_bytes),    FIGURE(trigger_bytes),     FIGURE(root_bytes),
    FIGURE(malloced_bytes), FIGURE(lost_objects),  FIGURE(lost_bytes),        FIGURE(reclaimed_objects),
    FIGURE(rescans),        FIGURE(purged_bytes),  FIGURE(threads),           FIGURE(pause_last_ns),
    FIGURE(pause_longest_ns), FIGURE(pause_total_ns),
};

LOWFAT_API int lowfat_gc_stats_print(int fd) LOWFAT_NOEXCEPT_ {
    struct lowfat_gc_stats stats;
    struct lowfat_text text = {.fd = fd};
    lowfat_gc_stats(&stats);
    lowfat_text_put(&text, "lowfat gc statistics\n");
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        lowfat_text_number(&text, *(const uint64_t *)(const void *)((const char *)&stats + figures[i].offset), 16);
        lowfat_text_put(&text, "  ");
        lowfat_text_put(&text, figures[i].name);
        lowfat_text_put(&text, "\n");
    }
    lowfat_text_flush(&text);
    return text.failed ? -1 : 0;
}

/* The lock is held. */
void cyc_gc_print_collection(void) {
    struct lowfat_text text = {.fd = 2};
    lowfat_text_put(&text, "lowfat gc: collection ");
    lowfat_text_number(&text, cyc_gc.stats.collections, 0);
    lowfat_text_put(&text, ", live KiB ");
    lowfat_text_number(&text, cyc_gc.stats.live_bytes >> 10, 0);
    lowfat_text_put(&text, " of ");
    lowfat_text_number(&text, cyc_gc.stats.heap_bytes >> 10, 0);
    lowfat_text_put(&text, ", paused us ");
    lowfat_text_number(&text, cyc_gc.stats.pause_last_ns / 1000, 0);
    lowfat_text_put(&text, ", lost objects ");
    lowfat_text_number(&text, cyc_gc.stats.lost_objects, 0);
    lowfat_text_put(&text, "\n");
    lowfat_text_flush(&text);
}
#endif

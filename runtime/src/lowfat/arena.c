/* arena.c - where the regions lie, and how their memory becomes usable.
 *
 * One region of LOWFAT_REGION_SIZE per heap class and per stack class, all in one reservation at a random multiple of
 * the region size.  The slots of a class start at a random page of its region: equal offsets would send the first
 * pages of all regions to one set of the TLB.
 *
 * Three ways to get there, tried in order:
 *   ARENA, writable   one NORESERVE mapping, nothing to do later;
 *   ARENA, committed  (overcommit forbidden, RLIMIT_DATA) one read-only reservation, made writable as regions grow;
 *   GROWN             (RLIMIT_AS) no reservation: regions and side tables are mapped as they grow;
 * and PLAIN when the address space admits none of them.  Under Valgrind, which keeps a record of every page that is
 * mapped and would take minutes over the reservation, GROWN comes first. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>

_Atomic int lowfat_ready;
enum lowfat_mode lowfat_mode_;
bool lowfat_commit_needed;
struct lowfat_stack_region lowfat_stack_regions[LOWFAT_SMALL_CLASSES + 1];

#define REGIONS (LOWFAT_CLASSES + LOWFAT_SMALL_CLASSES)
/* Where arenas may lie: above the low-fat globals and everything that is linked at a fixed address, below PIE
 * executables.  ThreadSanitizer leaves less room. */
#ifdef LOWFAT_TSAN
#define ARENA_LOW 0x550000000000ull
#define ARENA_HIGH 0x560000000000ull
#else
#define ARENA_LOW (4ull << 40)
#define ARENA_HIGH (80ull << 40)
#endif
#define PLACEMENTS 32 /* attempts at a random base */

static uintptr_t arena;

uint64_t lowfat_random(void) {
    static _Atomic uint64_t state;
    uint64_t z = atomic_fetch_add_explicit(&state, 0x9e3779b97f4a7c15ull, memory_order_relaxed);
    if (z == 0) {
        z = lowfat_os_random() | 1;
        atomic_store_explicit(&state, z, memory_order_relaxed);
    }
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* One whose rows of the map lie in one page of each column: two of three will do. */
static uintptr_t random_base(void) {
    enum { rows_of_page = LOWFAT_PAGE / sizeof lowfat_map_.magic[0] };
    _Static_assert(REGIONS <= rows_of_page, "the loop would not end");
    uint64_t places = (ARENA_HIGH - ARENA_LOW) / LOWFAT_REGION_SIZE - REGIONS;
    uintptr_t base;
    do
        base = (uintptr_t)(ARENA_LOW + lowfat_random() % places * LOWFAT_REGION_SIZE);
    while (lowfat_row_((void *)base) % rows_of_page + REGIONS > rows_of_page);
    return base;
}

static uintptr_t heap_region(unsigned c) { return arena + (uintptr_t)(c - 1) * LOWFAT_REGION_SIZE; }
static uintptr_t stack_region(unsigned c) {
    return arena + (uintptr_t)(LOWFAT_CLASSES + c - 1) * LOWFAT_REGION_SIZE;
}

static bool reserve_arena(bool writable) {
    for (int i = 0; i < PLACEMENTS; i++) {
        arena = random_base();
        if (lowfat_os_reserve_at(arena, REGIONS * LOWFAT_REGION_SIZE, writable)) {
            lowfat_os_dump(arena, REGIONS * LOWFAT_REGION_SIZE, false);
            lowfat_os_name(arena, REGIONS * LOWFAT_REGION_SIZE, "lowfat");
            return true;
        }
        if (errno == ENOMEM && i >= 2) /* a limit, not a collision */
            break;
    }
    return false;
}

/* In GROWN mode only the base is chosen; one page shows that addresses are honoured. */
static bool choose_base(void) {
    for (int i = 0; i < PLACEMENTS; i++) {
        arena = random_base();
        if (lowfat_os_map_at(arena, LOWFAT_PAGE)) {
            lowfat_os_unmap((void *)arena, LOWFAT_PAGE);
            return true;
        }
    }
    return false;
}

/* The pages a side table of `count` entries of `width` bytes needs, plus room for a random page and any line to start at. */
#define COLOUR_PAGES 16
static size_t table_bytes(uint64_t count, size_t width) {
    return lowfat_round_up(count * width, LOWFAT_PAGE) + (COLOUR_PAGES + 1) * LOWFAT_PAGE;
}

static uint64_t region_slots(uint64_t size) { return LOWFAT_REGION_SIZE / size; }

struct tables {
    uintptr_t next; /* address from which side tables are carved */
};

static uintptr_t carve(struct tables *tables, uint64_t count, size_t width) {
    uintptr_t at = tables->next + lowfat_random() % COLOUR_PAGES * LOWFAT_PAGE;
    tables->next += table_bytes(count, width);
    return at;
}

static size_t all_tables(void) {
    size_t total = 0;
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        uint64_t slots = region_slots(lowfat_central[c].size) + 1;
        total += table_bytes(slots, 1) + table_bytes((slots >> lowfat_central[c].shift) + 1, sizeof(struct lowfat_span));
        if (c <= LOWFAT_SMALL_CLASSES)
            total += table_bytes(slots, 1) + (lowfat_options.exact ? table_bytes(slots, 4) : 0);
    }
    return total;
}

/* Where in its page the state bytes of a class begin. Were they to begin with the page, those of all classes would contend for
 * one set of the first cache. The first span's stay in one page. */
static uintptr_t state_colour(unsigned c) {
    enum { line = 64, lines = LOWFAT_PAGE / line };
    unsigned span_lines = (lowfat_central[c].capacity + line - 1u) / line;
    return c * 5 % (lines - span_lines + 1) * line;
}

/* First and last slot of a region; the first skips a random number of pages, the last leaves the region's end unused, so
 * that one past the last object is still in the region. */
static void slot_range(uintptr_t region, uint64_t size, slot_t *first, slot_t *limit) {
    uintptr_t start = region;
    if (size <= LOWFAT_SMALL_MAX) /* any of 512 pages: all sets of the TLB */
        start += lowfat_random() % 512 * LOWFAT_PAGE;
    *first = (start + size - 1) / size;
    *limit = (region + LOWFAT_REGION_SIZE - 1) / size;
    if (*limit == *first) /* one slot fills the region */
        *limit = *first + 1;
}

static void heap_class_init(struct tables *tables, unsigned c) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    if (cl->size > LOWFAT_REGION_SIZE / 2)
        return; /* regions smaller than the default: such objects are huge ones */
    slot_range(heap_region(c), cl->size, &cl->first, &cl->limit);
    uint64_t slots = cl->limit - cl->first;
    cl->span_count = (uint32_t)(slots >> cl->shift);
    cl->limit = cl->first + ((uint64_t)cl->span_count << cl->shift);
    uintptr_t states = carve(tables, slots + 1, 1) + state_colour(c);
    cl->state = (uint8_t *)(states - cl->first);
    cl->spans = (struct lowfat_span *)carve(tables, cl->span_count + 1u, sizeof(struct lowfat_span));
    if (lowfat_options.exact && c <= LOWFAT_SMALL_CLASSES)
        cl->exact = (uint32_t *)(carve(tables, slots, 4) - cl->first * 4);
    cl->committed = lowfat_round_down(cl->first * cl->size, LOWFAT_PAGE);
    cl->state_committed = lowfat_round_down(states, LOWFAT_PAGE);
    cl->spans_committed = (uintptr_t)cl->spans;
    lowfat_map_set(heap_region(c), cl->size, c, LOWFAT_KIND_HEAP, cl->state);
    if (c <= LOWFAT_SMALL_CLASSES)
        lowfat_fast.state[c] = cl->state;
}

static void stack_class_init(struct tables *tables, unsigned c) {
    struct lowfat_stack_region *region = &lowfat_stack_regions[c];
    slot_range(stack_region(c), lowfat_central[c].size, &region->first, &region->limit);
    region->state = (uint8_t *)(carve(tables, region->limit - region->first + 1, 1) - region->first);
    lowfat_map_set(stack_region(c), lowfat_central[c].size, c, LOWFAT_KIND_STACK, region->state);
}

static bool reserve_all(void) {
    struct tables tables = {0};
    int wanted = lowfat_options.arena;
    if (wanted == LOWFAT_MODE_ARENA && lowfat_os_simulated())
        wanted = LOWFAT_MODE_GROWN;
    size_t size = all_tables();
    if (wanted == LOWFAT_MODE_ARENA) {
        bool writable = true;
        if (!reserve_arena(true)) {
            writable = false;
            lowfat_commit_needed = reserve_arena(false);
        }
        if (writable || lowfat_commit_needed) {
            tables.next = lowfat_os_reserve(size, writable);
            if (tables.next != 0) {
                lowfat_os_name(tables.next, size, "lowfat tables");
                lowfat_os_dump(tables.next, size, false);
            } else {
                lowfat_os_unmap((void *)arena, REGIONS * LOWFAT_REGION_SIZE);
                lowfat_commit_needed = false;
            }
        }
    }
    if (tables.next == 0) {
        lowfat_mode_ = LOWFAT_MODE_GROWN;
        if (wanted == LOWFAT_MODE_PLAIN || !choose_base())
            return false;
        lowfat_commit_needed = true;
        /* The side tables lie behind the arena, also unreserved. */
        tables.next = arena + REGIONS * LOWFAT_REGION_SIZE;
    }
    if (lowfat_commit_needed) /* stacks are committed as a whole, for every thread and class */
        atomic_store(&lowfat_stack_chunk, 256 * 1024);
    /* Whoever read a variable beside the table of sizes made its pages resident, which are still those of the file. */
    lowfat_os_purge((uintptr_t)lowfat_sizes_, sizeof lowfat_sizes_);
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        heap_class_init(&tables, c);
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++)
        stack_class_init(&tables, c);
    return true;
}

static void start_once(void) {
    int saved = errno;
    lowfat_options_init();
    lowfat_classes_init();
    if (!reserve_all())
        lowfat_mode_ = LOWFAT_MODE_PLAIN;
    lowfat_globals_init();
    errno = saved;
}

/* The first allocation may come before any constructor, from any thread. */
COLD void lowfat_start(void) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&lowfat_ready, &expected, 1)) {
        start_once();
        atomic_store_explicit(&lowfat_ready, 2, memory_order_release);
        lowfat_tcache_init();
        lowfat_fork_init(); /* early: handlers run in the order that suits us only if ours come first */
        return;
    }
    while (atomic_load_explicit(&lowfat_ready, memory_order_acquire) != 2)
        lowfat_os_yield();
}

/* LOWFAT_ON_DEMAND: a program that owns this copy of the library pays nothing before its first allocation. */
#ifndef LOWFAT_ON_DEMAND
__attribute__((constructor(101)))
#endif
static __attribute__((unused)) void start_early(void) {
    lowfat_ensure();
    if (lowfat_options.stats)
        lowfat_stats_at_exit();
}

/* ---- growth ---- */

#define STEP_MIN ((uintptr_t)256 * 1024)
#define STEP_MAX ((uintptr_t)64 << 20)

static bool commit(uintptr_t from, uintptr_t to) {
    if (lowfat_mode_ == LOWFAT_MODE_GROWN)
        return lowfat_os_map_at(from, to - from);
    return lowfat_os_commit(from, to - from);
}

/* Extends [.., *end) to cover `need`, a page at least. */
static bool extend(uintptr_t *end, uintptr_t need) {
    if (need <= *end)
        return true;
    need = lowfat_round_up(need, LOWFAT_PAGE);
    if (lowfat_commit_needed && !commit(*end, need))
        return false;
    *end = need;
    return true;
}

/* Heap memory grows in steps that double with the class, so that the few system calls it takes (marking the
 * memory as wanted in core dumps, or committing it) stay few. */
static bool extend_heap(struct lowfat_class_central *cl, uintptr_t need) {
    if (need <= cl->committed)
        return true;
    uintptr_t used = cl->committed - lowfat_round_down(cl->first * cl->size, LOWFAT_PAGE);
    uintptr_t step = used < STEP_MIN ? STEP_MIN : used > STEP_MAX ? STEP_MAX : used;
    uintptr_t end = cl->committed + step;
    uintptr_t limit = lowfat_round_up(cl->limit * cl->size, LOWFAT_PAGE);
    if (lowfat_commit_needed || end < need)
        end = need;
    end = lowfat_round_up(end, LOWFAT_PAGE);
    if (end > limit)
        end = limit;
    if (lowfat_commit_needed && !commit(cl->committed, end))
        return false;
    if (lowfat_mode_ == LOWFAT_MODE_ARENA)
        lowfat_os_dump(cl->committed, end - cl->committed, true);
    cl->committed = end;
    return true;
}

/* Requires the class's lock; `number` is the first span not handed out yet. */
bool lowfat_arena_commit_span(struct lowfat_class_central *cl, unsigned c, uint32_t number) {
    slot_t end = cl->first + ((uint64_t)(number + 1) << cl->shift);
    if (number >= LOWFAT_FIRST_SPANS && !extend(&cl->spans_committed, (uintptr_t)(cl->spans + number + 1)))
        return false;
    if (!extend(&cl->state_committed, (uintptr_t)cl->state + end))
        return false;
    if (c > LOWFAT_SMALL_CLASSES)
        return true; /* committed object by object */
    return extend_heap(cl, end * cl->size);
}

bool lowfat_arena_commit_large(uintptr_t from, size_t length) {
    if (lowfat_commit_needed)
        return commit(from, from + length);
    lowfat_os_dump(from, length, true);
    return true;
}

void lowfat_arena_decommit_large(uintptr_t from, size_t length) {
    if (lowfat_mode_ == LOWFAT_MODE_GROWN)
        lowfat_os_unmap((void *)from, length);
    else if (lowfat_commit_needed)
        lowfat_os_decommit(from, length);
    else
        lowfat_os_purge(from, length);
}

enum lowfat_mode lowfat_mode(void) LOWFAT_NOEXCEPT_ {
    lowfat_ensure();
    return lowfat_mode_;
}

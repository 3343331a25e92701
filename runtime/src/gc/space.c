/* space.c - where the traced regions and their tables lie, and how they grow. */
#ifndef CYC_HEAP_LIBC
#include "gc.h"

#include <errno.h>
#include <pthread.h>

CYC_GC_STATE struct cyc_gc_heap cyc_gc = {.epoch = 1};
/* Not part of the section of state, so that what is never written needs no memory. */
struct cyc_gc_space cyc_gc_space[CYC_GC_SPACES];
struct cyc_gc_block cyc_gc_first_blocks[CYC_GC_KINDS][LOWFAT_SMALL_CLASSES + 1][CYC_GC_FIRST_BLOCKS];
CYC_GC_STATE struct cyc_gc_space *cyc_gc_opened[CYC_GC_SPACES];
CYC_GC_STATE unsigned cyc_gc_opened_count;
CYC_GC_STATE uint16_t cyc_gc_row[LOWFAT_ROWS / 2];

CYC_GC_STATE static uintptr_t regions, tables; /* where they begin; where the next table may */

#define REGIONS (CYC_GC_KINDS * LOWFAT_CLASSES)
#define COLOUR_PAGES 16
#define LAYOUTS ((uint64_t)1 << 20) /* different ones in a program */
#ifdef LOWFAT_TSAN                 /* behind liblowfat's arena, see its arena.c */
#define LOW 0x560000000000ull
#define HIGH 0x568000000000ull
#else
#define LOW (4ull << 40)
#define HIGH (80ull << 40)
#endif
#define PLACEMENTS 32
#define RUN_BYTES ((uintptr_t)8192) /* most of a run, if that is more than one slot */

#ifdef LOWFAT_TSAN
void __tsan_java_init(unsigned long from, unsigned long size);
#endif

/* ---- address space ---- */

static uintptr_t random_base(void) {
    uint64_t places = (HIGH - LOW) / LOWFAT_REGION_SIZE - REGIONS;
    return (uintptr_t)(LOW + lowfat_random() % places * LOWFAT_REGION_SIZE);
}

static bool rows_free(uintptr_t base) {
    for (unsigned i = 0; i < REGIONS; i++)
        if (lowfat_map_.row[lowfat_row_((void *)(base + i * LOWFAT_REGION_SIZE))].kind != LOWFAT_KIND_NONE)
            return false;
    return true;
}

/* As liblowfat obtained its own regions; 0 when there is no room. */
static uintptr_t place_regions(void) {
    for (int i = 0; i < PLACEMENTS; i++) {
        uintptr_t base = random_base();
        if (!rows_free(base))
            continue;
        if (lowfat_mode_ == LOWFAT_MODE_GROWN) {
            if (lowfat_os_map_at(base, LOWFAT_PAGE)) {
                lowfat_os_unmap((void *)base, LOWFAT_PAGE);
                return base;
            }
        } else if (lowfat_os_reserve_at(base, REGIONS * LOWFAT_REGION_SIZE, !lowfat_commit_needed)) {
            lowfat_os_dump(base, REGIONS * LOWFAT_REGION_SIZE, false);
            lowfat_os_name(base, REGIONS * LOWFAT_REGION_SIZE, "lowfat traced");
            return base;
        }
    }
    return 0;
}

/* ---- tables ---- */

static uintptr_t carve(uint64_t count, size_t width) {
    uintptr_t at = tables + lowfat_random() % COLOUR_PAGES * LOWFAT_PAGE;
    tables += lowfat_round_up(count * width, LOWFAT_PAGE) + COLOUR_PAGES * LOWFAT_PAGE;
    return at;
}

static void carve_tables(struct cyc_gc_space *s) {
    s->bits_committed = carve(s->limit / 64 + 1, sizeof *s->bits);
    s->bits = (struct cyc_gc_bits *)s->bits_committed;
    if (s->kind == CYC_GC_MALLOCED)
        return;
    if (s->kind == CYC_GC_LAYOUT) {
        s->layout_committed = carve(s->limit, sizeof *s->layout);
        s->layout = (uint32_t *)s->layout_committed;
    }
    if (cyc_gc_large(s)) {
        s->requested_committed = carve(s->limit, sizeof *s->requested);
        s->requested = (uint64_t *)s->requested_committed;
    } else {
        s->blocks_committed = carve((s->limit >> s->shift) + 1, sizeof *s->blocks);
        s->blocks = (struct cyc_gc_block *)s->blocks_committed;
    }
}

/* What tables of a space need, generously. */
static uint64_t tables_bytes(unsigned kind, unsigned c) {
    uint64_t size = lowfat_class_size(c), slots = LOWFAT_REGION_SIZE / size;
    uint64_t width = c > LOWFAT_SMALL_CLASSES ? sizeof(uint64_t) : 0;
    width += kind == CYC_GC_LAYOUT ? sizeof(uint32_t) : 0;
    return slots / 4 + (slots / 64 + 1) * sizeof(struct cyc_gc_block) + slots * width + 4 * (COLOUR_PAGES + 1) * LOWFAT_PAGE;
}

static size_t all_tables_bytes(void) {
    size_t total = LAYOUTS * sizeof(void *) + COLOUR_PAGES * LOWFAT_PAGE;
    for (unsigned i = 0; i < CYC_GC_SPACES - 1; i++)
        total += tables_bytes(i / LOWFAT_CLASSES, i % LOWFAT_CLASSES + 1);
    return total;
}

/* ---- spaces ---- */

static uintptr_t region_of(unsigned kind, unsigned c) {
    return regions + (uintptr_t)(kind * LOWFAT_CLASSES + c - 1) * LOWFAT_REGION_SIZE;
}

/* Slots of small spaces start at a random page, and blocks hold about 64 KiB, but 64 slots at least. */
static void open_traced(struct cyc_gc_space *s, uintptr_t region) {
    uintptr_t start = region;
    s->run_slots = (uint8_t)(s->size <= RUN_BYTES / 64 ? 64 : s->size < RUN_BYTES ? RUN_BYTES / s->size : 1);
    if (!cyc_gc_large(s)) {
        start += lowfat_random() % 512 * LOWFAT_PAGE;
        while (s->shift < 6 || (s->size << (s->shift + 1)) <= 65536)
            s->shift++;
    }
    s->first = (start + s->size - 1) / s->size;
    s->limit = ((region + LOWFAT_REGION_SIZE - 1) / s->size - s->first) >> s->shift << s->shift;
    s->committed = lowfat_round_down(s->first * s->size, LOWFAT_PAGE);
    s->magic = lowfat_map_.magic[lowfat_row_((void *)region)];
}

static void open_malloced(struct cyc_gc_space *s, const struct lowfat_class_central *cl) {
    s->first = cl->first;
    s->limit = cl->limit - cl->first;
    s->state = cl->state;
    s->magic = lowfat_map_.magic[lowfat_row_((void *)(cl->first * cl->size))];
}

void cyc_gc_open(unsigned kind, unsigned c) {
    struct cyc_gc_space *s = cyc_gc_space_of(kind, c);
    s->size = lowfat_class_size(c);
    s->kind = (uint8_t)kind;
    s->class_id = (uint8_t)c;
    s->special = kind != CYC_GC_SCANNED || cyc_gc_large(s);
    if (kind == CYC_GC_MALLOCED)
        open_malloced(s, &lowfat_central[c]);
    else
        open_traced(s, region_of(kind, c));
    carve_tables(s);
    cyc_gc_opened[cyc_gc_opened_count++] = s;
}

/* From here on liblowfat knows the region's objects, and an address leads to the space, in which it is none until it has been
 * opened. */
static void map_region(unsigned kind, unsigned c, uint8_t *states) {
    uintptr_t region = region_of(kind, c);
    size_t size = lowfat_class_size(c);
    if (size > CYC_GC_LARGEST)
        return;
    lowfat_map_set(region, size, c, LOWFAT_KIND_TRACED, states - (slot_t)(region / size));
    cyc_gc_row[region >> LOWFAT_REGION_SHIFT] = (uint16_t)(cyc_gc_space_of(kind, c) - cyc_gc_space);
}

static void map_malloced(unsigned c) {
    const struct lowfat_class_central *cl = &lowfat_central[c];
    if (cl->span_count != 0)
        cyc_gc_row[cl->first * cl->size >> LOWFAT_REGION_SHIFT] =
            (uint16_t)(cyc_gc_space_of(CYC_GC_MALLOCED, c) - cyc_gc_space);
}

/* One state byte, NEVER, for every slot of every region: `free` of a traced object reads it and finds it is not malloc's. */
static uint8_t *reserve_states(void) {
    uint64_t bytes = LOWFAT_REGION_SIZE / 16 + LOWFAT_PAGE;
    return lowfat_mode_ == LOWFAT_MODE_GROWN ? NULL : (uint8_t *)lowfat_os_reserve(bytes, false);
}

static bool reserve_tables(void) {
    size_t bytes = all_tables_bytes();
    if (lowfat_mode_ == LOWFAT_MODE_GROWN) {
        tables = regions + REGIONS * LOWFAT_REGION_SIZE;
    } else {
        tables = lowfat_os_reserve(bytes, !lowfat_commit_needed);
        if (tables == 0)
            return false;
        lowfat_os_dump(tables, bytes, false);
        lowfat_os_name(tables, bytes, "lowfat traced tables");
    }
    cyc_gc.layouts_committed = carve(LAYOUTS, sizeof(void *));
    cyc_gc.layouts = (struct lowfat_gc_layout **)cyc_gc.layouts_committed;
    return true;
}

static bool start_regions(void) {
    if (lowfat_mode_ == LOWFAT_MODE_PLAIN)
        return false;
    regions = place_regions();
    uint8_t *states = reserve_states();
    if (regions == 0 || (states == NULL && lowfat_mode_ != LOWFAT_MODE_GROWN) || !reserve_tables())
        return false;
    for (unsigned i = 0; i < REGIONS; i++)
        map_region(i / LOWFAT_CLASSES, i % LOWFAT_CLASSES + 1, states);
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        map_malloced(c);
#ifdef LOWFAT_TSAN
    __tsan_java_init(regions, REGIONS * LOWFAT_REGION_SIZE);
#endif
    return true;
}

static void start_once(void) {
    int saved = errno;
    lowfat_ensure(); /* its fork handlers come before ours */
    cyc_gc_options_init();
    cyc_gc.key = lowfat_random() | (uintptr_t)1 << 63;
    cyc_gc_stop_init();
    cyc_gc_threads_init();
    cyc_gc.ready = cyc_gc_register_first() && start_regions();
    cyc_gc_set_trigger();
    errno = saved;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
void cyc_gc_start(void) { pthread_once(&once, start_once); }

#ifndef CYC_GC_OF_CYCLONE
/* Early, and in the main thread, whose stack must be known before others collect. */
__attribute__((constructor(102))) static void start_early(void) {
    cyc_gc_start();
    cyc_gc_thread_here();
}
#endif

/* ---- growth ---- */

#define STEP_MIN ((uintptr_t)256 * 1024)
#define STEP_MAX ((uintptr_t)64 << 20)

static bool commit(uintptr_t from, uintptr_t to) {
    return lowfat_mode_ == LOWFAT_MODE_GROWN ? lowfat_os_map_at(from, to - from) : lowfat_os_commit(from, to - from);
}

/* Extends what is usable up to `need`. */
static bool extend(uintptr_t *end, const void *need_) {
    uintptr_t need = lowfat_round_up((uintptr_t)need_, LOWFAT_PAGE);
    if (need <= *end)
        return true;
    if (lowfat_commit_needed && !commit(*end, need))
        return false;
    *end = need;
    return true;
}

/* Slots of small spaces, in steps that double, so that few calls mark them as wanted in core dumps. */
static bool extend_slots(struct cyc_gc_space *s, uint64_t slots) {
    uintptr_t need = lowfat_round_up(cyc_gc_address(s, slots), LOWFAT_PAGE);
    if (need <= s->committed)
        return true;
    uintptr_t used = s->committed - lowfat_round_down(s->first * s->size, LOWFAT_PAGE), end = need;
    if (!lowfat_commit_needed) {
        uintptr_t step = used < STEP_MIN ? STEP_MIN : used > STEP_MAX ? STEP_MAX : used;
        uintptr_t limit = lowfat_round_up(cyc_gc_address(s, s->limit), LOWFAT_PAGE);
        if (s->committed + step > end)
            end = s->committed + step > limit ? limit : s->committed + step;
        lowfat_os_dump(s->committed, end - s->committed, true);
    } else if (!commit(s->committed, end)) {
        return false;
    }
    s->committed = end;
    return true;
}

bool cyc_gc_grow(struct cyc_gc_space *s, uint64_t slots) {
    if (slots > s->limit || !extend(&s->bits_committed, s->bits + (slots + 63) / 64))
        return false;
    if (s->kind == CYC_GC_MALLOCED)
        return true;
    if (s->kind == CYC_GC_LAYOUT && !extend(&s->layout_committed, s->layout + slots))
        return false;
    if (cyc_gc_large(s))
        return extend(&s->requested_committed, s->requested + slots);
    uint64_t blocks = slots >> s->shift;
    if (blocks > CYC_GC_FIRST_BLOCKS && !extend(&s->blocks_committed, s->blocks + blocks))
        return false;
    return extend_slots(s, slots);
}

uint32_t cyc_gc_layout_id(struct lowfat_gc_layout *layout) {
    uint32_t id = __atomic_load_n(&layout->id, __ATOMIC_ACQUIRE);
    if (LIKELY(id != 0))
        return id;
    lowfat_acquire(&cyc_gc.lock);
    id = layout->id;
    if (id == 0 && cyc_gc.layout_count + 1 < LAYOUTS &&
        extend(&cyc_gc.layouts_committed, cyc_gc.layouts + cyc_gc.layout_count + 2)) {
        id = ++cyc_gc.layout_count;
        cyc_gc.layouts[id] = layout;
        __atomic_store_n(&layout->id, id, __ATOMIC_RELEASE);
    }
    lowfat_release(&cyc_gc.lock);
    return id;
}

bool cyc_gc_ranges_add(struct cyc_gc_ranges *ranges, uintptr_t from, uintptr_t to) {
    if (ranges->count == ranges->capacity) {
        size_t capacity = ranges->capacity ? ranges->capacity * 2 : LOWFAT_PAGE / sizeof *ranges->at;
        struct cyc_gc_range *at = lowfat_os_map(capacity * sizeof *at);
        if (at == NULL)
            return false;
        for (size_t i = 0; i < ranges->count; i++)
            at[i] = ranges->at[i];
        if (ranges->at)
            lowfat_os_unmap(ranges->at, ranges->capacity * sizeof *at);
        ranges->at = at;
        ranges->capacity = capacity;
    }
    ranges->at[ranges->count++] = (struct cyc_gc_range){from, to};
    return true;
}
#endif

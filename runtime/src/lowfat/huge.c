/* huge.c - objects above the largest class: each gets regions of its own.
 *
 * An object of size P/2 < n <= P, P a power of two of one region or more, is mapped at a multiple of P, and all its
 * rows of the map say size P.  So base, size and offset hold for it as for any other. */
#include "internal.h"

#include <errno.h>

struct huge {
    struct huge *next;
    uintptr_t base;
    uint64_t slot_size;
    size_t requested, mapped;
};

lowfat_lock lowfat_huge_lock;
static struct huge *live;
/* The state byte of every huge slot: live, and no thread's own. */
static uint8_t huge_state = LOWFAT_LIVE;

#define LOW ((uint64_t)4 << 40)
#define HIGH ((uint64_t)80 << 40)
#define PLACEMENTS 64

static void set_rows(uintptr_t base, uint64_t size, bool live_rows) {
    slot_t slot = base / size;
    for (uint64_t at = 0; at < size; at += LOWFAT_REGION_SIZE) {
        if (live_rows)
            lowfat_map_set(base + at, size, LOWFAT_CLASS_HUGE, LOWFAT_KIND_HEAP,
                           (uint8_t *)((uintptr_t)&huge_state - slot));
        else
            lowfat_map_clear(base + at);
    }
}

/* True when no row of the range is low-fat: an unreserved (GROWN) region may look like free address space. */
static bool rows_free(uintptr_t base, uint64_t size) {
    for (uint64_t at = 0; at < size; at += LOWFAT_REGION_SIZE)
        if (lowfat_is_ptr((void *)(base + at)))
            return false;
    return true;
}

static uintptr_t place(uint64_t slot_size, size_t mapped) {
    for (int i = 0; i < PLACEMENTS; i++) {
        uint64_t low = LOW / slot_size, high = HIGH / slot_size;
        if (high <= low)
            low = 1, high = ((uint64_t)1 << 47) / slot_size;
        if (high <= low)
            return 0;
        uintptr_t base = (low + lowfat_random() % (high - low)) * slot_size;
        if (!rows_free(base, slot_size))
            continue;
        if (lowfat_os_map_at(base, mapped))
            return base;
        if (errno == ENOMEM)
            return 0;
    }
    return 0;
}

void *lowfat_huge_alloc(size_t size, size_t alignment) {
    uint64_t slot_size = LOWFAT_REGION_SIZE;
    if (size > LOWFAT_HUGE_MAX - 1 || alignment > LOWFAT_HUGE_MAX / 2)
        return lowfat_out_of_memory();
    while (slot_size < size + lowfat_options.past_end || slot_size < alignment)
        slot_size *= 2;
    struct huge *object = lowfat_malloc(sizeof *object);
    if (object == NULL)
        return NULL;
    object->mapped = lowfat_round_up(size == 0 ? 1 : size, LOWFAT_PAGE);
    object->slot_size = slot_size;
    object->requested = size;
    lowfat_acquire(&lowfat_huge_lock);
    object->base = place(slot_size, object->mapped);
    if (object->base != 0) {
        set_rows(object->base, slot_size, true);
        object->next = live;
        live = object;
    }
    lowfat_release(&lowfat_huge_lock);
    if (object->base == 0) {
        lowfat_free(object);
        return lowfat_out_of_memory();
    }
    return (void *)object->base;
}

static struct huge **find(const void *ptr) {
    struct huge **link = &live;
    while (*link && (*link)->base != (uintptr_t)ptr)
        link = &(*link)->next;
    return link;
}

bool lowfat_huge_free(void *ptr) {
    lowfat_acquire(&lowfat_huge_lock);
    struct huge **link = find(ptr), *object = *link;
    if (object) {
        *link = object->next;
        set_rows(object->base, object->slot_size, false);
        lowfat_os_unmap((void *)object->base, object->mapped);
    }
    lowfat_release(&lowfat_huge_lock);
    if (object)
        lowfat_free(object);
    return object != NULL;
}

size_t lowfat_huge_size(const void *ptr) {
    lowfat_acquire(&lowfat_huge_lock);
    struct huge *object = *find(ptr);
    size_t size = object ? object->requested : 0;
    lowfat_release(&lowfat_huge_lock);
    return size;
}

bool lowfat_huge_resize(void *ptr, size_t size) {
    bool done = false;
    lowfat_acquire(&lowfat_huge_lock);
    struct huge *object = *find(ptr);
    if (object && size + lowfat_options.past_end <= object->slot_size && size > object->slot_size / 4) {
        size_t mapped = lowfat_round_up(size, LOWFAT_PAGE);
        if (mapped > object->mapped)
            done = lowfat_os_map_at(object->base + object->mapped, mapped - object->mapped);
        else {
            done = true;
            if (mapped < object->mapped)
                lowfat_os_unmap((void *)(object->base + mapped), object->mapped - mapped);
        }
        if (done) {
            object->mapped = mapped;
            object->requested = size;
        }
    }
    lowfat_release(&lowfat_huge_lock);
    return done;
}

uint64_t lowfat_huge_total(uint64_t *count) {
    uint64_t bytes = 0;
    *count = 0;
    lowfat_acquire(&lowfat_huge_lock);
    for (struct huge *object = live; object; object = object->next) {
        bytes += object->mapped;
        ++*count;
    }
    lowfat_release(&lowfat_huge_lock);
    return bytes;
}

/* The lock is held. */
bool lowfat_huge_nth(uint64_t n, uintptr_t *base, size_t *bytes) {
    struct huge *object = live;
    for (; object && n > 0; n--)
        object = object->next;
    if (object == NULL)
        return false;
    *base = object->base;
    *bytes = object->requested;
    return true;
}

/* The n-th live object, so that the visitor is called without the lock. */
int lowfat_huge_walk(lowfat_visitor *visit, void *context) {
    for (unsigned n = 0;; n++) {
        lowfat_acquire(&lowfat_huge_lock);
        struct huge *object = live;
        for (unsigned i = 0; object && i < n; i++)
            object = object->next;
        uintptr_t base = object ? object->base : 0;
        uint64_t size = object ? object->slot_size : 0;
        lowfat_release(&lowfat_huge_lock);
        if (base == 0)
            return 0;
        int result = visit((void *)base, size, context);
        if (result != 0)
            return result;
    }
}

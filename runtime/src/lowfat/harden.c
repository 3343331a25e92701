/* harden.c - the slow and careful paths that LOWFAT_OPTIONS asks for: exact sizes, quarantine, fill on free, random
 * slots.  With any of them set no call takes a fast path (internal.h, struct lowfat_tls), so the default pays nothing. */
#include "internal.h"

#include <string.h>

#define SLACK_BYTE 0xa5 /* between the object's end and its slot's */
#define FREE_BYTE 0xdf  /* in freed objects */

/* ---- exact sizes ---- */

static void mark_slack(unsigned c, slot_t slot, size_t requested) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    cl->exact[slot] = (uint32_t)requested;
    memset((char *)(slot * cl->size) + requested, SLACK_BYTE, cl->size - requested);
}

static bool all_bytes(const unsigned char *from, const unsigned char *to, unsigned char value) {
    while (from < to && *from == value)
        from++;
    return from == to;
}

static bool slack_intact(unsigned c, slot_t slot) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    const unsigned char *base = (const unsigned char *)(slot * cl->size);
    return all_bytes(base + cl->exact[slot], base + cl->size, SLACK_BYTE);
}

/* ---- allocation ---- */

/* Randomised slots: the window is shuffled when it has just been filled. */
static void shuffle(struct lowfat_tcache *tc, unsigned c) {
    uint64_t *bottom = lowfat_window_bottom(tc, c);
    size_t count = (size_t)(tc->top[c] - bottom);
    for (size_t i = count; i > 1; i--) {
        size_t j = lowfat_random() % i;
        uint64_t slot = bottom[i - 1];
        bottom[i - 1] = bottom[j];
        bottom[j] = slot;
    }
}

void *lowfat_harden_alloc(unsigned c, size_t requested) {
    struct lowfat_tcache *tc = lowfat_tcache_get();
    struct lowfat_class_central *cl = &lowfat_central[c];
    if (tc == NULL)
        return NULL;
    if (tc->top[c][-1] == 0) {
        if (!lowfat_tcache_refill(tc, c))
            return NULL;
        if (lowfat_options.randomise)
            shuffle(tc, c);
    }
    slot_t slot = *--tc->top[c];
    STATE_SET(&cl->state[slot], LOWFAT_LIVE);
    if (lowfat_options.exact)
        mark_slack(c, slot, requested);
    return (void *)(slot * cl->size);
}

/* ---- quarantine ---- */

lowfat_lock lowfat_quarantine_lock;
static struct entry {
    slot_t slot;
    uint32_t class_id;
} *ring;
static uint64_t ring_size, ring_head, ring_count, ring_bytes;

#define RING_ENTRIES ((uint64_t)1 << 16)

static void return_slot(unsigned c, slot_t slot) {
    __atomic_exchange_n(&lowfat_central[c].state[slot], LOWFAT_FREE, __ATOMIC_SEQ_CST);
    lowfat_span_free_remote(&lowfat_central[c], slot);
}

/* The oldest entry leaves when the budget or the ring is exceeded; the lock is held.  Returns its pointer if it
 * was written to meanwhile. */
static void *release_oldest(void) {
    struct entry entry = ring[ring_head % ring_size];
    ring_head++;
    ring_count--;
    struct lowfat_class_central *cl = &lowfat_central[entry.class_id];
    ring_bytes -= cl->size;
    unsigned char *base = (unsigned char *)(entry.slot * cl->size);
    bool damaged = lowfat_options.fill && !all_bytes(base, base + cl->size, FREE_BYTE);
    return_slot(entry.class_id, entry.slot);
    return damaged ? base : NULL;
}

static void quarantine(unsigned c, slot_t slot, const char *operation) {
    void *damaged = NULL;
    lowfat_acquire(&lowfat_quarantine_lock);
    if (ring == NULL) {
        ring_size = RING_ENTRIES;
        ring = lowfat_os_map(ring_size * sizeof *ring);
    }
    if (ring == NULL) {
        return_slot(c, slot);
    } else {
        while (damaged == NULL && ring_count > 0 &&
               (ring_count == ring_size || ring_bytes + lowfat_central[c].size > lowfat_options.quarantine))
            damaged = release_oldest();
        if (ring_count < ring_size) {
            ring[(ring_head + ring_count) % ring_size] = (struct entry){slot, c};
            ring_count++;
            ring_bytes += lowfat_central[c].size;
        } else {
            return_slot(c, slot);
        }
    }
    lowfat_release(&lowfat_quarantine_lock);
    if (damaged)
        lowfat_error_at(LOWFAT_ERROR_USE_AFTER_FREE, operation, damaged);
}

/* `slot` was live when the caller looked; the exchange decides between two threads that free it at once. */
void lowfat_harden_free(unsigned c, slot_t slot, void *ptr, const char *operation) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    if (lowfat_options.exact && !slack_intact(c, slot))
        lowfat_error_at(LOWFAT_ERROR_OVERFLOW, operation, ptr);
    uint8_t before = __atomic_exchange_n(&cl->state[slot], LOWFAT_QUARANTINED, __ATOMIC_SEQ_CST);
    if (before < LOWFAT_LIVE) {
        lowfat_error_at(LOWFAT_ERROR_DOUBLE_FREE, operation, ptr);
        return;
    }
    if (lowfat_options.fill)
        memset(ptr, FREE_BYTE, cl->size);
    if (lowfat_options.quarantine > 0)
        quarantine(c, slot, operation);
    else
        return_slot(c, slot);
}

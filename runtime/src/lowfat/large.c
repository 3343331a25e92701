/* large.c - classes of 256 KiB and more: one slot is one span, always handled under the class's lock.
 *
 * Sizes are powers of two whose tail beyond the request is never touched.  Freed slots stay resident for a while
 * (span.c decides how long), most recent first. */
#include "internal.h"

/* Memory of this size and more is asked for in earnest, so that the system may refuse it. */
#define ACCOUNTED ((size_t)1 << 30)

/* A free slot, and how many of its bytes are usable and may be dirty. */
static struct lowfat_span *take(struct lowfat_class_central *cl, unsigned c) {
    struct lowfat_span *span = cl->empty.head;
    if (span) {
        lowfat_empty_remove(cl, span);
        return span;
    }
    span = cl->clean.head;
    if (span)
        lowfat_list_remove(&cl->clean, span);
    else
        span = lowfat_span_fresh(cl, c);
    if (span)
        span->dirty = 0;
    return span;
}

/* Makes `length` bytes of a slot usable, of which span->dirty are already. */
static bool provide(struct lowfat_span *span, uintptr_t base, size_t length) {
    if (length > span->dirty && !lowfat_arena_commit_large(base + span->dirty, length - span->dirty))
        return false;
    if (length >= ACCOUNTED && !lowfat_commit_needed && span->dirty == 0 && !lowfat_os_account(base, length))
        return false;
    return true;
}

void *lowfat_large_alloc(unsigned c, size_t size, bool *zeroed) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    if (cl->span_count == 0)
        return NULL;
    size_t length = lowfat_round_up(size == 0 ? 1 : size, LOWFAT_PAGE);
    lowfat_acquire(&cl->lock);
    struct lowfat_span *span = take(cl, c);
    if (span == NULL) {
        lowfat_release(&cl->lock);
        return NULL;
    }
    uintptr_t base = span->first * cl->size;
    if (!provide(span, base, length)) {
        if (span->dirty > 0)
            lowfat_arena_decommit_large(base, span->dirty);
        span->dirty = 0;
        lowfat_list_push(&cl->clean, span);
        lowfat_release(&cl->lock);
        return NULL;
    }
    *zeroed = span->dirty == 0;
    if (span->dirty > 2 * length) { /* an object much larger lived here */
        lowfat_arena_decommit_large(base + length, span->dirty - length);
        span->dirty = length;
    }
    span->requested = size;
    if (length > span->dirty)
        span->dirty = length;
    STATE_SET(&cl->state[span->first], LOWFAT_LIVE);
    atomic_fetch_add_explicit(&lowfat_used_bytes, span->dirty, memory_order_relaxed);
    if (lowfat_options.guards && span->dirty < cl->size)
        lowfat_os_guard(base + span->dirty, LOWFAT_PAGE);
    lowfat_release(&cl->lock);
    return (void *)base;
}

void lowfat_large_free(unsigned c, slot_t slot, const char *operation) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    lowfat_acquire(&cl->lock);
    struct lowfat_span *span = lowfat_span_of(cl, slot);
    if (STATE_GET(&cl->state[slot]) < LOWFAT_LIVE) { /* another thread was first */
        lowfat_release(&cl->lock);
        lowfat_error_at(LOWFAT_ERROR_DOUBLE_FREE, operation, (void *)(slot * cl->size));
        return;
    }
    STATE_SET(&cl->state[slot], LOWFAT_FREE);
    if (lowfat_options.guards && span->dirty < cl->size)
        lowfat_os_unguard(slot * cl->size + span->dirty, LOWFAT_PAGE);
    atomic_fetch_sub_explicit(&lowfat_used_bytes, span->dirty, memory_order_relaxed);
    lowfat_empty_push(cl, span);
    uint64_t dirty = span->dirty;
    lowfat_release(&cl->lock);
    lowfat_purge_maybe(span, dirty);
}

/* Grows or shrinks a live object within its slot. */
bool lowfat_large_resize(unsigned c, slot_t slot, size_t size) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    size_t length = lowfat_round_up(size, LOWFAT_PAGE);
    bool done = true;
    if (lowfat_options.guards)
        return false;
    lowfat_acquire(&cl->lock);
    struct lowfat_span *span = lowfat_span_of(cl, slot);
    uintptr_t base = slot * cl->size;
    uint64_t before = span->dirty;
    if (length > span->dirty) {
        done = provide(span, base, length);
        if (done)
            span->dirty = length;
    } else if (length < span->dirty) {
        lowfat_arena_decommit_large(base + length, span->dirty - length);
        span->dirty = length;
    }
    if (done)
        span->requested = size;
    atomic_fetch_add_explicit(&lowfat_used_bytes, span->dirty - before, memory_order_relaxed);
    lowfat_release(&cl->lock);
    return done;
}

size_t lowfat_large_requested(unsigned c, slot_t slot) {
    return lowfat_span_of(&lowfat_central[c], slot)->requested;
}

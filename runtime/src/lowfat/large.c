/* large.c - classes of 256 KiB and more: one slot is one span, always handled under the class's lock.
 *
 * Sizes are powers of two whose tail beyond the request is never touched.  Freed slots stay resident for a while
 * (span.c decides how long), most recent first. */
#include "internal.h"

#include <errno.h>
#include <string.h>

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
    if (span->dirty == 0) /* its pages live in another slot now */
        lowfat_list_push(&cl->clean, span);
    else
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

/* ---- moving ----
 *
 * An object that outgrows its slot takes its pages along: the system enters them at the new place, which costs a hundredth of
 * copying them. It moves what lies in one mapping, and what was moved stays a mapping of its own. So slots are divided only
 * at powers of two from MOVED_LEAST on and pages are moved in such pieces, each of which therefore lies in one mapping (as long
 * as the program does not divide it, mprotect for instance; then a move may fail, and the piece is copied). A slot has
 * fewer pieces than there are powers of two; MAPPINGS_MOST keeps all slots together far from the system's limit of 65530. */

#define MOVED_LEAST ((size_t)1 << 20)
#define MAPPINGS_MOST 16384

static _Atomic uint32_t mappings; /* made by dividing slots; those of a slot are counted in its span's `fresh` */
static _Atomic bool unable;       /* the system cannot move pages */

static bool can_move(size_t length, size_t size) {
    return length >= MOVED_LEAST && size < ACCOUNTED && lowfat_mode_ == LOWFAT_MODE_ARENA && !lowfat_commit_needed &&
           !lowfat_options.guards && !atomic_load_explicit(&unable, memory_order_relaxed) &&
           atomic_load_explicit(&mappings, memory_order_relaxed) < MAPPINGS_MOST;
}

/* Each of the two is the caller's own live object. */
static void note_pieces(struct lowfat_span *span, unsigned pieces) {
    if (pieces <= span->fresh)
        return;
    atomic_fetch_add_explicit(&mappings, pieces - span->fresh, memory_order_relaxed);
    span->fresh = (uint16_t)pieces;
}

/* After a move that failed. There may be holes where the pages were to go. Some may be there, when the program had divided the
 * mapping: each page is in one of the two places and zero in the other. */
static void copy_instead(uintptr_t from, uintptr_t to, size_t length) {
    if (errno == EINVAL)
        atomic_store_explicit(&unable, true, memory_order_relaxed);
    if (!lowfat_os_reserve_at(to, length, true))
        for (size_t at = 0; at < length; at += LOWFAT_PAGE)
            lowfat_os_reserve_at(to + at, LOWFAT_PAGE, true);
    const uint64_t *in = (const uint64_t *)from;
    uint64_t *out = (uint64_t *)to;
    for (size_t i = 0; i < length / sizeof *in; i++)
        if (in[i] != 0)
            out[i] |= in[i];
}

/* All bytes of `from` that may be dirty, rounded up to whole pieces; a larger slot has room for them. */
static void move_pieces(struct lowfat_span *from, uintptr_t base, struct lowfat_span *to, uintptr_t target) {
    size_t length = MOVED_LEAST;
    unsigned pieces = 1;
    for (; length < from->dirty; length *= 2)
        pieces++;
    note_pieces(from, pieces);
    note_pieces(to, pieces);
    lowfat_os_dump(base + from->dirty, length - from->dirty, true); /* else the end is another mapping */
    lowfat_os_purge(target, length); /* what an earlier object left, for copy_instead */
    for (size_t at = 0, end = MOVED_LEAST; at < length; at = end, end *= 2)
        if (!lowfat_os_move(base + at, target + at, end - at))
            copy_instead(base + at, target + at, end - at);
}

void lowfat_large_move(unsigned c, slot_t slot, void *to, size_t length) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    uintptr_t base = slot * cl->size;
    unsigned larger = lowfat_class(to);
    if (larger <= c || larger > LOWFAT_CLASSES || !can_move(length, lowfat_large_requested(larger, lowfat_slot(to)))) {
        memcpy(to, (void *)base, length);
        return;
    }
    struct lowfat_span *from = lowfat_span_of(cl, slot);
    int saved = errno;
    move_pieces(from, base, lowfat_span_of(&lowfat_central[larger], lowfat_slot(to)), (uintptr_t)to);
    errno = saved;
    lowfat_acquire(&cl->lock);
    atomic_fetch_sub_explicit(&lowfat_used_bytes, from->dirty, memory_order_relaxed);
    from->dirty = 0;
    lowfat_release(&cl->lock);
}

size_t lowfat_large_requested(unsigned c, slot_t slot) {
    return lowfat_span_of(&lowfat_central[c], slot)->requested;
}

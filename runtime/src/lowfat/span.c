/* span.c - the central part: which spans of a class exist, who has them, which are empty.
 *
 * A span goes fresh -> owned by a thread cache -> full, empty or abandoned -> owned ...  All of it happens under the class's
 * lock, except becoming full and being pushed to the inbox. */
#include "internal.h"

_Atomic uint64_t lowfat_warm_bytes; /* resident bytes of empty spans and free large slots */
_Atomic uint64_t lowfat_used_bytes; /* bytes of spans and large objects in use */
_Atomic uint64_t lowfat_purges;

void lowfat_list_push(struct lowfat_span_list *list, struct lowfat_span *span) {
    span->prev = NULL;
    span->next = list->head;
    if (list->head)
        list->head->prev = span;
    else
        list->tail = span;
    list->head = span;
}

void lowfat_list_append(struct lowfat_span_list *list, struct lowfat_span *span) {
    span->next = NULL;
    span->prev = list->tail;
    if (list->tail)
        list->tail->next = span;
    else
        list->head = span;
    list->tail = span;
}

void lowfat_list_remove(struct lowfat_span_list *list, struct lowfat_span *span) {
    if (span->prev)
        span->prev->next = span->next;
    else
        list->head = span->next;
    if (span->next)
        span->next->prev = span->prev;
    else
        list->tail = span->prev;
    span->next = span->prev = NULL;
}

void lowfat_span_pass_on(struct lowfat_class_central *cl, struct lowfat_span *span) {
    struct lowfat_span *head = atomic_load_explicit(&cl->inbox, memory_order_relaxed);
    do
        span->inbox_next = head;
    while (!atomic_compare_exchange_weak_explicit(&cl->inbox, &head, span, memory_order_release, memory_order_relaxed));
}

bool lowfat_span_leave(struct lowfat_class_central *cl, struct lowfat_span *span, struct lowfat_tcache *owner) {
    atomic_store_explicit(&span->queue, LOWFAT_FULL, memory_order_seq_cst);
    /* A thread that freed a slot before it could see FULL did not claim the span. */
    uint8_t full = LOWFAT_FULL;
    if (lowfat_span_free(span) < cl->threshold || !atomic_compare_exchange_strong(&span->queue, &full, LOWFAT_CLAIMED))
        return true;
    atomic_store_explicit(&span->owner, owner, memory_order_relaxed); /* others may have had it meanwhile */
    atomic_store_explicit(&span->queue, LOWFAT_ACTIVE, memory_order_seq_cst);
    return false;
}

void lowfat_empty_push(struct lowfat_class_central *cl, struct lowfat_span *span) {
    span->stamp = lowfat_os_milliseconds();
    atomic_fetch_add_explicit(&lowfat_warm_bytes, span->dirty, memory_order_relaxed);
    atomic_fetch_add_explicit(&cl->empty_count, 1, memory_order_relaxed);
    lowfat_list_push(&cl->empty, span);
}

void lowfat_empty_remove(struct lowfat_class_central *cl, struct lowfat_span *span) {
    lowfat_list_remove(&cl->empty, span);
    atomic_fetch_sub_explicit(&cl->empty_count, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&lowfat_warm_bytes, span->dirty, memory_order_relaxed);
}

static uint64_t span_bytes(struct lowfat_class_central *cl) { return cl->size << cl->shift; }

static bool all_free(struct lowfat_class_central *cl, struct lowfat_span *span) {
    for (slot_t slot = span->first; slot < span->first + span->fresh; slot++)
        if (STATE_GET(&cl->state[slot]) != LOWFAT_FREE)
            return false;
    return true;
}

/* Files a span without owner by what is free in it.  The class's lock is held; the span is ACTIVE. */
static void file_span(struct lowfat_class_central *cl, struct lowfat_span *span) {
    INVARIANT(1, cl->lock.word != 0);
    if (lowfat_span_free(span) == span->fresh) {
        INVARIANT(3, all_free(cl, span));
        span->dirty = span->fresh * cl->size;
        atomic_fetch_sub_explicit(&lowfat_used_bytes, span_bytes(cl), memory_order_relaxed);
        lowfat_empty_push(cl, span);
    } else {
        span->dirty = LOWFAT_ABANDONED;
        lowfat_list_push(&cl->abandoned, span);
    }
}

static void drain_inbox(struct lowfat_class_central *cl) {
    if (atomic_load_explicit(&cl->inbox, memory_order_relaxed) == NULL)
        return;
    struct lowfat_span *span = atomic_exchange_explicit(&cl->inbox, NULL, memory_order_acquire);
    while (span) {
        struct lowfat_span *next = span->inbox_next;
        atomic_store_explicit(&span->owner, NULL, memory_order_relaxed); /* before it is ACTIVE */
        atomic_store_explicit(&span->queue, LOWFAT_ACTIVE, memory_order_seq_cst);
        file_span(cl, span);
        span = next;
    }
}

/* A span that no one has used yet; the class's lock is held. */
struct lowfat_span *lowfat_span_fresh(struct lowfat_class_central *cl, unsigned c) {
    uint32_t number = atomic_load_explicit(&cl->spans_used, memory_order_relaxed);
    if (lowfat_options.guards && c <= LOWFAT_SMALL_CLASSES && cl->size >= 512 && number + 1 < cl->span_count)
        number++; /* the one skipped becomes a guard */
    if (number >= cl->span_count || !lowfat_arena_commit_span(cl, c, number))
        return NULL;
    struct lowfat_span *span = lowfat_span_at(cl, number);
    span->first = cl->first + ((uint64_t)number << cl->shift);
    span->class_id = (uint8_t)c;
    if (number != atomic_load_explicit(&cl->spans_used, memory_order_relaxed)) {
        uintptr_t from = lowfat_round_up((span->first - cl->capacity) * cl->size, LOWFAT_PAGE);
        lowfat_os_guard(from, lowfat_round_down(span->first * cl->size, LOWFAT_PAGE) - from);
    }
    atomic_store_explicit(&cl->spans_used, number + 1, memory_order_release);
    return span;
}

/* The pages wholly inside a small span; its neighbours may share the others. */
static size_t inner_pages(struct lowfat_class_central *cl, struct lowfat_span *span, uint64_t bytes, uintptr_t *from) {
    uintptr_t base = span->first * cl->size;
    uintptr_t to = lowfat_round_down(base + bytes, LOWFAT_PAGE);
    *from = lowfat_round_up(base, LOWFAT_PAGE);
    return to > *from ? to - *from : 0;
}

/* Where memory must be committed, spans on the clean list are not. */
static bool recommit(struct lowfat_class_central *cl, struct lowfat_span *span) {
    uintptr_t from;
    size_t length = inner_pages(cl, span, span_bytes(cl), &from);
    return !lowfat_commit_needed || length == 0 || lowfat_arena_commit_large(from, length);
}

static struct lowfat_span *take_span(struct lowfat_class_central *cl, unsigned c, bool *grows) {
    struct lowfat_span *span;
    drain_inbox(cl);
    if ((span = cl->abandoned.head) != NULL) {
        lowfat_list_remove(&cl->abandoned, span);
        span->dirty = 0;
        return span;
    }
    if ((span = cl->empty.head) != NULL) {
        lowfat_empty_remove(cl, span);
    } else {
        *grows = true;
        if ((span = cl->clean.head) != NULL) {
            if (!recommit(cl, span))
                return NULL;
            lowfat_list_remove(&cl->clean, span);
        } else if ((span = lowfat_span_fresh(cl, c)) == NULL) {
            return NULL;
        }
    }
    atomic_fetch_add_explicit(&lowfat_used_bytes, span_bytes(cl), memory_order_relaxed);
    return span;
}

/* A span with at least one slot to give, now owned by `tc`; null when region or memory is exhausted. */
struct lowfat_span *lowfat_span_acquire(unsigned c, struct lowfat_tcache *tc) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    bool grows = false;
    lowfat_acquire(&cl->lock);
    struct lowfat_span *span = take_span(cl, c, &grows);
    if (span)
        atomic_store_explicit(&span->owner, tc, memory_order_seq_cst);
    lowfat_release(&cl->lock);
    if (grows)
        lowfat_purge_idle(tc);
    return span;
}

/* Takes back a span whose slots are all free; its owner has unlinked it and it is ACTIVE. */
void lowfat_span_release_empty(struct lowfat_span *span, uint32_t idle) {
    struct lowfat_class_central *cl = &lowfat_central[span->class_id];
    lowfat_acquire(&cl->lock);
    atomic_store_explicit(&span->owner, NULL, memory_order_seq_cst);
    file_span(cl, span);
    span->stamp -= idle;
    uint64_t dirty = span->dirty;
    lowfat_release(&cl->lock);
    lowfat_purge_maybe(span, dirty);
}

/* Unless somebody was faster, the span is in the inbox or on the list of abandoned ones, where nobody would notice that it is
 * wholly free before the class needs a span. */
void lowfat_span_settle(struct lowfat_class_central *cl, struct lowfat_span *span) {
    lowfat_acquire(&cl->lock);
    drain_inbox(cl);
    bool waits = atomic_load_explicit(&span->queue, memory_order_seq_cst) == LOWFAT_ACTIVE &&
                 atomic_load_explicit(&span->owner, memory_order_relaxed) == NULL;
    if (waits && span->dirty == LOWFAT_ABANDONED && lowfat_span_free(span) == span->fresh) {
        lowfat_list_remove(&cl->abandoned, span);
        file_span(cl, span);
    }
    uint64_t dirty = waits && span->dirty != LOWFAT_ABANDONED ? span->dirty : 0;
    lowfat_release(&cl->lock);
    lowfat_purge_maybe(span, dirty);
    lowfat_purge_departed();
}

/* Takes over an ACTIVE span of an ending thread, which has unlinked it. */
void lowfat_span_abandon(struct lowfat_span *span) {
    struct lowfat_class_central *cl = &lowfat_central[span->class_id];
    lowfat_acquire(&cl->lock);
    atomic_store_explicit(&span->owner, NULL, memory_order_seq_cst);
    uint32_t free_slots = lowfat_span_free(span);
    bool gives = free_slots == span->fresh || free_slots >= cl->threshold || span->fresh < cl->capacity;
    if (gives || !lowfat_span_leave(cl, span, NULL))
        file_span(cl, span);
    lowfat_release(&cl->lock);
}

/* ---- returning memory ---- */

/* Returns a span's memory to the system; the class's lock is held. */
static size_t purge_span(struct lowfat_class_central *cl, unsigned c, struct lowfat_span *span) {
    uintptr_t from = span->first * cl->size;
    size_t length = span->dirty;
    if (c <= LOWFAT_SMALL_CLASSES)
        length = inner_pages(cl, span, lowfat_commit_needed ? span_bytes(cl) : span->dirty, &from);
    if (length > 0)
        lowfat_arena_decommit_large(from, length);
    span->dirty = 0;
    atomic_fetch_add_explicit(&lowfat_purges, 1, memory_order_relaxed);
    return length;
}

/* Spans that have been empty for `age` milliseconds; but not `spare`, which was in use a moment ago. */
static size_t purge_class(unsigned c, uint32_t age, const struct lowfat_span *spare, uint32_t now) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    size_t returned = 0;
    lowfat_acquire(&cl->lock);
    drain_inbox(cl);
    struct lowfat_span *span;
    while ((span = cl->empty.tail) != NULL && span != spare && now - span->stamp >= age) {
        lowfat_empty_remove(cl, span);
        returned += purge_span(cl, c, span);
        lowfat_list_push(&cl->clean, span);
    }
    lowfat_release(&cl->lock);
    return returned;
}

static size_t purge(uint32_t age, const struct lowfat_span *spare) {
    uint32_t now = lowfat_os_milliseconds();
    size_t returned = 0;
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        if (atomic_load_explicit(&lowfat_central[c].empty_count, memory_order_relaxed) != 0 ||
            atomic_load_explicit(&lowfat_central[c].inbox, memory_order_relaxed) != NULL)
            returned += purge_class(c, age, spare, now);
    return returned;
}

size_t lowfat_purge_all(void) { return purge(0, NULL); }

/* Called when a class takes memory that is not resident: what others have not wanted for a while pays for it, so that a
 * program whose sizes change from phase to phase does not keep the memory of all phases. */
#define IDLE_BYTES ((uint64_t)64 << 10)
#define USED_BYTES ((uint64_t)512 << 10) /* of a program that has too little for it to be worth asking for the time */
void lowfat_purge_idle(struct lowfat_tcache *tc) {
    if (lowfat_options.keep > 0 && atomic_load_explicit(&lowfat_used_bytes, memory_order_relaxed) < USED_BYTES)
        return;
    uint32_t age = (uint32_t)lowfat_options.decay / 4;
    lowfat_tcache_sweep(tc, lowfat_os_milliseconds(), age);
    if (lowfat_options.keep > 0 && atomic_load_explicit(&lowfat_warm_bytes, memory_order_relaxed) < IDLE_BYTES)
        return;
    purge(age, NULL);
}

/* Called when `span` became empty.  When more is kept than the policy allows everything goes at once, except this one
 * unless it is very large: a program that frees a buffer often wants the same again.  Else what has not been
 * wanted for the decay time goes. */
#define SPARE_MAX ((uint64_t)32 << 20)
void lowfat_purge_maybe(const struct lowfat_span *span, uint64_t dirty) {
    static _Atomic uint32_t last;
    uint64_t warm = atomic_load_explicit(&lowfat_warm_bytes, memory_order_relaxed);
    uint64_t used = atomic_load_explicit(&lowfat_used_bytes, memory_order_relaxed);
    const struct lowfat_span *spare = dirty <= SPARE_MAX && lowfat_options.keep > 0 ? span : NULL;
    if (warm > lowfat_options.keep + used / 8 + (spare ? dirty : 0)) {
        purge(0, spare);
        return;
    }
    uint32_t now = lowfat_os_milliseconds();
    uint32_t before = atomic_load_explicit(&last, memory_order_relaxed);
    if (now - before < lowfat_options.decay / 4 + 1)
        return;
    if (atomic_compare_exchange_strong_explicit(&last, &before, now, memory_order_relaxed, memory_order_relaxed))
        purge((uint32_t)lowfat_options.decay, NULL);
}

/* Called at a thread's end, and when what it left has become free. If the program has more free memory than it uses then, that
 * goes although it is less than the policy keeps: nobody may come for it for long. Threads that come and go would pay for it
 * with page faults; so the bytes returned are bounded by the time that has passed, of which about a thirtieth goes into giving
 * back and touching again. */
#define RETURNED_PER_MS ((uint64_t)32 << 10)
#define CREDIT_MAX 128u /* milliseconds */
#define DEBT_MAX 60000u
void lowfat_purge_departed(void) {
    static _Atomic uint32_t paid; /* when what was returned so far will be paid for */
    uint64_t warm = atomic_load_explicit(&lowfat_warm_bytes, memory_order_relaxed);
    if (lowfat_options.keep > LOWFAT_KEEP || warm < IDLE_BYTES ||
        warm < atomic_load_explicit(&lowfat_used_bytes, memory_order_relaxed))
        return;
    uint32_t now = lowfat_os_milliseconds();
    uint32_t debt = atomic_load_explicit(&paid, memory_order_relaxed) - now;
    if (debt - 1 < DEBT_MAX)
        return;
    uint32_t credit = -debt < CREDIT_MAX ? -debt : CREDIT_MAX;
    uint64_t cost = purge(0, NULL) / RETURNED_PER_MS;
    atomic_store_explicit(&paid, now - credit + (uint32_t)(cost < DEBT_MAX ? cost : DEBT_MAX), memory_order_relaxed);
}

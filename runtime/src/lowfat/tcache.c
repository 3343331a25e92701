/* tcache.c - thread caches: a window of free slots per class, and the spans a thread owns.
 *
 * Only the owner touches windows and lists; on a slow path it is marked busy, so that fork can wait for it.  Slots that
 * other threads free in its spans are counted in `remote`; nobody pushes a slot anywhere. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#if defined(__SSE2__) && !defined(LOWFAT_TSAN)
#include <emmintrin.h>
#endif

uint64_t lowfat_dead_window[2 * LOWFAT_WINDOW] __attribute__((aligned(LOWFAT_WINDOW * 8)));

#define DEAD lowfat_dead_window + LOWFAT_WINDOW
_Thread_local struct lowfat_tls lowfat_tls = {
    .top = {[0 ... LOWFAT_SMALL_CLASSES] = DEAD},
    .tag_of = {[0 ... LOWFAT_SMALL_CLASSES] = LOWFAT_NO_TAG},
    .tag = LOWFAT_NO_TAG,
};

lowfat_lock lowfat_registry_lock;
struct lowfat_tcache *lowfat_registry;
void (*lowfat_on_cache)(void);
static struct lowfat_tcache *dead_caches;
static uint32_t cache_count;
static pthread_key_t exit_key;
static bool exit_key_made;

/* ---- looking for free slots ---- */

/* Takes up to `want` FREE slots with index >= *cursor and below `end`, marks them CACHED, writes them downwards from
 * `out` (so that the lowest address will be handed out first), and moves the cursor behind the last one looked at.
 * Returns how many. */
static unsigned scan(uint8_t *state, slot_t first, uint32_t *cursor, uint32_t end, slot_t *out, unsigned want) {
    size_t at = *cursor;
    slot_t *const start = out, *const stop = out - want;
#if defined(__SSE2__) && !defined(LOWFAT_TSAN)
    const __m128i free_bytes = _mm_set1_epi8(LOWFAT_FREE), cached_bytes = _mm_set1_epi8(LOWFAT_CACHED);
    for (; at + 16 <= end && out != stop; at += 16) {
        __m128i *bytes = (__m128i *)(void *)(state + at);
        unsigned mask = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(bytes), free_bytes));
        if (mask == 0xffff && out - stop >= 16) { /* the usual case after many frees in order */
            _mm_storeu_si128(bytes, cached_bytes);
            out -= 16;
            for (unsigned i = 0; i < 16; i++)
                out[i] = first + at + 15 - i;
            continue;
        }
        for (; mask != 0; mask &= mask - 1) {
            size_t slot = at + (size_t)__builtin_ctz(mask);
            state[slot] = LOWFAT_CACHED;
            *--out = first + slot;
            if (out == stop) {
                *cursor = (uint32_t)slot + 1;
                return want;
            }
        }
    }
#endif
    for (; at < end && out != stop; at++) {
        if (STATE_GET(&state[at]) != LOWFAT_FREE)
            continue;
        STATE_SET(&state[at], LOWFAT_CACHED);
        *--out = first + at;
    }
    *cursor = (uint32_t)at;
    return (unsigned)(start - out);
}

/* Takes free slots of a span from the cursor on, freed ones before fresh ones (if `extend`), downwards from `out`. */
static unsigned take_slots(struct lowfat_class_central *cl, struct lowfat_span *span, uint32_t *cursor, slot_t *out,
                           unsigned want, bool extend) {
    unsigned n = 0;
    /* Twice, because slots freed behind the cursor come before memory that was never touched, if they are worth the
     * search. */
    for (int round = 0; round < 2 && n < want; round++) {
        uint32_t free_slots = lowfat_span_free(span);
        if (*cursor >= span->fresh && free_slots > span->fresh / 128u)
            *cursor = 0;
        if (*cursor >= span->fresh || free_slots == 0)
            break;
        unsigned found = scan(cl->state + span->first, span->first, cursor, span->fresh, out - n, want - n);
        atomic_store_explicit(&span->local, atomic_load_explicit(&span->local, memory_order_relaxed) - found,
                              memory_order_relaxed);
        n += found;
    }
#ifndef LOWFAT_TSAN /* whose state bytes are read with acquire order */
    /* The exchange that freed a slot happens before our use of it. */
    atomic_thread_fence(memory_order_acquire);
#endif
    if (n < want && extend && span->fresh < cl->capacity) {
        unsigned fresh = (unsigned)(cl->capacity - span->fresh);
        if (fresh > want - n)
            fresh = want - n;
        slot_t slot = span->first + span->fresh;
        for (unsigned i = 0; i < fresh; i++) {
            STATE_SET(&cl->state[slot + i], LOWFAT_CACHED);
            out[-1 - (int)(n + i)] = slot + i;
        }
        n += fresh;
        __atomic_store_n(&span->fresh, (uint16_t)(span->fresh + fresh), __ATOMIC_RELAXED); /* who frees remotely looks at it */
        *cursor = span->fresh;
    }
    return n;
}

/* ---- the owner's lists ---- */

/* Puts an owned span that is not current any more where it belongs. */
static void shelve(struct lowfat_tcache *tc, struct lowfat_class_central *cl, struct lowfat_span *span) {
    struct lowfat_owned *own = &tc->owned[span->class_id];
    if (lowfat_span_free(span) >= cl->threshold) {
        lowfat_list_push(&own->partial, span);
        return;
    }
    if (span->fresh < cl->capacity) {
        lowfat_list_append(&own->partial, span);
        return;
    }
    if (!lowfat_span_leave(cl, span, tc))
        lowfat_list_push(&own->partial, span);
}

static struct lowfat_span *next_span(struct lowfat_tcache *tc, unsigned c) {
    struct lowfat_owned *own = &tc->owned[c];
    struct lowfat_span *span = own->partial.head;
    if (span)
        lowfat_list_remove(&own->partial, span);
    else
        span = lowfat_span_acquire(c, tc);
    return span;
}

bool lowfat_tcache_refill(struct lowfat_tcache *tc, unsigned c) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    struct lowfat_owned *own = &tc->owned[c];
    uint64_t *bottom = lowfat_window_bottom(tc, c);
    unsigned n = 0;
    lowfat_enter(tc);
    own->sweep = tc->sweep;
    for (;;) {
        if (own->current) {
            /* Memory that was never touched comes after what was freed in other spans. */
            bool others = own->partial.head && lowfat_span_free(own->partial.head) >= cl->threshold;
            n = take_slots(cl, own->current, &own->cursor, bottom + cl->batch, cl->batch, !others);
            if (n > 0)
                break;
            shelve(tc, cl, own->current);
        }
        own->current = next_span(tc, c);
        own->cursor = 0;
        if (own->current == NULL)
            break;
    }
    if (n < cl->batch) /* written from the batch's end downwards */
        memmove(bottom, bottom + (cl->batch - n), n * sizeof *bottom);
    tc->top[c] = bottom + n;
    lowfat_leave(tc);
    return n > 0;
}

/* ---- giving slots back ---- */

/* Notes that `count` slots of this thread's span became FREE; its cache is busy. */
static void put_local(struct lowfat_tcache *tc, struct lowfat_span *span, uint32_t count) {
    struct lowfat_owned *own = &tc->owned[span->class_id];
    atomic_store_explicit(&span->local, atomic_load_explicit(&span->local, memory_order_relaxed) + count,
                          memory_order_relaxed);
    if (span == own->current || lowfat_span_free(span) != span->fresh)
        return;
    lowfat_list_remove(&own->partial, span);
    lowfat_span_release_empty(span, 0);
}

/* Some spans with freed slots are enough to keep; what else this thread could reuse serves others as well. */
static bool has_plenty(struct lowfat_class_central *cl, struct lowfat_owned *own) {
    struct lowfat_span *span = own->partial.head;
    for (unsigned i = 1; i < cl->plenty && span; i++)
        span = span->next;
    return span && lowfat_span_free(span) >= cl->threshold;
}

/* The same for any other span, also a full one that was this thread's; its cache is busy. */
static void put_shared(struct lowfat_tcache *tc, struct lowfat_class_central *cl, struct lowfat_span *span,
                       uint32_t count) {
    if (!lowfat_span_freed(cl, span, count))
        return;
    struct lowfat_owned *own = &tc->owned[span->class_id];
    if (atomic_load_explicit(&span->owner, memory_order_relaxed) != tc || has_plenty(cl, own)) {
        lowfat_span_pass_on(cl, span);
        return;
    }
    atomic_store_explicit(&span->queue, LOWFAT_ACTIVE, memory_order_seq_cst);
    if (lowfat_span_free(span) == span->fresh)
        lowfat_span_release_empty(span, 0);
    else
        lowfat_list_push(&own->partial, span);
}

void lowfat_span_free_remote(struct lowfat_class_central *cl, slot_t slot) {
    struct lowfat_span *span = lowfat_span_of(cl, slot);
    if (lowfat_span_freed(cl, span, 1))
        lowfat_span_pass_on(cl, span);
}

static inline bool is_held(uint8_t state) { return state == LOWFAT_CACHED || state == LOWFAT_AWAY; }

/* Gives `count` cached slots back; consecutive slots of one span are counted together. */
static void give_back(struct lowfat_tcache *tc, unsigned c, const uint64_t *slots, unsigned count) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    uint8_t *state = cl->state;
    for (unsigned i = 0; i < count;) {
        struct lowfat_span *span = lowfat_span_of(cl, slots[i]);
        slot_t first = span->first, capacity = cl->capacity;
        unsigned start = i;
        if (lowfat_span_is_own(span, tc)) {
            do {
                INVARIANT(2, is_held(STATE_GET(&state[slots[i]])));
                STATE_SET(&state[slots[i]], LOWFAT_FREE);
            } while (++i < count && slots[i] - first < capacity);
            put_local(tc, span, i - start);
        } else {
            do {
                INVARIANT(2, is_held(STATE_GET(&state[slots[i]])));
                __atomic_store_n(&state[slots[i]], LOWFAT_FREE, __ATOMIC_RELEASE);
            } while (++i < count && slots[i] - first < capacity);
            put_shared(tc, cl, span, i - start);
        }
    }
}

/* Forgets what is no longer AWAY, because another thread that freed the same object has given it back. */
unsigned lowfat_tcache_keep_away(struct lowfat_tcache *tc, unsigned c, slot_t *lost) {
    uint8_t *state = lowfat_central[c].state;
    unsigned kept = 0, count = tc->away_count[c];
    for (unsigned i = 0; i < count; i++) {
        slot_t slot = tc->away[c][i];
        if (LIKELY(STATE_GET(&state[slot]) == LOWFAT_AWAY))
            tc->away[c][kept++] = slot;
        else
            lost[i - kept] = slot;
    }
    tc->away_count[c] = (uint8_t)kept;
    return count - kept;
}

/* The same with a report, which may allocate: not on a slow path. */
static void check_away(struct lowfat_tcache *tc, unsigned c) {
    slot_t lost[LOWFAT_AWAY_MAX];
    unsigned count = lowfat_tcache_keep_away(tc, c, lost);
    for (unsigned i = 0; i < count; i++)
        lowfat_error_at(LOWFAT_ERROR_DOUBLE_FREE, "free", (void *)(lost[i] * lowfat_central[c].size));
}

static void send_away(struct lowfat_tcache *tc, unsigned c) {
    give_back(tc, c, tc->away[c], tc->away_count[c]);
    tc->away_count[c] = 0;
}

void lowfat_tcache_send_away(struct lowfat_tcache *tc, unsigned c) {
    int saved = errno;
    check_away(tc, c);
    lowfat_enter(tc);
    send_away(tc, c);
    lowfat_leave(tc);
    errno = saved;
}

void lowfat_tcache_check_away(struct lowfat_tcache *tc) {
    for (unsigned c = 1; c <= LOWFAT_AWAY_CLASSES; c++)
        check_away(tc, c);
}

void lowfat_tcache_flush(struct lowfat_tcache *tc, unsigned c) {
    uint64_t *bottom = lowfat_window_bottom(tc, c);
    lowfat_enter(tc);
    tc->owned[c].sweep = tc->sweep;
    unsigned keep = lowfat_central[c].keep, give = lowfat_central[c].window - keep;
    give_back(tc, c, bottom, give);
    memmove(bottom, bottom + give, keep * sizeof *bottom);
    tc->top[c] = bottom + keep;
    lowfat_leave(tc);
}

/* Gives back the whole window. */
static void empty_window(struct lowfat_tcache *tc, unsigned c) {
    uint64_t *bottom = lowfat_window_bottom(tc, c);
    unsigned held = (unsigned)(tc->top[c] - bottom);
    tc->top[c] = bottom;
    give_back(tc, c, bottom, held);
}

void lowfat_tcache_sweep(struct lowfat_tcache *tc, uint32_t now, uint32_t age) {
    if (now - tc->swept < age)
        return;
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++) {
        struct lowfat_owned *own = &tc->owned[c];
        struct lowfat_span *span = own->current;
        if (span == NULL || own->sweep == tc->sweep)
            continue;
        empty_window(tc, c);
        if (lowfat_span_free(span) != span->fresh)
            continue;
        own->current = NULL;
        lowfat_span_release_empty(span, age);
    }
    tc->sweep++;
    tc->swept = now;
}

/* The cache is busy, and its thread is here or gone. */
void lowfat_tcache_flush_all(struct lowfat_tcache *tc) {
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++) {
        empty_window(tc, c);
        if (c <= LOWFAT_AWAY_CLASSES)
            send_away(tc, c);
    }
}

/* Leaves all slots and spans to others.  The cache is busy; its thread is ending or does not exist. */
void lowfat_tcache_abandon(struct lowfat_tcache *tc) {
    lowfat_tcache_flush_all(tc);
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++) {
        struct lowfat_owned *own = &tc->owned[c];
        struct lowfat_span *span;
        if ((span = own->current) != NULL) {
            own->current = NULL;
            lowfat_span_abandon(span);
        }
        while ((span = own->partial.head) != NULL) {
            lowfat_list_remove(&own->partial, span);
            lowfat_span_abandon(span);
        }
    }
    if (tc->stack_record != NULL)
        lowfat_stack_thread_exit(tc);
}

/* ---- attaching and leaving ---- */

static struct lowfat_tcache *new_cache(void) {
    lowfat_acquire(&lowfat_registry_lock);
    struct lowfat_tcache *tc = dead_caches;
    if (tc) {
        dead_caches = tc->next_free;
    } else {
        size_t size = lowfat_round_up(sizeof *tc, LOWFAT_PAGE);
        tc = lowfat_os_map(size);
        if (tc) {
            tc->id = cache_count++;
            tc->tag = (uint8_t)(LOWFAT_FIRST_TAG + tc->id % LOWFAT_TAGS);
            tc->next = lowfat_registry;
            lowfat_registry = tc;
        }
    }
    if (tc)
        tc->in_use = true;
    lowfat_release(&lowfat_registry_lock);
    return tc;
}

static void set_tag(uint8_t tag) {
    lowfat_tls.tag = tag;
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++)
        lowfat_tls.tag_of[c] = tag;
}

static void attach(struct lowfat_tcache *tc) {
    bool slow = lowfat_options.hardened;
    tc->top = slow ? tc->hard_top : lowfat_tls.top;
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++)
        tc->top[c] = lowfat_window_bottom(tc, c);
    lowfat_tls.cache = tc;
    set_tag(slow ? LOWFAT_NO_TAG : tc->tag);
}

COLD static struct lowfat_tcache *make_cache(void) {
    int saved = errno;
    lowfat_ensure();
    struct lowfat_tcache *tc = lowfat_mode_ == LOWFAT_MODE_PLAIN ? NULL : new_cache();
    if (tc) {
        attach(tc);
        if (exit_key_made)
            pthread_setspecific(exit_key, tc);
        if (lowfat_on_cache)
            lowfat_on_cache();
    }
    errno = saved;
    return tc;
}

struct lowfat_tcache *lowfat_tcache_get(void) {
    struct lowfat_tcache *tc = lowfat_tls.cache;
    return LIKELY(tc != NULL) ? tc : make_cache();
}

/* Keeps the cache of a thread that is gone for a later one.  It is never unmapped: others may hold its address. */
void lowfat_tcache_bury(struct lowfat_tcache *tc) {
    lowfat_acquire(&lowfat_registry_lock);
    tc->in_use = false;
    tc->next_free = dead_caches;
    dead_caches = tc;
    lowfat_release(&lowfat_registry_lock);
}

/* Thread exit.  A later allocation of the same thread (by another key's destructor) makes a new cache, whose
 * destructor the C library calls in its next round; a later free needs no cache. */
static void on_thread_exit(void *argument) {
    struct lowfat_tcache *tc = argument;
    int saved = errno;
    if (lowfat_tls.cache != tc)
        return;
    set_tag(LOWFAT_NO_TAG);
    lowfat_tls.exited = true;
    lowfat_tcache_check_away(tc);
    lowfat_tls.cache = NULL;
    lowfat_enter(tc);
    lowfat_tcache_abandon(tc);
    tc->top = tc->hard_top;
    for (unsigned c = 0; c <= LOWFAT_SMALL_CLASSES; c++) {
        lowfat_tls.top[c] = DEAD;
        if (c > 0)
            tc->hard_top[c] = lowfat_window_bottom(tc, c);
    }
    lowfat_leave(tc);
    lowfat_tcache_bury(tc);
    lowfat_purge_departed();
    errno = saved;
}

void lowfat_tcache_init(void) {
    exit_key_made = pthread_key_create(&exit_key, on_thread_exit) == 0;
}

/* free.c - class I: giving objects back, and changing their size. Every check here is on by default. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <string.h>

/* What is wrong with freeing `ptr`, which is no live base of a heap slot. */
COLD static void free_error(void *ptr, const char *operation) {
    size_t row = lowfat_row_(ptr);
    enum lowfat_error error;
    switch (lowfat_map_.row[row].kind) {
    case LOWFAT_KIND_STACK: error = LOWFAT_ERROR_STACK_FREE; break;
    case LOWFAT_KIND_GLOBAL: error = LOWFAT_ERROR_GLOBAL_FREE; break;
    case LOWFAT_KIND_TRACED: error = LOWFAT_ERROR_TRACED_FREE; break;
    case LOWFAT_KIND_NONE: error = LOWFAT_ERROR_FOREIGN_FREE; break;
    default:
        if (!lowfat_is_base(ptr))
            error = LOWFAT_ERROR_INTERIOR_FREE;
        else if (lowfat_class(ptr) > LOWFAT_CLASSES || lowfat_map_.state[row][lowfat_slot(ptr)] == LOWFAT_NEVER)
            error = LOWFAT_ERROR_UNALLOCATED_FREE;
        else
            error = LOWFAT_ERROR_DOUBLE_FREE;
    }
    lowfat_error_at(error, operation, ptr);
}

/* A live heap slot's base: yields its class and slot, else reports.  `ptr` is any word. */
static bool check_live(void *ptr, const char *operation, unsigned *c, slot_t *slot) {
    if (!lowfat_is_canonical((uintptr_t)ptr)) {
        lowfat_error_at(LOWFAT_ERROR_FOREIGN_FREE, operation, ptr);
        return false;
    }
    size_t row = lowfat_row_(ptr);
    *c = lowfat_map_.row[row].class_id;
    if (lowfat_map_.row[row].kind != LOWFAT_KIND_HEAP || !lowfat_is_base(ptr)) {
        free_error(ptr, operation);
        return false;
    }
    *slot = lowfat_slot(ptr);
    if (*c == LOWFAT_CLASS_HUGE)
        return true; /* checked by the list of huge objects */
    struct lowfat_class_central *cl = &lowfat_central[*c];
    if (*slot < cl->first || *slot >= cl->limit || STATE_GET(&cl->state[*slot]) < LOWFAT_LIVE) {
        free_error(ptr, operation);
        return false;
    }
    return true;
}

/* A live slot that is not simply pushed: full window, other thread's object, or no cache. */
static void free_small(unsigned c, slot_t slot, void *ptr, const char *operation) {
    struct lowfat_class_central *cl = &lowfat_central[c];
    struct lowfat_tcache *tc = lowfat_tls.cache;
    if (tc == NULL && !lowfat_tls.exited)
        tc = lowfat_tcache_get(); /* a thread that only frees does it in batches, too */
    if (UNLIKELY(lowfat_options.hardened)) {
        lowfat_harden_free(c, slot, ptr, operation);
        return;
    }
    uint8_t *state = &cl->state[slot];
    struct lowfat_span *span = lowfat_span_of(cl, slot);
    if (tc && (STATE_GET(state) == tc->tag || atomic_load_explicit(&span->owner, memory_order_relaxed) == tc)) {
        if (lowfat_window_full(tc, c))
            lowfat_tcache_flush(tc, c);
        STATE_SET(state, LOWFAT_CACHED);
        *tc->top[c]++ = slot;
        return;
    }
    /* The exchange also settles which of two threads that free the same object is the second. */
    uint8_t before = __atomic_exchange_n(state, LOWFAT_FREE, __ATOMIC_SEQ_CST);
    if (UNLIKELY(before < LOWFAT_LIVE)) {
        if (before != LOWFAT_FREE)
            STATE_SET(state, before);
        free_error(ptr, operation);
        return;
    }
    lowfat_span_free_remote(cl, slot);
}

NOINLINE void lowfat_free_slow(void *ptr, const char *operation) {
    unsigned c;
    slot_t slot;
    if (ptr == NULL)
        return;
    lowfat_ensure();
    int saved = errno;
    if (UNLIKELY(lowfat_mode_ == LOWFAT_MODE_PLAIN))
        lowfat_plain_free(ptr, operation);
    else if (check_live(ptr, operation, &c, &slot)) {
        if (LIKELY(c <= LOWFAT_SMALL_CLASSES))
            free_small(c, slot, ptr, operation);
        else if (c <= LOWFAT_CLASSES)
            lowfat_large_free(c, slot, operation);
        else if (!lowfat_huge_free(ptr))
            lowfat_error_at(LOWFAT_ERROR_UNALLOCATED_FREE, operation, ptr);
    }
    errno = saved;
}

/* Own objects at a boundary of the window. */
static void push_at_boundary(struct lowfat_tcache *tc, unsigned c, slot_t slot) {
    if (lowfat_window_full(tc, c)) {
        int saved = errno;
        lowfat_tcache_flush(tc, c);
        errno = saved;
    }
    STATE_SET(&lowfat_central[c].state[slot], LOWFAT_CACHED);
    *tc->top[c]++ = slot;
}

/* Holds back a live object that another thread allocated, so that its span is told of many at once; who owns the span is not
 * looked up here. Two threads that free the same object at the same moment may both come this far: the second to give it back
 * finds that it is no longer AWAY. */
static void hold_back(struct lowfat_tcache *tc, unsigned c, slot_t slot) {
    STATE_SET(&lowfat_central[c].state[slot], LOWFAT_AWAY);
    unsigned count = tc->away_count[c];
    tc->away[c][count] = slot;
    atomic_signal_fence(memory_order_release); /* a fork sees the entry before the count */
    tc->away_count[c] = (uint8_t)(count + 1);
    if (UNLIKELY(count + 1 >= lowfat_central[c].away))
        lowfat_tcache_send_away(tc, c);
}

/* What the fast path of `free` turns down; the two usual cases of small heap objects. */
NOINLINE static void free_other(void *ptr) {
    struct lowfat_tcache *tc = lowfat_tls.cache;
    slot_t slot;
    size_t row = lowfat_row_(ptr);
    if (LIKELY(lowfat_tls.tag != LOWFAT_NO_TAG && lowfat_is_canonical((uintptr_t)ptr) &&
               lowfat_slot_and_base((uintptr_t)ptr, &lowfat_map_.magic[row], &slot))) {
        unsigned c = lowfat_map_.row[row].class_id;
        uint8_t tag = STATE_GET(lowfat_map_.state[row] + slot); /* of a heap slot if a tag */
        if (tag == tc->tag) {
            push_at_boundary(tc, c, slot);
            return;
        }
        if (LIKELY(tag >= LOWFAT_FIRST_TAG && c <= LOWFAT_AWAY_CLASSES)) {
            hold_back(tc, c, slot);
            return;
        }
    }
    lowfat_free_slow(ptr, "free");
}

#define ROW0 ((intptr_t)(LOWFAT_ROWS / 2)) /* the row of address 0 */

/* Section 3.1 and 4.1 ("Finding free API errors").  One multiplication finds the slot and whether `ptr` is a base (null
 * and foreign pointers are not, their magic being 0); one comparison with this thread's tag finds that the slot is
 * live and was allocated here; one test finds room in the window. */
LOWFAT_API void lowfat_free(void *ptr) LOWFAT_NOEXCEPT_ {
    intptr_t region = (intptr_t)ptr >> LOWFAT_REGION_SHIFT;
    slot_t slot;
    if (UNLIKELY(!lowfat_slot_and_base((uintptr_t)ptr, &lowfat_map_.magic[region + ROW0], &slot)))
        goto slow;
    lowfat_cell *cell = lowfat_cell_numbered(lowfat_map_.row[region + ROW0].cell);
    uint8_t *states = lowfat_map_.state[region + ROW0];
    if (UNLIKELY(STATE_GET(&states[slot]) != LOWFAT_CELL_TAG(cell)))
        goto slow;
    /* The barriers keep the compiler from computing shared addresses beforehand, one instruction more each. */
    __asm__("" : "+r"(states));
    uint64_t *top = *cell;
    if (UNLIKELY(lowfat_window_at_boundary(top)))
        goto slow;
    STATE_SET(&states[slot], LOWFAT_CACHED);
    *top = slot;
    *cell = top + 1;
    return;
slow:
    free_other(ptr);
}

/* ---- sizes ---- */

/* The bytes the program may use, of a live object whose class and slot are known. */
static size_t usable(unsigned c, slot_t slot, const void *ptr) {
    if (c <= LOWFAT_SMALL_CLASSES) {
        struct lowfat_class_central *cl = &lowfat_central[c];
        return lowfat_options.exact ? cl->exact[slot] : cl->size;
    }
    if (c <= LOWFAT_CLASSES)
        return lowfat_round_up(lowfat_large_requested(c, slot), LOWFAT_PAGE);
    return lowfat_round_up(lowfat_huge_size(ptr), LOWFAT_PAGE);
}

LOWFAT_API size_t lowfat_malloc_usable_size(const void *ptr) LOWFAT_NOEXCEPT_ {
    unsigned c;
    slot_t slot;
    if (ptr == NULL)
        return 0;
    lowfat_ensure();
    if (UNLIKELY(lowfat_mode_ == LOWFAT_MODE_PLAIN))
        return lowfat_plain_size(ptr);
    if (!check_live((void *)ptr, "malloc_usable_size", &c, &slot))
        return 0;
    return usable(c, slot, ptr);
}

LOWFAT_API int lowfat_is_live(const volatile void *ptr) LOWFAT_NOEXCEPT_ {
    if (!lowfat_is_canonical((uintptr_t)ptr) || !lowfat_is_heap_ptr(ptr))
        return 0;
    unsigned c = lowfat_class(ptr);
    if (c > LOWFAT_CLASSES)
        return lowfat_huge_size(lowfat_base(ptr)) != 0;
    slot_t slot = lowfat_slot(ptr);
    struct lowfat_class_central *cl = &lowfat_central[c];
    return slot >= cl->first &&
           slot < cl->first + ((uint64_t)atomic_load_explicit(&cl->spans_used, memory_order_acquire) << cl->shift) &&
           STATE_GET(&cl->state[slot]) >= LOWFAT_LIVE;
}

LOWFAT_API size_t lowfat_requested_size(const volatile void *ptr) LOWFAT_NOEXCEPT_ {
    if (!lowfat_is_live(ptr))
        return 0;
    return usable(lowfat_class(ptr), lowfat_slot(ptr), lowfat_base(ptr));
}

/* ---- realloc ---- */

static void *move(void *ptr, size_t old_size, size_t size) {
    void *fresh = lowfat_malloc(size);
    if (fresh == NULL)
        return NULL;
    memcpy(fresh, ptr, old_size < size ? old_size : size);
    lowfat_free(ptr);
    return fresh;
}

/* The same of a large object, whose pages may move. */
static void *move_large(unsigned c, slot_t slot, size_t old_size, size_t size) {
    void *fresh = lowfat_malloc(size);
    if (fresh == NULL)
        return NULL;
    lowfat_large_move(c, slot, fresh, old_size < size ? old_size : size);
    lowfat_free((void *)(slot * lowfat_central[c].size));
    return fresh;
}

/* An object stays in its slot while that fits and is not more than twice as large as needed. */
LOWFAT_API void *lowfat_realloc(void *ptr, size_t size) LOWFAT_NOEXCEPT_ {
    unsigned c;
    slot_t slot;
    if (ptr == NULL)
        return lowfat_malloc(size);
    if (size == 0) {
        lowfat_free_slow(ptr, "realloc");
        return NULL;
    }
    if (UNLIKELY(size > PTRDIFF_MAX))
        return lowfat_out_of_memory();
    lowfat_ensure();
    if (UNLIKELY(lowfat_mode_ == LOWFAT_MODE_PLAIN)) {
        size_t old = lowfat_plain_size(ptr);
        if (old == 0)
            lowfat_error_at(LOWFAT_ERROR_FOREIGN_FREE, "realloc", ptr);
        return old == 0 ? NULL : old >= size && old / 2 <= size ? ptr : move(ptr, old, size);
    }
    if (UNLIKELY(!check_live(ptr, "realloc", &c, &slot)))
        return NULL;
    size_t need = size + lowfat_options.past_end;
    if (LIKELY(c <= LOWFAT_SMALL_CLASSES)) {
        size_t slot_size = lowfat_central[c].size;
        if (need <= slot_size && need >= slot_size / 2 && !lowfat_options.exact)
            return ptr;
    } else if (c <= LOWFAT_CLASSES) {
        if (need <= lowfat_central[c].size && size > lowfat_central[c].size / 4 && lowfat_large_resize(c, slot, size))
            return ptr;
        return move_large(c, slot, usable(c, slot, ptr), size);
    } else if (lowfat_huge_resize(ptr, size)) {
        return ptr;
    }
    return move(ptr, usable(c, slot, ptr), size);
}

LOWFAT_API void *lowfat_reallocarray(void *ptr, size_t count, size_t size) LOWFAT_NOEXCEPT_ {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return lowfat_out_of_memory();
    return lowfat_realloc(ptr, total);
}

/* ---- sized frees ---- */

/* A larger class than the size's own is right too: the class may have been exhausted or the object aligned. */
static bool size_fits(void *ptr, size_t size) {
    if (lowfat_mode_ == LOWFAT_MODE_PLAIN || ptr == NULL)
        return true;
    size_t slot = lowfat_size(ptr);
    return slot == SIZE_MAX || size <= slot;
}

LOWFAT_API void lowfat_free_sized(void *ptr, size_t size) LOWFAT_NOEXCEPT_ {
    if (UNLIKELY(!lowfat_is_canonical((uintptr_t)ptr) || !size_fits(ptr, size)))
        lowfat_error_at(LOWFAT_ERROR_SIZE_MISMATCH, "free_sized", ptr);
    else
        lowfat_free(ptr);
}

LOWFAT_API void lowfat_free_aligned_sized(void *ptr, size_t alignment, size_t size) LOWFAT_NOEXCEPT_ {
    if (UNLIKELY(!lowfat_is_canonical((uintptr_t)ptr) || !size_fits(ptr, size) ||
                 (alignment > 1 && (uintptr_t)ptr % alignment != 0)))
        lowfat_error_at(LOWFAT_ERROR_SIZE_MISMATCH, "free_aligned_sized", ptr);
    else
        lowfat_free(ptr);
}

#ifdef LOWFAT_OF_CYCLONE
__attribute__((alias("lowfat_free"))) void cyc_unique_give(void *ptr);
#endif

#ifndef LOWFAT_NO_INTERPOSE
#define ALIAS(name) LOWFAT_API __attribute__((alias("lowfat_" #name)))
ALIAS(free) void free(void *ptr);
LOWFAT_API __attribute__((alias("lowfat_free"))) void cfree(void *ptr);
ALIAS(free_sized) void free_sized(void *ptr, size_t size);
ALIAS(free_aligned_sized) void free_aligned_sized(void *ptr, size_t alignment, size_t size);
ALIAS(realloc) void *realloc(void *ptr, size_t size);
ALIAS(reallocarray) void *reallocarray(void *ptr, size_t count, size_t size);
LOWFAT_API __attribute__((alias("lowfat_malloc_usable_size"))) size_t malloc_usable_size(void *ptr);
#endif

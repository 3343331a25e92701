/* lost.c - objects of malloc that nothing points to: found by looking at what is live and was not marked. */
#ifndef CYC_HEAP_LIBC
#include "gc.h"

#include <errno.h>

#ifdef CYC_GC_OF_CYCLONE
#include "../region/page.h"
#endif

CYC_GC_STATE static _Atomic int kept;

LOWFAT_API void lowfat_gc_keep_lost(int more) LOWFAT_NOEXCEPT_ { atomic_fetch_add(&kept, more); }

/* The world is stopped.  Of a malloc space's bits, `alloc` becomes "lost now", and `mark` "lost now and the time before",
 * which is what may be freed. */
CYC_GC_UNCHECKED void cyc_gc_lost_find(void) {
    cyc_gc.stats.lost_objects = cyc_gc.stats.lost_bytes = 0;
    if (cyc_gc.option[LOWFAT_GC_LOST] == 0)
        return;
    bool keep = atomic_load(&kept) > 0;
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        struct cyc_gc_space *s = cyc_gc_space_of(CYC_GC_MALLOCED, c);
        for (uint64_t at = 0; at < s->count; at += 64) {
            struct cyc_gc_bits *bits = &s->bits[at / 64];
            uint64_t lost = 0;
            for (uint64_t i = at; i < at + 64 && i < s->count; i++)
                if (STATE_GET(&s->state[s->first + i]) >= LOWFAT_LIVE)
                    lost |= 1ull << (i % 64);
            lost = keep ? 0 : lost & ~bits->mark;
            bits->mark = lost & bits->alloc;
            bits->alloc = lost;
            cyc_gc.stats.lost_objects += (unsigned)__builtin_popcountll(lost);
            cyc_gc.stats.lost_bytes += (unsigned)__builtin_popcountll(lost) * s->size;
        }
    }
}

void cyc_gc_lost_reclaim(void) {
    if (cyc_gc.option[LOWFAT_GC_LOST] != 2)
        return;
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        struct cyc_gc_space *s = cyc_gc_space_of(CYC_GC_MALLOCED, c);
        for (uint64_t at = 0; at < s->count; at += 64) {
            struct cyc_gc_bits *bits = &s->bits[at / 64];
            uint64_t gone = bits->mark;
            bits->alloc &= ~gone;
            bits->mark = 0;
            for (; gone != 0; gone &= gone - 1) {
                lowfat_free((void *)cyc_gc_address(s, at + (unsigned)__builtin_ctzll(gone)));
                cyc_gc.stats.reclaimed_objects++;
                cyc_gc.stats.lost_objects--;
                cyc_gc.stats.lost_bytes -= s->size;
            }
        }
    }
}

/* ---- when lost objects may be many ----
 *
 * Between two collections what malloc has in use, pages of regions aside, may grow by as much as the last one went through, and by
 * EXPECTED in any case: so much may be lost. Liblowfat compares where a thread needs more slots, so allocating has no step more. */
#define EXPECTED ((uint64_t)8 << 20)

CYC_GC_STATE static _Atomic uint64_t most;

static uint64_t pages_in_use(void) {
#ifdef CYC_GC_OF_CYCLONE
    return cyc_rgn_pages_in_use();
#else
    return 0;
#endif
}

static uint64_t in_use(void) {
    uint64_t used = atomic_load_explicit(&lowfat_used_bytes, memory_order_relaxed), pages = pages_in_use();
    return used > pages ? used - pages : 0;
}

static void set_limit(void) { atomic_store(&lowfat_growth_limit, atomic_load(&most) + pages_in_use()); }

/* An allocation is about to happen, perhaps one of the collector's own. Nothing in a no-heap thread, and in one that is about to
 * begin or to end. */
static void on_growth(void) {
    int saved = errno;
    cyc_gc_start();
    if (in_use() <= atomic_load(&most)) {
        set_limit(); /* regions have grown */
    } else if (cyc_gc.ready && cyc_gc_self.registered && lowfat_try_acquire(&cyc_gc.lock)) {
        if (in_use() > atomic_load(&most) && cyc_gc.disabled == 0)
            cyc_gc_collect(&cyc_gc_self);
        lowfat_release(&cyc_gc.lock);
    }
    errno = saved;
}

void cyc_gc_lost_expect(void) {
    uint64_t reached = cyc_gc.stats.live_bytes + cyc_gc.stats.malloced_bytes;
    bool wanted = cyc_gc.option[LOWFAT_GC_LOST] == 2 && cyc_gc.ready;
    lowfat_on_growth = on_growth;
    atomic_store(&most, in_use() + (reached > EXPECTED ? reached : EXPECTED));
    if (wanted)
        set_limit();
    else
        atomic_store(&lowfat_growth_limit, UINT64_MAX);
}

#ifdef CYC_GC_OF_CYCLONE
/* Before the collector starts. */
__attribute__((constructor)) static void expect(void) {
    lowfat_on_growth = on_growth;
    atomic_store(&most, EXPECTED);
    set_limit();
}
#endif

/* The visitor is called without the lock; it may free the object. */
LOWFAT_API int lowfat_gc_lost(lowfat_visitor *visit, void *context) {
    cyc_gc_start();
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        struct cyc_gc_space *s = cyc_gc_space_of(CYC_GC_MALLOCED, c);
        for (uint64_t i = 0; i < s->count; i++) {
            lowfat_acquire(&cyc_gc.lock);
            bool lost = (s->bits[i / 64].alloc >> (i % 64) & 1) != 0;
            lowfat_release(&cyc_gc.lock);
            void *object = (void *)cyc_gc_address(s, i);
            int result = lost && lowfat_is_live(object) ? visit(object, s->size, context) : 0;
            if (result != 0)
                return result;
        }
    }
    return 0;
}
#endif

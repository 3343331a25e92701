/* lost.c - objects of malloc that nothing points to: found by looking at what is live and was not marked. */
#ifndef CYC_HEAP_LIBC
#include "gc.h"

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

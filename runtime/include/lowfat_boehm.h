/* lowfat_boehm.h - names of the Boehm-Demers-Weiser collector's C interface that programs commonly use, on the traced
 * heap of lowfat_gc.h: put it in the place of <gc.h>.
 *
 * What has no counterpart is not here, so that a program that needs it does not compile: finalizers, disappearing links,
 * uncollectable objects, typed allocation (see lowfat_gc_malloc_layout), callbacks.  GC_free of an object is optional there and
 * here; a wrong one is reported here. */
#ifndef LOWFAT_BOEHM_H
#define LOWFAT_BOEHM_H

#include <lowfat_gc.h>

typedef uintptr_t GC_word;

#define GC_INIT() ((void)lowfat_gc_thread_register())
#define GC_malloc(size) lowfat_gc_malloc(size)
#define GC_malloc_atomic(size) lowfat_gc_malloc_atomic(size)
#define GC_malloc_ignore_off_page(size) lowfat_gc_malloc(size)
#define GC_malloc_atomic_ignore_off_page(size) lowfat_gc_malloc_atomic(size)
#define GC_realloc(object, size) lowfat_gc_realloc(object, size)
#define GC_strdup(string) lowfat_gc_strdup(string)
#define GC_strndup(string, size) lowfat_gc_strndup(string, size)
#define GC_memalign(alignment, size) lowfat_gc_aligned_alloc(alignment, size)
#define GC_free(object) lowfat_gc_free(object)
#define GC_MALLOC(size) GC_malloc(size)
#define GC_MALLOC_ATOMIC(size) GC_malloc_atomic(size)
#define GC_REALLOC(object, size) GC_realloc(object, size)
#define GC_STRDUP(string) GC_strdup(string)
#define GC_STRNDUP(string, size) GC_strndup(string, size)
#define GC_FREE(object) GC_free(object)
#define GC_NEW(type) ((type *)GC_malloc(sizeof(type)))
#define GC_NEW_ATOMIC(type) ((type *)GC_malloc_atomic(sizeof(type)))

#define GC_gcollect() ((void)lowfat_gc_collect())
#define GC_enable() lowfat_gc_enable()
#define GC_disable() lowfat_gc_disable()
#define GC_set_max_heap_size(bytes) ((void)lowfat_gc_set(LOWFAT_GC_LIMIT, bytes))
#define GC_add_roots(from, to) ((void)lowfat_gc_add_roots(from, to))
#define GC_remove_roots(from, to) ((void)lowfat_gc_remove_roots(from, to))
#define GC_base(pointer) (lowfat_is_traced_ptr(pointer) ? lowfat_base(pointer) : (void *)0)
#define GC_size(object) lowfat_size(object)
#define GC_allow_register_threads() ((void)0)
#define GC_unregister_my_thread() lowfat_gc_thread_unregister()

LOWFAT_INLINE struct lowfat_gc_stats lowfat_boehm_stats_(void) {
    struct lowfat_gc_stats stats;
    lowfat_gc_stats(&stats);
    return stats;
}
#define GC_get_heap_size() ((size_t)lowfat_boehm_stats_().heap_bytes)
#define GC_get_free_bytes() \
    ((size_t)(lowfat_boehm_stats_().heap_bytes - lowfat_boehm_stats_().live_bytes - lowfat_boehm_stats_().since_bytes))
#define GC_get_total_bytes() ((size_t)lowfat_boehm_stats_().total_bytes)
#define GC_get_bytes_since_gc() ((size_t)lowfat_boehm_stats_().since_bytes)
#define GC_get_gc_no() ((GC_word)lowfat_boehm_stats_().collections)

#endif

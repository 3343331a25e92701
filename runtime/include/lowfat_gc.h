/* lowfat_gc.h - a traced heap on low-fat slots: objects that are freed when nothing points to them any more.
 *
 * A mark-sweep collector after figure 5 of Duck and Yap, "An Extended Low Fat Allocator API and Applications" (2018,
 * section 4.2).  Traced objects lie in low-fat regions of their own, so that size, base and offset of lowfat.h hold for them
 * (kind LOWFAT_KIND_TRACED) and any word becomes a slot number and a mark bit in a handful of instructions.
 *
 *     #include <lowfat_gc.h>
 *     struct node *n = lowfat_gc_malloc(sizeof *n);     // zeroed; never freed by hand
 *
 * What keeps an object: a pointer to any of its bytes, or (option past_end, on by default) just past its end, in
 *   - the stack or the registers of a registered thread, or a thread-local variable;
 *   - a global variable of the program or of any library that is loaded;
 *   - a low-fat stack object, or memory given to lowfat_gc_add_roots;
 *   - a reachable object: traced, or from liblowfat's own malloc (which is scanned, but not freed: see "lost objects";
 *     one of more than 16 GiB is not scanned: give it to lowfat_gc_add_roots if it holds pointers).
 * Memory from another malloc, mapped files and shared memory are not looked at: give them to lowfat_gc_add_roots.
 *
 * Threads made by pthread_create are registered by themselves (the library wraps it), other threads by their first
 * allocation or lowfat_gc_thread_register.  All are stopped by a signal, SIGPWR, which the program must neither block nor
 * handle; code that runs on a stack of its own making (swapcontext) must add that stack as roots.
 *
 * Where the address space admits no regions (lowfat_mode() is LOWFAT_MODE_PLAIN) objects come from lowfat_calloc and are
 * never collected.
 */
#ifndef LOWFAT_GC_H
#define LOWFAT_GC_H

#include <lowfat.h>

LOWFAT_BEGIN_DECLS

/* ---------------------------------------------------------------------------------------------
 * Allocation.  All return null and set errno to ENOMEM when memory or the heap limit is exhausted and a collection did
 * not help, or when the size exceeds 16 GiB; to EPERM in a no-heap thread.
 * ------------------------------------------------------------------------------------------- */

/* `size` bytes, zero, scanned conservatively. */
LOWFAT_API void *lowfat_gc_malloc(size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(1);
LOWFAT_API void *lowfat_gc_calloc(size_t count, size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(1, 2);
/* `size` bytes of unspecified contents that hold no pointers and are never scanned. */
LOWFAT_API void *lowfat_gc_malloc_atomic(size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(1);
LOWFAT_API char *lowfat_gc_strdup(const char *s) LOWFAT_NOEXCEPT_ __attribute__((malloc, warn_unused_result));
LOWFAT_API char *lowfat_gc_strndup(const char *s, size_t n) LOWFAT_NOEXCEPT_
    __attribute__((malloc, warn_unused_result));
/* Scanned conservatively, at a multiple of `alignment`, a power of two (else EINVAL). */
LOWFAT_API void *lowfat_gc_aligned_alloc(size_t alignment, size_t size) LOWFAT_NOEXCEPT_ LOWFAT_ALLOC_(2);

/* Where pointers are in an object: in word i of it where bit i of `map` is set, and so on every `words` words.  The map
 * has as many 64-bit words as that takes.  A descriptor is usually a static variable; it must stay as it is for ever.
 * `id` starts as 0 and is the library's. */
struct lowfat_gc_layout {
    uint32_t id;
    uint32_t words; /* of one element; at least 1 */
    const uint64_t *map;
};
/* `size` bytes, zero, scanned by `layout`: one element or an array of them. */
LOWFAT_API void *lowfat_gc_malloc_layout(size_t size, struct lowfat_gc_layout *layout) LOWFAT_NOEXCEPT_
    LOWFAT_ALLOC_(1);

/* As realloc(3): the object keeps its kind and layout, and what is new of it is zero unless it is atomic.  Size 0 frees. */
LOWFAT_API void *lowfat_gc_realloc(void *ptr, size_t size) LOWFAT_NOEXCEPT_
    __attribute__((warn_unused_result, alloc_size(2)));
/* Gives a traced object back at once, for those who know; null is allowed.  A pointer that is no live traced object's base
 * is reported like a misuse of free (lowfat.h, "Errors"). */
LOWFAT_API void lowfat_gc_free(void *ptr) LOWFAT_NOEXCEPT_;

/* True when `ptr`, any word, points into a traced object that is allocated and was reachable, or newer than, the last
 * collection. */
LOWFAT_API int lowfat_gc_is_live(const volatile void *ptr) LOWFAT_NOEXCEPT_;

/* ---------------------------------------------------------------------------------------------
 * Control
 * ------------------------------------------------------------------------------------------- */

/* Collects now; the bytes that are live afterwards. Does nothing in a no-heap thread. */
LOWFAT_API size_t lowfat_gc_collect(void) LOWFAT_NOEXCEPT_;
/* No collection starts by itself between a disable and its enable; they nest. */
LOWFAT_API void lowfat_gc_disable(void) LOWFAT_NOEXCEPT_;
LOWFAT_API void lowfat_gc_enable(void) LOWFAT_NOEXCEPT_;
/* Returns free memory of the traced heap to the system; bytes given back. */
LOWFAT_API size_t lowfat_gc_trim(void) LOWFAT_NOEXCEPT_;

/* The same names, as `name=value` pairs separated by commas, colons or blanks, are understood in the environment variable
 * LOWFAT_GC_OPTIONS, which is ignored in programs with privileges.  Sizes there may end in k, m, g. */
enum lowfat_gc_option {
    LOWFAT_GC_LIMIT,    /* limit: bytes of objects that may exist between two collections; 0: no limit (default) */
    LOWFAT_GC_RATIO,    /* ratio: percent of the live bytes to which the heap grows before a collection; 101 and up. At 160, the
                           default, heaps of up to 20 MB grow by more: small ones twofold, of 1 to 3 MB up to threefold,
                           up to 12 MB at least twofold */
    LOWFAT_GC_START,    /* start: bytes allocated at least between two collections (256k) */
    LOWFAT_GC_STACK,    /* stack: entries of the mark stack, 64 and up; used from the next collection on */
    LOWFAT_GC_EVERY,    /* every: collect at each N-th allocation; 0: by size only (default) */
    LOWFAT_GC_POISON,   /* poison=1: overwrite what is swept at once */
    LOWFAT_GC_LOST,     /* lost: 0 keep, 1 count, 2 free objects of liblowfat's malloc that nothing points to */
    LOWFAT_GC_PAST_END, /* past_end: a pointer just past an object keeps it (default 1). By environment only */
    LOWFAT_GC_VERBOSE,  /* verbose=1: a line on standard error for each collection; 2: and statistics at exit */
    LOWFAT_GC_OPTIONS_
};
/* Sets an option.  0, or -1 with errno EINVAL for a value it does not have. */
LOWFAT_API int lowfat_gc_set(enum lowfat_gc_option option, uint64_t value) LOWFAT_NOEXCEPT_;
LOWFAT_API uint64_t lowfat_gc_get(enum lowfat_gc_option option) LOWFAT_NOEXCEPT_;

/* Figures in bytes unless said otherwise. `live` is what the last collection found, by slot size. */
struct lowfat_gc_stats {
    uint64_t collections;    /* count */
    uint64_t live_bytes;
    uint64_t live_objects;   /* count */
    uint64_t since_bytes;    /* handed to threads for allocation since then */
    uint64_t total_bytes;    /* handed to threads for allocation ever */
    uint64_t heap_bytes;     /* blocks, at least 64 slots each, that have been in use: untouched slots are included */
    uint64_t trigger_bytes;  /* `since` at which the next collection starts */
    uint64_t root_bytes;     /* stacks, globals, thread-locals, explicit roots scanned last time */
    uint64_t malloced_bytes; /* objects of malloc that were reachable last time */
    uint64_t lost_objects;   /* objects of malloc that nothing pointed to, count; with option lost */
    uint64_t lost_bytes;
    uint64_t reclaimed_objects; /* lost ones freed ever, count; with option lost=2 */
    uint64_t rescans;        /* times the mark stack was full and a part of the heap was scanned again, count */
    uint64_t purged_bytes;   /* returned to the system ever */
    uint64_t threads;        /* registered, count */
    uint64_t pause_last_ns;  /* nanoseconds the world was stopped */
    uint64_t pause_longest_ns;
    uint64_t pause_total_ns;
};
LOWFAT_API void lowfat_gc_stats(struct lowfat_gc_stats *out) LOWFAT_NOEXCEPT_;
/* A table of them.  0, or -1 with errno. */
LOWFAT_API int lowfat_gc_stats_print(int fd) LOWFAT_NOEXCEPT_;

/* Called by the collecting thread: before the world is stopped, while it is stopped (nothing may be allocated or locked
 * then), after it runs again, and when the collection is complete.  Returns the former handler; null: none. */
enum lowfat_gc_event { LOWFAT_GC_BEGIN, LOWFAT_GC_STOPPED, LOWFAT_GC_RUNNING, LOWFAT_GC_END };
typedef void lowfat_gc_event_handler(enum lowfat_gc_event event);
LOWFAT_API lowfat_gc_event_handler *lowfat_gc_on_event(lowfat_gc_event_handler *handler) LOWFAT_NOEXCEPT_;

/* ---------------------------------------------------------------------------------------------
 * Roots and threads
 * ------------------------------------------------------------------------------------------- */

/* [from, to) is scanned by every collection until it is removed.  0, or -1 with errno: ENOMEM; EINVAL for an empty
 * range, or for the removal of one that was not added as it is. */
LOWFAT_API int lowfat_gc_add_roots(const void *from, const void *to) LOWFAT_NOEXCEPT_;
LOWFAT_API int lowfat_gc_remove_roots(const void *from, const void *to) LOWFAT_NOEXCEPT_;

/* For threads that pthread_create did not make.  A registered thread is unregistered when it ends. 0, or -1 with errno. */
LOWFAT_API int lowfat_gc_thread_register(void) LOWFAT_NOEXCEPT_;
LOWFAT_API void lowfat_gc_thread_unregister(void) LOWFAT_NOEXCEPT_;
/* The calling thread promises to hold no pointer to a traced object from now on, nor to close libraries: it is never stopped or
 * scanned, and may not allocate traced objects.  So are the threads that it makes. */
LOWFAT_API void lowfat_gc_thread_no_heap(void) LOWFAT_NOEXCEPT_;

/* ---------------------------------------------------------------------------------------------
 * Lost objects: objects of liblowfat's malloc (in Cyclone: unique and counted ones) that the last collection did not reach.
 * With lost=1 they are counted, and visited here; with lost=2 those that two collections in a row did not reach are freed, and
 * a collection also starts when the objects of malloc have grown by as much as the last one went through, or 8 MiB.
 * That takes a program whose pointers are all where the collector looks; an ordinary C program's C library hides some.
 * Objects above 16 GiB are never lost.
 * ------------------------------------------------------------------------------------------- */
LOWFAT_API int lowfat_gc_lost(lowfat_visitor *visit, void *context);
/* With 1, until as many calls with -1: no object counts as lost. For as long as no-heap threads have objects of malloc, which
 * nothing that is scanned may point to. */
LOWFAT_API void lowfat_gc_keep_lost(int more) LOWFAT_NOEXCEPT_;

LOWFAT_END_DECLS

#endif

/* mark.c - from roots to mark bits: figure 5 of the paper, without recursion.
 *
 * The mark stack holds ranges of memory to scan.  It has a fixed size.  When it is full, an object is marked but not pushed;
 * its space remembers between which indices that happened, and when the stack is empty the marked objects between them
 * are scanned again.  Each time at least one object more is marked, so this ends.
 *
 * What is popped waits in a short queue while the processor fetches it. */
#ifndef CYC_HEAP_LIBC
#include "gc.h"

typedef uintptr_t __attribute__((may_alias)) word;

#define ENTRIES ((uint64_t)1 << 20) /* default; 16 MiB, of which little is touched by most programs */
#define CHUNK ((uintptr_t)1024)     /* bytes of a large range that are scanned before what they point to */
#define AHEAD 32                    /* entries that are being fetched at most; a power of two */
#define KEEP ((uint64_t)1 << 14)    /* entries whose memory stays resident between collections */

/* [start, end), both multiples of 8.  The lowest bit of `start`: by layout, and start is at the start of an element. */
struct entry {
    uintptr_t start, end;
};
#define BY_LAYOUT ((uintptr_t)1)
#define BY_MAP ((uintptr_t)2) /* a slot whose map stands in place of its end */

CYC_GC_STATE static struct marker {
    uintptr_t low, span; /* where objects may be: low <= address < low + span */
    struct entry *top;
    struct entry *bottom, *limit;
    uint64_t run_objects, run_bytes; /* slots marked because they are in runs */
    bool full; /* some space has something to scan again */
} marker;

/* ---- marking one word ---- */

CYC_GC_UNCHECKED __attribute__((noinline, cold)) static void note_full(struct cyc_gc_space *s, uint64_t index) {
    if (s->again_from >= s->again_to)
        s->again_from = s->again_to = index;
    if (index < s->again_from)
        s->again_from = index;
    if (index >= s->again_to)
        s->again_to = index + 1;
    marker.full = true;
}

/* The bytes of an object to scan, a multiple of 8.  An object of malloc may be freed while this runs only by a no-heap
 * thread. */
CYC_GC_UNCHECKED static inline uintptr_t scanned_bytes(const struct cyc_gc_space *s, uint64_t index) {
    if (LIKELY(!cyc_gc_large(s)))
        return s->size;
    uint64_t bytes;
    if (s->kind == CYC_GC_MALLOCED) /* one slot a span */
        bytes = lowfat_span_at(&lowfat_central[s->class_id], (uint32_t)index)->requested;
    else
        bytes = s->requested[index];
    return bytes & ~(uint64_t)7;
}

CYC_GC_UNCHECKED static inline void push_object(struct marker *m, struct cyc_gc_space *s, uint64_t index, uintptr_t base) {
    if (UNLIKELY(m->top == m->limit)) {
        note_full(s, index);
        return;
    }
    struct entry *e = m->top++;
    if (s->kind != CYC_GC_LAYOUT) {
        *e = (struct entry){base, base + scanned_bytes(s, index)};
        return;
    }
    bool mixed = atomic_load_explicit(&s->mixed, memory_order_relaxed);
    if (LIKELY(!mixed && s->map != 0)) {
        *e = (struct entry){base | BY_MAP, s->map};
        return;
    }
    if (mixed)
        __builtin_prefetch(&s->layout[index]);
    *e = (struct entry){base | BY_LAYOUT, base + scanned_bytes(s, index)};
}

/* The base of the slot that `w` points into; `low`: the lower half of its product with the reciprocal, which tells bases
 * (classes.c).  Most words are bases, and as that is a branch, foretold, what follows need not wait for the product. */
static inline uintptr_t base_of(const struct cyc_gc_space *s, uint64_t index, uintptr_t w, uint64_t low) {
    if (UNLIKELY(low >= s->magic)) {
        w = cyc_gc_address(s, index);
        __asm__("" : "+r"(w)); /* a branch it stays */
    }
    return w;
}

CYC_GC_UNCHECKED static inline __attribute__((always_inline)) void mark_word(struct marker *m, uintptr_t w) {
    if (LIKELY(w - m->low >= m->span))
        return;
    struct cyc_gc_space *s = &cyc_gc_space[cyc_gc_row[w >> LOWFAT_REGION_SHIFT]];
    lowfat_u128_ product = (lowfat_u128_)w * s->magic;
    uint64_t index = (uint64_t)(product >> 64) - s->first;
    if (index >= atomic_load_explicit(&s->count, memory_order_relaxed))
        return;
    struct cyc_gc_bits *bits = &s->bits[index / 64];
    uint64_t mark = bits->mark, bit = 1ull << (index % 64);
    if ((mark & bit) != 0)
        return;
    if (LIKELY(!s->special)) { /* small and scanned */
        if (UNLIKELY((bits->alloc & bit) == 0))
            return;
        bits->mark = mark | bit;
        if (UNLIKELY(m->top == m->limit)) {
            note_full(s, index);
            return;
        }
        uintptr_t base = base_of(s, index, w, (uint64_t)product);
        *m->top++ = (struct entry){base, base + s->size};
        return;
    }
    if (s->kind == CYC_GC_MALLOCED ? STATE_GET(&s->state[s->first + index]) < LOWFAT_LIVE : (bits->alloc & bit) == 0)
        return;
    bits->mark = mark | bit;
    if (s->kind != CYC_GC_ATOMIC)
        push_object(m, s, index, base_of(s, index, w, (uint64_t)product));
}

/* ---- scanning ---- */

CYC_GC_UNCHECKED static void note_full_at(uintptr_t address) {
    struct cyc_gc_space *s;
    uint64_t index;
    if (cyc_gc_find(address, &s, &index))
        note_full(s, index);
}

/* The rest of a large range waits below what its first part points to. */
CYC_GC_UNCHECKED static void push_rest(struct marker *m, uintptr_t start, uintptr_t end) {
    if (LIKELY(m->top != m->limit))
        *m->top++ = (struct entry){start, end};
    else
        note_full_at(start & ~BY_LAYOUT);
}

CYC_GC_UNCHECKED static void scan_words(struct marker *m, uintptr_t start, uintptr_t end) {
    if (UNLIKELY(end - start > CHUNK)) {
        push_rest(m, start + CHUNK, end);
        end = start + CHUNK;
    }
    for (const word *p = (const word *)start; p < (const word *)end; p++)
        mark_word(m, *p);
}

CYC_GC_UNCHECKED static void scan_element(struct marker *m, const word *p, const struct lowfat_gc_layout *layout) {
    for (uint32_t i = 0; i < layout->words; i += 64)
        for (uint64_t map = layout->map[i / 64]; map != 0; map &= map - 1) {
            uint32_t at = i + (unsigned)__builtin_ctzll(map);
            if (at < layout->words)
                mark_word(m, p[at]);
        }
}

/* An object without a layout yet is zero. */
CYC_GC_UNCHECKED static void scan_by_layout(struct marker *m, uintptr_t start, uintptr_t end) {
    struct cyc_gc_space *s;
    uint64_t index;
    if (!cyc_gc_find(start, &s, &index))
        return;
    uint32_t id = cyc_gc_layout_of(s, index);
    if (id == 0)
        return;
    const struct lowfat_gc_layout *layout = cyc_gc.layouts[id];
    if (layout->words == 1) { /* an array of pointers, or of none */
        if ((layout->map[0] & 1) != 0)
            scan_words(m, start, end);
        return;
    }
    uintptr_t element = (uintptr_t)layout->words * 8;
    if (UNLIKELY(end - start > CHUNK)) { /* all objects are small that pass without a division */
        uintptr_t chunk = element >= CHUNK ? element : CHUNK / element * element;
        if (end - start > chunk) {
            push_rest(m, (start + chunk) | BY_LAYOUT, end);
            end = start + chunk;
        }
    }
    for (; end - start >= element; start += element)
        scan_element(m, (const word *)start, layout);
}

CYC_GC_UNCHECKED static void scan_by_map(struct marker *m, const word *p, uint64_t map) {
    for (; map != 0; map &= map - 1)
        mark_word(m, p[__builtin_ctzll(map)]);
}

/* The entry, read as it was written: one load of both words would wait until both stores are done. */
static inline struct entry entry_at(const struct entry *e) {
    return (struct entry){__atomic_load_n(&e->start, __ATOMIC_RELAXED), __atomic_load_n(&e->end, __ATOMIC_RELAXED)};
}

/* Until the stack is empty.  Entries wait in a queue while they are fetched, as long as others come: what a list holds has none
 * beside it, and goes straight on. */
CYC_GC_UNCHECKED static void drain(struct marker *m) {
    struct entry queue[AHEAD];
    unsigned first = 0, waiting = 0;
    for (;;) {
        while (m->top != m->bottom && waiting < AHEAD) {
            struct entry next = entry_at(--m->top);
            __builtin_prefetch((const void *)next.start);
            queue[(first + waiting++) % AHEAD] = next;
        }
        if (waiting == 0)
            return;
        struct entry now = entry_at(&queue[first]);
        first = (first + 1) % AHEAD;
        waiting--;
        if (LIKELY((now.start & (BY_LAYOUT | BY_MAP)) == 0))
            scan_words(m, now.start, now.end);
        else if ((now.start & BY_MAP) != 0)
            scan_by_map(m, (const word *)(now.start & ~BY_MAP), now.end);
        else
            scan_by_layout(m, now.start & ~BY_LAYOUT, now.end);
    }
}

CYC_GC_UNCHECKED static void scan_again(struct marker *m) {
    while (m->full) {
        m->full = false;
        for (unsigned i = 0; i < cyc_gc_opened_count; i++) {
            struct cyc_gc_space *s = cyc_gc_opened[i];
            uint64_t from = s->again_from, to = s->again_to;
            s->again_from = s->again_to = 0;
            if (from >= to)
                continue;
            cyc_gc.stats.rescans++;
            for (uint64_t index = from; index < to; index++)
                if (s->bits[index / 64].mark >> (index % 64) & 1) {
                    push_object(m, s, index, cyc_gc_address(s, index));
                    drain(m);
                }
        }
    }
}

/* ---- roots ---- */

/* Most words of roots lead to no object: eight are looked at together, by their upper halves.  Added to `bias` and compared as
 * signed numbers, those of [low, low + span) are below `above`. */
typedef int32_t __attribute__((vector_size(16))) halves;
typedef uint32_t __attribute__((vector_size(16), aligned(8), may_alias)) two_words;
struct upper {
    two_words bias;
    halves above;
};

CYC_GC_UNCHECKED static struct upper upper_halves(const struct marker *m) {
    uint32_t first = (uint32_t)(m->low >> 32), last = (uint32_t)((m->low + m->span) >> 32);
    return (struct upper){(two_words){0} + (0x80000000u - first), (halves){0} + (int32_t)(last - first + 0x80000001u)};
}

CYC_GC_UNCHECKED static inline bool may_lead_to_objects(const struct upper *upper, const word *p) {
    const two_words *w = (const two_words *)p;
    halves found = (upper->above > (halves)(w[0] + upper->bias)) | (upper->above > (halves)(w[1] + upper->bias)) |
                   (upper->above > (halves)(w[2] + upper->bias)) | (upper->above > (halves)(w[3] + upper->bias));
    return (found[1] | found[3]) != 0;
}

CYC_GC_UNCHECKED static void mark_root_words(struct marker *m, const word *p, const word *end) {
    const struct upper upper = upper_halves(m);
    while (p < end) {
        const word *next = end - p < 8 ? end : p + 8;
        if (LIKELY(next == p + 8) && !may_lead_to_objects(&upper, p)) {
            p = next;
            continue;
        }
        for (; p < next; p++)
            mark_word(m, *p);
        if (UNLIKELY((uint64_t)(m->top - m->bottom) > 32))
            drain(m);
    }
    drain(m);
}

/* Words of [from, to) but not of the hole. */
CYC_GC_UNCHECKED void cyc_gc_mark_words(uintptr_t from, uintptr_t to, const struct cyc_gc_range *hole) {
    struct marker *m = &marker;
    from = lowfat_round_up(from, 8);
    to = lowfat_round_down(to, 8);
    if (to <= from)
        return;
    cyc_gc.stats.root_bytes += to - from;
    if (hole && hole->from < to && hole->to > from) {
        if (hole->from > from)
            mark_root_words(m, (const word *)from, (const word *)lowfat_round_down(hole->from + 7, 8));
        from = lowfat_round_up(hole->to, 8);
    }
    if (from < to)
        mark_root_words(m, (const word *)from, (const word *)to);
}

CYC_GC_UNCHECKED void cyc_gc_mark_range(uintptr_t from, uintptr_t to) { cyc_gc_mark_words(from, to, NULL); }

/* Words that may be slot numbers of malloc's: between taking a slot and computing its address, an allocation has its object
 * in no other form. */
CYC_GC_UNCHECKED void cyc_gc_mark_slot_numbers(uintptr_t from, uintptr_t to) {
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++) {
        struct cyc_gc_space *s = cyc_gc_space_of(CYC_GC_MALLOCED, c);
        uint64_t count = atomic_load_explicit(&s->count, memory_order_relaxed), first = s->first;
        for (uintptr_t p = lowfat_round_up(from, 8); count != 0 && p + 8 <= to; p += 8)
            if (*(const word *)p - first < count)
                mark_word(&marker, cyc_gc_address(s, *(const word *)p - first));
    }
    drain(&marker);
}

/* A run's slots stay its thread's. */
CYC_GC_UNCHECKED void cyc_gc_mark_run(struct cyc_gc_space *s, const struct cyc_gc_run *run) {
    if (run->free == 0)
        return;
    struct cyc_gc_bits *bits = &s->bits[(run->first - s->first) / 64];
    unsigned more = (unsigned)__builtin_popcountll(run->free & ~bits->mark);
    bits->mark |= run->free;
    marker.run_objects += more;
    marker.run_bytes += more * s->size;
}

/* ---- begin and end ---- */

/* The common layout of a space of small slots, repeated for each element that a slot has room for.  Threads that go on
 * allocating may set it later, or another one beside it: `mixed` is looked at when an object is marked. */
static uint64_t map_of(struct cyc_gc_space *s) {
    uint32_t id = atomic_load_explicit(&s->common, memory_order_relaxed);
    uint64_t words = s->size / 8, map = 0;
    if (s->kind != CYC_GC_LAYOUT || id == 0 || words > 64)
        return 0;
    const struct lowfat_gc_layout *layout = cyc_gc.layouts[id];
    for (uint64_t at = 0; at + layout->words <= words; at += layout->words)
        map |= (layout->map[0] & (UINT64_MAX >> (64 - layout->words))) << at;
    return map;
}

/* How many slots malloc's space has by now; marks of its objects start anew (those of traced ones are 0 after sweeping). */
static bool begin_malloced(unsigned c) {
    struct cyc_gc_space *s = cyc_gc_space_of(CYC_GC_MALLOCED, c);
    struct lowfat_class_range range;
    if (lowfat_class_range(c, &range) != 0 || range.end == range.first)
        return true;
    if (s->limit == 0)
        cyc_gc_open(CYC_GC_MALLOCED, c);
    if (!cyc_gc_grow(s, range.end - range.first))
        return false;
    s->count = range.end - range.first;
    for (uint64_t at = 0; at < s->count; at += 64)
        s->bits[at / 64].mark = 0;
    return true;
}

/* The addresses between which all objects lie. */
bool cyc_gc_mark_begin(void) {
    struct marker *m = &marker;
    uint64_t entries = cyc_gc.option[LOWFAT_GC_STACK] ? cyc_gc.option[LOWFAT_GC_STACK] : ENTRIES;
    if (m->bottom && (uint64_t)(m->limit - m->bottom) != entries) {
        lowfat_os_unmap(m->bottom, (uintptr_t)m->limit - (uintptr_t)m->bottom);
        m->bottom = NULL;
    }
    if (m->bottom == NULL) {
        m->bottom = lowfat_os_map(entries * sizeof *m->bottom);
        if (m->bottom == NULL)
            return false;
        m->limit = m->bottom + entries;
    }
    m->top = m->bottom;
    m->run_objects = m->run_bytes = 0;
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++)
        if (!begin_malloced(c))
            return false;
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (unsigned i = 0; i < cyc_gc_opened_count; i++) {
        struct cyc_gc_space *s = cyc_gc_opened[i];
        if (s->count == 0)
            continue;
        s->map = map_of(s);
        if (cyc_gc_address(s, 0) < low)
            low = cyc_gc_address(s, 0);
        if (cyc_gc_address(s, s->count) > high)
            high = cyc_gc_address(s, s->count);
    }
    m->low = low;
    m->span = high > low ? high - low : 0;
    return true;
}

/* Figures are read off the marks. */
CYC_GC_UNCHECKED static void count(struct cyc_gc_space *s, struct lowfat_gc_stats *stats) {
    uint64_t objects = 0, bytes = 0;
    for (uint64_t at = 0; at < s->count; at += 64) {
        uint64_t mark = s->bits[at / 64].mark;
        if (mark == 0)
            continue;
        objects += (unsigned)__builtin_popcountll(mark);
        for (; UNLIKELY(cyc_gc_large(s) && mark != 0); mark &= mark - 1)
            bytes += lowfat_round_up(scanned_bytes(s, at + (unsigned)__builtin_ctzll(mark)) + 7, LOWFAT_PAGE);
    }
    if (!cyc_gc_large(s))
        bytes = objects * s->size;
    if (s->kind == CYC_GC_MALLOCED) {
        stats->malloced_bytes += bytes;
    } else {
        stats->live_objects += objects;
        stats->live_bytes += bytes;
    }
}

CYC_GC_UNCHECKED void cyc_gc_mark_end(void) {
    struct marker *m = &marker;
    struct lowfat_gc_stats *stats = &cyc_gc.stats;
    scan_again(m);
    if ((uint64_t)(m->limit - m->bottom) > KEEP && m->bottom[KEEP].end != 0) /* it was as full as that */
        lowfat_os_purge((uintptr_t)(m->bottom + KEEP), (uintptr_t)m->limit - (uintptr_t)(m->bottom + KEEP));
    stats->malloced_bytes = 0;
    stats->live_bytes = -m->run_bytes;
    stats->live_objects = -m->run_objects;
    for (unsigned i = 0; i < cyc_gc_opened_count; i++)
        count(cyc_gc_opened[i], stats);
}
#endif

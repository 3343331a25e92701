/* roots.c - globals of everything loaded, stacks, thread-locals, low-fat stacks, huge objects, explicit roots. */
#ifndef CYC_HEAP_LIBC
#define _GNU_SOURCE
#include "gc.h"

#include <errno.h>
#include <link.h>
#include <sys/mman.h>

extern char __start_cyc_gc_state[] HIDDEN;
extern char __stop_cyc_gc_state[] HIDDEN;

/* ---- what is loaded ---- */

struct module_tls {
    size_t id, bytes;
};

CYC_GC_STATE static struct {
    struct cyc_gc_ranges data;    /* writable segments, without what is read-only once the object is loaded */
    struct cyc_gc_ranges modules; /* with thread-locals: number and size */
    void (*stop)(void);
} loaded;

static int list_object(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)unused;
    if (loaded.stop) {
        loaded.stop();
        loaded.stop = NULL;
    }
    struct cyc_gc_range constant = {0, 0}; /* begins a segment */
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            constant.from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            constant.to = lowfat_round_down(constant.from + info->dlpi_phdr[i].p_memsz, LOWFAT_PAGE);
        }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) != 0) {
            bool begins = constant.from == from && constant.to > from && constant.to <= from + segment->p_memsz;
            cyc_gc_ranges_add(&loaded.data, begins ? constant.to : from, from + segment->p_memsz);
        }
        if (segment->p_type == PT_TLS && size >= offsetof(struct dl_phdr_info, dlpi_tls_data))
            cyc_gc_ranges_add(&loaded.modules, info->dlpi_tls_modid, segment->p_memsz);
    }
    return 0;
}

/* The world is stopped from within the loader's walk, whose lock keeps others from loading and unloading until then. */
void cyc_gc_roots_list(void (*stop)(void)) {
    loaded.data.count = loaded.modules.count = 0;
    loaded.stop = stop;
    dl_iterate_phdr(list_object, NULL);
    if (loaded.stop)
        stop();
}

/* The allocators' own tables, which hold addresses of objects by the thousand, are no roots. */
static const struct cyc_gc_range *own_tables(void) {
    CYC_GC_STATE static struct cyc_gc_range own[7];
    own[0] = (struct cyc_gc_range){(uintptr_t)__start_cyc_gc_state, (uintptr_t)__stop_cyc_gc_state};
    own[1] = (struct cyc_gc_range){(uintptr_t)lowfat_sizes_, (uintptr_t)lowfat_sizes_ + sizeof lowfat_sizes_};
    own[2] = (struct cyc_gc_range){(uintptr_t)&lowfat_map_, (uintptr_t)(&lowfat_map_ + 1)};
    own[3] = (struct cyc_gc_range){(uintptr_t)lowfat_central, (uintptr_t)lowfat_central + sizeof lowfat_central};
    own[4] = (struct cyc_gc_range){(uintptr_t)lowfat_first_spans, (uintptr_t)lowfat_first_spans + sizeof lowfat_first_spans};
    own[5] = (struct cyc_gc_range){(uintptr_t)cyc_gc_space, (uintptr_t)cyc_gc_space + sizeof cyc_gc_space};
    own[6] = (struct cyc_gc_range){(uintptr_t)cyc_gc_first_blocks, (uintptr_t)cyc_gc_first_blocks + sizeof cyc_gc_first_blocks};
    return own;
}

static void mark_data(uintptr_t from, uintptr_t to, const struct cyc_gc_range *own, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (own[i].from < to && own[i].to > from) {
            if (own[i].from > from)
                mark_data(from, own[i].from, own + i + 1, count - i - 1);
            if (own[i].to < to)
                mark_data(own[i].to, to, own + i + 1, count - i - 1);
            return;
        }
    cyc_gc_mark_range(from, to);
}

/* ---- threads ---- */

#define SLOT_NUMBERS_BELOW 1024 /* bytes of a stack's top that are looked at as slot numbers of malloc's, too */

#if defined __GLIBC__ && defined __x86_64__
/* The thread-locals of a stopped thread, by the C library's table of them (its second word leads there; entries are two
 * words, of which the first is the address or -1; entry -1 has their number).  Those in the thread's own block lie in its
 * stack's mapping and have been scanned.  The table may be changing: what is not mapped is passed over. */
struct thread_vector {
    uintptr_t value, to_free;
};
#define CONTROL_BLOCK 1792 /* bytes from the thread pointer that hold pthread_setspecific's values, in every version */

/* Both ends are; few pages are asked about at once. */
static bool is_mapped(uintptr_t from, uintptr_t to) {
    unsigned char resident[8];
    uintptr_t first = lowfat_round_down(from, LOWFAT_PAGE), last = lowfat_round_down(to - 1, LOWFAT_PAGE);
    if (last - first < sizeof resident * LOWFAT_PAGE)
        return mincore((void *)first, last + 1 - first, resident) == 0;
    return mincore((void *)first, 1, resident) == 0 && mincore((void *)last, 1, resident) == 0;
}

CYC_GC_UNCHECKED static void mark_thread_locals(const struct cyc_gc_thread *t, const struct cyc_gc_range *hole) {
    const struct thread_vector *vector = ((const struct thread_vector *const *)t->pointer)[1];
    if (t->pointer < t->stack_low || t->pointer >= t->stack_high)
        cyc_gc_mark_range(t->pointer, t->pointer + CONTROL_BLOCK);
    for (size_t i = 0; i < loaded.modules.count; i++) {
        size_t id = loaded.modules.at[i].from, bytes = loaded.modules.at[i].to;
        if (id == 0 || id > vector[-1].value)
            continue;
        uintptr_t from = vector[id].value;
        if (from == 0 || from == UINTPTR_MAX || (from >= t->stack_low && from < t->stack_high))
            continue;
        if (is_mapped(from, from + bytes))
            cyc_gc_mark_words(from, from + bytes, hole);
    }
}
#else
#error "where are thread-local variables?"
#endif

/* A stack pointer outside the stack is on a signal stack: then all of the stack that is mapped counts as in use. */
CYC_GC_UNCHECKED static void mark_thread(struct cyc_gc_thread *t) {
    struct cyc_gc_range hole = {(uintptr_t)t, (uintptr_t)(t + 1)};
    uintptr_t sp = atomic_load_explicit(&t->sp, memory_order_relaxed), from = sp;
    if (sp < t->stack_low || sp >= t->stack_high) {
        cyc_gc_mark_range(sp, lowfat_round_up(sp + 1, LOWFAT_PAGE));
        unsigned char resident;
        for (from = t->stack_high; from > t->stack_low; from -= LOWFAT_PAGE)
            if (mincore((void *)lowfat_round_down(from - LOWFAT_PAGE, LOWFAT_PAGE), 1, &resident) != 0)
                break;
        from = lowfat_round_up(from, LOWFAT_PAGE);
    }
    cyc_gc_mark_words(from, t->stack_high, &hole);
    if (cyc_gc.option[LOWFAT_GC_LOST] == 2 && from == sp)
        cyc_gc_mark_slot_numbers(sp, sp + SLOT_NUMBERS_BELOW < t->stack_high ? sp + SLOT_NUMBERS_BELOW : t->stack_high);
    mark_thread_locals(t, &hole);
    for (unsigned kind = 0; kind < CYC_GC_KINDS; kind++)
        for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++)
            cyc_gc_mark_run(cyc_gc_space_of(kind, c), &t->run[kind][c]);
}

/* Low-fat stacks grow upwards. */
CYC_GC_UNCHECKED static void mark_lowfat_stacks(void) {
    for (struct lowfat_tcache *tc = lowfat_registry; tc; tc = tc->next)
        for (unsigned c = 1; tc->in_use && tc->stack_record && c <= LOWFAT_SMALL_CLASSES; c++)
            if (tc->stack[c].base != 0)
                cyc_gc_mark_range(tc->stack[c].base * lowfat_fast.size[c], tc->stack[c].top * lowfat_fast.size[c]);
}

/* Objects of malloc that have no space are never taken for lost, so what they hold is reachable. The collector has their lock. */
CYC_GC_UNCHECKED static void mark_huge(void) {
    uintptr_t base;
    size_t bytes;
    for (uint64_t n = 0; lowfat_huge_nth(n, &base, &bytes); n++)
        cyc_gc_mark_range(base, base + bytes);
}

/* The world is stopped. */
CYC_GC_UNCHECKED void cyc_gc_roots_mark(void) {
    cyc_gc.stats.root_bytes = 0;
    for (struct cyc_gc_thread *t = cyc_gc.threads; t; t = t->next)
        mark_thread(t);
    cyc_gc_starting_mark();
    mark_lowfat_stacks();
    mark_huge();
    for (size_t i = 0; i < loaded.data.count; i++)
        mark_data(loaded.data.at[i].from, loaded.data.at[i].to, own_tables(), 7);
    for (size_t i = 0; i < cyc_gc.roots.count; i++)
        cyc_gc_mark_range(cyc_gc.roots.at[i].from, cyc_gc.roots.at[i].to);
}

/* ---- explicit roots ---- */

LOWFAT_API int lowfat_gc_add_roots(const void *from, const void *to) LOWFAT_NOEXCEPT_ {
    if ((uintptr_t)from >= (uintptr_t)to) {
        errno = EINVAL;
        return -1;
    }
    cyc_gc_start();
    lowfat_acquire(&cyc_gc.lock);
    bool done = cyc_gc_ranges_add(&cyc_gc.roots, (uintptr_t)from, (uintptr_t)to);
    lowfat_release(&cyc_gc.lock);
    if (!done)
        errno = ENOMEM;
    return done ? 0 : -1;
}

LOWFAT_API int lowfat_gc_remove_roots(const void *from, const void *to) LOWFAT_NOEXCEPT_ {
    int result = -1;
    cyc_gc_start();
    lowfat_acquire(&cyc_gc.lock);
    struct cyc_gc_ranges *roots = &cyc_gc.roots;
    for (size_t i = roots->count; i-- > 0 && result != 0;)
        if (roots->at[i].from == (uintptr_t)from && roots->at[i].to == (uintptr_t)to) {
            roots->at[i] = roots->at[--roots->count];
            result = 0;
        }
    lowfat_release(&cyc_gc.lock);
    if (result != 0)
        errno = EINVAL;
    return result;
}
#endif

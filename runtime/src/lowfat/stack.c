/* stack.c - low-fat stack objects (section 2.3, by other means).
 *
 * The paper mirrors the machine stack into every region, which needs a changed stack pointer, shared memory and
 * power-of-two sizes.  Here each thread has, per class, a chunk of slots in that class's stack region, used as a stack;
 * any class will do, and the objects of a thread are released in the reverse order of their allocation.  A record of
 * the classes, one byte per object, makes "release everything since this mark" possible, which is what scope ends
 * and longjmp need.
 *
 * Invariant: for each class, top - base is the number of its bytes in record[0, depth). */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>

/* Objects of one thread at a time.  Not resident before they are there, but vouched for by a system that commits. */
static size_t record_bytes(void) { return (size_t)1 << (lowfat_commit_needed ? 18 : 22); }

lowfat_lock lowfat_stack_lock;
_Atomic uint64_t lowfat_stack_chunk = (uint64_t)8 << 20; /* bytes per thread and class */

/* Chunks given back by ended threads, by class; the list runs through the chunks' own first words' index. */
static struct free_chunks {
    uint32_t *ids; /* stack of chunk numbers */
    uint32_t count, capacity, next;
} chunks[LOWFAT_SMALL_CLASSES + 1];

static slot_t chunk_slots(unsigned c) {
    slot_t slots = atomic_load_explicit(&lowfat_stack_chunk, memory_order_relaxed) / lowfat_central[c].size;
    return slots < 2 ? 2 : slots;
}

static bool commit_chunk(unsigned c, slot_t first, slot_t end) {
    if (!lowfat_commit_needed)
        return true;
    uintptr_t from = lowfat_round_up(first * lowfat_central[c].size, LOWFAT_PAGE);
    uintptr_t to = lowfat_round_up(end * lowfat_central[c].size, LOWFAT_PAGE);
    return to <= from || lowfat_arena_commit_large(from, to - from);
}

/* The first page of a region's first chunk belongs to nobody else. */
static bool first_page(unsigned c, slot_t first) {
    uintptr_t at = first * lowfat_central[c].size;
    return !lowfat_commit_needed || at % LOWFAT_PAGE == 0 ||
           lowfat_arena_commit_large(lowfat_round_down(at, LOWFAT_PAGE), LOWFAT_PAGE);
}

/* Gives the thread its chunk of class c. */
static bool open_chunk(struct lowfat_tcache *tc, unsigned c) {
    struct lowfat_stack_region *region = &lowfat_stack_regions[c];
    struct free_chunks *free_list = &chunks[c];
    struct lowfat_stack *stack = &tc->stack[c];
    slot_t slots = chunk_slots(c);
    bool done = false;
    lowfat_acquire(&lowfat_stack_lock);
    if (free_list->count > 0) {
        stack->base = region->first + slots * free_list->ids[--free_list->count];
        done = true;
    } else {
        slot_t first = region->first + slots * free_list->next;
        if (region->first != 0 && first + slots <= region->limit &&
            (free_list->next > 0 || first_page(c, first)) && commit_chunk(c, first, first + slots)) {
            stack->base = first;
            free_list->next++;
            done = true;
        }
    }
    lowfat_release(&lowfat_stack_lock);
    if (done) {
        stack->top = stack->base;
        stack->end = stack->base + slots;
    }
    return done;
}

/* Remembers a chunk for later threads.  Its pages go back to the system. */
static void close_chunk(unsigned c, struct lowfat_stack *stack) {
    struct free_chunks *free_list = &chunks[c];
    uint64_t size = lowfat_central[c].size;
    uintptr_t from = lowfat_round_up(stack->base * size, LOWFAT_PAGE);
    uintptr_t to = lowfat_round_down(stack->end * size, LOWFAT_PAGE);
    lowfat_os_purge(from, to - from);
    uint32_t id = (uint32_t)((stack->base - lowfat_stack_regions[c].first) / (stack->end - stack->base));
    lowfat_acquire(&lowfat_stack_lock);
    if (free_list->count == free_list->capacity) {
        uint32_t capacity = free_list->capacity ? free_list->capacity * 2 : LOWFAT_PAGE / sizeof(uint32_t);
        uint32_t *ids = lowfat_os_map(capacity * sizeof *ids);
        if (ids) {
            for (uint32_t i = 0; i < free_list->count; i++)
                ids[i] = free_list->ids[i];
            if (free_list->ids)
                lowfat_os_unmap(free_list->ids, free_list->capacity * sizeof *ids);
            free_list->ids = ids;
            free_list->capacity = capacity;
        }
    }
    if (free_list->count < free_list->capacity)
        free_list->ids[free_list->count++] = id;
    lowfat_release(&lowfat_stack_lock);
    *stack = (struct lowfat_stack){0};
}

void lowfat_stack_thread_exit(struct lowfat_tcache *tc) {
    tc->stack_depth = 0;
    atomic_store_explicit(&tc->stack_bytes, 0, memory_order_relaxed);
    for (unsigned c = 1; c <= LOWFAT_SMALL_CLASSES; c++)
        if (tc->stack[c].base != 0)
            close_chunk(c, &tc->stack[c]);
    lowfat_os_unmap(tc->stack_record, record_bytes());
    tc->stack_record = NULL;
}

/* ---- plain mode: machine order is kept by a list of ordinary objects ---- */

struct plain_object {
    struct plain_object *below;
    size_t depth;
};
static _Thread_local struct plain_object *plain_top __attribute__((tls_model("initial-exec")));

static void *plain_alloca(size_t size) {
    struct plain_object *object = lowfat_plain_alloc(size + sizeof *object, 16);
    if (object == NULL)
        return NULL;
    object->below = plain_top;
    object->depth = plain_top ? plain_top->depth + 1 : 1;
    plain_top = object;
    return object + 1;
}

static void plain_restore(size_t mark) {
    while (plain_top && plain_top->depth > mark) {
        struct plain_object *object = plain_top;
        plain_top = object->below;
        lowfat_plain_free(object, "lowfat_stack_restore");
    }
}

/* ---- the interface ---- */

COLD static bool prepare(struct lowfat_tcache *tc, unsigned c) {
    int saved = errno;
    if (tc->stack_record == NULL)
        tc->stack_record = lowfat_os_map(record_bytes());
    bool done = tc->stack_record != NULL && tc->stack_depth < record_bytes() &&
                tc->stack[c].base == 0 && open_chunk(tc, c);
    errno = saved;
    return done;
}

/* One byte more than asked for, so that one past the end is inside. */
LOWFAT_API void *lowfat_alloca(size_t size) LOWFAT_NOEXCEPT_ {
    if (UNLIKELY(size >= LOWFAT_STACK_MAX))
        return lowfat_out_of_memory();
    struct lowfat_tcache *tc = lowfat_tcache_get();
    if (UNLIKELY(tc == NULL))
        return lowfat_mode_ == LOWFAT_MODE_PLAIN ? plain_alloca(size) : lowfat_out_of_memory();
    unsigned c = lowfat_class_of_size(size + 1);
    struct lowfat_stack *stack = &tc->stack[c];
    if (UNLIKELY(stack->top == stack->end || tc->stack_depth == record_bytes()) && !prepare(tc, c))
        return lowfat_out_of_memory();
    tc->stack_record[tc->stack_depth++] = (uint8_t)c;
    atomic_store_explicit(&tc->stack_bytes,
                          atomic_load_explicit(&tc->stack_bytes, memory_order_relaxed) + lowfat_fast.size[c],
                          memory_order_relaxed);
    return (void *)(stack->top++ * lowfat_fast.size[c]);
}

LOWFAT_API size_t lowfat_stack_mark(void) LOWFAT_NOEXCEPT_ {
    if (UNLIKELY(lowfat_mode_ == LOWFAT_MODE_PLAIN))
        return plain_top ? plain_top->depth : 0;
    struct lowfat_tcache *tc = lowfat_tls.cache;
    return tc ? tc->stack_depth : 0;
}

LOWFAT_API void lowfat_stack_restore(size_t mark) LOWFAT_NOEXCEPT_ {
    if (UNLIKELY(lowfat_mode_ == LOWFAT_MODE_PLAIN)) {
        plain_restore(mark);
        return;
    }
    struct lowfat_tcache *tc = lowfat_tls.cache;
    if (tc == NULL)
        return;
    uint64_t released = 0;
    while (tc->stack_depth > mark) {
        unsigned c = tc->stack_record[--tc->stack_depth];
        tc->stack[c].top--;
        released += lowfat_fast.size[c];
    }
    atomic_store_explicit(&tc->stack_bytes, atomic_load_explicit(&tc->stack_bytes, memory_order_relaxed) - released,
                          memory_order_relaxed);
}

/* handshake.c - how threads are stopped for a collection, explored: every interleaving of a few threads with at most so many
 * preemptions, as loom and CHESS do it.
 *
 * The code under test is the real one: threads.c, stop_linux.c and collect.c are included below, and gc.h's cyc_gc_enter and
 * cyc_gc_leave with them.  Each atomic operation and system call in them is a point where another fiber may go on, or a signal that
 * was sent may be delivered.  Memory is sequentially consistent: what the processor may reorder is not explored.
 *
 * Checked: nobody but the collecting thread makes a step while the world is stopped, and nobody waits for ever.
 *
 *     handshake [MUTATORS [ROUNDS [SIGNALS [PREEMPTIONS]]]]
 *
 * SIGNALS: the same signal, sent by somebody else to each thread in turn, so often. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void step_at(const volatile void *word);
static void step(void) { step_at(NULL); }

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_fetch_add_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_exchange_explicit
#undef atomic_signal_fence
#define atomic_load_explicit(at, order) (step_at(at), *(at))
#define atomic_store_explicit(at, value, order) (step_at(at), (void)(*(at) = (value)))
#define atomic_fetch_add_explicit(at, value, order) (step_at(at), (*(at) += (value)) - (value))
#define atomic_compare_exchange_strong_explicit(at, expected, value, yes, no) \
    (step_at(at), ({                                                                            \
         bool same_ = *(at) == *(expected);                                                \
         if (same_)                                                                        \
             *(at) = (value);                                                              \
         else                                                                              \
             *(expected) = *(at);                                                          \
         same_;                                                                            \
     }))
#define atomic_exchange_explicit(at, value, order) \
    (step_at(at), ({                                    \
         __typeof__(0 ? *(at) : *(at)) before_ = *(at); \
         *(at) = (value);                          \
         before_;                                  \
     }))
#define atomic_signal_fence(order) ((void)0)
#define __atomic_load_n(at, order) (step_at(at), *(at))
#define __atomic_store_n(at, value, order) (step_at(at), (void)(*(at) = (value)))
#define __atomic_fetch_add(at, value, order) (step_at(at), (*(at) += (value)) - (value))
#define __atomic_exchange_n(at, value, order) (step_at(at), exchange(at, value))
static uint32_t exchange(uint32_t *at, uint32_t value) {
    uint32_t before = *at;
    *at = value;
    return before;
}

#include "gc.h"

#define syscall(number, ...) model_##number(__VA_ARGS__)
static long model_SYS_futex(const void *word, int operation, uint32_t value, const void *time, const void *none, int nothing);
static long model_SYS_tgkill(int process, int thread, int signal);
static long model_SYS_gettid(void) { return 0; }
static struct cyc_gc_thread *here(void);
#define cyc_gc_self (*here())

#include "threads.c"

#include "stop_linux.c"

#include "collect.c"

/* ---- fibers ---- */

enum { MOST = 6, STACK = 64 << 10, DEPTH = 4096, ACTIONS = 2 * MOST };

static struct fiber {
    void *context; /* its stack pointer */
    struct cyc_gc_thread thread;
    void (*body)(struct fiber *);
    const void *waits_for; /* a futex's word */
    bool sent, deliver, in_handler, done;
    bool alone; /* at a word that no other fiber looks at */
    char stack[STACK] __attribute__((aligned(16)));
} fibers[MOST];
static struct fiber *current;
static void *scheduler;
static unsigned count, mutators = 2, rounds = 1, signals = 0;
static unsigned most_preemptions = 3;
static bool world_stopped;
struct cyc_gc_heap cyc_gc;
lowfat_lock lowfat_huge_lock;

static struct cyc_gc_thread *here(void) { return &current->thread; }
static void fail(const char *what) __attribute__((noreturn));

/* Saves the registers that a callee keeps, and goes on where `to` was saved. */
void switch_to(void **from, void *to);
__asm__("switch_to:\n\tpush %rbp\n\tpush %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
        "mov %rsp, (%rdi)\n\tmov %rsi, %rsp\n\t"
        "pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop %rbp\n\tret");

static bool lies_in(const volatile void *word, const void *object, size_t size) {
    return (uintptr_t)word - (uintptr_t)object < size;
}

/* A point where others may go on; null: whatever they look at.  Words of the heap beside its lock are no part of the handshake, and
 * those of a thread's own block concern it and its handler only, so that there nobody else need go on. */
static void step_at(const volatile void *word) {
    if (current == NULL || word == &lowfat_huge_lock.word ||
        (lies_in(word, &cyc_gc, sizeof cyc_gc) && !lies_in(word, &cyc_gc.lock, sizeof cyc_gc.lock)))
        return;
    current->alone = word && lies_in(word, &current->thread, sizeof current->thread);
    switch_to(&current->context, scheduler);
    if (!current->deliver)
        return;
    current->deliver = false;
    current->in_handler = true;
    on_signal(CYC_GC_SIGNAL, NULL, NULL);
    current->in_handler = false;
}

static void wait_for(const void *word) {
    current->waits_for = word;
    step();
    current->waits_for = NULL;
}

static void wake(const void *word) {
    for (unsigned i = 0; i < count; i++)
        if (fibers[i].waits_for == word)
            fibers[i].waits_for = NULL;
}

static long model_SYS_futex(const void *word, int operation, uint32_t value, const void *time, const void *none, int nothing) {
    (void)time, (void)none, (void)nothing;
    step();
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAKE)
        wake(word);
    else if (*(const uint32_t *)word == value)
        wait_for(word);
    return 0;
}

static long model_SYS_tgkill(int process, int thread, int signal) {
    (void)process, (void)signal;
    step();
    if (fibers[thread].done)
        return -1;
    fibers[thread].sent = true;
    return 0;
}

void lowfat_lock_wait(lowfat_lock *lock) {
    while (atomic_exchange_explicit(&lock->word, 2, memory_order_acquire) != 0)
        wait_for(lock);
}
void lowfat_lock_wake(lowfat_lock *lock) { wake(lock); }

/* ---- what the included files need of the others ---- */

struct cyc_gc_space cyc_gc_space[CYC_GC_SPACES];
struct cyc_gc_space *cyc_gc_opened[CYC_GC_SPACES];
unsigned cyc_gc_opened_count;
struct cyc_gc_block cyc_gc_first_blocks[CYC_GC_KINDS][LOWFAT_SMALL_CLASSES + 1][CYC_GC_FIRST_BLOCKS];
void (*lowfat_on_cache)(void);
void cyc_gc_start(void) {}
void cyc_gc_alloc_abandon(struct cyc_gc_thread *t) { (void)t; }
void cyc_gc_sweep_rest(bool trim) { (void)trim; }
void cyc_gc_sweep_all(void) {}
void cyc_gc_sweep_large(void) {}
void cyc_gc_return_tails(void) {}
bool cyc_gc_mark_begin(void) { return true; }
void cyc_gc_mark_end(void) {}
void cyc_gc_mark_range(uintptr_t from, uintptr_t to) { (void)from, (void)to; }
void cyc_gc_lost_find(void) {}
void cyc_gc_lost_reclaim(void) {}
void cyc_gc_lost_expect(void) {}
void cyc_gc_print_collection(void) {}
void cyc_gc_roots_list(void (*stop_all)(void)) { stop_all(); }
void lowfat_text_put(struct lowfat_text *text, const char *s) { (void)text, (void)s; }
void lowfat_text_number(struct lowfat_text *text, uint64_t n, int width) { (void)text, (void)n, (void)width; }
void lowfat_text_flush(struct lowfat_text *text) { (void)text; }

/* Marking: the others could take a step here if they were not stopped. */
void cyc_gc_roots_mark(void) {
    world_stopped = true;
    for (struct cyc_gc_thread *t = cyc_gc.threads; t; t = t->next)
        if (t != collector && t->busy)
            fail("a busy thread was stopped");
    step();
    step();
    world_stopped = false;
}

/* ---- what the fibers do ---- */

static void collect(struct fiber *f) {
    for (unsigned i = 0; i < rounds; i++) {
        lowfat_acquire(&cyc_gc.lock);
        cyc_gc_collect(&f->thread);
        lowfat_release(&cyc_gc.lock);
    }
}

/* A mutator's own step: it uses an object. */
static void use(void) {
    if (world_stopped)
        fail("a thread runs while the world is stopped");
    step();
    if (world_stopped && !current->in_handler)
        fail("a thread runs while the world is stopped");
}

static void mutate(struct fiber *f) {
    for (unsigned i = 0; i < rounds; i++) {
        cyc_gc_enter(&f->thread);
        use();
        cyc_gc_leave(&f->thread);
        use();
    }
    unregister(&f->thread);
}

static void pester(struct fiber *f) {
    (void)f;
    for (unsigned i = 0; i < signals; i++)
        for (unsigned k = 0; k + 1 < count; k++)
            syscall(SYS_tgkill, 0, (int)k, CYC_GC_SIGNAL);
}

/* ---- exploring ---- */

static struct {
    uint8_t taken, of;
} path[DEPTH];
static unsigned depth, known; /* choices made; those that are prescribed */
static uint64_t schedules;

static void fail(const char *what) {
    printf("handshake: %s, in schedule %llu:", what, (unsigned long long)schedules);
    for (unsigned i = 0; i < depth; i++)
        printf(" %u", path[i].taken);
    putchar('\n');
    exit(1);
}

static unsigned choose(unsigned of) {
    if (depth == DEPTH)
        fail("no end");
    if (depth == known)
        path[known++].taken = 0;
    path[depth].of = (uint8_t)of;
    return path[depth++].taken;
}

struct action {
    struct fiber *fiber;
    bool deliver;
};

static unsigned actions_of(struct fiber *f, struct action *out) {
    unsigned n = 0;
    if (!f->done && !f->waits_for)
        out[n++] = (struct action){f, false};
    if (!f->done && f->sent && !f->in_handler)
        out[n++] = (struct action){f, true};
    return n;
}

static void enter_fiber(void) {
    current->body(current);
    current->done = true;
    for (;;)
        switch_to(&current->context, scheduler);
}

static void start(unsigned i, void (*body)(struct fiber *), bool is_known) {
    struct fiber *f = &fibers[i];
    memset(f, 0, offsetof(struct fiber, stack));
    f->body = body;
    if (is_known)
        enlist(&f->thread, 0, (int32_t)i, 0, 0);
    void **top = (void **)(f->stack + STACK) - 2; /* as after a call */
    top[0] = (void *)enter_fiber;
    memset(top - 6, 0, 6 * sizeof *top);
    f->context = top - 6;
}

static void set_up(void) {
    current = NULL;
    phase = stopped = expected = 0;
    memset(&cyc_gc, 0, sizeof cyc_gc);
    cyc_gc.epoch = 1;
    memset(&lowfat_huge_lock, 0, sizeof lowfat_huge_lock);
    world_stopped = false;
    count = 0;
    start(count++, collect, true);
    for (unsigned i = 0; i < mutators; i++)
        start(count++, mutate, true);
    if (signals)
        start(count++, pester, false);
}

/* One schedule, to its end. Going on with another fiber than the last, which could go on, is a preemption. */
static void run(void) {
    unsigned preemptions = 0;
    struct fiber *last = &fibers[0];
    set_up();
    depth = 0;
    for (;;) {
        struct action actions[ACTIONS];
        unsigned n = actions_of(last, actions), of_last = n;
        bool goes_on = n > 0 && !actions[0].deliver;
        if (!goes_on || (preemptions < most_preemptions && !last->alone))
            for (unsigned i = 0; i < count; i++)
                if (&fibers[i] != last)
                    n += actions_of(&fibers[i], actions + n);
        if (n == 0)
            break;
        unsigned taken = n == 1 ? 0 : choose(n);
        struct action a = actions[taken];
        preemptions += goes_on && taken >= of_last;
        if (a.deliver) {
            a.fiber->sent = false;
            a.fiber->deliver = true;
            a.fiber->waits_for = NULL;
        }
        current = last = a.fiber;
        switch_to(&scheduler, current->context);
        current = NULL;
    }
    for (unsigned i = 0; i < count; i++)
        if (!fibers[i].done)
            fail("a thread waits for ever");
}

/* The next path in order; false after the last. */
static bool next_path(void) {
    for (known = depth; known > 0; known--)
        if (path[known - 1].taken + 1 < path[known - 1].of) {
            path[known - 1].taken++;
            return true;
        }
    return false;
}

int main(int argc, char **argv) {
    unsigned *settings[] = {&mutators, &rounds, &signals, &most_preemptions};
    for (int i = 1; i < argc && i <= 4; i++)
        *settings[i - 1] = (unsigned)atoi(argv[i]);
    do {
        run();
        schedules++;
    } while (next_path());
    printf("handshake: %u mutators, %u rounds, %u signals, %u preemptions: %llu schedules, ok\n", mutators, rounds, signals,
           most_preemptions, (unsigned long long)schedules);
    return 0;
}

/* threads.c - who is registered; pthread_create; fork. */
#ifndef CYC_HEAP_LIBC
#define _GNU_SOURCE
#include "gc.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* Threads between the call of pthread_create and their own registration: what they will be called with is a root. */
struct starting {
    struct starting *next;
    void *(*routine)(void *);
    void *argument;
    bool no_heap;
};
CYC_GC_STATE static struct starting *starting;

void cyc_gc_starting_mark(void) {
    for (struct starting *s = starting; s; s = s->next) {
        cyc_gc_mark_range((uintptr_t)&s, (uintptr_t)(&s + 1));
        cyc_gc_mark_range((uintptr_t)&s->argument, (uintptr_t)(&s->argument + 1));
    }
}

/* ---- registration ---- */

static bool stack_bounds(pthread_t thread, uintptr_t *low, uintptr_t *high) {
    pthread_attr_t attributes;
    void *address;
    size_t size;
    if (pthread_getattr_np(thread, &attributes) != 0)
        return false;
    bool done = pthread_attr_getstack(&attributes, &address, &size) == 0;
    pthread_attr_destroy(&attributes);
    *low = (uintptr_t)address;
    *high = *low + size;
    return done;
}

/* The lock is held. */
static void enlist(struct cyc_gc_thread *t, pthread_t thread, int32_t id, uintptr_t low, uintptr_t high) {
    INVARIANT(1, cyc_gc.lock.word != 0 && !t->registered && !t->no_heap);
    t->stack_low = low;
    t->stack_high = high;
    t->pointer = (uintptr_t)thread; /* as the C library has it on this processor */
    t->id = id;
    t->prev = NULL;
    t->next = cyc_gc.threads;
    if (t->next)
        t->next->prev = t;
    cyc_gc.threads = t;
    cyc_gc.stats.threads++;
    __atomic_store_n(&cyc_gc.alone, cyc_gc.stats.threads == 1, __ATOMIC_RELAXED);
    __atomic_store_n(&t->registered, true, __ATOMIC_RELEASE);
}

void cyc_gc_thread_forget(struct cyc_gc_thread *t) {
    INVARIANT(1, cyc_gc.lock.word != 0 && t->registered);
    if (t->prev)
        t->prev->next = t->next;
    else
        cyc_gc.threads = t->next;
    if (t->next)
        t->next->prev = t->prev;
    cyc_gc.stats.threads--;
    __atomic_store_n(&cyc_gc.alone, cyc_gc.stats.threads == 1, __ATOMIC_RELAXED);
    __atomic_store_n(&t->registered, false, __ATOMIC_RELEASE);
}

static void unregister(struct cyc_gc_thread *t) {
    int saved = errno;
    lowfat_acquire(&cyc_gc.lock);
    if (t->registered) {
        cyc_gc_alloc_abandon(t);
        cyc_gc_thread_forget(t);
    }
    lowfat_release(&cyc_gc.lock);
    errno = saved;
}

/* ---- the end of a thread ----
 *
 * Its block dies with it, so it must be off the list by then. Destructors of others' keys may register it again: ours asks to be
 * called in every round, and after the last one nothing registers it any more. */

static pthread_key_t exit_key;
static bool exit_key_made;

/* The thread that the collector's start registers, wherever that happens; null: there is none. */
CYC_GC_STATE static struct cyc_gc_thread *first;
CYC_GC_STATE static pthread_t first_thread;

static void on_thread_end(void *argument) {
    struct cyc_gc_thread *t = argument;
    unregister(t);
    lowfat_acquire(&cyc_gc.lock);
    if (first == t)
        first = NULL;
    lowfat_release(&cyc_gc.lock);
    if (++t->rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
        pthread_setspecific(exit_key, t);
}

static void make_exit_key(void) { exit_key_made = pthread_key_create(&exit_key, on_thread_end) == 0; }
static void watch_end(struct cyc_gc_thread *t) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_exit_key);
    if (exit_key_made)
        pthread_setspecific(exit_key, t);
}

/* A parent may have left the signal blocked. */
static void admit_signal(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, CYC_GC_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

COLD static bool register_thread(struct cyc_gc_thread *t) {
    int saved = errno;
    uintptr_t low, high;
    if (!stack_bounds(pthread_self(), &low, &high))
        return false;
    watch_end(t);
    admit_signal();
    lowfat_acquire(&cyc_gc.lock);
    if (!t->registered) /* by who started the collector, meanwhile */
        enlist(t, pthread_self(), cyc_gc_os_thread_id(), low, high);
    lowfat_release(&cyc_gc.lock);
    errno = saved;
    return true;
}

struct cyc_gc_thread *cyc_gc_thread_here(void) {
    struct cyc_gc_thread *t = &cyc_gc_self;
    if (LIKELY(__atomic_load_n(&t->registered, __ATOMIC_ACQUIRE)))
        return t;
    if (t->no_heap || t->rounds >= PTHREAD_DESTRUCTOR_ITERATIONS) {
        errno = EPERM;
        return NULL;
    }
    return register_thread(t) ? t : NULL;
}

/* ---- threads that have objects before they allocate traced ones ----
 *
 * The collector of Cyclone starts late, perhaps in another thread than the first, which may hold unique objects and pages of regions
 * by then and may never come to it: so who starts the collector registers the first thread. All others are registered before they
 * have an object: those of Cyclone before their function runs (thread.c), those that C code made when they get their cache of free
 * slots. */
#ifdef CYC_GC_OF_CYCLONE
/* The process's first, or, in the child of a fork, its only thread. */
static void be_first(void) {
    first = &cyc_gc_self;
    first_thread = pthread_self();
    watch_end(first);
    admit_signal();
}

static void on_cache(void) {
    struct cyc_gc_thread *t = &cyc_gc_self;
    if (t == first || t->registered || t->no_heap)
        return;
    int saved = errno;
    cyc_gc_start();
    cyc_gc_thread_here();
    errno = saved;
}

__attribute__((constructor)) static void note_first(void) {
    lowfat_on_cache = on_cache;
    if (cyc_gc_os_thread_id() == getpid())
        be_first();
    pthread_atfork(NULL, NULL, be_first);
}

#endif

bool cyc_gc_register_first(void) {
    uintptr_t low, high;
    if (first == NULL || first->registered || first->no_heap)
        return true;
    if (!stack_bounds(first_thread, &low, &high))
        return false;
    lowfat_acquire(&cyc_gc.lock);
    if (first && !first->registered)
        enlist(first, first_thread, (int32_t)getpid(), low, high);
    lowfat_release(&cyc_gc.lock);
    return true;
}

LOWFAT_API int lowfat_gc_thread_register(void) LOWFAT_NOEXCEPT_ {
    cyc_gc_start();
    return cyc_gc_thread_here() ? 0 : -1;
}

LOWFAT_API void lowfat_gc_thread_unregister(void) LOWFAT_NOEXCEPT_ { unregister(&cyc_gc_self); }

LOWFAT_API void lowfat_gc_thread_no_heap(void) LOWFAT_NOEXCEPT_ {
    cyc_gc_start();
    unregister(&cyc_gc_self);
    cyc_gc_self.no_heap = true;
}

/* ---- pthread_create ---- */

static __attribute__((unused)) void remove_starting(struct starting *s) {
    lowfat_acquire(&cyc_gc.lock);
    for (struct starting **link = &starting; *link; link = &(*link)->next)
        if (*link == s) {
            *link = s->next;
            break;
        }
    lowfat_release(&cyc_gc.lock);
}

#ifdef CYC_GC_INTERPOSE
static void *begin(void *argument) {
    struct starting *s = argument;
    void *(*routine)(void *) = s->routine;
    void *volatile routine_argument = s->argument; /* on this stack before it leaves the list */
    if (s->no_heap) {
        cyc_gc_self.no_heap = true;
    } else {
        cyc_gc_thread_here();
        remove_starting(s);
    }
    lowfat_free(s);
    return routine(routine_argument);
}

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Defined here, it comes before the C library's for the program and its libraries. */
LOWFAT_API int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                              void *argument) {
    static _Atomic(create_function *) real;
    create_function *create = atomic_load_explicit(&real, memory_order_relaxed);
    if (create == NULL) {
        create = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
        if (create == NULL)
            return ENOSYS;
        atomic_store_explicit(&real, create, memory_order_relaxed);
    }
    cyc_gc_start();
    struct starting *s = cyc_gc.ready ? lowfat_malloc(sizeof *s) : NULL;
    if (s == NULL)
        return cyc_gc.ready ? EAGAIN : create(thread, attributes, routine, argument);
    *s = (struct starting){.routine = routine, .argument = argument, .no_heap = cyc_gc_self.no_heap};
    if (!s->no_heap) {
        lowfat_acquire(&cyc_gc.lock);
        s->next = starting;
        starting = s;
        lowfat_release(&cyc_gc.lock);
    }
    int result = create(thread, attributes, begin, s);
    if (result != 0) {
        if (!cyc_gc_self.no_heap)
            remove_starting(s);
        lowfat_free(s);
    }
    return result;
}
#endif

/* ---- fork: no collection is under way, and in the child there are no other threads ---- */

static void before_fork(void) { lowfat_acquire(&cyc_gc.lock); }

static void in_parent(void) { lowfat_release(&cyc_gc.lock); }

static void in_child(void) {
    struct cyc_gc_thread *next;
    for (struct cyc_gc_thread *t = cyc_gc.threads; t; t = next) {
        next = t->next;
        if (t != &cyc_gc_self)
            cyc_gc_thread_forget(t); /* its runs' slots are found to be free by the next collection */
    }
    starting = NULL;
    cyc_gc_self.id = cyc_gc_os_thread_id();
    lowfat_release(&cyc_gc.lock);
}

void cyc_gc_threads_init(void) { pthread_atfork(before_fork, in_parent, in_child); }
#endif

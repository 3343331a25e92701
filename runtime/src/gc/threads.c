/* threads.c - who is registered; pthread_create; fork. */
#ifndef CYC_HEAP_LIBC
#define _GNU_SOURCE
#include "gc.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

static pthread_key_t exit_key;
static bool exit_key_made;

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

static bool stack_bounds(uintptr_t *low, uintptr_t *high) {
    pthread_attr_t attributes;
    void *address;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    bool done = pthread_attr_getstack(&attributes, &address, &size) == 0;
    pthread_attr_destroy(&attributes);
    *low = (uintptr_t)address;
    *high = *low + size;
    return done;
}

COLD static bool register_thread(struct cyc_gc_thread *t) {
    int saved = errno;
    uintptr_t low, high;
    if (!stack_bounds(&low, &high))
        return false;
    t->stack_low = low;
    t->stack_high = high;
    __asm__("movq %%fs:0, %0" : "=r"(t->pointer));
    t->id = cyc_gc_os_thread_id();
    if (exit_key_made)
        pthread_setspecific(exit_key, t);
    lowfat_acquire(&cyc_gc.lock);
    t->prev = NULL;
    t->next = cyc_gc.threads;
    if (t->next)
        t->next->prev = t;
    cyc_gc.threads = t;
    cyc_gc.stats.threads++;
    __atomic_store_n(&cyc_gc.alone, cyc_gc.stats.threads == 1, __ATOMIC_RELAXED);
    t->registered = true;
    lowfat_release(&cyc_gc.lock);
    errno = saved;
    return true;
}

void cyc_gc_thread_forget(struct cyc_gc_thread *t) {
    if (t->prev)
        t->prev->next = t->next;
    else
        cyc_gc.threads = t->next;
    if (t->next)
        t->next->prev = t->prev;
    cyc_gc.stats.threads--;
    __atomic_store_n(&cyc_gc.alone, cyc_gc.stats.threads == 1, __ATOMIC_RELAXED);
    t->registered = false;
}

static void unregister_thread(void *argument) {
    struct cyc_gc_thread *t = argument;
    int saved = errno;
    lowfat_acquire(&cyc_gc.lock);
    if (t->registered) {
        cyc_gc_alloc_abandon(t);
        cyc_gc_thread_forget(t);
    }
    lowfat_release(&cyc_gc.lock);
    errno = saved;
}

struct cyc_gc_thread *cyc_gc_thread_here(void) {
    struct cyc_gc_thread *t = &cyc_gc_self;
    if (LIKELY(t->registered))
        return t;
    if (t->no_heap) {
        errno = EPERM;
        return NULL;
    }
    return register_thread(t) ? t : NULL;
}

LOWFAT_API int lowfat_gc_thread_register(void) LOWFAT_NOEXCEPT_ {
    cyc_gc_start();
    return cyc_gc_thread_here() ? 0 : -1;
}

LOWFAT_API void lowfat_gc_thread_unregister(void) LOWFAT_NOEXCEPT_ { unregister_thread(&cyc_gc_self); }

LOWFAT_API void lowfat_gc_thread_no_heap(void) LOWFAT_NOEXCEPT_ {
    cyc_gc_start();
    unregister_thread(&cyc_gc_self);
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

void cyc_gc_threads_init(void) {
    exit_key_made = pthread_key_create(&exit_key, unregister_thread) == 0;
    pthread_atfork(before_fork, in_parent, in_child);
}
#endif

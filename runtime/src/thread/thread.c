/* Threads: a function with its argument, and what becomes of it.
 *
 * The record of a thread belongs to its handle, which is a unique pointer: whoever joins the thread frees the record, and
 * nobody else uses it. While the thread runs it is reachable from its stack, and its argument from the record; so is, once
 * it has ended, what it returned or raised.
 *
 * The collector knows an ordinary thread from before its function runs. Until then its argument, in which all pointers are unique,
 * could only look lost, and nothing counts as lost.
 *
 * A no-heap thread is not stopped when the heap is collected, and not scanned. Values are sendable, so none of the objects
 * that it can reach is the collector's; but unique objects, pages of regions and its record would look lost. So nothing counts
 * as lost from before such a thread starts until it has been joined. */
#include "thread.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#if CYC_HEAP_TRACED
#include <lowfat_gc.h>
#pragma weak lowfat_gc_thread_register /* not in programs without a heap */
#pragma weak lowfat_gc_thread_no_heap
#pragma weak lowfat_gc_keep_lost
#endif

/* Arguments and results are words (docs/adr/002-polymorphism-by-shape.md). */
struct thread {
  pthread_t id;
  void *(*body)(void *);
  void *argument, *result;
  struct cyc_exn *raised; /* null: it returned */
  const char *file;
  unsigned line;
  int no_heap;
  _Atomic int ended;
};

static void keep_lost(int more) {
#if CYC_HEAP_TRACED
  if (lowfat_gc_keep_lost) lowfat_gc_keep_lost(more);
#else
  (void)more;
#endif
}

static void enter(const struct thread *t) {
#if CYC_HEAP_TRACED
  if (!lowfat_gc_thread_register) return;
  if (t->no_heap) {
    lowfat_gc_thread_no_heap();
  } else {
    if (lowfat_gc_thread_register()) abort(); /* nothing that this thread has would be found */
    keep_lost(-1);
  }
#else
  (void)t;
#endif
}

static void *run(void *record) {
  struct thread *t = record;
  cyc_handler handler;
  enter(t);
  if (!CYC_TRY(handler)) {
    t->result = t->body(t->argument);
    CYC_POP(handler);
  } else {
    t->raised = cyc_caught();
    t->file = cyc_exn_file();
    t->line = (unsigned)cyc_exn_line();
  }
  atomic_store_explicit(&t->ended, 1, memory_order_release);
  return 0;
}

/* What the C library's functions have in frames of theirs may be larger than a page, and is not probed: so there is as much behind
 * a stack as the system leaves behind the first thread's. */
#define GUARD ((size_t)1 << 20)

static pthread_attr_t attributes;
static int described; /* else there was no memory for it */

static void describe(void) { described = !pthread_attr_init(&attributes) && !pthread_attr_setguardsize(&attributes, GUARD); }

/* Signals are for the first thread: their handlers may touch what is not for others. But for those that tell of this thread's own
 * mistakes, or are the collector's. */
static int create(struct thread *t) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF, SIGPWR};
  sigset_t blocked, before;
  keep_lost(1); /* until it is known to the collector, or has been joined */
  sigfillset(&blocked);
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&blocked, own[i]);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  pthread_once(&once, describe);
  int result = described ? pthread_create(&t->id, &attributes, run, t) : EAGAIN;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  if (result) keep_lost(-1);
  return result;
}

static struct thread *start(void *(*body)(void *), void *argument, int no_heap) {
  struct thread *t = cyc_unique(sizeof *t, "Thread::spawn", 0);
  *t = (struct thread){.body = body, .argument = argument, .no_heap = no_heap};
  if (CYC_UNLIKELY(create(t))) {
    cyc_ufree(t);
    cyc_fail_alloc(1, sizeof *t, "Thread::spawn", 0); /* there are no more threads to be had */
  }
  return t;
}

void *cyc_thread_spawn(void *(*body)(void *), void *argument) { return start(body, argument, 0); }
void *cyc_thread_spawn_noheap(void *(*body)(void *), void *argument) { return start(body, argument, 1); }

int cyc_thread_ended(struct thread *t) { return atomic_load_explicit(&t->ended, memory_order_acquire); }

/* Would the thread wait for itself? */
int cyc_thread_is_self(struct thread *t) { return pthread_equal(t->id, pthread_self()) != 0; }

static void await(struct thread *t) {
  pthread_join(t->id, 0);
  if (t->no_heap) keep_lost(-1);
}

void *cyc_thread_join(struct thread *record) {
  await(record);
  struct thread t = *record;
  cyc_ufree(record);
  if (CYC_UNLIKELY(t.raised != 0)) cyc_throw(t.raised, t.file, t.line);
  return t.result;
}

/* Nobody will join it: its record stays as long as the thread has it on its stack. */
void cyc_thread_give_up(struct thread *t) { pthread_detach(t->id); }

/* Threads that are to run one function on the same data, `i` being their number. */
struct worker {
  struct thread thread;
  void (*each)(const void *shared, unsigned i);
  const void *shared;
  unsigned i;
};

static void *work(void *argument) {
  struct worker *w = argument;
  w->each(w->shared, w->i);
  return 0;
}

/* The caller waits for all, even if one cannot be started: until then they read what is the caller's. Then the exception of
 * the first of them that raised one goes on. */
void cyc_thread_parallel(unsigned n, void (*each)(const void *, unsigned), const void *shared) {
  struct worker *workers = cyc_unique((n ? n : 1) * sizeof *workers, "Thread::parallel", 0);
  unsigned started = 0;
  for (; started < n; started++) {
    struct worker *w = &workers[started];
    *w = (struct worker){.thread = {.body = work, .argument = w}, .each = each, .shared = shared, .i = started};
    if (create(&w->thread)) break;
  }
  struct thread failed = {.raised = 0};
  for (unsigned i = 0; i < started; i++) {
    await(&workers[i].thread);
    if (!failed.raised) failed = workers[i].thread;
  }
  cyc_ufree(workers);
  if (started < n) cyc_fail_alloc(n, sizeof *workers, "Thread::parallel", 0);
  if (failed.raised) cyc_throw(failed.raised, failed.file, failed.line);
}

/* stop_linux.c - stopping the world by a signal, and the rest of what the collector asks of the system.
 *
 * `phase` is odd while the world is stopped.  To each registered thread goes one signal, and from each comes one
 * acknowledgement: from the handler, or, if the thread was busy, from the thread itself as it leaves.  A stopped thread waits for
 * `phase` to change; its registers are in the signal's frame, or spilled into its own.  Anybody may send the same signal, also
 * to the collecting thread, which is busy: so a thread remembers which phase it has acknowledged. */
#ifndef CYC_HEAP_LIBC
#define _GNU_SOURCE
#include "gc.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 10 /* seconds until a thread that does not answer is reported */

CYC_GC_STATE static _Atomic uint32_t phase;
CYC_GC_STATE static _Atomic uint32_t stopped; /* threads that have acknowledged */
CYC_GC_STATE static uint32_t expected;

int32_t cyc_gc_os_thread_id(void) { return (int32_t)syscall(SYS_gettid); }

uint64_t cyc_gc_os_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- the stopped thread ---- */

/* ThreadSanitizer defers signals and must not see inside handlers: there, plain accesses and the C library's own sigaction. */
CYC_GC_UNCHECKED __attribute__((noinline)) static void wait_here(struct cyc_gc_thread *t) {
    uint32_t now = __atomic_load_n((uint32_t *)&phase, __ATOMIC_ACQUIRE);
    if (now % 2 == 0 || __atomic_exchange_n(&t->answered, now, __ATOMIC_RELAXED) == now)
        return; /* there is no need, or the function that this signal interrupted waits */
    __atomic_store_n((uintptr_t *)&t->sp, (uintptr_t)__builtin_frame_address(0), __ATOMIC_RELAXED);
    __atomic_fetch_add((uint32_t *)&stopped, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &stopped, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
    while (__atomic_load_n((uint32_t *)&phase, __ATOMIC_ACQUIRE) == now)
        syscall(SYS_futex, &phase, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, now, NULL, NULL, 0);
}

/* The registers that a callee keeps are written to this function's frame, which the callee's frame is below. */
CYC_GC_UNCHECKED NOINLINE void cyc_gc_park(struct cyc_gc_thread *t) {
    int saved = errno;
    INVARIANT(1, t->busy == 0);
    t->pending = 0;
    __builtin_unwind_init();
    wait_here(t);
    __asm__ volatile("" ::: "memory"); /* no tail call */
    errno = saved;
}

CYC_GC_UNCHECKED static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)info, (void)context;
    struct cyc_gc_thread *t = &cyc_gc_self;
    if (!t->registered)
        return;
    if (*(volatile uint32_t *)&t->busy != 0) {
        *(volatile uint32_t *)&t->pending = 1;
        return;
    }
    int saved = errno;
    wait_here(t);
    errno = saved;
}

/* ---- the collector ---- */

#ifdef LOWFAT_TSAN
int __sigaction(int, const struct sigaction *, struct sigaction *);
#define sigaction_directly __sigaction
#else
#define sigaction_directly sigaction
#endif

void cyc_gc_stop_init(void) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigfillset(&action.sa_mask);
    sigaction_directly(CYC_GC_SIGNAL, &action, NULL);
}

COLD static void report_silence(uint32_t missing) {
    struct lowfat_text text = {.fd = 2};
    lowfat_text_put(&text, "lowfat gc: threads that do not answer SIGPWR (blocked?): ");
    lowfat_text_number(&text, missing, 0);
    lowfat_text_put(&text, "\n");
    lowfat_text_flush(&text);
}

CYC_GC_UNCHECKED static void await_all(void) {
    for (;;) {
        uint32_t now = atomic_load_explicit(&stopped, memory_order_acquire);
        if (now == expected)
            return;
        struct timespec patience = {.tv_sec = PATIENCE};
        if (syscall(SYS_futex, &stopped, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, now, &patience, NULL, 0) != 0 &&
            errno == ETIMEDOUT)
            report_silence(expected - now);
    }
}

/* A thread that is no more, because it ended by a mere system call, is forgotten. */
CYC_GC_UNCHECKED void cyc_gc_stop_world(struct cyc_gc_thread *collector) {
    struct cyc_gc_thread *next;
    expected = 0;
    atomic_store_explicit(&stopped, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&phase, 1, memory_order_seq_cst);
    pid_t process = cyc_gc.alone ? 0 : getpid();
    for (struct cyc_gc_thread *t = cyc_gc.threads; t; t = next) {
        next = t->next;
        if (t == collector)
            continue;
        if (syscall(SYS_tgkill, process, t->id, CYC_GC_SIGNAL) == 0)
            expected++;
        else
            cyc_gc_thread_forget(t);
    }
    await_all();
}

void cyc_gc_restart_world(void) {
    INVARIANT(1, phase % 2 == 1 && stopped == expected);
    atomic_fetch_add_explicit(&phase, 1, memory_order_seq_cst);
    if (expected > 0)
        syscall(SYS_futex, &phase, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT32_MAX, NULL, NULL, 0);
}
#endif

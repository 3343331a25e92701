/* os_linux.c - everything liblowfat asks of the operating system. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4 /* Linux 5.7 */
#endif
#define GUARD_INSTALL 102 /* madvise advice, Linux 6.13 */
#define GUARD_REMOVE 103
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS)

void *lowfat_os_map(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void lowfat_os_unmap(void *address, size_t size) { munmap(address, size); }

static bool map_exactly(uintptr_t address, size_t size, int protection, int flags) {
    void *p = mmap((void *)address, size, protection, ANONYMOUS | MAP_FIXED_NOREPLACE | flags, -1, 0);
    if (p == (void *)address)
        return true;
    if (p != MAP_FAILED) /* a kernel before 4.17 takes the address for a hint */
        munmap(p, size);
    return false;
}

bool lowfat_os_map_at(uintptr_t address, size_t size) {
    return map_exactly(address, size, PROT_READ | PROT_WRITE, 0);
}

/* A reservation that is not writable is still readable, so that looking at a state byte never faults. */
bool lowfat_os_reserve_at(uintptr_t address, size_t size, bool writable) {
    return map_exactly(address, size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_NORESERVE);
}

uintptr_t lowfat_os_reserve(size_t size, bool writable) {
    void *p = mmap(NULL, size, writable ? PROT_READ | PROT_WRITE : PROT_READ, ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? 0 : (uintptr_t)p;
}

bool lowfat_os_commit(uintptr_t address, size_t size) {
    return mprotect((void *)address, size, PROT_READ | PROT_WRITE) == 0;
}

bool lowfat_os_account(uintptr_t address, size_t size) {
    void *p = mmap((void *)address, size, PROT_READ | PROT_WRITE, ANONYMOUS | MAP_FIXED, -1, 0);
    return p != MAP_FAILED;
}

/* A fresh reservation over the range: a mere mprotect would leave the memory accounted. */
void lowfat_os_decommit(uintptr_t address, size_t size) {
    void *p = mmap((void *)address, size, PROT_READ, ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        madvise((void *)address, size, MADV_DONTNEED);
}

void lowfat_os_purge(uintptr_t address, size_t size) {
    int saved = errno;
    madvise((void *)address, size, MADV_DONTNEED);
    errno = saved;
}

bool lowfat_os_move(uintptr_t from, uintptr_t to, size_t size) {
    return mremap((void *)from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, (void *)to) == (void *)to;
}

void lowfat_os_dump(uintptr_t address, size_t size, bool dump) {
    int saved = errno;
    madvise((void *)address, size, dump ? MADV_DODUMP : MADV_DONTDUMP);
    errno = saved;
}

bool lowfat_os_guard(uintptr_t address, size_t size) {
    int saved = errno;
    bool done = madvise((void *)address, size, GUARD_INSTALL) == 0;
    errno = saved;
    return done;
}

void lowfat_os_unguard(uintptr_t address, size_t size) {
    int saved = errno;
    madvise((void *)address, size, GUARD_REMOVE);
    errno = saved;
}

void lowfat_os_name(uintptr_t address, size_t size, const char *name) {
    int saved = errno;
    prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, address, size, name);
    errno = saved;
}

uint32_t lowfat_os_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
}

uint64_t lowfat_os_random(void) {
    uint64_t value = 0;
    int saved = errno;
    if (syscall(SYS_getrandom, &value, sizeof value, 1 /* GRND_NONBLOCK */) != (long)sizeof value) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        value = ((uint64_t)now.tv_nsec << 32) ^ (uint64_t)now.tv_sec ^ (uint64_t)(uintptr_t)&now;
    }
    errno = saved;
    return value;
}

void lowfat_os_write(int fd, const char *bytes, size_t count, bool *failed) {
    while (count > 0) {
        ssize_t n = write(fd, bytes, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            *failed = true;
            return;
        }
        bytes += n;
        count -= (size_t)n;
    }
}

void lowfat_os_yield(void) { sched_yield(); }

/* The client request RUNNING_ON_VALGRIND, as Valgrind's manual and valgrind.h give it: instructions that do nothing on a
 * processor, and that Valgrind recognises. */
bool lowfat_os_simulated(void) {
#if defined __x86_64__
  uint64_t request[6] = {0x1001}, answer = 0;
  __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                   : "+d"(answer)
                   : "a"(request)
                   : "cc", "memory");
  return answer != 0;
#else
  return false;
#endif
}

/* membarrier(2), Linux 4.14: commands PRIVATE_EXPEDITED and its registration. */
bool lowfat_os_barrier_register(void) {
    int saved = errno;
    bool done = syscall(SYS_membarrier, 1 << 4, 0, 0) == 0;
    errno = saved;
    return done;
}

void lowfat_os_barrier(void) { syscall(SYS_membarrier, 1 << 3, 0, 0); }

COLD void lowfat_lock_wait(lowfat_lock *lock) {
    int saved = errno;
    if (lowfat_this_thread_forks()) {
        lock->nested++;
        return;
    }
    for (int spin = 0; spin < 100; spin++) {
        uint32_t expected = 0;
        if (atomic_compare_exchange_weak_explicit(&lock->word, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
        __builtin_ia32_pause();
    }
    while (atomic_exchange_explicit(&lock->word, 2, memory_order_acquire) != 0)
        syscall(SYS_futex, &lock->word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 2, NULL, NULL, 0);
    errno = saved;
}

COLD void lowfat_lock_wake(lowfat_lock *lock) {
    int saved = errno;
    syscall(SYS_futex, &lock->word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
    errno = saved;
}

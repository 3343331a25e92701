/* Shims of <sys/mman.h>.
 *
 * What is mapped once stays mapped: munmap puts zeros in place of the file, so that pointers which are left over touch nothing else,
 * and gives the memory back. A program that maps and unmaps for ever runs out of addresses, not of memory. */
#define _GNU_SOURCE
#include "lib.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* `new Core::Failure(what)`, made by lib/src/core.cyc. */
struct cyc_exn *cyc_failure(const char *what) __asm__("Cyc_Core$$failure");

/* The mappings that munmap has not seen yet. */
struct mapping {
  char *start;
  size_t length;
  struct mapping *next;
};
static struct mapping *mappings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

cyc_fat cyc_lib_mmap(cyc_fat unused, size_t length, int prot, int flags, int fd, off_t offset) {
  (void)unused;
  int shares = flags & (MAP_SHARED | MAP_PRIVATE);
  if ((prot & PROT_EXEC) || (shares != MAP_SHARED && shares != MAP_PRIVATE) || (flags & MAP_GROWSDOWN))
    cyc_throw(cyc_failure("mmap"), "mmap", 0);
  if ((flags & ~(MAP_SHARED | MAP_PRIVATE | MAP_ANONYMOUS)) || length > CYC_FAT_MAX) {
    errno = EINVAL;
    return CYC_FAT_NULL;
  }
  struct mapping *m = malloc(sizeof *m);
  if (!m) cyc_fail_alloc(1, sizeof *m, "mmap", 0);
  char *start = mmap(0, length, prot, flags, fd, offset);
  if (start == MAP_FAILED) {
    free(m);
    return CYC_FAT_NULL;
  }
  pthread_mutex_lock(&lock);
  *m = (struct mapping){start, length, mappings};
  mappings = m;
  pthread_mutex_unlock(&lock);
  return cyc_fat_make(start, length);
}

/* Takes the mapping out of the list that starts at `p` and has this length; 0 if there is none. */
static int forget(const cyc_fat p, size_t length) {
  int found = 0;
  pthread_mutex_lock(&lock);
  for (struct mapping **m = &mappings; *m; m = &(*m)->next) {
    if ((*m)->start != lib_at(p) || (*m)->length != length) continue;
    struct mapping *old = *m;
    *m = old->next;
    free(old);
    found = 1;
    break;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

int cyc_lib_munmap(cyc_fat p, size_t length) {
  if (length == 0 || !forget(p, length)) {
    errno = EINVAL;
    return -1;
  }
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  return mmap(lib_at(p), length, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? -1 : 0;
}

int cyc_lib_msync(cyc_fat p, size_t length, int flags) { return msync(lib_need(p, length, "msync"), length, flags); }

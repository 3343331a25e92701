/* Pages of regions, cached per thread.
 *
 * A page that is given back waits in its thread for the next region, up to a limit; pages above the largest class go
 * back to the heap at once. A request rounded up to a class always fits a cached page of that class exactly, so there is
 * nothing to search.
 *
 * With CYC_HOSTILE=1 in the environment no page is ever used twice: it is filled with a pattern and its addresses are
 * taken away when its region ends, so that a program that touches freed memory stops there. For tests.
 */
#include "cyc_heap.h"
#include "page.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if CYC_HEAP_TRACED
#include <lowfat_gc.h>
#pragma weak lowfat_gc_add_roots /* not in programs without a heap */
#pragma weak lowfat_gc_remove_roots
#endif

/* At most this much waits in one thread. */
#define CACHE_LIMIT ((cyc_size)16 << 20)

enum { PATTERN_FRESH = 0xa5 };

static __thread struct {
  struct cyc_rgn_page *pages[CYC_RGN_PAGE_CLASSES];
  cyc_size bytes;
  int watched; /* the thread's end is noticed */
} cache;

static cyc_size in_use;

cyc_size cyc_rgn_pages_in_use(void) { return __atomic_load_n(&in_use, __ATOMIC_RELAXED); }

int cyc_rgn_hostile(void) {
  static int known; /* 0: not asked yet; 1: no; 2: yes. Threads that ask at once find the same. */
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!answer) {
    const char *wish = getenv("CYC_HOSTILE");
    answer = wish && *wish && strcmp(wish, "0") ? 2 : 1;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == 2;
}

/* The class of a size that is one, else CYC_RGN_PAGE_CLASSES. */
static unsigned class_of(cyc_size size) {
  if (size > CYC_RGN_LARGEST_PAGE) return CYC_RGN_PAGE_CLASSES;
  return (unsigned)(__builtin_ctzl(size) - __builtin_ctzl((cyc_size)CYC_RGN_FIRST_PAGE));
}

static void close_page(struct cyc_rgn_page *page) {
  (void)page; /* without AddressSanitizer there is nothing to do */
  CYC_RGN_CLOSE(page + 1, page->size - sizeof *page);
}

static void release(struct cyc_rgn_page *page) {
  CYC_RGN_OPEN(page + 1, page->size - sizeof *page);
  __atomic_fetch_sub(&in_use, page->size, __ATOMIC_RELAXED);
  cyc_heap_free(page);
}

/* ---------------------------------------------------------------- the end of a thread */

static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void cyc_rgn_empty_cache(void) {
  for (unsigned i = 0; i < CYC_RGN_PAGE_CLASSES; i++) {
    struct cyc_rgn_page *page = cache.pages[i];
    cache.pages[i] = 0;
    while (page) {
      struct cyc_rgn_page *next = page->next;
      release(page);
      page = next;
    }
  }
  cache.bytes = 0;
}

static void end_thread(void *unused) {
  (void)unused;
  cyc_rgn_empty_cache();
  cache.watched = 0;
}

static void make_key(void) { pthread_key_create(&thread_end, end_thread); }

static void watch_thread(void) {
  pthread_once(&once, make_key);
  pthread_setspecific(thread_end, &cache);
  cache.watched = 1;
}

/* ---------------------------------------------------------------- the hostile way */

static struct cyc_rgn_page *hostile_get(cyc_size size) {
  struct cyc_rgn_page *page = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 0;
#if CYC_HEAP_TRACED
  if (lowfat_gc_add_roots) lowfat_gc_add_roots(page, (char *)page + size); /* the collector knows the heap's own pages only */
#endif
  memset(page, PATTERN_FRESH, size < CYC_RGN_LARGEST_PAGE ? size : CYC_RGN_LARGEST_PAGE);
  page->size = size;
  return page;
}

static void hostile_put(struct cyc_rgn_page *page) {
  cyc_size size = page->size;
  CYC_RGN_OPEN(page, size); /* of what was given back one by one as well */
#if CYC_HEAP_TRACED
  if (lowfat_gc_remove_roots) lowfat_gc_remove_roots(page, (char *)page + size);
#endif
  memset(page, CYC_RGN_FREED, size < CYC_RGN_LARGEST_PAGE ? size : CYC_RGN_LARGEST_PAGE);
  /* The addresses stay taken: no later page lies there. The memory behind them is given back. */
  madvise(page, size, MADV_DONTNEED);
  mprotect(page, size, PROT_NONE);
}

/* ---------------------------------------------------------------- pages */

struct cyc_rgn_page *cyc_rgn_page_get(cyc_size size) {
  struct cyc_rgn_page *page;
  unsigned class = class_of(size);
  if (class < CYC_RGN_PAGE_CLASSES && cache.pages[class]) {
    page = cache.pages[class];
    cache.pages[class] = page->next;
    cache.bytes -= size;
    return page;
  }
  if (cyc_rgn_hostile()) return hostile_get(size);
  page = cyc_heap_alloc(size); /* so that the collector finds pages as it finds objects: from the region's frame or key */
  if (!page) return 0;
  page->size = size;
  __atomic_fetch_add(&in_use, size, __ATOMIC_RELAXED);
  close_page(page);
  return page;
}

void cyc_rgn_pages_put(struct cyc_rgn_page *chain) {
  int is_hostile = cyc_rgn_hostile();
  while (chain) {
    struct cyc_rgn_page *page = chain;
    unsigned class = class_of(page->size);
    chain = page->next;
    if (is_hostile) {
      hostile_put(page);
    } else if (class == CYC_RGN_PAGE_CLASSES || cache.bytes + page->size > CACHE_LIMIT) {
      release(page);
    } else {
      if (CYC_UNLIKELY(!cache.watched)) watch_thread();
      close_page(page);
      page->next = cache.pages[class];
      cache.pages[class] = page;
      cache.bytes += page->size;
    }
  }
}

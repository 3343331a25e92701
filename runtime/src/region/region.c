/* Regions: allocation beyond the current page, release, the thread's stack of lexical regions (memory, section 10). */
#include "owned.h"
#include "page.h"

__thread cyc_region *cyc_regions;

static cyc_size payload(cyc_size page) { return page - sizeof(struct cyc_rgn_page); }

/* The size of the region's next page: twice the newest one, up to the largest. */
static cyc_size next_page(const cyc_region *r) {
  if (!r->pages) return CYC_RGN_FIRST_PAGE;
  return r->pages->size >= CYC_RGN_LARGEST_PAGE ? CYC_RGN_LARGEST_PAGE : r->pages->size * 2;
}

static struct cyc_rgn_page *obtain(cyc_region *r, cyc_size page_size, cyc_size wanted, const char *file, unsigned line) {
  cyc_size room = payload(page_size);
  struct cyc_rgn_page *page = 0;
  if (!r->most || (room <= r->most && r->used <= r->most - room)) page = cyc_rgn_page_get(page_size);
  if (CYC_UNLIKELY(!page)) cyc_fail_alloc(1, wanted, file, line);
  r->used += room;
  return page;
}

void *cyc_rgn_more(cyc_region *r, cyc_shape shape, cyc_size size, const char *file, unsigned line) {
  if (r == &cyc_rgn_heap && cyc_rgn_heap_alloc) return cyc_rgn_heap_alloc(shape, size, file, line);
  /* Without a collector (--gc=none) nobody has the heap's handle. A scoped pool never becomes larger than it was made. */
  if (CYC_UNLIKELY(r == &cyc_rgn_heap || size > CYC_RGN_MOST || cyc_rgn_scope(r))) cyc_fail_alloc(1, size, file, line);
  cyc_size rounded = (size + CYC_RGN_ALIGN - 1) & ~(cyc_size)(CYC_RGN_ALIGN - 1);
  if (!rounded) rounded = CYC_RGN_ALIGN;
  rounded += CYC_RGN_GAP;
  cyc_size page_size = next_page(r);
  struct cyc_rgn_page *page;
  char *object;
  if (rounded > payload(page_size) / 2 && rounded > (cyc_size)(r->limit - r->bump)) {
    /* An object as large as this has a page of its own, behind the current one, which stays in use. Sizes of cached pages
     * are powers of two: up to the largest of those the size is rounded up, and the rest of the page is lost. */
    cyc_size own = rounded + sizeof *page;
    if (own <= CYC_RGN_LARGEST_PAGE)
      own = own <= CYC_RGN_FIRST_PAGE ? CYC_RGN_FIRST_PAGE : (cyc_size)1 << (64 - __builtin_clzl(own - 1));
    page = obtain(r, own, size, file, line);
    object = (char *)(page + 1);
    if (r->pages && r->bump != r->limit) {
      page->next = r->pages->next;
      r->pages->next = page;
      r->wasted += payload(own) - rounded;
    } else {
      page->next = r->pages;
      r->pages = page;
      r->wasted += (cyc_size)(r->limit - r->bump);
      r->bump = object + rounded;
      r->limit = (char *)page + own;
    }
  } else {
    page = obtain(r, page_size, size, file, line);
    object = (char *)(page + 1);
    page->next = r->pages;
    r->pages = page;
    r->wasted += (cyc_size)(r->limit - r->bump);
    r->bump = object + rounded;
    r->limit = (char *)page + page_size;
  }
  CYC_RGN_OPEN(object, size);
  return object;
}

void cyc_rgn_release(cyc_region *r) {
  CYC_PROFILED(cyc_profile_close(r));
  struct cyc_rgn_page *pages = r->pages;
  if (r->owned) {
    cyc_rgn_drop_pool(r);
    r->owned = 0;
  }
  r->pages = 0;
  r->bump = r->limit = 0;
  r->used = r->wasted = 0;
  if (pages) cyc_rgn_pages_put(pages);
}

void cyc_rgn_unwind(cyc_region *until) {
  while (cyc_regions != until) {
    cyc_region *innermost = cyc_regions;
    cyc_regions = innermost->outer;
    cyc_rgn_release(innermost);
  }
}

/* ---------------------------------------------------------------- what core.h declares */

/* Figures in bytes (memory, section 10.6): page payload obtained; room in the current page, and what was given back;
 * given to objects. More than the largest `int` is told as that. */
static int figure(cyc_u64 bytes) { return bytes < __INT_MAX__ ? (int)bytes : __INT_MAX__; }

static cyc_u64 free_bytes(cyc_handle r) { return (cyc_u64)(r->limit - r->bump) + cyc_reap_free_bytes(r); }

int cyc_rgn_used_bytes(cyc_handle r) { return figure(r == &cyc_rgn_heap ? cyc_heap_used_bytes() : r->used); }

int cyc_rgn_free_bytes(cyc_handle r) { return figure(r == &cyc_rgn_heap ? cyc_heap_free_bytes() : free_bytes(r)); }

int cyc_rgn_alloc_bytes(cyc_handle r) {
  return figure(r == &cyc_rgn_heap ? cyc_heap_alloc_bytes() : r->used - r->wasted - free_bytes(r));
}

void cyc_rgn_set_limit(cyc_handle r, cyc_u64 bytes) {
  if (r == &cyc_rgn_heap) cyc_heap_set_limit(bytes);
  else r->most = bytes;
}

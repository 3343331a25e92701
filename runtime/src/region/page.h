/* Where the pages of regions come from. */
#ifndef CYC_RGN_PAGE_H
#define CYC_RGN_PAGE_H

#include "cyc_rt.h"

struct cyc_rgn_page {
  struct cyc_rgn_page *next;
  cyc_size size; /* with this header */
};

_Static_assert(sizeof(struct cyc_rgn_page) % CYC_RGN_ALIGN == 0, "the data of a page is aligned");

enum {
  CYC_RGN_FIRST_PAGE = 4096,
  CYC_RGN_PAGE_CLASSES = 9, /* 4 KiB, 8 KiB … 1 MiB */
  CYC_RGN_LARGEST_PAGE = CYC_RGN_FIRST_PAGE << (CYC_RGN_PAGE_CLASSES - 1),
};

/* A page of `size` bytes, a power of two from the first to the largest page size, or anything above. Null when there is no
 * memory. The contents are unspecified, and closed to the program when AddressSanitizer watches. */
struct cyc_rgn_page *cyc_rgn_page_get(cyc_size size);

/* Takes a whole chain of pages back. */
void cyc_rgn_pages_put(struct cyc_rgn_page *chain);

/* Gives the pages that wait in this thread back to the heap. */
void cyc_rgn_empty_cache(void);

/* Bytes of pages that come from the heap, those that wait in threads too. */
cyc_size cyc_rgn_pages_in_use(void);

/* Is freed memory never used again, and filled with a pattern? (CYC_HOSTILE=1 in the environment, for tests.) */
int cyc_rgn_hostile(void);

/* What freed memory is filled with then. */
enum { CYC_RGN_FREED = 0xdb };

#endif

/* Reaps: objects of a region that are given back one by one (memory, section 7).
 *
 * A reap takes segments from its region, like objects, and cuts them into chunks. Chunks lie without gaps; each
 * knows its size and whether the one before is in use, and a free one has its size in its last word as well, so that
 * neighbours find each other: no two free chunks touch. Free chunks wait in bins by size, except the one at the end of
 * the newest segment, the top, from which is taken when no bin has a chunk that is large enough. Whatever is left when
 * the region ends goes with its pages.
 *
 * After the boundary tags and bins of Lea's malloc. One thread has the region, so nothing is locked.
 */
#include "owned.h"
#include "page.h"

#include <string.h>

/* In use, `next` is the object's count, and the object begins at `prev`. */
struct chunk {
  cyc_size head; /* bytes, a multiple of 16, and the flags below */
  struct chunk *next;
  struct chunk *prev;
  cyc_size foot; /* of the smallest chunk; of others, the last word */
};

enum {
  IN_USE = 1,
  BEFORE_IN_USE = 2,
  FLAGS = 15,
  HEADER = 16,
  LEAST = sizeof(struct chunk),
  EXACT = 32,           /* bins of one size each: 32, 48, … 528 */
  BINS = EXACT + 39,    /* and one for each power of two after that, up to CYC_RGN_MOST */
  FIRST_SEGMENT = 1024, /* each is twice as large as the one before */
  LARGEST_SEGMENT = 1 << 18,
};

_Static_assert((int)HEADER == CYC_COUNT_ROOM && LEAST == 32 && BINS <= 128, "the count lies in the header; a map has 128 bits");

struct cyc_reap {
  cyc_u64 map[2]; /* which bins have chunks */
  struct chunk *bins[BINS];
  struct chunk *top;
  cyc_size segment; /* bytes of the newest */
  cyc_size free;    /* bytes of free chunks, the top among them */
};

CYC_RAW static cyc_size size_of(const struct chunk *c) { return c->head & ~(cyc_size)FLAGS; }

static struct chunk *at(void *p, cyc_size offset) { return (struct chunk *)((char *)p + offset); }

/* The bin for chunks of this size. */
static unsigned bin_of(cyc_size size) {
  if (size < LEAST + EXACT * 16) return (unsigned)(size - LEAST) / 16;
  return EXACT + (unsigned)(63 - __builtin_clzl(size)) - 9;
}

CYC_RAW static void put(struct cyc_reap *reap, struct chunk *c) {
  unsigned bin = bin_of(size_of(c));
  c->prev = 0;
  c->next = reap->bins[bin];
  if (c->next) c->next->prev = c;
  reap->bins[bin] = c;
  reap->map[bin / 64] |= (cyc_u64)1 << bin % 64;
}

CYC_RAW static void take(struct cyc_reap *reap, struct chunk *c) {
  unsigned bin = bin_of(size_of(c));
  if (c->next) c->next->prev = c->prev;
  if (c->prev) c->prev->next = c->next;
  else if (!(reap->bins[bin] = c->next)) reap->map[bin / 64] &= ~((cyc_u64)1 << bin % 64);
}

/* The chunk is free, of that size; the one before it is in use, since two free ones do not touch. */
CYC_RAW static void make_free(struct chunk *c, cyc_size size) {
  c->head = size | BEFORE_IN_USE;
  *(cyc_size *)((char *)c + size - sizeof(cyc_size)) = size;
  at(c, size)->head &= ~(cyc_size)BEFORE_IN_USE;
}

/* The first bin from `bin` on that has chunks; BINS if there is none. */
static unsigned next_bin(const struct cyc_reap *reap, unsigned bin) {
  for (unsigned word = bin / 64; word < 2; word++) {
    cyc_u64 set = reap->map[word];
    if (word == bin / 64) set &= ~(cyc_u64)0 << bin % 64;
    if (set) return word * 64 + (unsigned)__builtin_ctzl(set);
  }
  return BINS;
}

/* A free chunk of at least `size` bytes, out of its bin; null if there is none. */
CYC_RAW static struct chunk *find(struct cyc_reap *reap, cyc_size size) {
  unsigned bin = bin_of(size);
  for (struct chunk *c = reap->bins[bin]; c; c = c->next)
    if (size_of(c) >= size) {
      take(reap, c);
      return c;
    }
  bin = next_bin(reap, bin + 1);
  if (bin == BINS) return 0;
  struct chunk *c = reap->bins[bin];
  take(reap, c);
  return c;
}

static struct chunk *new_segment(cyc_region *r, cyc_size bytes, const char *file, unsigned line) {
  struct chunk *c = cyc_rgn_take(r, CYC_ANY, bytes, file, line);
  CYC_RGN_CLOSE(c, bytes);
  return c;
}

/* A new segment, whose top is at least `size` bytes; the top before goes into a bin. */
CYC_RAW static void grow(cyc_region *r, struct cyc_reap *reap, cyc_size size, const char *file, unsigned line) {
  cyc_size segment = !reap->segment ? FIRST_SEGMENT : reap->segment < LARGEST_SEGMENT ? reap->segment * 2 : LARGEST_SEGMENT;
  if (segment < size + LEAST + HEADER) segment = size + LEAST + HEADER;
  struct chunk *c = new_segment(r, segment, file, line);
  if (reap->top) put(reap, reap->top);
  reap->segment = segment;
  at(c, segment - HEADER)->head = IN_USE; /* nothing lies beyond it */
  make_free(c, segment - HEADER);
  reap->top = c;
  reap->free += segment - HEADER;
}

static struct cyc_reap *reap_of(cyc_region *r, const char *file, unsigned line) {
  struct cyc_rgn_owned *owned = cyc_rgn_owned(r);
  if (!owned->reap) owned->reap = memset(cyc_rgn_take(r, CYC_ANY, sizeof *owned->reap, file, line), 0, sizeof *owned->reap);
  return owned->reap;
}

CYC_RAW void *cyc_reap_take(cyc_region *r, cyc_size size, const char *file, unsigned line) {
  if (cyc_rgn_scope(r)) return cyc_rgn_scope(r)->alloc(r, size, file, line);
  if (CYC_UNLIKELY(size > CYC_RGN_MOST - 4 * LEAST)) cyc_fail_alloc(1, size, file, line);
  struct cyc_reap *reap = reap_of(r, file, line);
  cyc_size need = ((size + 15) & ~(cyc_size)15) + HEADER;
  if (need < LEAST) need = LEAST;
  struct chunk *c = find(reap, need);
  if (!c) {
    /* Of the top always remains enough for a chunk. */
    if (!reap->top || size_of(reap->top) < need + LEAST) grow(r, reap, need, file, line);
    c = reap->top;
    reap->top = at(c, need);
    make_free(reap->top, size_of(c) - need);
  } else if (size_of(c) - need >= LEAST) {
    make_free(at(c, need), size_of(c) - need);
    put(reap, at(c, need));
  } else {
    need = size_of(c);
    at(c, need)->head |= BEFORE_IN_USE;
  }
  c->head = need | IN_USE | BEFORE_IN_USE;
  reap->free -= need;
  CYC_RGN_OPEN(&c->prev, size);
  return &c->prev;
}

void *cyc_reap_alloc(cyc_region *r, cyc_size size, const char *file, unsigned line) {
  if (r == &cyc_rgn_heap) return cyc_unique(size, file, line);
  void *object = cyc_reap_take(r, size, file, line);
  CYC_PROFILED(cyc_profile_in_region(r, object, size, file, line));
  return object;
}

CYC_RAW void cyc_reap_free(cyc_region *r, void *object) {
  if (!object) return;
  CYC_PROFILED(cyc_profile_free(object));
  if (cyc_rgn_scope(r)) return cyc_rgn_scope(r)->free(r, object);
  struct cyc_reap *reap = r->owned->reap;
  struct chunk *c = at(object, (cyc_size)0 - HEADER);
  cyc_size size = size_of(c);
  if (CYC_UNLIKELY(cyc_rgn_hostile())) {
    CYC_RGN_OPEN(object, size - HEADER);
    memset(object, CYC_RGN_FREED, size - HEADER);
    CYC_RGN_CLOSE(object, size - HEADER);
    return;
  }
  CYC_RGN_CLOSE(object, size - HEADER);
  reap->free += size;
  struct chunk *after = at(c, size);
  if (after == reap->top) {
    size += size_of(after);
  } else if (!(after->head & IN_USE)) {
    take(reap, after);
    size += size_of(after);
  }
  int is_top = after == reap->top;
  if (!(c->head & BEFORE_IN_USE)) {
    cyc_size before = ((cyc_size *)c)[-1];
    c = at(c, (cyc_size)0 - before);
    take(reap, c);
    size += before;
  }
  make_free(c, size);
  if (is_top) reap->top = c;
  else put(reap, c);
}

cyc_u64 cyc_reap_free_bytes(const cyc_region *r) {
  if (cyc_rgn_scope(r)) return cyc_rgn_scope(r)->free_bytes(r);
  return r->owned && r->owned->reap ? r->owned->reap->free : 0;
}

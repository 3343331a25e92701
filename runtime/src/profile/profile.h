/* profile.h - what a memory profile remembers (cyc_profile.h tells it).
 *
 * Bytes are those that the program asked for, without what allocators add. Everything lies in memory of the profile's own, which
 * comes from the system, is never given back, and is not scanned by the collector; addresses of objects are kept complemented,
 * so that sanitizers do not take them for references.
 *
 * Invariants, while the lock is not held:
 *   - `live` of a row is the sum of its nodes and of its uses in open regions;
 *   - a region's nodes and uses are what would end with it.
 * Lock: one for all. It is held from the beginning of a collection to its end; so no thread is stopped that holds it.
 * Order: the collector's lock, then this one; under it nothing is called that takes another.
 */
#ifndef CYC_PROFILE_INTERNAL_H
#define CYC_PROFILE_INTERNAL_H

#include "../region/owned.h"
#include "cyc_heap.h"

#include <stdio.h>

struct cyc_amount {
  cyc_u64 bytes, objects;
};

/* Objects of a kind that are made at the same place. */
struct cyc_row {
  enum cyc_profile_kind kind;
  struct cyc_site *site;   /* where they are made */
  struct cyc_site *caller; /* if that is in the library: where it was called from; may be null */
  struct cyc_amount live, total, lost; /* lost: unique and counted ones that the collector found and freed */
  cyc_u64 most;            /* bytes that were live at once */
  cyc_u64 at_peak;         /* bytes that were live when all rows together had most; of the peak number `peak` */
  cyc_u64 peak;
  struct cyc_row *in_bucket, *next;
};

/* Regions that begin at the same place. */
struct cyc_place {
  enum cyc_profile_kind kind; /* REGION or POOL */
  struct cyc_site *site, *caller;
  cyc_u64 opened, open, largest, size; /* largest: bytes in one of them; size: of a pool */
  struct cyc_amount live, total;
  struct cyc_place *next;
};

struct cyc_open {
  cyc_u64 address; /* of the region */
  struct cyc_place *place;
  cyc_u64 live;
  int dynamic;     /* it has a key */
  struct cyc_use *uses;
  struct cyc_node *nodes;
  struct cyc_open *in_bucket;
};

/* Objects of a row that end with their region. */
struct cyc_use {
  struct cyc_row *row;
  struct cyc_amount live;
  struct cyc_use *next;
};

/* An object that may end by itself. */
struct cyc_node {
  cyc_u64 address; /* complemented */
  cyc_u64 bytes;
  struct cyc_row *row;
  struct cyc_open *region; /* null: none but the heap */
  struct cyc_node *before, *after; /* of the region */
  struct cyc_node *in_bucket;
};

struct cyc_sample {
  cyc_u64 ns, allocated, all, live[CYC_PROFILE_KINDS];
};

enum { CYC_SAMPLES = 1024 };

struct cyc_profile {
  int on;
  struct cyc_row *rows;
  struct cyc_place *places;
  struct cyc_amount live[CYC_PROFILE_KINDS], total[CYC_PROFILE_KINDS];
  struct cyc_sample now, peak; /* of `now` the time is set when it is kept */
  cyc_u64 peaks;               /* how often there was a new one */
  cyc_u64 began_ns;
  /* Each sample is the moment of most bytes among `step` events. */
  struct cyc_sample samples[CYC_SAMPLES];
  unsigned sampled;
  cyc_u64 step, events;
};
extern struct cyc_profile cyc_profile;

/* ---- table.c */

void *cyc_profile_memory(cyc_size bytes); /* zero; null when there is none */
/* The site that stands for all with the same contents; null when there is no memory, or for null. */
struct cyc_site *cyc_profile_same(struct cyc_site *site);
/* The same for contents that do not stay where they are. */
struct cyc_site *cyc_profile_site(const struct cyc_site *wanted);
struct cyc_row *cyc_profile_row(enum cyc_profile_kind kind, struct cyc_site *site, struct cyc_site *caller);
struct cyc_place *cyc_profile_place(enum cyc_profile_kind kind, struct cyc_site *site, struct cyc_site *caller);
struct cyc_node *cyc_profile_add_node(const void *object);
struct cyc_node *cyc_profile_find_node(const void *object);
struct cyc_open *cyc_profile_add_open(const cyc_region *r);
struct cyc_open *cyc_profile_find_open(const cyc_region *r);
/* Off the tables; their memory is used again. */
void cyc_profile_remove_node(struct cyc_node *node);
void cyc_profile_remove_open(struct cyc_open *region);
struct cyc_use *cyc_profile_take_use(struct cyc_row *row);
void cyc_profile_give_use(struct cyc_use *use);
/* Calls for each that is in the table; they may be removed. */
void cyc_profile_each_node(void (*visit)(struct cyc_node *));
void cyc_profile_each_open(void (*visit)(struct cyc_open *));

/* ---- sample.c */

/* After a change of what is live. */
void cyc_profile_event(void);
cyc_u64 cyc_profile_clock(void);

/* ---- record.c */

void cyc_profile_lock(void);
void cyc_profile_unlock(void);
/* Watches collections, if there are any. */
void cyc_profile_watch(void);

/* ---- write.c */

/* False, with errno, when it cannot be written. */
int cyc_profile_write(FILE *out);
void cyc_profile_print_leaks(void);

#endif

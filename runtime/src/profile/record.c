/* What emitted code and the run time tell: objects and regions that begin and end. */
#ifdef CYC_PROFILE
#include "profile.h"

#include <pthread.h>

#if CYC_HEAP_TRACED
#include <lowfat_gc.h>
#pragma weak lowfat_gc_on_event /* not in programs without a heap */
#pragma weak lowfat_gc_is_live
#endif

__thread struct cyc_site *cyc_profile_caller, *cyc_profile_here;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void cyc_profile_lock(void) { pthread_mutex_lock(&mutex); }
void cyc_profile_unlock(void) { pthread_mutex_unlock(&mutex); }

/* ---------------------------------------------------------------- amounts */

static void more(struct cyc_amount *amount, cyc_u64 bytes) {
  amount->bytes += bytes;
  amount->objects++;
}

static void less(struct cyc_amount *amount, struct cyc_amount gone) {
  amount->bytes -= gone.bytes;
  amount->objects -= gone.objects;
}

/* Before `live` of the row changes: what it was at the last peak, if it has not changed since. */
static void keep_peak(struct cyc_row *row) {
  if (row->peak == cyc_profile.peaks) return;
  row->peak = cyc_profile.peaks;
  row->at_peak = row->live.bytes;
}

static void born(struct cyc_row *row, cyc_u64 bytes) {
  keep_peak(row);
  more(&row->live, bytes);
  more(&row->total, bytes);
  if (row->live.bytes > row->most) row->most = row->live.bytes;
  more(&cyc_profile.live[row->kind], bytes);
  more(&cyc_profile.total[row->kind], bytes);
  cyc_profile.now.live[row->kind] += bytes;
  cyc_profile.now.all += bytes;
  cyc_profile.now.allocated += bytes;
}

static void dead(struct cyc_row *row, struct cyc_amount gone) {
  keep_peak(row);
  less(&row->live, gone);
  less(&cyc_profile.live[row->kind], gone);
  cyc_profile.now.live[row->kind] -= gone.bytes;
  cyc_profile.now.all -= gone.bytes;
}

/* ---------------------------------------------------------------- where */

/* A site that emitted code did not give. */
static struct cyc_site *made_site(const char *file, unsigned line) {
  return cyc_profile_site(
      &(struct cyc_site){.file = line ? file : 0, .line = line, .library = !line, .function = line ? 0 : file});
}

static struct cyc_site *take_here(const char *file, unsigned line) {
  struct cyc_site *here = cyc_profile_here;
  cyc_profile_here = 0;
  return here ? cyc_profile_same(here) : made_site(file, line);
}

static struct cyc_site *caller_of(const struct cyc_site *site) {
  return site && site->library ? cyc_profile_same(cyc_profile_caller) : 0;
}

/* ---------------------------------------------------------------- objects */

static void end_node(struct cyc_node *node) {
  struct cyc_amount gone = {node->bytes, 1};
  dead(node->row, gone);
  if (node->region) {
    node->region->live -= gone.bytes;
    less(&node->region->place->live, gone);
    if (node->before) node->before->after = node->after;
    else node->region->nodes = node->after;
    if (node->after) node->after->before = node->before;
  }
  cyc_profile_remove_node(node);
}

static struct cyc_node *begin_node(struct cyc_row *row, const void *object, cyc_u64 bytes) {
  struct cyc_node *old = cyc_profile_find_node(object);
  if (old) end_node(old); /* it ended unseen: collected, while this thread had the memory already */
  struct cyc_node *node = cyc_profile_add_node(object);
  if (!node) return 0;
  node->row = row;
  node->bytes = bytes;
  born(row, bytes);
  return node;
}

void cyc_profile_object(enum cyc_profile_kind kind, const void *object, cyc_size bytes, const char *file, unsigned line) {
  if (!cyc_profile.on) return;
  cyc_profile_lock();
  struct cyc_site *site = take_here(file, line);
  struct cyc_row *row = site ? cyc_profile_row(kind, site, caller_of(site)) : 0;
  if (row && begin_node(row, object, bytes)) cyc_profile_event();
  cyc_profile_unlock();
}

void cyc_profile_free(const void *object) {
  if (!cyc_profile.on || !object) return;
  cyc_profile_lock();
  struct cyc_node *node = cyc_profile_find_node(object);
  if (node) {
    end_node(node);
    cyc_profile_event();
  }
  cyc_profile_unlock();
}

/* ---------------------------------------------------------------- regions */

static struct cyc_open *open_region(cyc_region *r, struct cyc_site *site, cyc_size size) {
  enum cyc_profile_kind kind = size ? CYC_PROFILE_POOL : CYC_PROFILE_REGION;
  struct cyc_place *place = site ? cyc_profile_place(kind, site, caller_of(site)) : 0;
  struct cyc_open *region = place ? cyc_profile_add_open(r) : 0;
  if (!region) return 0;
  place->opened++;
  place->open++;
  if (size > place->size) place->size = size;
  region->place = place;
  region->dynamic = !site->region;
  return region;
}

static void close_region(struct cyc_open *region) {
  while (region->nodes) end_node(region->nodes);
  for (struct cyc_use *use = region->uses, *next; use; use = next) {
    next = use->next;
    dead(use->row, use->live);
    less(&region->place->live, use->live);
    cyc_profile_give_use(use);
  }
  region->place->open--;
  cyc_profile_remove_open(region);
}

void cyc_profile_open(cyc_region *r, const char *name, cyc_size size) {
  if (!cyc_profile.on) return;
  cyc_profile_lock();
  struct cyc_open *old = cyc_profile_find_open(r);
  if (old) close_region(old);
  open_region(r, take_here(name, 0), size);
  cyc_profile_unlock();
}

void cyc_profile_close(cyc_region *r) {
  if (!cyc_profile.on) return;
  cyc_profile_lock();
  struct cyc_open *region = cyc_profile_find_open(r);
  if (region) {
    close_region(region);
    cyc_profile_event();
  }
  cyc_profile_unlock();
}

/* The region's objects of the row, which comes first afterwards: the next one is often of the same. */
static struct cyc_use *use_of(struct cyc_open *region, struct cyc_row *row) {
  struct cyc_use **link = &region->uses;
  while (*link && (*link)->row != row) link = &(*link)->next;
  struct cyc_use *use = *link;
  if (use) *link = use->next;
  else if (!(use = cyc_profile_take_use(row))) return 0;
  use->next = region->uses;
  return region->uses = use;
}

static void in_region(cyc_region *r, struct cyc_site *site, const void *object, cyc_u64 bytes) {
  struct cyc_open *region = cyc_profile_find_open(r);
  if (!region) region = open_region(r, made_site("region", 0), 0); /* C code made it, or it began before the profile */
  struct cyc_row *row = region && site ? cyc_profile_row(region->place->kind, site, caller_of(site)) : 0;
  if (!row) return;
  if (object) {
    struct cyc_node *node = begin_node(row, object, bytes);
    if (!node) return;
    node->region = region;
    node->after = region->nodes;
    if (node->after) node->after->before = node;
    region->nodes = node;
  } else {
    struct cyc_use *use = use_of(region, row);
    if (!use) return;
    more(&use->live, bytes);
    born(row, bytes);
  }
  more(&region->place->live, bytes);
  more(&region->place->total, bytes);
  region->live += bytes;
  if (region->live > region->place->largest) region->place->largest = region->live;
  cyc_profile_event();
}

void cyc_profile_in_region(cyc_region *r, const void *object, cyc_size bytes, const char *file, unsigned line) {
  if (!cyc_profile.on || r == &cyc_rgn_heap) return;
  cyc_profile_lock();
  in_region(r, take_here(file, line), object, bytes);
  cyc_profile_unlock();
}

/* ---------------------------------------------------------------- collections */

#if CYC_HEAP_TRACED
static lowfat_gc_event_handler *before_us;

static void lose(struct cyc_node *node) {
  struct cyc_row *row = node->row;
  if (row->kind != CYC_PROFILE_HEAP) more(&row->lost, node->bytes);
  end_node(node);
}

/* Objects of the heap that were not reached are dead, though their memory is not free yet; lost ones have been freed. */
static void judge_node(struct cyc_node *node) {
  const void *object = (const void *)~node->address;
  if (node->region) return;
  if (node->row->kind == CYC_PROFILE_HEAP ? !lowfat_gc_is_live(object) : !lowfat_is_live(object)) lose(node);
}

static void judge_region(struct cyc_open *region) {
  if (region->dynamic && cyc_heap_base((void *)region->address) && !lowfat_is_live((void *)region->address))
    close_region(region);
}

static void on_event(enum lowfat_gc_event event) {
  if (event == LOWFAT_GC_BEGIN) cyc_profile_lock();
  if (event == LOWFAT_GC_END) {
    if (cyc_profile.on) {
      cyc_profile_each_open(judge_region);
      cyc_profile_each_node(judge_node);
      cyc_profile_event();
    }
    cyc_profile_unlock();
  }
  if (before_us) before_us(event);
}

void cyc_profile_watch(void) {
  if (lowfat_gc_on_event) before_us = lowfat_gc_on_event(on_event);
}
#else
void cyc_profile_watch(void) {}
#endif
#endif

/* Scoped pools: dynamic regions of fixed size (lib/include/pool.h), on lowfat_pool.h.
 *
 * Unique and counted objects and arrays lie in the pool's unmanaged memory and are given back one by one; the others are
 * bumped from its plain memory, which is the region's one and only page. The pool, with its tables, is an object of the region
 * around it, which may be the heap, and so is the key: what the key's region outlives, the pool outlives.
 */
#include "owned.h"
#include "page.h"

#include <lowfat_pool.h>

#include <string.h>

/* `new Core::Invalid_argument(what)`, made by lib/src/core.cyc. */
struct cyc_exn *cyc_invalid_argument(const char *what) __asm__("Cyc_Core$$invalid_argument");

struct scope {
  cyc_region region; /* first: the key is its address */
  struct cyc_rgn_owned owned;
  struct lowfat_pool *pool;
  cyc_region *around;
  void *memory; /* the pool's, of that region */
};

static struct lowfat_pool *pool_of(const cyc_region *r) { return ((const struct scope *)r)->pool; }

static void *scope_alloc(cyc_region *r, cyc_size size, const char *file, unsigned line) {
  void *object = lowfat_pool_malloc(pool_of(r), size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  return object;
}

/* All of an object's cell, of which a sanitizer knows only what was asked for. */
CYC_RAW static void overwrite(void *object, cyc_size size) {
  volatile char *bytes = object;
  for (cyc_size i = 0; i < size; i++) bytes[i] = (char)CYC_RGN_FREED;
}

static void scope_free(cyc_region *r, void *object) {
  struct lowfat_pool *pool = pool_of(r);
  if (CYC_UNLIKELY(cyc_rgn_hostile())) overwrite(object, lowfat_pool_usable_size(pool, object));
  lowfat_pool_free(pool, object);
}

static cyc_u64 scope_free_bytes(const cyc_region *r) {
  return lowfat_pool_unmanaged(pool_of(r)) - lowfat_pool_consumed_unmanaged(pool_of(r));
}

/* Memory for a pool itself; of the heap, or of a region. Raises Bad_alloc. */
static void *take(cyc_region *around, cyc_size bytes, const char *name) {
  if (around != &cyc_rgn_heap) return cyc_reap_take(around, bytes, name, 0);
  void *object = cyc_unique_get(bytes);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, bytes, name, 0);
  return object;
}

static void give(cyc_region *around, void *object) {
  if (around == &cyc_rgn_heap) cyc_ufree(object);
  else cyc_reap_free(around, object);
}

static void scope_end(cyc_region *r) {
  struct scope *scope = (struct scope *)r;
  cyc_region *around = scope->around;
  CYC_PROFILED(cyc_profile_close(r));
  cyc_rgn_drop_pool(r);
  lowfat_pool_destroy(scope->pool);
  give(around, scope->memory);
  give(around, scope);
}

static const struct cyc_rgn_scope functions = {scope_alloc, scope_free, scope_free_bytes, scope_end};

/* A pool of these sizes, in bytes, with its key; both in the region `around`. Raises Invalid_argument for a negative size and
 * Bad_alloc when there is no room, and has taken nothing then. */
void *cyc_scope_new(cyc_region *around, cyc_i64 unmanaged, cyc_i64 plain) {
  static const char name[] = "new_pool";
  if (unmanaged < 0 || plain < 0) cyc_throw(cyc_invalid_argument(name), name, 0);
  cyc_size bytes = lowfat_pool_bytes((cyc_size)unmanaged, (cyc_size)plain);
  if (bytes == 0) cyc_fail_alloc(1, (cyc_size)unmanaged, name, 0);
  bytes += LOWFAT_POOL_BLOCK; /* to begin at a multiple of a block */
  void *memory = take(around, bytes, name);
  cyc_handler handler;
  if (CYC_TRY(handler)) {
    give(around, memory);
    cyc_rethrow(cyc_caught());
  }
  struct scope *scope = take(around, sizeof *scope, name);
  CYC_POP(handler);
  memset(scope, 0, sizeof *scope);
  cyc_size skip = -(cyc_size)memory % LOWFAT_POOL_BLOCK;
  scope->pool = lowfat_pool_create_at((char *)memory + skip, bytes - skip, (cyc_size)unmanaged, LOWFAT_POOL_PRIVATE);
  scope->around = around;
  scope->memory = memory;
  scope->owned.scope = &functions;
  scope->region.owned = &scope->owned;
  cyc_size room = ((cyc_size)plain + 15) & ~(cyc_size)15;
  if (room) {
    scope->region.bump = lowfat_pool_new(scope->pool, room);
    scope->region.limit = scope->region.bump + room;
    CYC_RGN_CLOSE(scope->region.bump, room);
  }
  scope->region.used = lowfat_pool_unmanaged(scope->pool) + room;
  CYC_PROFILED(cyc_profile_open(&scope->region, name, scope->region.used));
  return scope;
}

void *cyc_scope_new_in_heap(cyc_i64 unmanaged, cyc_i64 plain) { return cyc_scope_new(&cyc_rgn_heap, unmanaged, plain); }

/* ---------------------------------------------------------------- arrays */

/* An array of `count` copies of the element at `first`; in a region that is no pool, an object like all others. Raises
 * Invalid_argument, Bad_alloc. */
struct lowfat_pool_array *cyc_scope_array(cyc_region *r, int count, const void *first, cyc_u64 size) {
  static const char name[] = "new_array";
  if (count < 0 || size > UINT32_MAX) cyc_throw(cyc_invalid_argument(name), name, 0);
  struct lowfat_pool_array *array;
  if (cyc_rgn_scope(r)) {
    array = lowfat_pool_array_new(pool_of(r), (cyc_size)count, size);
    if (!array) cyc_fail_alloc((cyc_u64)count, size, name, 0);
    CYC_PROFILED(cyc_profile_in_region(r, array, (cyc_size)count * size, name, 0));
  } else {
    array = cyc_reap_alloc(r, sizeof *array + (cyc_size)count * size, name, 0);
    *array = (struct lowfat_pool_array){.base = (char *)(array + 1), .count = (cyc_size)count, .shape = size};
  }
  for (cyc_size i = 0; i < (cyc_size)count; i++) memcpy(lowfat_pool_array_locate_(array, i, size), first, size);
  return array;
}

int cyc_scope_array_length(const struct lowfat_pool_array *array) { return (int)array->count; }

/* Element `index`. Raises Array_bounds. */
void *cyc_scope_array_at(const struct lowfat_pool_array *array, int index) {
  if (CYC_UNLIKELY(index < 0 || (cyc_size)index >= array->count)) cyc_fail_index(index, array->count, "Pool::at", 0);
  return lowfat_pool_array_locate_(array, (cyc_size)index, lowfat_pool_array_size(array));
}

/* The elements from `index` on that lie side by side. Raises Array_bounds. */
cyc_fat cyc_scope_array_span(const struct lowfat_pool_array *array, int index) {
  if (CYC_UNLIKELY(index < 0 || (cyc_size)index >= array->count)) cyc_fail_index(index, array->count, "Pool::span", 0);
  cyc_size number;
  void *first = lowfat_pool_array_span(array, (cyc_size)index, array->count, lowfat_pool_array_size(array), &number);
  return cyc_fat_make(first, number);
}

/* ---------------------------------------------------------------- figures, in bytes */

cyc_u64 cyc_scope_consumed(const cyc_region *r) {
  if (!cyc_rgn_scope(r)) cyc_throw(cyc_invalid_argument("consumed"), "consumed", 0);
  return lowfat_pool_consumed(pool_of(r)) - (cyc_size)(r->limit - r->bump);
}

cyc_u64 cyc_scope_consumed_unmanaged(const cyc_region *r) {
  if (!cyc_rgn_scope(r)) cyc_throw(cyc_invalid_argument("consumed_unmanaged"), "consumed_unmanaged", 0);
  return lowfat_pool_consumed_unmanaged(pool_of(r));
}

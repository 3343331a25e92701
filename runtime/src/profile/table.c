/* The tables of a memory profile: hash tables with chains, in memory that is never given back. */
#ifdef CYC_PROFILE
#include "profile.h"

#include <string.h>
#include <sys/mman.h>

struct cyc_profile cyc_profile;

static struct {
  char *next, *limit;
} memory;

enum { PIECE = 1 << 20 };

void *cyc_profile_memory(cyc_size bytes) {
  bytes = (bytes + 15) & ~(cyc_size)15;
  if (bytes > (cyc_size)(memory.limit - memory.next)) {
    cyc_size piece = bytes > PIECE ? bytes : PIECE;
    char *fresh = mmap(0, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) return 0;
    memory.next = fresh;
    memory.limit = fresh + piece;
  }
  char *got = memory.next;
  memory.next += bytes;
  return got;
}

static cyc_u64 mix(cyc_u64 a, cyc_u64 b) {
  cyc_u64 x = (a ^ (b >> 4) ^ (b << 29)) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

/* ---------------------------------------------------------------- sites */

enum { SITE_BUCKETS = 1 << 12 };

struct known {
  struct cyc_site *site;
  struct known *in_bucket;
};
static struct known *sites[SITE_BUCKETS];

static cyc_u64 hash_text(cyc_u64 hash, const char *text) {
  for (; text && *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

static int same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static struct known **bucket_of(const struct cyc_site *site) {
  return &sites[mix(hash_text(hash_text(site->line, site->file), site->function), 0) % SITE_BUCKETS];
}

static struct cyc_site *find_site(const struct cyc_site *site) {
  for (struct known *k = *bucket_of(site); k; k = k->in_bucket) {
    struct cyc_site *s = k->site;
    if (s->line == site->line && s->library == site->library && same_text(s->file, site->file) &&
        same_text(s->function, site->function) && same_text(s->region, site->region))
      return s;
  }
  return 0;
}

static struct cyc_site *add_site(struct cyc_site *site) {
  struct known *k = cyc_profile_memory(sizeof *k);
  struct known **bucket = bucket_of(site);
  if (!k) return 0;
  *k = (struct known){site, *bucket};
  *bucket = k;
  return site;
}

struct cyc_site *cyc_profile_same(struct cyc_site *site) {
  if (!site) return 0;
  if (!site->same) {
    struct cyc_site *same = find_site(site);
    site->same = same ? same : add_site(site);
  }
  return site->same;
}

struct cyc_site *cyc_profile_site(const struct cyc_site *wanted) {
  struct cyc_site *site = find_site(wanted);
  if (site) return site;
  site = cyc_profile_memory(sizeof *site);
  if (!site) return 0;
  *site = *wanted;
  return site->same = add_site(site);
}

/* ---------------------------------------------------------------- rows and places */

enum { ROW_BUCKETS = 1 << 12 };
static struct cyc_row *rows[ROW_BUCKETS];

struct cyc_row *cyc_profile_row(enum cyc_profile_kind kind, struct cyc_site *site, struct cyc_site *caller) {
  struct cyc_row **bucket = &rows[mix(mix(kind, (cyc_u64)site), (cyc_u64)caller) % ROW_BUCKETS];
  for (struct cyc_row *row = *bucket; row; row = row->in_bucket)
    if (row->site == site && row->caller == caller && row->kind == kind) return row;
  struct cyc_row *row = cyc_profile_memory(sizeof *row);
  if (!row) return 0;
  *row = (struct cyc_row){
      .kind = kind, .site = site, .caller = caller, .peak = cyc_profile.peaks, .in_bucket = *bucket, .next = cyc_profile.rows};
  return *bucket = cyc_profile.rows = row;
}

/* There are as many as `region` blocks in the source: a list will do. */
struct cyc_place *cyc_profile_place(enum cyc_profile_kind kind, struct cyc_site *site, struct cyc_site *caller) {
  for (struct cyc_place *place = cyc_profile.places; place; place = place->next)
    if (place->site == site && place->caller == caller && place->kind == kind) return place;
  struct cyc_place *place = cyc_profile_memory(sizeof *place);
  if (!place) return 0;
  *place = (struct cyc_place){.kind = kind, .site = site, .caller = caller, .next = cyc_profile.places};
  return cyc_profile.places = place;
}

/* ---------------------------------------------------------------- objects and open regions */

static struct cyc_use *free_uses;

struct cyc_use *cyc_profile_take_use(struct cyc_row *row) {
  struct cyc_use *use = free_uses;
  if (use) free_uses = use->next;
  else if (!(use = cyc_profile_memory(sizeof *use))) return 0;
  *use = (struct cyc_use){.row = row};
  return use;
}

void cyc_profile_give_use(struct cyc_use *use) {
  use->next = free_uses;
  free_uses = use;
}

/* Grows when it holds as many as it has buckets; what it had stays in the profile's memory, half as much as it has now. */
#define TABLE(type, name)                                                                                        \
  static struct {                                                                                                \
    struct type **buckets;                                                                                       \
    cyc_u64 count, held;                                                                                         \
    struct type *free;                                                                                           \
  } name;                                                                                                        \
  static struct type **name##_bucket(cyc_u64 key) { return &name.buckets[mix(key, key) & (name.count - 1)]; }     \
  static int name##_grow(void) {                                                                                 \
    cyc_u64 before = name.count;                                                                                 \
    struct type **old = name.buckets;                                                                            \
    struct type **fresh = cyc_profile_memory((before ? before * 2 : 1024) * sizeof *fresh);                      \
    if (!fresh) return before != 0;                                                                              \
    name.buckets = fresh;                                                                                        \
    name.count = before ? before * 2 : 1024;                                                                     \
    for (cyc_u64 i = 0; i < before; i++)                                                                         \
      for (struct type *each = old[i], *next; each; each = next) {                                               \
        next = each->in_bucket;                                                                                  \
        struct type **bucket = name##_bucket(each->address);                                                     \
        each->in_bucket = *bucket;                                                                               \
        *bucket = each;                                                                                          \
      }                                                                                                          \
    return 1;                                                                                                    \
  }                                                                                                              \
  static struct type *name##_add(cyc_u64 key) {                                                                  \
    if (name.held >= name.count && !name##_grow()) return 0;                                                     \
    struct type *fresh = name.free;                                                                              \
    if (fresh) name.free = fresh->in_bucket;                                                                     \
    else if (!(fresh = cyc_profile_memory(sizeof *fresh))) return 0;                                             \
    struct type **bucket = name##_bucket(key);                                                                   \
    *fresh = (struct type){.address = key, .in_bucket = *bucket};                                                \
    name.held++;                                                                                                 \
    return *bucket = fresh;                                                                                      \
  }                                                                                                              \
  static struct type *name##_find(cyc_u64 key) {                                                                 \
    if (!name.count) return 0;                                                                                   \
    struct type *each = *name##_bucket(key);                                                                     \
    while (each && each->address != key) each = each->in_bucket;                                                 \
    return each;                                                                                                 \
  }                                                                                                              \
  static void name##_remove(struct type *gone) {                                                                 \
    struct type **link = name##_bucket(gone->address);                                                           \
    while (*link != gone) link = &(*link)->in_bucket;                                                            \
    *link = gone->in_bucket;                                                                                     \
    gone->in_bucket = name.free;                                                                                 \
    name.free = gone;                                                                                            \
    name.held--;                                                                                                 \
  }                                                                                                              \
  static void name##_each(void (*visit)(struct type *)) {                                                        \
    for (cyc_u64 i = 0; i < name.count; i++)                                                                     \
      for (struct type *each = name.buckets[i], *next; each; each = next) {                                      \
        next = each->in_bucket;                                                                                  \
        visit(each);                                                                                             \
      }                                                                                                          \
  }

TABLE(cyc_node, nodes)
TABLE(cyc_open, opens)

struct cyc_node *cyc_profile_add_node(const void *object) { return nodes_add(~(cyc_u64)object); }
struct cyc_node *cyc_profile_find_node(const void *object) { return nodes_find(~(cyc_u64)object); }
void cyc_profile_remove_node(struct cyc_node *node) { nodes_remove(node); }
void cyc_profile_each_node(void (*visit)(struct cyc_node *)) { nodes_each(visit); }

struct cyc_open *cyc_profile_add_open(const cyc_region *r) { return opens_add((cyc_u64)r); }
struct cyc_open *cyc_profile_find_open(const cyc_region *r) { return opens_find((cyc_u64)r); }
void cyc_profile_remove_open(struct cyc_open *region) { opens_remove(region); }
void cyc_profile_each_open(void (*visit)(struct cyc_open *)) { opens_each(visit); }
#endif

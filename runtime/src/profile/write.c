/* A memory profile as JSON (docs/memory-profile.md has the format), and its leaks for the terminal. */
#ifdef CYC_PROFILE
#include "profile.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"heap", "unique", "counted", "region", "pool"};
_Static_assert(sizeof kinds / sizeof *kinds == CYC_PROFILE_KINDS, "each kind has a name");

/* ---------------------------------------------------------------- JSON */

static void put_text(FILE *out, const char *text) {
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < ' ') fprintf(out, "\\u%04x", c);
    else fputc(c, out);
  }
  fputc('"', out);
}

static void put_number(FILE *out, const char *name, cyc_u64 number) {
  fprintf(out, ", \"%s\": %llu", name, (unsigned long long)number);
}

static void put_amount(FILE *out, const char *what, struct cyc_amount amount) {
  fprintf(out, ", \"%s_bytes\": %llu, \"%s_objects\": %llu", what, (unsigned long long)amount.bytes, what,
          (unsigned long long)amount.objects);
}

/* Of a module of the library its name is enough: where it is unpacked is nobody's business. */
static const char *file_of(const struct cyc_site *site) {
  const char *slash = site->library && site->file ? strrchr(site->file, '/') : 0;
  return slash ? slash + 1 : site->file;
}

static void put_site(FILE *out, const struct cyc_site *site) {
  fputs("\"function\": ", out);
  put_text(out, site->function);
  fputs(", \"file\": ", out);
  put_text(out, file_of(site));
  put_number(out, "line", site->line);
}

/* The place in the user's source, and the one in the library that was reached from there. */
static void put_position(FILE *out, const struct cyc_site *site, const struct cyc_site *caller) {
  put_site(out, caller ? caller : site);
  fputs(", \"via\": ", out);
  if (!caller) {
    fputs("null", out);
    return;
  }
  fputc('{', out);
  put_site(out, site);
  fputc('}', out);
}

static void put_sample(FILE *out, const struct cyc_sample *s, const char *before) {
  fprintf(out, "%s    [%llu, %llu", before, (unsigned long long)s->ns, (unsigned long long)s->allocated);
  for (unsigned kind = 0; kind < CYC_PROFILE_KINDS; kind++) fprintf(out, ", %llu", (unsigned long long)s->live[kind]);
  fputc(']', out);
}

static void put_samples(FILE *out) {
  struct cyc_profile *p = &cyc_profile;
  p->now.ns = cyc_profile_clock() - p->began_ns;
  fputs("  \"samples\": [\n", out);
  put_sample(out, &(struct cyc_sample){0}, "");
  for (unsigned i = 0; i < p->sampled; i++) put_sample(out, &p->samples[i], ",\n");
  put_sample(out, &p->now, ",\n");
  fputs("\n  ],\n", out);
}

static cyc_u64 at_peak(const struct cyc_row *row) { return row->peak == cyc_profile.peaks ? row->at_peak : row->live.bytes; }

static void put_kinds(FILE *out) {
  fputs("  \"kinds\": [\n", out);
  for (unsigned kind = 0; kind < CYC_PROFILE_KINDS; kind++) {
    fprintf(out, "    {\"kind\": \"%s\"", kinds[kind]);
    put_amount(out, "allocated", cyc_profile.total[kind]);
    put_amount(out, "live", cyc_profile.live[kind]);
    put_number(out, "at_peak_bytes", cyc_profile.peak.live[kind]);
    fputs(kind + 1 < CYC_PROFILE_KINDS ? "},\n" : "}\n", out);
  }
  fputs("  ],\n", out);
}

static void put_rows(FILE *out) {
  fputs("  \"sites\": [", out);
  for (const struct cyc_row *row = cyc_profile.rows; row; row = row->next) {
    fprintf(out, "%s\n    {\"kind\": \"%s\", ", row == cyc_profile.rows ? "" : ",", kinds[row->kind]);
    put_position(out, row->site, row->caller);
    put_amount(out, "allocated", row->total);
    put_amount(out, "live", row->live);
    put_amount(out, "lost", row->lost);
    put_number(out, "most_bytes", row->most);
    put_number(out, "at_peak_bytes", at_peak(row));
    fputc('}', out);
  }
  fputs("\n  ],\n", out);
}

static void put_places(FILE *out) {
  fputs("  \"regions\": [", out);
  for (const struct cyc_place *place = cyc_profile.places; place; place = place->next) {
    fprintf(out, "%s\n    {\"kind\": \"%s\", \"name\": ", place == cyc_profile.places ? "" : ",", kinds[place->kind]);
    put_text(out, place->site->region);
    fputs(", ", out);
    put_position(out, place->site, place->caller);
    put_number(out, "opened", place->opened);
    put_number(out, "open", place->open);
    put_amount(out, "allocated", place->total);
    put_amount(out, "live", place->live);
    put_number(out, "largest_bytes", place->largest);
    put_number(out, "size", place->size);
    fputc('}', out);
  }
  fputs("\n  ]\n", out);
}

int cyc_profile_write(FILE *out) {
  const struct cyc_sample *peak = &cyc_profile.peak;
  fputs("{\n  \"format\": \"Cyclone memory profile\",\n  \"version\": 1,\n  \"program\": ", out);
  extern char *program_invocation_short_name;
  put_text(out, program_invocation_short_name);
  fprintf(out, ",\n  \"ns\": %llu,\n  \"allocated_bytes\": %llu,\n", (unsigned long long)(cyc_profile_clock() - cyc_profile.began_ns),
          (unsigned long long)cyc_profile.now.allocated);
  fprintf(out, "  \"peak\": {\"ns\": %llu, \"allocated_bytes\": %llu, \"live_bytes\": %llu},\n", (unsigned long long)peak->ns,
          (unsigned long long)peak->allocated, (unsigned long long)peak->all);
  put_kinds(out);
  put_samples(out);
  put_rows(out);
  put_places(out);
  fputs("}\n", out);
  return fflush(out) == 0 && !ferror(out);
}

/* ---------------------------------------------------------------- leaks */

struct leak {
  const char *kind;
  struct cyc_site *site, *caller;
  struct cyc_amount amount;
};

enum { MOST_LEAKS = 20 };

static int larger_first(const void *a, const void *b) {
  cyc_u64 x = ((const struct leak *)a)->amount.bytes, y = ((const struct leak *)b)->amount.bytes;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* Unique and counted objects that nobody freed: those that live still, and those that the collector freed. */
static unsigned find_leaks(struct leak *leaks, struct cyc_amount *all) {
  unsigned count = 0;
  for (const struct cyc_row *row = cyc_profile.rows; row; row = row->next) {
    if (row->kind != CYC_PROFILE_UNIQUE && row->kind != CYC_PROFILE_COUNTED) continue;
    struct cyc_amount amount = {row->live.bytes + row->lost.bytes, row->live.objects + row->lost.objects};
    if (!amount.objects) continue;
    all->bytes += amount.bytes;
    all->objects += amount.objects;
    leaks[count++] = (struct leak){kinds[row->kind], row->site, row->caller, amount};
  }
  return count;
}

static void print_site(const struct cyc_site *site) {
  if (site->file && site->function) fprintf(stderr, "%s:%u in %s", site->file, site->line, site->function);
  else if (site->file) fprintf(stderr, "%s:%u", site->file, site->line);
  else fputs(site->function, stderr);
}

static void print_position(const struct cyc_site *site, const struct cyc_site *caller) {
  print_site(caller ? caller : site);
  if (caller) fprintf(stderr, ", by %s", site->function);
  fputc('\n', stderr);
}

static void print_regions(void) {
  for (const struct cyc_place *place = cyc_profile.places; place; place = place->next) {
    if (!place->open || place->site->region) continue; /* those of blocks end however the program does */
    fprintf(stderr, "memory: %llu dynamic %s with %llu bytes never ended: ", (unsigned long long)place->open,
            place->open == 1 ? kinds[place->kind] : place->kind == CYC_PROFILE_POOL ? "pools" : "regions",
            (unsigned long long)place->live.bytes);
    print_position(place->site, place->caller);
  }
}

void cyc_profile_print_leaks(void) {
  unsigned rows = 0;
  for (const struct cyc_row *row = cyc_profile.rows; row; row = row->next) rows++;
  struct leak *leaks = cyc_profile_memory((rows + 1) * sizeof *leaks);
  struct cyc_amount all = {0, 0};
  if (!leaks) return;
  unsigned count = find_leaks(leaks, &all);
  qsort(leaks, count, sizeof *leaks, larger_first);
  if (count)
    fprintf(stderr, "memory: %llu object%s never freed, %llu bytes\n", (unsigned long long)all.objects,
            all.objects == 1 ? " was" : "s were", (unsigned long long)all.bytes);
  for (unsigned i = 0; i < count && i < MOST_LEAKS; i++) {
    fprintf(stderr, "%12llu bytes in %llu %s: ", (unsigned long long)leaks[i].amount.bytes,
            (unsigned long long)leaks[i].amount.objects, leaks[i].kind);
    print_position(leaks[i].site, leaks[i].caller);
  }
  if (count > MOST_LEAKS) fprintf(stderr, "        and %u more places: the profile has all\n", count - MOST_LEAKS);
  print_regions();
}
#endif

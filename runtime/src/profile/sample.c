/* How memory changes over time, in a fixed number of samples.
 *
 * Time is divided into buckets of `step` events, and each keeps its moment of most bytes, so that no peak is lost however long the
 * program runs. When there is no room for one more, neighbours become one and the step doubles.
 */
#ifdef CYC_PROFILE
#include "profile.h"

#include <time.h>

cyc_u64 cyc_profile_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (cyc_u64)now.tv_sec * 1000000000 + (cyc_u64)now.tv_nsec;
}

static void halve(void) {
  struct cyc_sample *s = cyc_profile.samples;
  for (unsigned i = 0; i < CYC_SAMPLES / 2; i++) s[i] = s[2 * i + 1].all > s[2 * i].all ? s[2 * i + 1] : s[2 * i];
  cyc_profile.sampled = CYC_SAMPLES / 2;
  cyc_profile.step *= 2;
}

void cyc_profile_event(void) {
  struct cyc_profile *p = &cyc_profile;
  struct cyc_sample *last = p->samples + p->sampled - 1;
  if (p->events == p->step) { /* the last bucket is full, or this is the first event */
    if (p->sampled == CYC_SAMPLES) halve();
    last = p->samples + p->sampled++;
    p->events = 0;
  }
  if (p->events == 0 || p->now.all > last->all) {
    p->now.ns = cyc_profile_clock() - p->began_ns;
    *last = p->now;
  }
  p->events++;
  if (p->now.all > p->peak.all) {
    p->peak = p->now;
    p->peaks++;
  }
}
#endif

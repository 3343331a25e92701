#include <lowfat_gc.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#pragma weak lowfat_gc_collect /* not in programs without a collector */
#pragma weak lowfat_gc_on_event

/* Steps of two threads. */
static atomic_ulong steps[2];
static atomic_int ended, held;

int c_step(int thread) {
  steps[thread]++;
  return !ended;
}
void c_end(void) { ended = 1; }

/* While the program is stopped: the first thread makes progress, the second does not. */
static void on_event(enum lowfat_gc_event event) {
  if (event != LOWFAT_GC_STOPPED) return;
  unsigned long free_one = steps[0], stopped = steps[1];
  while (steps[0] < free_one + 1000) sched_yield();
  if (steps[1] != stopped) abort();
  held++;
}

/* Holds so many collections; how many there were. Without a collector nobody is ever stopped. */
int c_hold_collections(int n) {
  while (steps[0] == 0 || steps[1] == 0) sched_yield();
  if (!lowfat_gc_collect) return n;
  lowfat_gc_on_event(on_event);
  for (int i = 0; i < n; i++) lowfat_gc_collect();
  lowfat_gc_on_event(0);
  return held >= n ? n : held; /* others may have been, by themselves */
}

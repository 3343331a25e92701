/* check.h - what the tests of the traced heap share beyond those of liblowfat: pointers the collector cannot see. */
#ifndef LOWFAT_GC_TEST_CHECK_H
#define LOWFAT_GC_TEST_CHECK_H
#include "../lowfat/check.h"
#include <lowfat_gc.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

/* An address in a form that keeps nothing. */
typedef uintptr_t hidden;
static inline hidden hide(const void *p) {
    hidden h = ~(uintptr_t)p;
    __asm__("" : "+r"(h)); /* so that the compiler keeps nothing else either */
    return h;
}
static NOINLINE __attribute__((unused)) int kept(hidden h) { return lowfat_gc_is_live((void *)~h); }
static NOINLINE __attribute__((unused)) int int_at(hidden h) { return *(int *)~h; }

/* Overwrites what former calls left on the stack below and in registers. */
static NOINLINE __attribute__((unused)) void clear_stack(void) {
    volatile char junk[16384];
    memset((char *)junk, 0, sizeof junk);
    __asm__ volatile("" : : "r"(junk) : "memory");
}

static inline struct lowfat_gc_stats stats_now(void) {
    struct lowfat_gc_stats stats;
    lowfat_gc_stats(&stats);
    return stats;
}
#endif

/* globals.c - low-fat global objects (section 2.4).
 *
 * lowfat-globals.ld puts the section of each power-of-two slot size into a region of its own and defines the
 * symbol below; a program linked without it leaves the symbol undefined, that is null. */
#include "internal.h"

/* Null without the script.  Read from the global offset table by an instruction the linker does not shorten: the symbol
 * is further away than 32 bits. */
static uintptr_t globals_base(void) {
    uintptr_t *entry;
    __asm__(".weak lowfat_globals_base\n\tleaq lowfat_globals_base@GOTPCREL(%%rip), %0" : "=r"(entry));
    return *entry;
}

#define SMALLEST 4 /* log2 of the slot sizes in the script */
#define LARGEST 20

void lowfat_globals_init(void) {
    uintptr_t base = globals_base();
    if (base == 0 || base % LOWFAT_REGION_SIZE != 0)
        return;
    /* `free` looks at the state byte of any base pointer before it knows its kind: one readable byte per slot. */
    for (unsigned log = SMALLEST; log <= LARGEST; log++) {
        uintptr_t region = base + (log - SMALLEST) * LOWFAT_REGION_SIZE;
        uint8_t *states = (uint8_t *)lowfat_os_reserve((LOWFAT_REGION_SIZE >> log) + 1, false);
        if (states == NULL)
            continue; /* address space is short: these stay ordinary */
        lowfat_map_set(region, (uint64_t)1 << log, lowfat_class_of_size((size_t)1 << log), LOWFAT_KIND_GLOBAL,
                       states - (region >> log));
    }
}

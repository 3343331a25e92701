/* What programs of csmith expect of their run time, in typed Cyclone.
 *
 * The arithmetic of `safe_math.h` is csmith's own file (Debian: libcsmith-dev), compiled by `cyc` like the rest; here is
 * only the checksum, with parameters that say what they are. Prints exactly what csmith's own header prints. */
#ifndef EYEWALL_CSMITH_H
#define EYEWALL_CSMITH_H

#include <stdint.h>
#include <limits.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#define STATIC static
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#include "safe_math.h"
#undef FUNC_NAME

#define INT_BIT (sizeof(int) * CHAR_BIT)
#define _CSMITH_BITFIELD(x) (((x) > INT_BIT) ? ((x) % INT_BIT) : (x))

static uint32_t crc32_tab[256];
static uint32_t crc32_context = 0xFFFFFFFFU;

static void crc32_gentab(void) {
  const uint32_t poly = 0xEDB88320U;
  for (int i = 0; i < 256; i++) {
    uint32_t crc = (uint32_t)i;
    for (int j = 8; j > 0; j--) crc = (crc & 1) ? (crc >> 1) ^ poly : crc >> 1;
    crc32_tab[i] = crc;
  }
}

static void crc32_byte(uint8_t b) {
  crc32_context = ((crc32_context >> 8) & 0x00FFFFFF) ^ crc32_tab[(crc32_context ^ b) & 0xFF];
}

static void transparent_crc(uint64_t value, const char *name, int flag) {
  for (int shift = 0; shift < 64; shift += 8) crc32_byte((uint8_t)(value >> shift));
  if (flag) printf("...checksum after hashing %s : %lX\n", name, (unsigned long)crc32_context ^ 0xFFFFFFFFUL);
}

static void platform_main_begin(void) {}

static void platform_main_end(uint32_t crc, int flag) { printf("checksum = %X\n", crc); }

#endif

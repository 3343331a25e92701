/* The heap of `new`, `malloc` and `calloc`: objects live until the program ends. */
#include "cyc_rt.h"

#include <stdlib.h>

/* An object of no bytes still has an address of its own. */
static cyc_size at_least_one(cyc_size size) { return size ? size : 1; }

void *cyc_alloc(cyc_size size, const char *file, unsigned line) {
  void *object = malloc(at_least_one(size));
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  return object;
}

void *cyc_alloc_zero(cyc_size size, const char *file, unsigned line) {
  void *object = calloc(1, at_least_one(size));
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  return object;
}

void *cyc_alloc_array(cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  void *object = 0;
  if (CYC_LIKELY(count <= CYC_FAT_MAX && !__builtin_mul_overflow(count, size, &bytes))) object = malloc(at_least_one(bytes));
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  return object;
}

void *cyc_alloc_array_zero(cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  void *object = 0;
  if (CYC_LIKELY(count <= CYC_FAT_MAX)) object = calloc(at_least_one(count), at_least_one(size));
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  return object;
}

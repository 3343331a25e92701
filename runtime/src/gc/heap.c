/* The heap of `new`, `malloc` and `calloc`: objects live until the program ends. */
#include "cyc_heap.h"

void *cyc_alloc(cyc_size size, const char *file, unsigned line) {
  void *object = cyc_heap_alloc(size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  return object;
}

void *cyc_alloc_zero(cyc_size size, const char *file, unsigned line) {
  void *object = cyc_heap_alloc_zeroed(size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  return object;
}

/* False when `count` elements of `size` bytes are more than a fat pointer can describe or memory can have. */
static int array_bytes(cyc_u64 count, cyc_size size, cyc_size *bytes) {
  return CYC_LIKELY(count <= CYC_FAT_MAX && !__builtin_mul_overflow(count, size, bytes));
}

void *cyc_alloc_array(cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  void *object = array_bytes(count, size, &bytes) ? cyc_heap_alloc(bytes) : 0;
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  return object;
}

void *cyc_alloc_array_zero(cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  void *object = array_bytes(count, size, &bytes) ? cyc_heap_alloc_zeroed(bytes) : 0;
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  return object;
}

/* Shims of the library's modules: what their types say of pointers that C passes on. */
#include "lib.h"

/* The second argument. */
void *cyc_lib_second(void *unused, void *p) {
  (void)unused;
  return p;
}

/* ---------------------------------------------------------------- thin and fat; `size` is an element's, in bytes */

/* What `struct ThinRes` is in C. */
struct thin {
  void *arr;
  cyc_u64 nelts;
};

void *cyc_lib_arrcast(cyc_fat p, cyc_u64 bound, cyc_u64 size) {
  return cyc_fat_numelts(p) < bound || cyc_fat_numelts(p) == 0 ? 0 : cyc_fat_ptr(p, size);
}

cyc_fat cyc_lib_mkfat(void *arr, cyc_u64 size, cyc_u64 n) {
  (void)size;
  if (n > CYC_FAT_MAX) cyc_fail_alloc(n, size, "mkfat", 0);
  return cyc_fat_make(arr, n);
}

struct thin cyc_lib_mkthin(cyc_fat p, cyc_u64 size) {
  cyc_u64 n = cyc_fat_numelts(p);
  return (struct thin){n == 0 ? 0 : cyc_fat_ptr(p, size), n};
}

unsigned cyc_lib_arr_prevsize(cyc_fat p, cyc_u64 size) {
  (void)size;
  return cyc_fat_numelts(p) == 0 ? 0 : (unsigned)p.off;
}

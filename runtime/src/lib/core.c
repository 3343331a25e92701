/* Shims of the library's modules: what their types say of pointers that C passes on. */
#include "lib.h"

/* The second argument. */
void *cyc_lib_second(void *unused, void *p) {
  (void)unused;
  return p;
}

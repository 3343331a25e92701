/* C's `main`: turns the arguments into fat pointers and calls Cyclone's `main`. */
#include "cyc_heap.h"

#include <string.h>

/* The arguments live as long as the program. A few need no heap, so that a program that allocates nothing starts without one. */
#define FEW 16

int main(int argc, char **argv) {
  CYC_PROFILED(cyc_profile_start());
  static cyc_fat few[FEW + 1];
  cyc_fat *args = few;
  if (argc > FEW) args = cyc_unique_array_zero((cyc_u64)argc + 1, sizeof(cyc_fat), "main", 0);
  for (int i = 0; i < argc; i++) args[i] = cyc_fat_make_nonnull(argv[i], strlen(argv[i]) + 1);
  return cyc_user_main(argc, cyc_fat_make_nonnull(args, (cyc_u64)argc + 1));
}

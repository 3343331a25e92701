/* C's `main`: turns the arguments into fat pointers and calls Cyclone's `main`. */
#include "cyc_rt.h"

#include <string.h>

int main(int argc, char **argv) {
  cyc_fat *args = cyc_alloc_array_zero((cyc_u64)argc + 1, sizeof(cyc_fat), 0, 0);
  for (int i = 0; i < argc; i++) args[i] = cyc_fat_make_nonnull(argv[i], strlen(argv[i]) + 1);
  return cyc_user_main(argc, cyc_fat_make_nonnull(args, (cyc_u64)argc + 1));
}

/* What the files of exceptions know of each other. */
#ifndef CYC_EXN_H
#define CYC_EXN_H

#include "cyc_rt.h"

#include <stdio.h>

/* Prints what an exception carries, `Name(1, "text")`, and a newline; nothing when it carries nothing. */
void cyc_exn_show(const struct cyc_exn *exn, FILE *out);

#endif

// The few functions that programs once took from here, out of the headers that have them.
#ifndef _CYC_CYCBOOT_H
#define _CYC_CYCBOOT_H

#include <core.h>
#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static const long long long_max = 0x7fffffffffffffffLL;
static const long long long_min = -0x7fffffffffffffffLL - 1;

#endif

// The error number of the last failed library call, and the numbers of this system.
#ifndef _CYC_ERRNO_H
#define _CYC_ERRNO_H

#include <linux/errno.h> // macros only

extern "C" int @`H __errno_location(void);
#define errno (*__errno_location())

#endif

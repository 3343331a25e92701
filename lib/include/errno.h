// The error number of the last failed library call, and the numbers of this system. Each thread has an errno of its own, which
// ends with the thread: its address cannot be kept.
#ifndef _CYC_ERRNO_H
#define _CYC_ERRNO_H

#include <linux/errno.h> // macros only

extern "C" int @`C __errno_location(void);
#define errno (*__errno_location())

#endif

// Requests to devices whose argument is one number.
//
//     #include <unistd.h>
#ifndef _CYC_SYS_IOCTL_H
#define _CYC_SYS_IOCTL_H

#define FIONREAD 0x541b
#define FIONBIO 0x5421
#define TIOCOUTQ 0x5411
#define TIOCEXCL 0x540c
#define TIOCNXCL 0x540d

// Those requests that are named here; -1 with EINVAL for others, which could store more than a number.
//
//     int ends[2];
//     int there = 0;
//     assert(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3 && ioctl(ends[0], FIONREAD, &there) == 0 && there == 3);
extern "C" int ioctl(int fd, unsigned long request, int @arg) asm("cyc_lib_ioctl");

#endif

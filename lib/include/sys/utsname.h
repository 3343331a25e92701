// The names of the system.
#ifndef _CYC_SYS_UTSNAME_H
#define _CYC_SYS_UTSNAME_H

struct utsname {
  char sysname[65] @zeroterm;
  char nodename[65] @zeroterm;
  char release[65] @zeroterm;
  char version[65] @zeroterm;
  char machine[65] @zeroterm;
  char domainname[65] @zeroterm;
};

// The names; 0.
//
//     struct utsname name;
//     assert(uname(&name) == 0 && strcmp(name.sysname, "Linux") == 0);
extern "C" int uname(struct utsname @name) __attribute__((initializes(1)));

#endif

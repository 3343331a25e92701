// Groups of users. Each result is a record of its own.
#ifndef _CYC_GRP_H
#define _CYC_GRP_H

#include <sys/types.h>

struct group {
  const char @gr_name;
  const char @gr_passwd;
  gid_t gr_gid;
  const char **@zeroterm gr_mem; // ends with null
};

extern "C" {
  // The group of a name, of a number; null if there is none.
  //
  //     struct group *g = getgrgid(0);
  //     struct group *none = getgrnam("no such group");
  //     assert(g != NULL && strcmp(g->gr_name, "root") == 0 && none == NULL);
  struct group *getgrnam(const char @name) __attribute__((single_threaded)) asm("cyc_lib_getgrnam");
  struct group *getgrgid(gid_t gid) __attribute__((single_threaded)) asm("cyc_lib_getgrgid");
  // Makes the process a member of all groups of a user, or of these; needs privileges.
  //
  //     gid_t mine[1] = {0};
  //     bool privileged = false;
  //     if (privileged) assert(initgroups("root", 0) == 0 && setgroups(1, mine) == 0);
  int initgroups(const char @user, gid_t group);
  int setgroups(tag_t<`n> n, const gid_t @{valueof(`n)} groups);
}

#endif

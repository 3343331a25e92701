// Users of the system. Each result is a record of its own.
#ifndef _CYC_PWD_H
#define _CYC_PWD_H

#include <sys/types.h>

struct passwd {
  char *pw_name;
  char *pw_passwd;
  uid_t pw_uid;
  gid_t pw_gid;
  char *pw_gecos;
  char *pw_dir;
  char *pw_shell;
};

extern "C" {
  // The user of a name, of a number; null if there is none.
  //
  //     struct passwd *p = getpwuid(0);
  //     struct passwd *none = getpwnam("no such user");
  //     assert(p != NULL && strcmp(p->pw_name, "root") == 0 && none == NULL);
  struct passwd *getpwnam(const char @name) __attribute__((single_threaded)) asm("cyc_lib_getpwnam");
  struct passwd *getpwuid(uid_t uid) __attribute__((single_threaded)) asm("cyc_lib_getpwuid");
}

#endif

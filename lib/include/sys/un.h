// Addresses of sockets that are files.
#ifndef _CYC_SYS_UN_H
#define _CYC_SYS_UN_H

#include <netinet/in.h>

#define AF_UNIX 1
#define PF_UNIX 1

struct sockaddr_un {
  sa_family_t sun_family;
  char sun_path[108] @zeroterm;
};

#endif

// Addresses of the Internet, version 4.
#ifndef _CYC_NETINET_IN_H
#define _CYC_NETINET_IN_H

#include <stdint.h>

typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;
typedef unsigned short sa_family_t;

// Numbers are in the order of the network.
struct in_addr {
  in_addr_t s_addr;
};

struct sockaddr_in {
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  unsigned char sin_zero[8];
};

#define INADDR_ANY 0u
#define INADDR_BROADCAST 0xffffffffu
#define INADDR_LOOPBACK 0x7f000001u
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17

extern "C" {
  // Numbers from the order of this machine to that of the network, and back.
  //
  //     assert(htonl(1) == 0x1000000 && htons(1) == 0x100 && ntohl(htonl(5)) == 5 && ntohs(htons(5)) == 5);
  uint32_t htonl(uint32_t n);
  uint16_t htons(uint16_t n);
  uint32_t ntohl(uint32_t n);
  uint16_t ntohs(uint16_t n);
}

#endif

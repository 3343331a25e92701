// Addresses of the Internet as text.
#ifndef _CYC_ARPA_INET_H
#define _CYC_ARPA_INET_H

#include <netinet/in.h>

extern "C" {
  // Four numbers with points, a fresh string.
  //
  //     struct in_addr a = in_addr{htonl(INADDR_LOOPBACK)};
  //     assert(strcmp(inet_ntoa(a), "127.0.0.1") == 0 && inet_addr("127.0.0.1") == a.s_addr);
  char @inet_ntoa(struct in_addr address) asm("cyc_lib_inet_ntoa");
  in_addr_t inet_addr(const char @text);
  // 0 if the text is no address; the result is zero then.
  //
  //     struct in_addr a;
  //     assert(inet_aton("127.0.0.1", &a) != 0 && a.s_addr == htonl(INADDR_LOOPBACK) && inet_aton("no address", &a) == 0);
  int inet_aton(const char @text, struct in_addr @result) __attribute__((initializes(2))) asm("cyc_lib_inet_aton");
}

#endif

// Addresses of the Internet as text.
#ifndef _CYC_ARPA_INET_H
#define _CYC_ARPA_INET_H

#include <netinet/in.h>

extern "C" {
  // Four numbers with points, a fresh string.
  char @inet_ntoa(struct in_addr address) asm("cyc_lib_inet_ntoa");
  in_addr_t inet_addr(const char @text);
  // 0 if the text is no address; the result is zero then.
  int inet_aton(const char @text, struct in_addr @result) __attribute__((initializes(2))) asm("cyc_lib_inet_aton");
}

#endif

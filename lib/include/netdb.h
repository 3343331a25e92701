// Names of hosts, services and protocols. Each result is a record of its own.
//
//     #include <arpa/inet.h>
#ifndef _CYC_NETDB_H
#define _CYC_NETDB_H

#include <netinet/in.h>

#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define NO_DATA 4

struct hostent {
  char *h_name;
  char **@zeroterm h_aliases; // ends with null
  int h_addrtype;
  int h_length;
  struct in_addr **@zeroterm h_addr_list; // ends with null
};
#define h_addr h_addr_list[0]

struct servent {
  char *s_name;
  char **@zeroterm s_aliases; // ends with null
  int s_port;                 // in the order of the network
  char *s_proto;
};

struct protoent {
  char *p_name;
  char **@zeroterm p_aliases; // ends with null
  int p_proto;
};

extern "C" {
  // A host with its addresses, version 4; null and h_errno if there is none. herror prints why.
  //
  //     struct hostent *h = gethostbyname("127.0.0.1");
  //     if (h == NULL) herror("127.0.0.1");
  //     else { struct in_addr *a = h->h_addr; assert(a != NULL && a->s_addr == htonl(INADDR_LOOPBACK)); }
  struct hostent *gethostbyname(const char @name) __attribute__((single_threaded)) asm("cyc_lib_gethostbyname");
  void herror(const char *what);
  int @`C __h_errno_location(void);
  // The service of a name, or on a port (in the order of the network); null if there is none.
  //
  //     struct servent *s = getservbyname("http", "tcp");
  //     struct servent *t = getservbyport((int)htons(80), "tcp");
  //     assert((s == NULL || s->s_port == (int)htons(80)) && (t == NULL || strcmp(t->s_name, "http") == 0));
  struct servent *getservbyname(const char @name, const char *protocol) __attribute__((single_threaded)) asm("cyc_lib_getservbyname");
  struct servent *getservbyport(int port, const char *protocol) __attribute__((single_threaded)) asm("cyc_lib_getservbyport");
  // The protocol of a name, of a number; null if there is none.
  //
  //     struct protoent *p = getprotobyname("tcp");
  //     struct protoent *q = getprotobynumber(6);
  //     assert((p == NULL || p->p_proto == 6) && (q == NULL || strcmp(q->p_name, "tcp") == 0));
  struct protoent *getprotobyname(const char @name) __attribute__((single_threaded)) asm("cyc_lib_getprotobyname");
  struct protoent *getprotobynumber(int number) __attribute__((single_threaded)) asm("cyc_lib_getprotobynumber");
}
#define h_errno (*__h_errno_location())

#endif

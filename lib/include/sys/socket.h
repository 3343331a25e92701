// Sockets of the Internet, version 4. An address is followed by its length, as in C: `bind(fd, &address, (socklen_t)sizeof(address))`,
// `accept(fd, &address, &length)`; SocketError if the length is another one, or something else is given.
#ifndef _CYC_SYS_SOCKET_H
#define _CYC_SYS_SOCKET_H

#include <core.h>
#include <netinet/in.h>
#include <sys/select.h>

typedef unsigned int socklen_t;

#define AF_INET 2
#define PF_INET 2
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_TYPE 3
#define SO_BROADCAST 6
#define SO_LINGER 13
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SOMAXCONN 4096
#define MSG_PEEK 2
#define MSG_DONTWAIT 0x40
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2

@extensible datatype exn {
  extern SocketError(string_t)
};

datatype SockAddr<`r::E> {
  SA_sockaddr_in(struct sockaddr_in @`r);
  SA_socklenptr(socklen_t @`r);
  SA_socklen(socklen_t)
};
typedef datatype SockAddr<`r> @`r sockaddr_arg_t<`r::E>;

struct linger {
  int l_onoff;
  int l_linger;
};

datatype SockOpt<`r::E> {
  SO_int(int @`r);
  SO_timeval(struct timeval @`r);
  SO_linger(struct linger @`r);
  SO_socklenptr(socklen_t @`r);
  SO_socklen(socklen_t)
};
typedef datatype SockOpt<`r> @`r sockopt_arg_t<`r::E>;

int accept(int fd, ... inject sockaddr_arg_t);
int bind(int fd, ... inject sockaddr_arg_t);
int connect(int fd, ... inject sockaddr_arg_t);
int getsockname(int fd, ... inject sockaddr_arg_t);
int getpeername(int fd, ... inject sockaddr_arg_t);
int getsockopt(int fd, int level, int option, ... inject sockopt_arg_t);
int setsockopt(int fd, int level, int option, ... inject sockopt_arg_t);

// A message and its address, for sockets without connections.
ssize_t recvfrom(int fd, char ?@nozeroterm buf, size_t n, int flags, ... inject sockaddr_arg_t);
ssize_t sendto(int fd, const char ?@nozeroterm buf, size_t n, int flags, ... inject sockaddr_arg_t);

extern "C" {
  int sockatmark(int fd);
  int socket(int domain, int type, int protocol);
  int listen(int fd, int backlog);
  int shutdown(int fd, int how);
  int socketpair(int domain, int type, int protocol, int @{2} ends);
  // Array_bounds if the buffer has fewer than n bytes.
  ssize_t recv(int fd, char ?@nozeroterm buf, size_t n, int flags) asm("cyc_lib_recv");
  ssize_t send(int fd, const char ?@nozeroterm buf, size_t n, int flags) asm("cyc_lib_send");
}

#endif

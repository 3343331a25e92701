// Sockets of the Internet, version 4. An address is followed by its length, as in C: `bind(fd, &address, (socklen_t)sizeof(address))`,
// `accept(fd, &address, &length)`; SocketError if the length is another one, or something else is given.
//
//     #include <unistd.h>
//     static struct sockaddr_in home() {
//       return sockaddr_in{.sin_family = AF_INET, .sin_port = 0, .sin_addr = in_addr{htonl(INADDR_LOOPBACK)}, .sin_zero = {for i < 8 : 0}};
//     }
//     #define LENGTH ((socklen_t)sizeof(struct sockaddr_in))
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

// Connections and their addresses. 0, a descriptor, or -1 with errno; SocketError as said above.
//
//     struct sockaddr_in a = home();
//     socklen_t n = LENGTH;
//     int server = socket(AF_INET, SOCK_STREAM, 0);
//     assert(bind(server, &a, LENGTH) == 0 && listen(server, 5) == 0 && getsockname(server, &a, &n) == 0);
//     int client = socket(AF_INET, SOCK_STREAM, 0);
//     assert(connect(client, &a, LENGTH) == 0);
//     int there = accept(server, &a, &n);
//     assert(there >= 0 && getpeername(client, &a, &n) == 0);
//     int on = 1;
//     socklen_t size = sizeof(int);
//     assert(setsockopt(client, SOL_SOCKET, SO_KEEPALIVE, &on, size) == 0 && getsockopt(client, SOL_SOCKET, SO_KEEPALIVE, &on, &size) == 0 && on == 1);
int accept(int fd, ... inject sockaddr_arg_t);
int bind(int fd, ... inject sockaddr_arg_t);
int connect(int fd, ... inject sockaddr_arg_t);
int getsockname(int fd, ... inject sockaddr_arg_t);
int getpeername(int fd, ... inject sockaddr_arg_t);
int getsockopt(int fd, int level, int option, ... inject sockopt_arg_t);
int setsockopt(int fd, int level, int option, ... inject sockopt_arg_t);

// A message and its address, for sockets without connections.
//
//     struct sockaddr_in a = home();
//     socklen_t n = LENGTH;
//     int s = socket(AF_INET, SOCK_DGRAM, 0);
//     char text[8] @nozeroterm = {for i < 8 : '\0'};
//     assert(bind(s, &a, LENGTH) == 0 && getsockname(s, &a, &n) == 0 && sendto(s, "hello", 5, 0, &a, LENGTH) == 5);
//     assert(recvfrom(s, text, 8, 0, &a, &n) == 5 && text[0] == 'h');
ssize_t recvfrom(int fd, char ?@nozeroterm buf, size_t n, int flags, ... inject sockaddr_arg_t);
ssize_t sendto(int fd, const char ?@nozeroterm buf, size_t n, int flags, ... inject sockaddr_arg_t);

extern "C" {
  // A new socket, one that waits for connections, the end of a direction, two connected ones; is urgent data next?
  //
  //     int ends[2];
  //     assert(socketpair(1, SOCK_STREAM, 0, ends) == 0 && shutdown(ends[0], SHUT_WR) == 0 && sockatmark(-1) == -1);
  //     int s = socket(AF_INET, SOCK_STREAM, 0);
  //     assert(listen(s, SOMAXCONN) == 0);
  int sockatmark(int fd);
  int socket(int domain, int type, int protocol);
  int listen(int fd, int backlog);
  int shutdown(int fd, int how);
  int socketpair(int domain, int type, int protocol, int @{2} ends);
  // Array_bounds if the buffer has fewer than n bytes.
  //
  //     int ends[2];
  //     char text[8] @nozeroterm = {for i < 8 : '\0'};
  //     assert(socketpair(1, SOCK_STREAM, 0, ends) == 0 && send(ends[0], "hello", 5, 0) == 5 && recv(ends[1], text, 8, 0) == 5);
  ssize_t recv(int fd, char ?@nozeroterm buf, size_t n, int flags) asm("cyc_lib_recv");
  ssize_t send(int fd, const char ?@nozeroterm buf, size_t n, int flags) asm("cyc_lib_send");
}

#endif

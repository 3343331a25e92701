/* Shims of <sys/socket.h> and <arpa/inet.h>; lib/src/socket.cyc is in front of them. */
#include "lib.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/time.h>

/* lib/include/netinet/in.h has this structure as it is here. */
_Static_assert(sizeof(struct sockaddr_in) == 16 && offsetof(struct sockaddr_in, sin_addr) == 4, "struct sockaddr_in");

ssize_t cyc_lib_recv(int fd, cyc_fat buffer, size_t n, int flags) {
  return recv(fd, lib_need(buffer, n, "recv"), n, flags);
}

ssize_t cyc_lib_send(int fd, cyc_fat buffer, size_t n, int flags) {
  return send(fd, lib_need(buffer, n, "send"), n, flags);
}

typedef int filler(int, struct sockaddr *, socklen_t *);

/* The system writes at most `room` bytes, the size of the structure, whatever it says. */
static int fill(filler *call, int fd, struct sockaddr_in *a, socklen_t *length) {
  socklen_t room = sizeof *a;
  int result = call(fd, (struct sockaddr *)a, &room);
  if (result >= 0) *length = room;
  return result;
}

int cyc_lib_accept(int fd, struct sockaddr_in *a, socklen_t *n) { return fill(accept, fd, a, n); }
int cyc_lib_getsockname(int fd, struct sockaddr_in *a, socklen_t *n) { return fill(getsockname, fd, a, n); }
int cyc_lib_getpeername(int fd, struct sockaddr_in *a, socklen_t *n) { return fill(getpeername, fd, a, n); }

int cyc_lib_bind(int fd, const struct sockaddr_in *a) { return bind(fd, (const struct sockaddr *)a, sizeof *a); }
int cyc_lib_connect(int fd, const struct sockaddr_in *a) { return connect(fd, (const struct sockaddr *)a, sizeof *a); }

/* Options of another size than an int's are not for these. */
int cyc_lib_getsockopt(int fd, int level, int option, int *value) {
  socklen_t size = sizeof *value;
  return getsockopt(fd, level, option, value, &size);
}

int cyc_lib_setsockopt(int fd, int level, int option, const int *value) {
  return setsockopt(fd, level, option, value, sizeof *value);
}

int cyc_lib_inet_aton(const char *text, struct in_addr *result) {
  memset(result, 0, sizeof *result);
  return inet_aton(text, result);
}

/* Other options of the same size have addresses in them, where the system would read or write. */
static int refused(void) {
  errno = EINVAL;
  return -1;
}
static int takes_time(int level, int option) { return level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO); }
static int takes_linger(int level, int option) { return level == SOL_SOCKET && option == SO_LINGER; }

int cyc_lib_getsockopt_timeval(int fd, int level, int option, struct timeval *value) {
  socklen_t size = sizeof *value;
  if (!takes_time(level, option)) return refused();
  return getsockopt(fd, level, option, value, &size);
}

int cyc_lib_setsockopt_timeval(int fd, int level, int option, const struct timeval *value) {
  if (!takes_time(level, option)) return refused();
  return setsockopt(fd, level, option, value, sizeof *value);
}

int cyc_lib_getsockopt_linger(int fd, int level, int option, struct linger *value) {
  socklen_t size = sizeof *value;
  if (!takes_linger(level, option)) return refused();
  return getsockopt(fd, level, option, value, &size);
}

int cyc_lib_setsockopt_linger(int fd, int level, int option, const struct linger *value) {
  if (!takes_linger(level, option)) return refused();
  return setsockopt(fd, level, option, value, sizeof *value);
}

ssize_t cyc_lib_recvfrom(int fd, cyc_fat buffer, size_t n, int flags, struct sockaddr_in *a, socklen_t *length) {
  socklen_t room = sizeof *a;
  ssize_t result = recvfrom(fd, lib_need(buffer, n, "recvfrom"), n, flags, (struct sockaddr *)a, &room);
  if (result >= 0) *length = room;
  return result;
}

ssize_t cyc_lib_sendto(int fd, cyc_fat buffer, size_t n, int flags, const struct sockaddr_in *a) {
  return sendto(fd, lib_need(buffer, n, "sendto"), n, flags, (const struct sockaddr *)a, sizeof *a);
}

/* A fresh string: C overwrites its own. */
char *cyc_lib_inet_ntoa(struct in_addr a) {
  const unsigned char *b = (const unsigned char *)&a;
  char *text = cyc_alloc_array(CYC_BITS, INET_ADDRSTRLEN, 1, "inet_ntoa", 0);
  snprintf(text, INET_ADDRSTRLEN, "%u.%u.%u.%u", b[0], b[1], b[2], b[3]);
  return text;
}

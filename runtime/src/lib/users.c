/* Shims of <pwd.h>, <grp.h>, <crypt.h>, <netdb.h> and <locale.h>: what C returns is overwritten by its next call, so each result is a copy in
 * the heap. */
#define _GNU_SOURCE
#include "lib.h"

#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <locale.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stddef.h>
#include <unistd.h>

/* lib/include has these structures as they are here. */
_Static_assert(sizeof(struct passwd) == 48 && offsetof(struct passwd, pw_gecos) == 24, "struct passwd");
_Static_assert(sizeof(struct group) == 32 && offsetof(struct group, gr_mem) == 24, "struct group");
_Static_assert(sizeof(struct hostent) == 32 && offsetof(struct hostent, h_addr_list) == 24, "struct hostent");
_Static_assert(sizeof(struct servent) == 32 && offsetof(struct servent, s_proto) == 24, "struct servent");
_Static_assert(sizeof(struct protoent) == 24, "struct protoent");
_Static_assert(offsetof(struct lconv, negative_sign) == 72 && offsetof(struct lconv, frac_digits) == 81, "struct lconv");

static char *copy(const char *s, const char *function) {
  if (!s) return 0;
  size_t n = strlen(s) + 1;
  return memcpy(cyc_alloc_array(CYC_BITS, n, 1, function, 0), s, n);
}

/* An array that ends with null, of copies of strings or of `size` bytes each. */
static char **copies(char **list, size_t size, const char *function) {
  size_t n = 0;
  while (list && list[n]) n++;
  char **result = cyc_alloc_array_zero(CYC_ANY, n + 1, sizeof *result, function, 0);
  for (size_t i = 0; i < n; i++)
    result[i] = size ? memcpy(cyc_alloc_array(CYC_BITS, size, 1, function, 0), list[i], size) : copy(list[i], function);
  return result;
}

static void *record(size_t size, const char *function) { return cyc_alloc_array_zero(CYC_ANY, 1, size, function, 0); }

static struct passwd *user(const struct passwd *p) {
  if (!p) return 0;
  struct passwd *r = record(sizeof *r, "getpwnam");
  r->pw_name = copy(p->pw_name, "getpwnam");
  r->pw_passwd = copy(p->pw_passwd, "getpwnam");
  r->pw_uid = p->pw_uid;
  r->pw_gid = p->pw_gid;
  r->pw_gecos = copy(p->pw_gecos, "getpwnam");
  r->pw_dir = copy(p->pw_dir, "getpwnam");
  r->pw_shell = copy(p->pw_shell, "getpwnam");
  return r;
}

struct passwd *cyc_lib_getpwnam(const char *name) { return user(getpwnam(name)); }
struct passwd *cyc_lib_getpwuid(uid_t uid) { return user(getpwuid(uid)); }

static struct group *group(const struct group *g) {
  if (!g) return 0;
  struct group *r = record(sizeof *r, "getgrnam");
  r->gr_name = copy(g->gr_name ? g->gr_name : "", "getgrnam");
  r->gr_passwd = copy(g->gr_passwd ? g->gr_passwd : "", "getgrnam");
  r->gr_gid = g->gr_gid;
  r->gr_mem = copies(g->gr_mem, 0, "getgrnam");
  return r;
}

struct group *cyc_lib_getgrnam(const char *name) { return group(getgrnam(name)); }
struct group *cyc_lib_getgrgid(gid_t gid) { return group(getgrgid(gid)); }

struct hostent *cyc_lib_gethostbyname(const char *name) {
  const struct hostent *h = gethostbyname(name);
  if (!h || h->h_addrtype != AF_INET || h->h_length != sizeof(struct in_addr)) return 0;
  struct hostent *r = record(sizeof *r, "gethostbyname");
  r->h_name = copy(h->h_name, "gethostbyname");
  r->h_aliases = copies(h->h_aliases, 0, "gethostbyname");
  r->h_addrtype = h->h_addrtype;
  r->h_length = h->h_length;
  r->h_addr_list = copies(h->h_addr_list, sizeof(struct in_addr), "gethostbyname");
  return r;
}

static struct servent *service(const struct servent *s) {
  if (!s) return 0;
  struct servent *r = record(sizeof *r, "getservbyname");
  r->s_name = copy(s->s_name, "getservbyname");
  r->s_aliases = copies(s->s_aliases, 0, "getservbyname");
  r->s_port = s->s_port;
  r->s_proto = copy(s->s_proto, "getservbyname");
  return r;
}

struct servent *cyc_lib_getservbyname(const char *name, const char *protocol) { return service(getservbyname(name, protocol)); }
struct servent *cyc_lib_getservbyport(int port, const char *protocol) { return service(getservbyport(port, protocol)); }

static struct protoent *protocol(const struct protoent *p) {
  if (!p) return 0;
  struct protoent *r = record(sizeof *r, "getprotobyname");
  r->p_name = copy(p->p_name, "getprotobyname");
  r->p_aliases = copies(p->p_aliases, 0, "getprotobyname");
  r->p_proto = p->p_proto;
  return r;
}

struct protoent *cyc_lib_getprotobyname(const char *name) { return protocol(getprotobyname(name)); }
struct protoent *cyc_lib_getprotobynumber(int number) { return protocol(getprotobynumber(number)); }

char *cyc_lib_setlocale(int category, const char *name) { return copy(setlocale(category, name), "setlocale"); }

/* The fields of `struct lconv` that lib/include/locale.h has: ten strings, two numbers. */
enum { LCONV_STRINGS = 10, LCONV_SIZE = 88 };

void *cyc_lib_localeconv(void) {
  const struct lconv *l = localeconv();
  char **r = record(LCONV_SIZE, "localeconv");
  char *const *strings = (char *const *)l;
  for (int i = 0; i < LCONV_STRINGS; i++) r[i] = copy(strings[i], "localeconv");
  memcpy(r + LCONV_STRINGS, (const char *)l + sizeof(char *) * LCONV_STRINGS, 2);
  return r;
}

char *cyc_lib_getpass(const char *prompt) { return copy(getpass(prompt), "getpass"); }

/* Programs that never hash a password need no libcrypt, neither when they are linked nor when they run. */
char *cyc_lib_crypt(const char *key, const char *salt) {
  static char *(*hash)(const char *, const char *);
  if (!hash) {
    void *library = dlopen("libcrypt.so.1", RTLD_NOW);
    if (!library) library = dlopen("libcrypt.so.2", RTLD_NOW);
    void *symbol = library ? dlsym(library, "crypt") : 0;
    if (!symbol) {
      errno = ENOSYS;
      return 0;
    }
    memcpy(&hash, &symbol, sizeof hash);
  }
  const char *hashed = hash(key, salt);
  return hashed && *hashed != '*' ? copy(hashed, "crypt") : 0; /* a star begins what stands for a failure */
}

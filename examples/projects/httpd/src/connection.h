// One client.
#ifndef CONNECTION_H
#define CONNECTION_H

#include <core.h>
#include <time.h>

// What is known of a client lies in a region of its own, and ends with it: the key to the region goes with the connection.
struct Exchange<`r::E>;
struct Connection {
  <`r::E> Core::uregion_key_t<`r, `H> key;
  struct Exchange<`r> @`r exchange;
};

// What a connection waits for.
enum Wanted { READABLE, WRITABLE, NOTHING };

// Files are served from the folder `root`; `answered` counts requests. `date` is what answers say of the second `told`.
struct Server {
  const char ?root;
  long answered;
  time_t told;
  char date[30];
};

struct Connection new_connection(int fd);

// Goes on with a connection as far as that is possible without waiting. NOTHING: it is over.
$(struct Connection, enum Wanted) serve(struct Server @server, struct Connection connection);

// The end of a connection and its region.
void end_connection(struct Connection connection);

#endif

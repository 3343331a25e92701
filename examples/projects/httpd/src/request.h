// Requests of HTTP/1.1 (RFC 9112), as far as a server of files needs them.
#ifndef REQUEST_H
#define REQUEST_H

#include <lines.h>

// What a request asks for; `path` is decoded, begins with `/`, and has no part `..`.
struct Request<`r::E> {
  int status; // 200, or what is wrong
  int head;   // only the head of the answer
  int keep;   // the connection
  char ?`r path;
};

// The length of the head at the beginning of `text`, with the empty line at its end; 0 if it is not complete.
size_t head_length(bytes_t text);

// Reads a head that is complete; the path is allocated in the region.
struct Request<`r> parse_request(region_t<`r> home, bytes_t head);

// The words that go with a status.
const char ?reason(int status);

// The type of a file by the ending of its name.
const char ?media_type(const char ?path);

#endif

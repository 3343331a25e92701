#include "crc.h"

unsigned crc_update(unsigned crc, unsigned n, const unsigned char *bytes) {
  crc = ~crc;
  for (unsigned i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

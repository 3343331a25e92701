#ifndef FILES_H
#define FILES_H

#include <stdio.h>

// The checksum of the rest of a stream.
unsigned crc_of(FILE @in);

#endif

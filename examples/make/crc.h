// The checksum of gzip, PNG and Ethernet, written in C and called from C and from Cyclone.
#ifndef CRC_H
#define CRC_H

#ifdef __CYCLONE__
// What C only says in words, that there are n bytes, is part of the type: every call is checked.
extern "C" unsigned crc_update(unsigned crc, tag_t<`n> n, const unsigned char @{valueof(`n)}@nozeroterm bytes);
#else
// Goes on with the checksum `crc` (at the beginning 0) over n bytes.
unsigned crc_update(unsigned crc, unsigned n, const unsigned char *bytes);
#endif

#endif

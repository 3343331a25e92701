// Base 64 (RFC 4648, section 4): the standard alphabet, padding, no line breaks.
#ifndef _CYC_BASE64_H
#define _CYC_BASE64_H

#include <core.h>

namespace Base64 {

// The characters that len bytes become.
unsigned int encoding_length(unsigned int len);
// Encodes the first src_len bytes, with a final zero if there is room; 0, or 1 if src has not as many or dest is too small.
int encode(const char ?@nozeroterm src, char ?dest, unsigned int src_len);
// A string that encodes all elements (of a literal, its final zero too), or those before the zero; null for none.
char ?aencode(const char ?@nozeroterm src);
char ?aencode_zeroterm(const char ?src);
// The bytes that a text stands for; 0 if its length is no multiple of 4.
unsigned int decoding_length(const char ?src);
// Decodes; 0, or 1 if the text is malformed or dest is too small.
int decode(const char ?src, char ?@nozeroterm dest);
// The bytes in a buffer of their number; null if the text is malformed.
char ?@nozeroterm adecode(const char ?src);

}
#endif

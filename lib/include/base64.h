// Base 64 (RFC 4648, section 4): the standard alphabet, padding, no line breaks.
//
//     using Base64;
#ifndef _CYC_BASE64_H
#define _CYC_BASE64_H

#include <core.h>

namespace Base64 {

// The characters that len bytes become.
//
//     assert(encoding_length(4) == 8);
unsigned int encoding_length(unsigned int len);
// Encodes the first src_len bytes, with a final zero if there is room; 0, or 1 if src has not as many or dest is too small.
//
//     char text[9] @zeroterm;
//     assert(encode("abc", text, 3) == 0 && strcmp(text, "YWJj") == 0);
int encode(const char ?@nozeroterm src, char ?dest, unsigned int src_len);
// A string that encodes all elements (of a literal, its final zero too), or those before the zero; null for none.
//
//     char bytes[3] @nozeroterm = {'a', 'b', 'c'};
//     assert(strcmp(aencode(bytes), "YWJj") == 0 && strcmp(aencode_zeroterm("abc"), "YWJj") == 0);
char ?aencode(const char ?@nozeroterm src);
char ?aencode_zeroterm(const char ?src);
// The bytes that a text stands for; 0 if its length is no multiple of 4.
//
//     assert(decoding_length("YWI=") == 2);
unsigned int decoding_length(const char ?src);
// Decodes; 0, or 1 if the text is malformed or dest is too small.
//
//     char bytes[2] @nozeroterm = {' ', ' '};
//     assert(decode("YWI=", bytes) == 0 && bytes[1] == 'b' && decode("YW!=", bytes) == 1);
int decode(const char ?src, char ?@nozeroterm dest);
// The bytes in a buffer of their number; null if the text is malformed.
//
//     assert(memcmp(adecode("YWI="), "ab", 2) == 0 && adecode("YW") == NULL);
char ?@nozeroterm adecode(const char ?src);

}
#endif

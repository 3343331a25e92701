// Reads XML documents, of which comments and instructions outside the one element are dropped. There are no document types.
#ifndef _CYC_XMLPARSE_H
#define _CYC_XMLPARSE_H

#include <stdio.h>
#include <xml/xml.h>

namespace XmlParse {

// The element of a document. Core::Failure, which names the line, if it is malformed.
Xml::element_t<`H> parse_file(FILE @f);
Xml::element_t<`r> rparse_file(region_t<`r> h, FILE @f);
// The same from a text.
Xml::element_t<`H> parse_string(string_t text);
Xml::element_t<`r> rparse_string(region_t<`r> h, string_t text);

}
#endif

// Reads XML documents, of which comments and instructions outside the one element are dropped. There are no document types.
//
//     using XmlParse;
#ifndef _CYC_XMLPARSE_H
#define _CYC_XMLPARSE_H

#include <stdio.h>
#include <xml/xml.h>

namespace XmlParse {

// The element of a document. Core::Failure, which names the line, if it is malformed.
//
//     FILE *f = tmpfile();
//     if (f == NULL) return;
//     fprintf(f, "<e/>");
//     rewind(f);
//     region r;
//     assert(strcmp(Xml::getName(parse_file(f)), "e") == 0);
//     rewind(f);
//     assert(strcmp(Xml::getName(rparse_file(r, f)), "e") == 0);
Xml::element_t<`H> parse_file(FILE @f);
Xml::element_t<`r> rparse_file(region_t<`r> h, FILE @f);
// The same from a text.
//
//     region r;
//     assert(strcmp(Xml::getName(parse_string("<e/>")), "e") == 0 && Xml::getContents(rparse_string(r, "<e></e>")) == NULL);
//     try { parse_string("<e>"); assert(false); } catch { case &Core::Failure(_): break; }
Xml::element_t<`H> parse_string(string_t text);
Xml::element_t<`r> rparse_string(region_t<`r> h, string_t text);

}
#endif

// XML trees as text: what XmlParse reads as the same tree.
#ifndef _CYC_XMLDUMP_H
#define _CYC_XMLDUMP_H

#include <stdio.h>
#include <xml/xml.h>

namespace XmlDump {

void dumpAttvalue(FILE @f, Xml::attvalue_t<`r> value);
void dumpAttribute(FILE @f, Xml::attribute_t<`r> attribute);
void dumpAttributes(FILE @f, Xml::attributes_t<`r> attributes);
void dumpContent(FILE @f, Xml::content_t<`r> content);
void dumpContents(FILE @f, Xml::contents_t<`r> contents);
void dumpElement(FILE @f, Xml::element_t<`r> element);

}
#endif

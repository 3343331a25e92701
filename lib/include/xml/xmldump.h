// XML trees as text: what XmlParse reads as the same tree.
//
//     using Xml;
#ifndef _CYC_XMLDUMP_H
#define _CYC_XMLDUMP_H

#include <stdio.h>
#include <xml/xml.h>

namespace XmlDump {

// Parts of trees, and trees, on a stream.
//
//     attribute_t<`H> a = new $("a", new Attvalue2("1"));
//     element_t<`H> e = new Empty("e", List::list(a));
//     content_t<`H> text = new Chardata("text");
//     XmlDump::dumpAttvalue(stdout, (*a)[1]);
//     XmlDump::dumpAttribute(stdout, a);
//     XmlDump::dumpAttributes(stdout, List::list(a));
//     XmlDump::dumpContent(stdout, text);
//     XmlDump::dumpContents(stdout, List::list(text));
//     XmlDump::dumpElement(stdout, e);
void dumpAttvalue(FILE @f, Xml::attvalue_t<`r> value);
void dumpAttribute(FILE @f, Xml::attribute_t<`r> attribute);
void dumpAttributes(FILE @f, Xml::attributes_t<`r> attributes);
void dumpContent(FILE @f, Xml::content_t<`r> content);
void dumpContents(FILE @f, Xml::contents_t<`r> contents);
void dumpElement(FILE @f, Xml::element_t<`r> element);

}
#endif

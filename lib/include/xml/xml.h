// Trees of XML elements. Texts stand as in the file: an entity like `&lt;` in text is content of its own, in attributes it is not looked at.
//
//     #include <xml/xmlparse.h>
//     using Xml;
//     static element_t<`H> sample() { return XmlParse::parse_string("<e a='1' b='2'> <x>text</x> </e>"); }
#ifndef _CYC_XML_H
#define _CYC_XML_H

#include <core.h>
#include <list.h>

namespace Xml {

// In single quotes; in double quotes.
datatype Attvalue<`r::E> {
  Attvalue1(string_t<`r>);
  Attvalue2(string_t<`r>)
};
typedef datatype Attvalue<`r> @`r attvalue_t<`r::E>;
typedef $(string_t<`r>, attvalue_t<`r>) @`r attribute_t<`r::E>;
typedef List::list_t<attribute_t<`r>, `r> attributes_t<`r::E>;

datatype Content<`r::E>;
// `<name …>…</name>`; `<name …/>`.
datatype Element<`r::E> {
  StartEnd(string_t<`r>, attributes_t<`r>, List::list_t<datatype Content<`r> @`r, `r>);
  Empty(string_t<`r>, attributes_t<`r>)
};
typedef datatype Element<`r> @`r element_t<`r::E>;

// Text; the name in `&name;`; the text in `<![CDATA[…]]>`; the target and the rest of `<?…?>`; the text of a comment.
datatype Content<`r::E> {
  Element(datatype Element<`r> @`r);
  Chardata(string_t<`r>);
  Reference(string_t<`r>);
  Cdsect(string_t<`r>);
  Pi(string_t<`r>, string_t<`r>);
  Comment(string_t<`r>)
};
typedef datatype Content<`r> @`r content_t<`r::E>;
typedef List::list_t<content_t<`r>, `r> contents_t<`r::E>;

// A tree is not as it is expected to be.
@extensible datatype exn { extern procXMLdocFailed(string_t<`H>) };

// The name, the attributes, and the contents of an element.
//
//     let e = sample();
//     assert(strcmp(getName(e), "e") == 0 && List::length(getAttributes(e)) == 2 && List::length(getContents(e)) == 3);
string_t<`r> getName(element_t<`r> e);
attributes_t<`r> getAttributes(element_t<`r> e);
contents_t<`r> getContents(element_t<`r> e);
// The value of an attribute without its quotes; procXMLdocFailed if there is none of this name.
//
//     assert(strcmp(getAttribute(getAttributes(sample()), "b"), "2") == 0);
string_t<`r> getAttribute(attributes_t<`r> attributes, string_t name);
// Has the attribute the value; have all of them, given as pairs of names and values?
//
//     $(string_t<`H>, string_t<`H>) @`H wanted = new $("a", "1");
//     assert(matchAttribute(getAttributes(sample()), "a", "1") && matchAttributes(getAttributes(sample()), List::list(wanted)));
bool matchAttribute(attributes_t<`r> attributes, string_t name, string_t value);
bool matchAttributes(attributes_t<`r> attributes, List::list_t<$(string_t<`H>, string_t<`H>) @`H, `H> expected);
// The text of an element that holds nothing else: "" if it is empty, procXMLdocFailed if there is more than one piece of text.
//
//     assert(strcmp(getElemData(XmlParse::parse_string("<x>text</x>")), "text") == 0);
string_t<`r> getElemData(element_t<`r> e);
// The contents without texts of white space.
//
//     assert(List::length(clearWhitespaceContent(getContents(sample()))) == 1);
contents_t<`H> clearWhitespaceContent(contents_t<`H> contents);

}
#endif

// Values that tell what they are: each belongs to a class, and is written with the letter of its class before it, so that it can be
// read again: `t(i-5 s"text" y"name")`. A program adds classes of its own.
//
// Equal values are one object: `mk` and its like return the one that there is. Objects stay as long as the program runs.
// What cannot be read, and a class that is not registered, raises Core::Failure with a text that says where and why.
//
//     #include <ctype.h>
//     #include <string.h>
//     using Sexp;
//     static object_t sample() { return tuple(obj_sint(-5), obj_str("text"), tuple(obj_symbol("name"))); }
//     static bool count(int @`H n, object_t o) { *n += 1; return true; }
//     // A class of a program's own: p3,4
//     struct Point { int x; int y; };
//     @extensible datatype Sexp::Value { Point_v(const struct Point @`H) };
//     static void print_point(Buffer::T out, const struct Point @`H p) { Buffer::add_string(out, aprintf("%d,%d", p->x, p->y)); }
//     static int number(reader_t r) {
//       int n = 0;
//       if (!isdigit(peek(r))) fail(r, "expected a digit");
//       while (isdigit(peek(r))) n = 10 * n + take(r) - '0';
//       return n;
//     }
//     static const struct Point @`H parse_point(reader_t r) {
//       int x = number(r);
//       expect(r, ',');
//       return new Point{x, number(r)};
//     }
//     static int cmp_point(const struct Point @`H a, const struct Point @`H b) { return a->x != b->x ? a->x - b->x : a->y - b->y; }
//     static int hash_point(const struct Point @`H p) { return 31 * p->x + p->y; }
//     static object_t ?`H parts_of_point(const struct Point @`H p) { return NULL; }
//     static value_t up_point(const struct Point @`H p) { return new Point_v(p); }
//     static const struct Point *`H down_point(value_t v) {
//       switch (v) {
//       case &Point_v(p): return p;
//       default: return NULL;
//       }
//     }
//     static struct Class<struct Point> point =
//       {'p', print_point, parse_point, cmp_point, hash_point, parts_of_point, up_point, down_point, NULL};
#ifndef _CYC_SEXP_H
#define _CYC_SEXP_H

#include <buffer.h>
#include <core.h>
#include <hashtable.h>
#include <stdio.h>

namespace Sexp {
using Core;

struct Object;
typedef struct Object @`H object_t;
typedef object_t Object_t;
struct Obj<`a::A>;
typedef struct Obj<`a> @`H obj_t<`a::A>;
typedef obj_t<`a> Obj_t<`a::A>;
// Where an object is read from.
struct Reader;
typedef struct Reader @`H reader_t;

// A value of any class. A class has a constructor of its own here, by which `down` knows its values again.
@extensible datatype Value {
  extern Uchar_v(const unsigned char @@nozeroterm`H);
  extern Schar_v(const signed char @@nozeroterm`H);
  extern Ushort_v(const unsigned short @`H);
  extern Sshort_v(const short @`H);
  extern Uint_v(const unsigned int @`H);
  extern Sint_v(const int @`H);
  extern Ulonglong_v(const unsigned long long @`H);
  extern Slonglong_v(const long long @`H);
  extern Float_v(const float @`H);
  extern Double_v(const double @`H);
  extern Str_v(const string_t<`H> @`H);
  extern Symbol_v(const string_t<`H> @`H);
  extern Tuple_v(object_t ?`H const @`H)
};
typedef datatype Value @`H value_t;

// What there is to know about values of type `a.
struct Class<`a::A> {
  char tag;                                                  // a letter that no other class has
  void (@`H print)(Buffer::T, const `a @`H);                 // writes what stands behind the letter
  const `a @`H (@`H parse)(reader_t);                        // reads that
  int (@`H cmp)(const `a @`H, const `a @`H);                 // an order
  int (@`H hash)(const `a @`H);                              // the same for values that are equal
  object_t ?`H (@`H parts)(const `a @`H);                    // what `visit` goes on with; null: nothing
  value_t (@`H up)(const `a @`H);
  const `a *`H (@`H down)(value_t);                          // null for values of other classes
  struct Hashtable::Table<const `a @`H, obj_t<`a>, `H> *`H table; // all objects; null at first
};
typedef struct Class<`a> @`H class_t<`a::A>;
typedef class_t<`a> Class_t<`a::A>;

// A value with its class; and whatever its class.
struct Obj<`a::A> {
  class_t<`a> vtable;
  const `a @`H v;
  struct Object *`H object; // the same, whatever the class
};
struct Object {
  <`a::A> : regions(`a) <= `H obj_t<`a> obj;
  int hash;
};

// The classes that are always there.
extern class_t<unsigned char> const uchar_class;
extern class_t<signed char> const schar_class;
extern class_t<unsigned short> const ushort_class;
extern class_t<short> const sshort_class;
extern class_t<unsigned int> const uint_class;
extern class_t<int> const sint_class;
extern class_t<unsigned long long> const ulonglong_class;
extern class_t<long long> const slonglong_class;
extern class_t<float> const float_class;
extern class_t<double> const double_class;
extern class_t<string_t<`H>> const str_class;
extern class_t<string_t<`H>> const symbol_class;
extern class_t<object_t ?`H> const tuple_class;

// The class is known to `parse` from now on. Failure if its tag is not a letter, or another class has it; a class twice is nothing.
//
//     register_class(sint_class);
//     assert(obj_sint(5) == up(mk(sint_class, new 5)));
void register_class(class_t<`a::A> c : regions(`a) <= `H);
// The object of a value. Failure if the class is not registered.
//
//     obj_t<int> five = mk(sint_class, new 5);
//     assert(*five->v == 5 && five == mk_sint(5));
obj_t<`a> mk(class_t<`a::A> c, const `a @`H v : regions(`a) <= `H);
// An object whatever its class; an object of this class, null if it is of another one.
//
//     object_t o = up(mk_sint(5));
//     obj_t<int> *five = NULL;
//     let n = down(sint_class, o);
//     assert(n != NULL && *n->v == 5 && down(uint_class, o) == NULL);
object_t up(obj_t<`a::A> o : regions(`a) <= `H);
struct Obj<`a> *`H down(class_t<`a::A> c, object_t o : regions(`a) <= `H);

// Objects of the classes that are always there: `mk_` with its type, `obj_` whatever its class. A text is copied, up to its end; so is
// the array of a tuple.
//
//     assert(obj_uchar('a') == up(mk_uchar('a')));
//     assert(obj_schar('a') == up(mk_schar('a')));
//     assert(obj_ushort(5) == up(mk_ushort(5)));
//     assert(obj_sshort(5) == up(mk_sshort(5)));
//     assert(obj_uint(5) == up(mk_uint(5)));
//     assert(obj_sint(5) == up(mk_sint(5)));
//     assert(obj_ulonglong(5) == up(mk_ulonglong(5)));
//     assert(obj_slonglong(5) == up(mk_slonglong(5)));
//     assert(obj_float(0.5F) == up(mk_float(0.5F)));
//     assert(obj_double(0.1) == up(mk_double(0.1)));
//     assert(obj_str("text") == up(mk_str("text")) && obj_symbol("text") == up(mk_symbol("text")));
//     assert(obj_str("text") != obj_symbol("text"));
//     object_t ?`H parts = new {obj_sint(1), obj_sint(2)};
//     assert(obj_tuple(parts) == up(mk_tuple(parts)) && numelts(*mk_tuple(parts)->v) == 2);
obj_t<unsigned char> mk_uchar(unsigned char v);
object_t obj_uchar(unsigned char v);
obj_t<signed char> mk_schar(signed char v);
object_t obj_schar(signed char v);
obj_t<unsigned short> mk_ushort(unsigned short v);
object_t obj_ushort(unsigned short v);
obj_t<short> mk_sshort(short v);
object_t obj_sshort(short v);
obj_t<unsigned int> mk_uint(unsigned int v);
object_t obj_uint(unsigned int v);
obj_t<int> mk_sint(int v);
object_t obj_sint(int v);
obj_t<unsigned long long> mk_ulonglong(unsigned long long v);
object_t obj_ulonglong(unsigned long long v);
obj_t<long long> mk_slonglong(long long v);
object_t obj_slonglong(long long v);
obj_t<float> mk_float(float v);
object_t obj_float(float v);
obj_t<double> mk_double(double v);
object_t obj_double(double v);
obj_t<string_t<`H>> mk_str(string_t s);
object_t obj_str(string_t s);
obj_t<string_t<`H>> mk_symbol(string_t s);
object_t obj_symbol(string_t s);
obj_t<object_t ?`H> mk_tuple(object_t ? parts);
object_t obj_tuple(object_t ? parts);
// A tuple of its arguments.
//
//     assert(strcmp(tostring(tuple(obj_sint(1), tuple())), "t(i1 t())") == 0);
object_t tuple(... object_t parts);

// An order of all objects: by the letters of their classes, then as the class has it. 0: they are one.
//
//     assert(cmp(obj_sint(-5), obj_sint(3)) < 0 && cmp(obj_str("b"), obj_str("a")) > 0 && cmp(sample(), sample()) == 0);
int cmp(object_t a, object_t b);
// The same for what is equal.
//
//     assert(hash(sample()) == hash(sample()));
int hash(object_t o);

// What is done with an object before its parts, which are left out if the result is false; and after them.
struct Visitor<`e> {
  bool (@`H before)(`e, object_t);
  void (@`H after)(`e, object_t);
};
typedef struct Visitor<`e> @`H visitor_t<`e>;
// Visitors to begin with, which do nothing: with objects alone, with their parts too.
//
//     visitor_t<int @`H> v = default_visitor();
//     visitor_t<int @`H> alone = empty_visitor();
//     v->before = count;
//     alone->before = count;
//     int @`H n = new 0;
//     visit(v, n, sample());
//     assert(*n == 5);
visitor_t<`e> empty_visitor();
visitor_t<`e> default_visitor();
// Visits an object, and what it is made of.
//
//     visitor_t<int @`H> v = default_visitor();
//     v->before = count;
//     int @`H n = new 0;
//     visit(v, n, sample());
//     assert(*n == 5);
void visit(visitor_t<`e> v, `e env, object_t o);

// Writes an object; reads one, and nothing behind it but the byte that tells the end of a number; null at the end of the file. Failure
// if it cannot be written.
//
//     FILE @f = file_open("example", "w+");
//     print(f, sample());
//     rewind(f);
//     assert(parse(f) == sample() && parse(f) == NULL);
void print(FILE @f, object_t o);
struct Object *`H parse(FILE @`H f);
// The text of an object, in a file, in the file of a name.
//
//     assert(strcmp(tostring(sample()), "t(i-5 s\"text\" t(y\"name\"))") == 0);
//     tofilename("example", sample());
//     FILE @f = file_open("example", "r");
//     assert(fromfile(f) == sample() && fromfilename("example") == sample());
//     FILE @g = file_open("other", "w");
//     tofile(g, sample());
mstring_t tostring(object_t o);
void tofile(FILE @f, object_t o);
void tofilename(const char ?name, object_t o);
// An object, and nothing else.
//
//     assert(fromstring("t(i-5 s\"text\" t(y\"name\")) ") == sample());
//     try { fromstring("i5 i6"); assert(false); } catch { case &Core::Failure(_): break; }
//     tofilename("example", sample());
//     FILE @f = file_open("example", "r");
//     assert(fromfilename("example") == sample() && fromfile(f) == sample());
object_t fromstring(string_t s);
object_t fromfile(FILE @`H f);
object_t fromfilename(const char ?name);

// For `parse` of a class: a reader of a text; the next byte, -1 at the end; takes it; one that must come; gives up. The head of this
// file shows a class.
//
//     reader_t r = reader("x,");
//     assert(peek(r) == 'x' && take(r) == 'x' && expect(r, ',') && take(r) == -1);
//     try { fail(r, "no more"); } catch { case &Core::Failure(why): assert(strcmp(why, "Sexp: byte 2: no more") == 0); break; }
//     register_class(&point);
//     let p = down(&point, fromstring("p3,4"));
//     assert(p != NULL && p->v->x == 3 && p->v->y == 4);
reader_t reader(string_t s);
int peek(reader_t r);
int take(reader_t r);
bool expect(reader_t r, char c);
void fail(reader_t r, string_t<`H> why) __attribute__((noreturn));
// An object within another one, for `parse` and for `print` of a class.
//
//     Buffer::T b = Buffer::create(10);
//     write(b, obj_sint(7));
//     assert(strcmp(Buffer::contents(b), "i7") == 0 && read(reader("i7,")) == obj_sint(7));
object_t read(reader_t r);
void write(Buffer::T out, object_t o);
}

#endif

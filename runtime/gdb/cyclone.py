# Values, types and functions of Cyclone programs in gdb, as the programmer knows them. Programs built by `cyc build -g`
# carry this script, and gdb runs it where it trusts the program (`cyc gdb PROGRAM` does). How types are found is told by
# crates/cyc-emit/src/debug.rs.
import re

import gdb

import gdb.FrameDecorator

TYPE, ELEM, VIEW = "cyc_type$", "cyc_elem$", "cyc_view$"


def unescape(name):
    return re.sub(r"\$([0-9a-f]{2})", lambda byte: chr(int(byte.group(1), 16)), name)


def escaped(type):
    """The part of a type's name that stands for the type in Cyclone; None if it has no such name."""
    while type.code == gdb.TYPE_CODE_TYPEDEF:
        if type.name and type.name.startswith(TYPE):
            return type.name[len(TYPE) :]
        type = type.target()
    return None


def lookup(name):
    try:
        return gdb.lookup_type(name)
    except gdb.error:
        return None


def view_of(name, word="union"):
    return lookup("%s %s%s" % (word, VIEW, name))


class Fat:
    """A fat pointer: the elements from the current one to the end of the object; characters as a string."""

    def __init__(self, value, name):
        self.base, self.at, self.len = value["base"], int(value["off"]), int(value["len"])
        elem = lookup(ELEM + name)
        self.elem = elem.strip_typedefs() if elem else None
        self.inside = 0 <= self.at < self.len
        target = self.elem.target().strip_typedefs().unqualified() if self.elem else None
        self.is_text = bool(target) and target.code in (gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_INT) and target.sizeof == 1
        self.ends = "@nozeroterm" not in unescape(name)

    def first(self):
        return self.base.cast(self.elem) + self.at

    def to_string(self):
        if int(self.base) == 0 and self.len == 0:
            return "NULL"
        if self.elem is None:
            return "element %d of %d at %s" % (self.at, self.len, self.base)
        if not self.inside:
            return "outside: element %d of %d" % (self.at, self.len)
        if self.is_text:
            count = self.len - self.at
            if self.ends and int((self.first() + (count - 1)).dereference()) == 0:
                count -= 1
            char = gdb.lookup_type("char").pointer()
            return self.first().cast(char).lazy_string(length=count) if count else '""'
        return None

    def children(self):
        if self.elem is None or self.is_text or not self.inside:
            return
        for i in range(self.len - self.at):
            yield str(i), (self.first() + i).dereference()

    def display_hint(self):
        return "string" if self.is_text and self.inside and self.len - self.at > 1 else "array"


def fields_of(value):
    """The components of a variant's object."""
    return [value[f] for f in value.type.fields() if f.name != "tag"]


def applied(constructor, components):
    if not components:
        return constructor
    return "%s(%s)" % (constructor, ", ".join(c.format_string() for c in components))


def variant(value, name):
    """A datatype's object, by its tag, as its constructor would make it."""
    view = view_of(name)
    if view is None:
        return None
    members = view.fields()
    tag = int(value.cast(gdb.lookup_type("int")) if value.type.code == gdb.TYPE_CODE_INT else value["tag"])
    # A variant's own type has that variant only.
    which = 0 if len(members) == 1 else tag
    if not 0 <= which < len(members):
        return "<no variant has the tag %d>" % tag
    at = value.address.cast(view.pointer()).dereference() if value.address is not None else value.cast(view)
    return applied(members[which].name, fields_of(at[members[which]]))


def extensible(value):
    """An object of an extensible datatype: the object that its tag points to tells the variant."""
    tag = value["tag"]
    symbol = re.match(r"(\S+) in section", gdb.execute("info symbol %d" % int(tag), to_string=True))
    constructor = re.sub("^Cyc_", "", tag["name"].string())
    if constructor == "Assert_Exception":
        constructor = "Assert"
    view = view_of(symbol.group(1)) if symbol else None
    if view is None:
        return constructor
    at = value.address.cast(view.pointer()).dereference()
    return applied(constructor, fields_of(at[view.fields()[0]]))


class Text:
    """What `show` makes of the value; where that fails, as when memory cannot be read, the address or the raw value."""

    def __init__(self, value, show):
        self.value, self.show = value, show

    def to_string(self):
        try:
            return self.show(self.value)
        except (gdb.MemoryError, gdb.error, ValueError):
            return self.value.format_string(raw=True)


class Tuple:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "$(%s)" % ", ".join(self.value[f].format_string() for f in self.value.type.fields())


class Tagged:
    """A tagged union: the member last written."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        fields = self.value.type.fields()
        tag = int(self.value[fields[0]]["tag"])
        if not 1 <= tag <= len(fields):
            return "{no member}"
        return "{.%s = %s}" % (fields[tag - 1].name, self.value[fields[tag - 1]]["value"].format_string())


def is_tagged(type):
    def member(field):
        inner = field.type
        return inner.code == gdb.TYPE_CODE_STRUCT and [f.name for f in inner.fields()] == ["tag", "value"]

    fields = type.fields()
    return bool(fields) and all(member(field) for field in fields)


def to_datatype(value):
    """A pointer to a datatype's object, as the pattern that it matches."""
    type = value.type.strip_typedefs()
    if int(value) == 0:
        return None
    target, name = type.target(), escaped(type.target())
    if target.strip_typedefs().tag == "cyc_exn":
        return Text(value, lambda v: "&" + extensible(v.dereference()))
    if name and unescape(name).startswith("datatype "):
        return Text(value, lambda v: "&%s" % (variant(v.dereference(), name) or v.format_string(raw=True)))
    return None


def printer(value):
    type = value.type
    stripped = type.strip_typedefs()
    if stripped.code == gdb.TYPE_CODE_PTR:
        return to_datatype(value)
    name = escaped(type)
    if stripped.code == gdb.TYPE_CODE_UNION:
        if is_tagged(stripped):
            return Tagged(value)
    if name is None:
        return None
    text = unescape(name)
    if stripped.tag == "cyc_fat":
        return Fat(value, name)
    if text.startswith("$("):
        view = view_of(name, "struct")
        return Tuple(reread(value, view)) if view else None
    if text.startswith("datatype "):
        if stripped.tag == "cyc_exn" or stripped.fields()[0].type.code == gdb.TYPE_CODE_PTR:
            return Text(value, extensible)
        return Text(value, lambda v: variant(v, name))
    word = "union" if stripped.code == gdb.TYPE_CODE_UNION else "struct"
    view = view_of(name, word)
    return Struct(reread(value, view)) if view else None


def reread(value, view):
    """The same bytes at the type that tells more of them."""
    if value.address is not None:
        return value.address.cast(view.pointer()).dereference()
    return value.cast(view) if value.type.sizeof == view.sizeof else value


class Struct:
    """A struct whose fields have the types of its arguments."""

    def __init__(self, value):
        self.value = value

    def children(self):
        for field in self.value.type.fields():
            yield field.name, self.value[field]


class Types:
    """Names of types."""

    name, enabled = "cyclone", True

    def instantiate(self):
        return self

    def recognize(self, type):
        name = type.name or ""
        if name.startswith(TYPE):
            return re.sub("#[0-9]+$", "", unescape(name[len(TYPE) :]))
        return None


def readable(name):
    """`A::f` of the symbol `Cyc_A$$f$8`."""
    if not name.startswith("Cyc_"):
        return name
    return re.sub(r"(\$[48])+$", "", name[4:]).replace("$$", "::")


class Frame(gdb.FrameDecorator.FrameDecorator):
    def function(self):
        name = super().function()
        return readable(name) if isinstance(name, str) else name


class Frames:
    name, enabled, priority = "cyclone", True, 100

    def filter(self, frames):
        return map(Frame, frames)


def install(objfile):
    printers = gdb.pretty_printers if objfile is None else objfile.pretty_printers
    printer.name, printer.enabled = "cyclone", True
    if not any(getattr(p, "name", "") == "cyclone" for p in printers):
        printers.insert(0, printer)
    where = gdb if objfile is None else objfile
    where.type_printers.insert(0, Types())
    where.frame_filters["cyclone"] = Frames()


install(gdb.current_objfile())

//! Names of types for debuggers (`-g`): C's debugging information tells nothing of what a fat pointer points to, which
//! variants a datatype has, or what stands behind an erased type argument. Typedefs that no code needs do, and
//! `runtime/gdb/cyclone.py` reads them:
//!
//! - `cyc_type$T` is C's type for the Cyclone type `T`, and stands where the program declares something of this type;
//! - `cyc_elem$T` is a pointer to the elements of the fat pointer type `T`;
//! - `struct cyc_view$T` has the fields of `T` at their own types, unerased; of a closed datatype `union cyc_view$T` has
//!   one member for each variant, in order, by its name; so has `union cyc_view$X`, for the variant of an extensible
//!   datatype that is marked by the object `X`.
//!
//! `T` is the type as the programmer writes it, each byte that no identifier has as `$` and two hexadecimal digits.

use crate::types::CTypes;
use cyc_types::print::Plain;
use cyc_types::{AggrId, Bound, DatatypeId, QTy, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::fmt::Write;

/// A type whose name would be longer has none.
const LONGEST: usize = 120;

/// The types that have names.
#[derive(Default)]
pub(crate) struct Debug {
    pub on: bool,
    /// Set while a declaration is written; casts do without names, so that types which C cannot tell apart have one text.
    declaring: Cell<bool>,
    names: RefCell<FxHashMap<Ty, String>>,
    /// The C type behind a name: another type that is written alike gets another name.
    taken: RefCell<FxHashMap<String, String>>,
    /// In order of first mention, with the C type.
    order: RefCell<Vec<(Ty, String, String)>>,
}

/// The written type as part of an identifier.
fn mangle(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => out.push(byte.into()),
            _ => _ = write!(out, "${byte:02x}"),
        }
        out
    })
}

impl Debug {
    pub fn new(on: bool) -> Debug {
        Debug { on, ..Debug::default() }
    }
}

impl CTypes<'_> {
    /// The name that stands for a type whose C type `c` does not tell what it is.
    pub(crate) fn named(&self, ty: Ty, c: String) -> String {
        let debug = &self.debug;
        if !debug.declaring.get() || !self.needs_name(ty) {
            return c;
        }
        if let Some(name) = debug.names.borrow().get(&ty) {
            return format!("cyc_type${name}");
        }
        let elem = self.elem(ty).map(|to| self.pointer_to(to)).unwrap_or_default();
        let key = format!("{c} {elem}");
        // Fields of a type that is applied to ever larger arguments would have no end of names.
        let text = self.types().show(ty.into(), &Plain);
        if text.len() > LONGEST {
            return c;
        }
        let candidates = (1..).map(|n| mangle(&if n == 1 { text.clone() } else { format!("{text}#{n}") }));
        let free = |name: &String| debug.taken.borrow().get(name).is_none_or(|owner| *owner == key);
        let Some(name) = candidates.into_iter().find(free) else { return c };
        if debug.taken.borrow_mut().insert(name.clone(), key).is_none() {
            debug.order.borrow_mut().push((ty, name.clone(), c));
        }
        debug.names.borrow_mut().insert(ty, name.clone());
        format!("cyc_type${name}")
    }

    /// Types have names in what `write` writes.
    pub(crate) fn declaring<T>(&self, write: impl FnOnce() -> T) -> T {
        let before = self.debug.declaring.replace(self.debug.on);
        let written = write();
        self.debug.declaring.set(before);
        written
    }

    /// Types have no names in what `write` writes, even within a declaration.
    pub(crate) fn nameless<T>(&self, write: impl FnOnce() -> T) -> T {
        let before = self.debug.declaring.replace(false);
        let written = write();
        self.debug.declaring.set(before);
        written
    }

    fn needs_name(&self, ty: Ty) -> bool {
        match self.types().kind(ty) {
            TyKind::Pointer(ptr) => ptr.bound == Bound::Fat,
            TyKind::Tuple(_) | TyKind::Datatype(_) | TyKind::Variant(..) => true,
            TyKind::Aggr(id) => self.erased(*id) != *id,
            _ => false,
        }
    }

    fn elem(&self, ty: Ty) -> Option<QTy> {
        let ptr = self.types().as_pointer(ty)?;
        Some(ptr.to)
    }

    /// How many names there are so far.
    pub(crate) fn names_given(&self) -> usize {
        self.debug.order.borrow().len()
    }

    pub(crate) fn type_names(&self) -> String {
        let order = self.debug.order.borrow();
        order.iter().fold(String::new(), |out, (_, name, c)| out + &format!("typedef {c} cyc_type${name};\n"))
    }

    /// What describes the `i`-th name; it may mention further types.
    pub(crate) fn view(&self, i: usize) -> String {
        let (ty, name, _) = self.debug.order.borrow()[i].clone();
        match self.types().kind(ty) {
            TyKind::Pointer(ptr) => {
                format!("typedef {};\n", self.declare(ptr.to, &format!("(*cyc_elem${name})")))
            }
            TyKind::Tuple(parts) => {
                let mut out = format!("struct cyc_view${name} {{\n");
                for (i, part) in parts.iter().enumerate() {
                    let _ = writeln!(out, "  {};", self.declare(*part, &format!("f{i}")));
                }
                out + "};\n"
            }
            TyKind::Datatype(id) | TyKind::Variant(id, _) if self.types().datatype(*id).extensible => String::new(),
            TyKind::Datatype(id) => {
                let variants = 0..self.types().datatype(*id).variants.len() as u32;
                let members: String = variants.map(|v| self.variant_view(*id, v)).collect();
                format!("union cyc_view${name} {{\n{members}}};\n")
            }
            TyKind::Variant(id, variant) => {
                format!("union cyc_view${name} {{\n{}}};\n", self.variant_view(*id, *variant))
            }
            TyKind::Aggr(id) => self.aggr_view(self.types().packed_aggr(*id), &name),
            _ => String::new(),
        }
    }

    fn aggr_view(&self, id: AggrId, name: &str) -> String {
        let aggr = self.types().aggr(id);
        let word = if aggr.is_union { "union" } else { "struct" };
        match aggr.fields {
            Some(_) => self.fields(id, &format!("{word} cyc_view${name}"), |_| {}),
            None => String::new(),
        }
    }

    /// `struct { tag; T1 f1; … } V;`
    fn variant_view(&self, id: DatatypeId, variant: u32) -> String {
        let types = self.types();
        let sum = types.datatype(id);
        let tag = if sum.extensible { "const struct cyc_exn_tag *tag" } else { "int tag" };
        let mut out = format!("  struct {{ {tag};");
        for (i, field) in types.variant_fields(id, variant).unwrap_or_default().iter().enumerate() {
            let _ = write!(out, " {};", self.declare(*field, &format!("f{}", i + 1)));
        }
        out + &format!(" }} {};\n", sum.variants[variant as usize].name)
    }

    /// The views of the variants of extensible datatypes that have components.
    pub(crate) fn extensible_views(&self) -> String {
        let mut out = String::new();
        let types = self.types();
        for id in types.datatype_ids().filter(|id| types.datatype(*id).extensible) {
            for (v, variant) in types.datatype(id).variants.iter().enumerate() {
                if !variant.fields.is_empty() {
                    let view = self.variant_view(id, v as u32);
                    let _ = writeln!(out, "union cyc_view${} {{\n{view}}};", self.tag_object(id, v as u32));
                }
            }
        }
        out
    }
}

/// The script that teaches gdb to read all this, as `.debug_gdb_scripts` has it: gdb runs it when it loads the program.
/// Sections of this kind are merged, so a program carries it once.
pub(crate) fn script(text: &str) -> String {
    let mut out = String::from("__asm__(\".pushsection .debug_gdb_scripts, \\\"MS\\\", @progbits, 1\\n.byte 4\\n\"\n");
    for line in std::iter::once("cyclone.py").chain(text.lines()) {
        let line = line.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "{}", crate::literal::string(format!(".ascii \"{line}\\n\"\n").as_bytes()));
    }
    out + "\".byte 0\\n.popsection\\n\");\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_written_type_becomes_one_identifier() {
        assert_eq!(super::mangle("const char ?"), "const$20char$20$3f");
        assert_eq!(super::mangle("$(int, A::B)"), "$24$28int$2c$20A$3a$3aB$29");
    }
}

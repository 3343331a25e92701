//! Names in the C output. Globals get the prefix `Cyc_` and the path of their namespace, its parts ended by `$$`, which
//! no name contains: the mangling is injective. Entities of C keep their names; locals keep the programmer's unless C
//! would misread them.

use crate::ctree::Text;
use cyc_mir::tast::{GlobalId, Linkage, TypedUnit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt::Write;

pub(crate) struct Names {
    globals: Vec<Text>,
    /// Plain names of C in scope: locals must not hide them.
    plain: FxHashSet<&'static str>,
    /// The first of the globals that share a C name declares it.
    declares: Vec<bool>,
    /// Globals whose name in C differs from their symbol: declared with an asm label.
    labels: FxHashMap<u32, &'static str>,
}

impl Names {
    pub fn new(unit: &TypedUnit) -> Names {
        let mut plain = FxHashSet::default();
        let mut owners: FxHashMap<&'static str, u32> = FxHashMap::default();
        let mut labels = FxHashMap::default();
        let mut statics: FxHashMap<String, u32> = FxHashMap::default();
        let mut globals = Vec::with_capacity(unit.globals.len());
        for (i, global) in unit.globals.iter().enumerate().filter(|(_, global)| global.from_c_text) {
            owners.entry(global.c_name.unwrap_or(global.name).as_str()).or_insert(i as u32);
        }
        for (i, global) in unit.globals.iter().enumerate() {
            let name = global.name.as_str();
            let text: Text = match global.c_name {
                Some(c) if c.as_str() == "main" && global.is_function => Cow::Borrowed("Cyc_main"),
                Some(c) => {
                    let c = c.as_str();
                    plain.insert(c);
                    match owners.get(c) {
                        Some(first) if unit.globals[*first as usize].qty != global.qty && !global.from_c_text => {
                            labels.insert(i as u32, c);
                            Cow::Owned(format!("_cycC{i}_{c}"))
                        }
                        _ => {
                            owners.entry(c).or_insert(i as u32);
                            Cow::Borrowed(c)
                        }
                    }
                }
                None if global.from_c_text => {
                    plain.insert(name);
                    Cow::Borrowed(name)
                }
                None if global.linkage == Linkage::Internal => {
                    let name = mangled(global.namespace.as_str(), name);
                    let count = statics.entry(name.clone()).or_insert(0);
                    *count += 1;
                    match *count {
                        1 => Cow::Owned(name),
                        n => Cow::Owned(format!("_cycS{n}_{name}")),
                    }
                }
                None => Cow::Owned(mangled(global.namespace.as_str(), name)),
            };
            globals.push(text);
        }
        let mut declared = FxHashSet::default();
        let declares = unit.globals.iter().enumerate().map(|(i, global)| match global.c_name {
            Some(c) if global.used && !labels.contains_key(&(i as u32)) => declared.insert(c),
            _ => true,
        });
        let declares = declares.collect();
        Names { globals, plain, declares, labels }
    }

    pub fn global(&self, id: GlobalId) -> Text {
        self.globals[id.0 as usize].clone()
    }

    /// The symbol a declaration must name with an asm label, if its C name is not the symbol.
    pub fn label(&self, id: GlobalId) -> Option<&'static str> {
        self.labels.get(&id.0).copied()
    }

    /// Is this declaration the one that declares its C name? (Several globals may share one.)
    pub fn declares(&self, id: GlobalId) -> bool {
        self.declares[id.0 as usize]
    }

    /// Names for the locals of a function; `wanted` are the programmer's. Locals after these are temporaries.
    pub fn locals(&self, wanted: impl Iterator<Item = &'static str>) -> Locals {
        let mut used: FxHashMap<Text, u32> = FxHashMap::default();
        let names = wanted.map(|name| {
            let base = if self.is_reserved(name) { Cow::Owned(format!("{name}_")) } else { Cow::Borrowed(name) };
            unique(&mut used, base)
        });
        Locals::new(names.collect())
    }

    fn is_reserved(&self, name: &str) -> bool {
        self.plain.contains(name)
            || name.starts_with("cyc_")
            || name.starts_with("CYC_")
            || name.starts_with("Cyc_")
            || name.starts_with('_')
            || RESERVED.binary_search(&name).is_ok()
    }
}

/// The symbol of a global of Cyclone: `Cyc_A$$B$$x` for `A::B::x`, `Cyc_x` in the root.
fn mangled(namespace: &str, name: &str) -> String {
    match namespace {
        "" => format!("Cyc_{name}"),
        path => format!("Cyc_{}$${name}", in_c(path)),
    }
}

/// A name with the path of its namespace, as a word of C.
pub(crate) fn in_c(qualified: &str) -> String {
    qualified.replace("::", "$$")
}

/// The names of a function's locals. Temporaries are numbered `t1`, `t2` … and need no text of their own.
#[derive(Default)]
pub(crate) struct Locals {
    named: Vec<Text>,
    prefix: &'static str,
}

impl Locals {
    pub fn new(named: Vec<Text>) -> Locals {
        let numbered = |prefix: &str| {
            named.iter().any(|name| {
                name.strip_prefix(prefix)
                    .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
            })
        };
        let prefix = ["t", "tmp", "value"].into_iter().find(|prefix| !numbered(prefix)).unwrap_or("_cycL");
        Locals { named, prefix }
    }

    pub fn write(&self, local: u32, out: &mut String) {
        match self.named.get(local as usize) {
            Some(name) => out.push_str(name),
            None => {
                let _ = write!(out, "{}{}", self.prefix, local as usize + 1 - self.named.len());
            }
        }
    }

    pub fn get(&self, local: u32) -> String {
        let mut out = String::new();
        self.write(local, &mut out);
        out
    }
}

/// `base`, or `base_2`, `base_3` … when it is taken.
fn unique(used: &mut FxHashMap<Text, u32>, base: Text) -> Text {
    let Some(count) = used.get_mut(&base) else {
        used.insert(base.clone(), 1);
        return base;
    };
    let mut n = *count;
    loop {
        n += 1;
        let candidate: Text = Cow::Owned(format!("{base}_{n}"));
        if !used.contains_key(&candidate) {
            used.insert(base, n);
            used.insert(candidate.clone(), 1);
            return candidate;
        }
    }
}

/// Words of C and GNU C that are identifiers in Cyclone, and predefined macros. Sorted.
const RESERVED: &[&str] = &[
    "NULL", "asm", "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "i386", "if", "inline", "int", "linux", "long", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "typeof", "union", "unix", "unsigned",
    "void", "volatile", "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_are_distinct_and_not_words_of_c() {
        assert!(RESERVED.is_sorted());
        let names = Names::new(&TypedUnit::default());
        let locals = names.locals(["i", "i", "i_2", "linux", "t1", "i"].into_iter());
        let got: Vec<String> = (0..7).map(|i| locals.get(i)).collect();
        assert_eq!(got, ["i", "i_2", "i_2_2", "linux_", "t1", "i_3", "tmp1"]);
    }
}

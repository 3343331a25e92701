//! Names in the C output. Globals of the root namespace get the prefix `Cyc_`, which makes the mangling
//! injective; entities of C keep their names; locals keep the programmer's unless C would misread them.

use crate::ctree::Text;
use cyc_mir::tast::{GlobalId, Linkage, TypedUnit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

pub(crate) struct Names {
    globals: Vec<Text>,
    /// Plain names of C in scope: locals must not hide them.
    plain: FxHashSet<&'static str>,
    /// Globals whose name in C differs from their symbol: declared with an asm label.
    labels: FxHashMap<u32, &'static str>,
}

impl Names {
    pub fn new(unit: &TypedUnit) -> Names {
        let mut plain = FxHashSet::default();
        let mut owners: FxHashMap<&'static str, u32> = FxHashMap::default();
        let mut labels = FxHashMap::default();
        let mut statics: FxHashMap<&'static str, u32> = FxHashMap::default();
        let mut globals = Vec::with_capacity(unit.globals.len());
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
                    let count = statics.entry(name).or_insert(0);
                    *count += 1;
                    match *count {
                        1 => Cow::Owned(format!("Cyc_{name}")),
                        n => Cow::Owned(format!("_cycS{n}_{name}")),
                    }
                }
                None => Cow::Owned(format!("Cyc_{name}")),
            };
            globals.push(text);
        }
        Names { globals, plain, labels }
    }

    pub fn global(&self, id: GlobalId) -> Text {
        self.globals[id.0 as usize].clone()
    }

    /// The symbol a declaration must name with an asm label, if its C name is not the symbol.
    pub fn label(&self, id: GlobalId) -> Option<&'static str> {
        self.labels.get(&id.0).copied()
    }

    /// Is this declaration the one that declares its C name? (Several globals may share one.)
    pub fn declares(&self, unit: &TypedUnit, id: GlobalId) -> bool {
        let Some(c) = unit.global(id).c_name else { return true };
        self.labels.contains_key(&id.0) || !unit.globals[..id.0 as usize].iter().any(|g| g.c_name == Some(c) && g.used)
    }

    /// Names for the locals of a function; `wanted` are the programmer's, None for temporaries.
    pub fn locals(&self, wanted: impl Iterator<Item = Option<&'static str>>) -> Vec<Text> {
        let mut used: FxHashMap<Text, u32> = FxHashMap::default();
        let mut temps = 0;
        wanted
            .map(|name| {
                let base: Text = match name {
                    Some(name) if self.is_reserved(name) => Cow::Owned(format!("{name}_")),
                    Some(name) => Cow::Borrowed(name),
                    None => {
                        temps += 1;
                        Cow::Owned(format!("t{temps}"))
                    }
                };
                unique(&mut used, base)
            })
            .collect()
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
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "typeof", "union", "unix", "unsigned", "void",
    "volatile", "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_are_distinct_and_not_words_of_c() {
        assert!(RESERVED.is_sorted());
        let names = Names::new(&TypedUnit::default());
        let given = [Some("i"), Some("i"), Some("i_2"), Some("linux"), None, Some("t1"), Some("i")];
        let got = names.locals(given.into_iter());
        assert_eq!(got, ["i", "i_2", "i_2_2", "linux_", "t1", "t1_2", "i_3"]);
    }
}

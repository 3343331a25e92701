//! The types of what a unit shares with others, as a section of its object file that is not linked into programs: the
//! driver compares them before it links (core, section 12.5).
//!
//! The section `.cyc.types` holds text: lines of fields separated by the character 0x1f.
//!
//! ```text
//! U  name of the unit     words of a fat pointer
//! S  symbol or variant    signature   named types it mentions   declaration, for people
//! D  named type           signature   named types it mentions
//! M  function or variable sort        what it mentions           its name, for people
//! T  function             -           -                          where it is given to another thread
//! ```
//!
//! The sort is `v` for a variable that threads must not touch, `p` for one that each thread has of its own. A mention begins
//! with `&` when the address of a variable is taken, with `!` when it is of C code that is not made for threads. What only this
//! unit knows begins with `.`.
//!
//! Only entities with mangled names are told: what has C's plain name is trusted, as everything about C is.

use crate::Unit;
use crate::{globals, literal};
use cyc_mir::tast::{self, GlobalId, Linkage};
use cyc_mir::threads::{Variable, variable};
use cyc_types::print::Show;
use cyc_types::{BUILTIN_EXCEPTIONS, EXN, Mention, Region, Signature, Ty, TyKind, Types, Var, VariantLinkage};
use std::collections::BTreeSet;
use std::fmt::Write;

const SEPARATOR: char = '\u{1f}';

/// A top-level `asm` that makes the section; nothing where a unit shares nothing.
pub(crate) fn section(cx: &Unit) -> String {
    let mut lines = Lines { cx, text: String::new(), wanted: BTreeSet::new() };
    lines.symbols();
    lines.variants();
    lines.threads();
    if lines.text.is_empty() {
        return String::new();
    }
    lines.definitions();
    let unit = cx.source.files.first().map_or("", |file| file.name.as_str());
    let text = format!("U{SEPARATOR}{unit}{SEPARATOR}{}\n{}", cx.unit.types.fat_words, lines.text);
    let mut out = String::from("__asm__(\".pushsection .cyc.types,\\\"e\\\",@progbits\\n\"\n");
    for line in text.split_inclusive('\n') {
        // Quoted for the assembler, then for C.
        let directive = format!(".ascii {}\n", assembler_string(line.as_bytes()));
        let _ = writeln!(out, "  {}", literal::string(directive.as_bytes()));
    }
    out.push_str("  \".popsection\\n\");\n");
    out
}

/// A string of the assembler: octal escapes have three digits, and no other escapes are needed.
fn assembler_string(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'\\' | b'"' => {
                out.push('\\');
                out.push(b as char);
            }
            0x20..=0x7e => out.push(b as char),
            _ => {
                let _ = write!(out, "\\{b:03o}");
            }
        }
    }
    out.push('"');
    out
}

struct Lines<'a> {
    cx: &'a Unit<'a>,
    text: String,
    /// Named types whose definitions belong to what was written.
    wanted: BTreeSet<Mention>,
}

impl Lines<'_> {
    fn types(&self) -> &Types {
        &self.cx.unit.types
    }

    /// One line. Names, types and paths of named types hold no control characters.
    fn line(&mut self, tag: char, key: &str, signature: &Signature, shown: &str) {
        let mentions: BTreeSet<String> = signature.mentions.iter().map(|m| self.types().mention_name(*m)).collect();
        let mentions: Vec<String> = mentions.into_iter().collect();
        let fields = [key, &signature.text, &mentions.join(","), shown];
        let _ = writeln!(self.text, "{tag}{SEPARATOR}{}", fields.join(&SEPARATOR.to_string()));
        self.wanted.extend(&signature.mentions);
    }

    /// Functions and variables that are defined here for others, or used here and defined elsewhere.
    fn symbols(&mut self) {
        let unit = self.cx.unit;
        for (i, global) in unit.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            let shared = match global.linkage {
                Linkage::Internal => false,
                Linkage::Public => globals::is_wanted(unit, id),
                Linkage::Extern => global.used,
            };
            if !shared || global.c_name.is_some() || global.from_c_text {
                continue;
            }
            let symbol = self.cx.names.global(id).into_owned();
            let shown = self.types().declaration(global.qty, global.name.as_str(), &Regions);
            // A length that is not told agrees with every length: the ones that are told are compared by themselves.
            let mut qty = global.qty;
            if let TyKind::Array { elem, len: Some(len), zeroterm } = *self.types().kind(qty.ty) {
                qty.ty = self.types().intern(TyKind::Array { elem, len: None, zeroterm });
                let length = Signature { text: len.to_string(), mentions: BTreeSet::new() };
                self.line('D', &format!("the length of {symbol}"), &length, "");
            }
            let mut signature = self.types().signature(qty);
            if global.thread_local {
                signature.text.push_str("thread");
            }
            self.line('S', &symbol, &signature, &shown);
        }
    }

    /// What functions and variables mention, and what threads run: the driver follows that from unit to unit.
    fn threads(&mut self) {
        let unit = self.cx.unit;
        for (i, global) in unit.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            let sort = match global.is_function || global.linkage == Linkage::Extern {
                true => "",
                false => match variable(unit, id) {
                    Variable::Constant => "",
                    Variable::Private => "p",
                    Variable::Mutable => "v",
                },
            };
            let mentions: BTreeSet<String> =
                unit.mentions.get(&id).into_iter().flatten().filter_map(|mention| self.mention(mention)).collect();
            if !sort.is_empty() || !mentions.is_empty() {
                let mentions: Vec<String> = mentions.into_iter().collect();
                let fields = [&self.symbol(id), sort, &mentions.join(","), global.name.as_str()];
                let _ = writeln!(self.text, "M{SEPARATOR}{}", fields.join(&SEPARATOR.to_string()));
            }
        }
        for (id, span) in &unit.thread_roots {
            let (file, line) = self.cx.source.file_line(span.lo);
            let place = format!("{}:{line}", self.cx.source.files[file].name);
            let fields = [&self.symbol(*id), "", "", &place];
            let _ = writeln!(self.text, "T{SEPARATOR}{}", fields.join(&SEPARATOR.to_string()));
        }
    }

    /// The name by which the driver knows a function or variable.
    fn symbol(&self, id: GlobalId) -> String {
        let name = self.cx.names.global(id);
        match self.cx.unit.global(id).linkage {
            Linkage::Internal => format!(".{name}"),
            Linkage::Public | Linkage::Extern => name.into_owned(),
        }
    }

    /// None: harmless, whatever other units say.
    fn mention(&self, mention: &tast::Mention) -> Option<String> {
        let global = self.cx.unit.global(mention.to);
        let single = || self.types().as_function(global.qty.ty).is_some_and(|f| f.attrs.single_threaded);
        let from_c = global.linkage == Linkage::Extern && (global.c_name.is_some() || global.from_c_text);
        match from_c {
            true if global.is_function => single().then(|| format!("!{}", global.name)),
            true if variable(self.cx.unit, mention.to) == Variable::Constant => None,
            true => Some(format!("!{}", global.name)),
            false => Some(format!("{}{}", if mention.address { "&" } else { "" }, self.symbol(mention.to))),
        }
    }

    /// Variants of extensible datatypes, which units share by name.
    fn variants(&mut self) {
        let ids: Vec<_> = self.types().datatype_ids().filter(|id| self.types().is_own_datatype(*id)).collect();
        for id in ids {
            let sum = self.types().datatype(id).clone();
            if !sum.extensible {
                continue;
            }
            let builtin = if id == EXN { BUILTIN_EXCEPTIONS.len() } else { 0 };
            for (index, variant) in sum.variants.iter().enumerate().skip(builtin) {
                if variant.linkage == VariantLinkage::Internal {
                    continue;
                }
                let signature = self.types().variant_signature(id, index as u32);
                let parts: Vec<String> = variant.fields.iter().map(|f| self.types().show(*f, &Regions)).collect();
                let key = format!("{}::{} of datatype {}", variant.namespace, variant.name, sum.name);
                let shown = format!("{}({})", variant.name, parts.join(", "));
                self.line('S', key.trim_start_matches("::"), &signature, &shown);
            }
        }
    }

    /// The definitions of all types that were mentioned, and of those that these mention. An abstract type's is told
    /// too: other units must not have another one of their own.
    fn definitions(&mut self) {
        let mut done = BTreeSet::new();
        while let Some(mention) = self.wanted.pop_first() {
            let name = self.types().mention_name(mention);
            if done.insert(name.clone())
                && let Some(signature) = self.types().definition_signature(mention)
            {
                self.line('D', &name, &signature, "");
            }
        }
    }
}

/// Shows every region, since regions are part of what must agree.
struct Regions;

impl Show for Regions {
    fn region(&self, region: Region) -> Option<String> {
        (region == Region::Heap).then(|| "`H".into())
    }
    fn variable(&self, _: Var) -> Option<String> {
        None
    }
    fn infer(&self, _: Ty) -> Option<Ty> {
        None
    }
}

//! Attributes that go on to the C compiler: those of an object file. What they say must not let the program break its own
//! promises: sections whose contents the loader, the linker or the run time follow are not the program's.

use super::attributes::{BackEnd, DeclAttrs, LARGEST_ALIGNMENT};
use crate::cx::Checker;
use crate::errors;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{Attr, Expr, ExprKind};
use cyc_types::{Ty, TyKind};

/// What the program may say of when a function runs: before, the allocator, the collector and the library get ready.
const FIRST_PRIORITY: u64 = 1000;
const LAST_PRIORITY: u64 = 65535;

/// What carries such an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carrier {
    Function {
        is_static: bool,
    },
    Variable {
        is_static: bool,
        thread_local: bool,
        is_const: bool,
    },
    /// In a function's frame.
    Local,
    /// A function within a function, whose variables it may use.
    Nested,
}

/// What a section holds, which is the same for everything that is put there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Contents {
    Code,
    Constants,
    Variables,
}

impl Carrier {
    fn contents(self) -> Contents {
        match self {
            Carrier::Function { .. } | Carrier::Nested => Contents::Code,
            Carrier::Variable { is_const: true, .. } => Contents::Constants,
            Carrier::Variable { is_const: false, .. } | Carrier::Local => Contents::Variables,
        }
    }

    /// Why it cannot have the attribute.
    fn objection(self, attribute: &str) -> Option<&'static str> {
        let visible =
            matches!(self, Carrier::Function { is_static: false } | Carrier::Variable { is_static: false, .. });
        match attribute {
            "constructor" | "destructor" if self == Carrier::Nested => {
                Some("it runs only within the function around it")
            }
            "section" | "used" | "visibility" | "alias" if self == Carrier::Local => {
                Some("a variable in a function's frame is not in the object file")
            }
            "section" if matches!(self, Carrier::Variable { thread_local: true, .. }) => {
                Some("each thread has its own, in memory that is made when the thread starts")
            }
            "weak" | "alias" if !visible && self != Carrier::Nested => Some("other units do not see this name"),
            "noinline" | "cold" | "hot" | "flatten" | "no_instrument_function" | "constructor" | "destructor" => {
                (!matches!(self, Carrier::Function { .. } | Carrier::Nested))
                    .then_some("only functions have this attribute")
            }
            _ => None,
        }
    }
}

impl Checker<'_> {
    /// The attribute for the C compiler, if its arguments are what it takes.
    pub(super) fn back_end_attribute(&mut self, attr: &Attr, into: &mut DeclAttrs) {
        let name = attr.name.as_str();
        if self.decls.c_text || arguments_fit(name, &attr.args) {
            match attribute_text(attr) {
                Some(text) => into.text.push(BackEnd { name: attr.name, text, span: attr.span }),
                None => self.report(errors::types::bad_attribute_argument(attr.span, attr.name)),
            }
        } else if let ("constructor" | "destructor", [_]) = (name, &attr.args[..]) {
            self.report(errors::types::bad_priority(attr.span, attr.name, FIRST_PRIORITY, LAST_PRIORITY));
        } else {
            self.report(errors::types::bad_attribute_argument(attr.span, attr.name));
        }
    }

    /// A variable's own alignment. Never less than that of its type, which pointers to it promise: C compilers take the word of
    /// the attribute.
    pub(crate) fn alignment(&self, bytes: u32, ty: Ty, span: Span) -> Option<BackEnd> {
        let mut ty = self.resolve(ty);
        while let TyKind::Array { elem, .. } = self.unit.types.kind(ty) {
            ty = elem.ty;
        }
        let natural = self.layout_of(ty).map_or(u64::from(LARGEST_ALIGNMENT), |layout| layout.align);
        let more = u64::from(bytes) > natural;
        more.then(|| BackEnd { name: Symbol::new("aligned"), text: format!("aligned({bytes})"), span })
    }

    /// Can the declared thing have its attributes? Those that it cannot have are reported.
    pub(crate) fn check_carried(&mut self, attrs: &DeclAttrs, carrier: Carrier) {
        if self.decls.c_text {
            return;
        }
        for attr in &attrs.text {
            if let Some(why) = carrier.objection(attr.name.as_str()) {
                self.report(errors::types::attribute_does_not_fit(attr.span, attr.name, why));
            } else if attr.name.as_str() == "section" {
                self.check_section(attr, carrier.contents());
            }
        }
    }

    fn check_section(&mut self, attr: &BackEnd, contents: Contents) {
        let name = attr.text.split('"').nth(1).unwrap_or_default();
        if !section_is_free(name, contents) {
            self.report(errors::types::reserved_section(attr.span, name, contents == Contents::Code));
            return;
        }
        let &mut (before, span) = self.decls.sections.entry(name.to_owned()).or_insert((contents, attr.span));
        if before != contents {
            self.report(errors::types::mixed_section(attr.span, name, span));
        }
    }
}

/// A section that nothing but the program gives a meaning to: its name is an identifier, which the linker puts beside others like
/// it, or that of a part of `.text`. Names with other characters could end the directive of the assembler; a dot begins those
/// of the tool chain, the prefixes those of the run time and of compilers' instruments.
fn section_is_free(name: &str, contents: Contents) -> bool {
    let plain = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    if let (Some(part), Contents::Code) = (name.strip_prefix(".text."), contents) {
        return plain(part);
    }
    let taken = ["cyc", "Cyc", "lowfat", "asan", "hwasan", "llvm", "sancov"];
    plain(name) && !taken.iter().any(|prefix| name.starts_with(prefix))
}

/// Are these the arguments that an attribute takes? (`alias` stands in `extern "C"` only, which is trusted.)
fn arguments_fit(name: &str, args: &[Expr]) -> bool {
    match (name, args) {
        ("section" | "alias", [Expr { kind: ExprKind::Str(_), .. }]) => true,
        ("visibility", [Expr { kind: ExprKind::Str(which), .. }]) => {
            [&b"default"[..], b"hidden", b"protected", b"internal"].contains(&&which[..])
        }
        ("constructor" | "destructor", [Expr { kind: ExprKind::Int { value, .. }, .. }]) => {
            (FIRST_PRIORITY..=LAST_PRIORITY).contains(value)
        }
        ("section" | "alias" | "visibility", _) => false,
        (_, args) => args.is_empty(),
    }
}

/// The attribute as C text, if its arguments are words, numbers and strings.
fn attribute_text(attr: &Attr) -> Option<String> {
    if attr.args.is_empty() {
        return Some(attr.name.to_string());
    }
    let args: Option<Vec<String>> = attr
        .args
        .iter()
        .map(|arg| match &arg.kind {
            ExprKind::Name(name) if name.path.is_empty() => Some(name.name.to_string()),
            ExprKind::Int { value, .. } => Some(value.to_string()),
            ExprKind::Str(bytes) => quoted(bytes),
            _ => None,
        })
        .collect();
    Some(format!("{}({})", attr.name, args?.join(", ")))
}

/// A C string literal; only of printable characters, which is all that attributes need.
fn quoted(bytes: &[u8]) -> Option<String> {
    let plain = bytes.iter().all(|b| (b.is_ascii_graphic() || *b == b' ') && !matches!(b, b'"' | b'\\'));
    plain.then(|| format!("\"{}\"", String::from_utf8_lossy(bytes)))
}

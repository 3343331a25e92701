//! Errors and warnings of patterns: E055x to E057x.

use crate::pattern::Bar;
use cyc_base::{Diagnostic, Span, Symbol};
use cyc_syntax::ast::Ident;

fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

pub fn mismatch(span: Span, what: &str, found: &str) -> Diagnostic {
    error("E0550", span, format!("{what} cannot match a value of type `{found}`")).here("this pattern does not fit")
}

pub fn constructor_mismatch(span: Span, name: Symbol, found: &str, behind: bool) -> Diagnostic {
    let diagnostic = error("E0551", span, format!("constructor `{name}` cannot match a value of type `{found}`"))
        .here("this pattern does not fit");
    match behind {
        true => diagnostic.edit(Span::new(span.lo, span.lo), "&", "match what the pointer points to"),
        false => diagnostic,
    }
}

pub fn repeated_variable(name: Ident, before: Span) -> Diagnostic {
    error("E0552", name.span, format!("pattern contains a repeated variable: `{}`", name.name))
        .here("second occurrence")
        .label(before, "first occurrence")
}

pub fn abstract_variable(name: Ident, found: &str) -> Diagnostic {
    error(
        "E0553",
        name.span,
        format!("pattern would point to an abstract member: `{}` would hold a `{found}`", name.name),
    )
    .here("its size is not known")
    .help("bind the pointer instead, or match one constructor")
}

pub fn array_variable(name: Ident) -> Diagnostic {
    error("E0554", name.span, format!("`{}` cannot hold an array", name.name))
        .here("an array cannot be copied by a pattern")
        .help("match `_`, and use the array through the whole")
}

pub fn not_constant(span: Span) -> Diagnostic {
    error("E0556", span, "cannot evaluate expression at compile time").here("a pattern needs a constant")
}

pub fn out_of_range(span: Span, value: i128, found: &str) -> Diagnostic {
    error("E0557", span, format!("{value} is no value of type `{found}`")).here("never matches")
}

pub fn null_for_nonnull(span: Span, found: &str) -> Diagnostic {
    error("E0558", span, format!("a value of type `{found}` is never NULL")).here("never matches")
}

pub fn unknown_constructor(span: Span, name: Symbol) -> Diagnostic {
    error("E0560", span, format!("`{name}` is no datatype constructor and no struct")).here("not declared")
}

pub fn wrong_count(span: Span, what: &str, wanted: usize, found: usize) -> Diagnostic {
    let few = if found < wanted { "few" } else { "many" };
    let diagnostic =
        error("E0561", span, format!("too {few} arguments for {what}")).here(format!("{found} given, {wanted} needed"));
    match found < wanted {
        true => diagnostic.help("end the list with `...` to ignore the rest"),
        false => diagnostic,
    }
}

pub fn tuple_designator(span: Span) -> Diagnostic {
    error("E0562", span, "a tuple pattern has no field names").here("bad field designator")
}

pub fn bad_designator(span: Span) -> Diagnostic {
    error("E0563", span, "bad field designator").here("a pattern names one field: `.f = p`")
}

pub fn no_field(name: Ident) -> Diagnostic {
    error("E0564", name.span, format!("the struct has no field `{}`", name.name)).here("bad field designator")
}

pub fn field_twice(name: Ident, before: Span) -> Diagnostic {
    error("E0565", name.span, format!("the field `{}` is matched twice", name.name))
        .here("second pattern")
        .label(before, "first pattern")
}

pub fn fields_missing(span: Span, names: &[Symbol]) -> Diagnostic {
    let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    error("E0566", span, "too few arguments to struct")
        .here(format!("no pattern for {}", names.join(", ")))
        .help("end the list with `...` to ignore the rest")
}

pub fn union_pattern(span: Span, declared: Span) -> Diagnostic {
    error("E0567", span, "patterns on untagged unions not yet supported")
        .here("nothing tells which member was written last")
        .label(declared, "the union")
}

pub fn incomplete(span: Span, declared: Span) -> Diagnostic {
    error("E0568", span, "can't destructure an abstract struct")
        .here("its fields are not known here")
        .label(declared, "only declared")
}

pub fn let_may_fail(span: Span, missing: &str) -> Diagnostic {
    Diagnostic::warning("W0501", span, format!("pattern not exhaustive. missing case for {missing}"))
        .here("raises Match_Exception where it does not match")
        .help("use `switch` to handle the other cases")
}

pub fn reference_to_nowhere(span: Span) -> Diagnostic {
    error("E0901", span, "* pattern would point into an unknown/unallowed region")
        .here("the matched value is a copy: there is no place to point to")
        .help("match a pointer: put the pattern beneath a `&`")
}

pub(crate) fn barred_reference(span: Span, why: Bar) -> Diagnostic {
    let place = match why {
        Bar::Member => "a member of a tagged union",
        Bar::BitField => "a bit-field",
        Bar::Packed => "a packed struct",
        Bar::Existential => "an existential struct",
        Bar::Unique => "an object that can be freed",
    };
    let text = format!("* pattern would point into an unknown/unallowed region: {place}");
    error("E0902", span, text)
        .here(format!("no pointer to {place} may be bound"))
        .help("bind a copy: `x` instead of `*x`")
}

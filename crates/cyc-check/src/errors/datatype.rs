//! Errors of datatypes and tagged unions: E089x and E090x.

use cyc_base::{Diagnostic, Span, Symbol};
use cyc_syntax::ast::Ident;

fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

pub fn in_function(span: Span, name: Symbol) -> Diagnostic {
    error("E0890", span, format!("`datatype {name}` is defined inside a function"))
        .here("nested type definitions are not supported for datatypes")
        .help("define it at the top level")
}

pub fn closed_and_extensible(span: Span, name: Symbol, before: Span) -> Diagnostic {
    error("E0891", span, format!("`datatype {name}` is declared extensible, but it is closed"))
        .here("extensible here")
        .label(before, "closed here")
        .help("write `@extensible` on its first declaration, or on none")
}

pub fn storage_of_closed(span: Span, name: Symbol) -> Diagnostic {
    error("E0892", span, format!("the variant `{name}` of a closed datatype is `extern` or `static`"))
        .here("not allowed here")
        .note("only variants of `@extensible` datatypes are defined in one unit and declared in others")
}

pub fn variant_differs(span: Span, name: Symbol, before: Span, same_types: bool) -> Diagnostic {
    let what = if same_types { "once `static` and once not" } else { "twice, with different components" };
    error("E0893", span, format!("the variant `{name}` is declared {what}"))
        .here("this declaration differs")
        .label(before, "from this one")
}

pub fn no_variants(span: Span, name: Symbol) -> Diagnostic {
    error("E0894", span, format!("`datatype {name}` has no variants"))
        .here("no value could exist")
        .help("give it at least one variant, or declare it without braces")
}

pub fn extensible_parameters(span: Span, name: Symbol) -> Diagnostic {
    error("E0895", span, format!("the extensible `datatype {name}` has type parameters"))
        .here("not allowed here")
        .note("variants are added by units that know nothing of each other's arguments")
}

pub fn tagof_operand(span: Span, found: &str) -> Diagnostic {
    error("E0896", span, format!("`tagof` needs a thin pointer to a datatype, and this is a `{found}`"))
        .here("not a pointer to a datatype")
}

pub fn tail_not_variant(span: Span, found: &str, wanted: &str) -> Diagnostic {
    error("E0905", span, format!("the last field needs a value of a variant of `{wanted}`, and this is a `{found}`"))
        .here("not a variant of the datatype")
}

pub fn variant_twice(name: Ident, before: Span) -> Diagnostic {
    error("E0906", name.span, format!("the datatype has two variants `{}`", name.name))
        .here("second variant of this name")
        .label(before, "first variant")
}

pub fn tagged_struct(span: Span) -> Diagnostic {
    error("E0907", span, "`@tagged` is for unions").here("this is a struct").help("remove `@tagged`")
}

pub fn tagged_differently(span: Span, name: Symbol, before: Span, now: bool) -> Diagnostic {
    let (new, old) = if now { ("with", "without") } else { ("without", "with") };
    error("E0897", span, format!("`union {name}` is written {new} `@tagged`, but it is declared {old}"))
        .here(format!("{new} `@tagged`"))
        .label(before, format!("{old} `@tagged`"))
}

pub fn tagged_bit_field(span: Span) -> Diagnostic {
    error("E0908", span, "a member of a tagged union cannot be a bit-field")
        .here("each member has its place beside the tag")
        .help("use a struct with the bit-field as the member")
}

pub fn member_address(span: Span, name: Option<Symbol>, declared: Span) -> Diagnostic {
    let what = name.map_or("a member".into(), |name| format!("member `{name}`"));
    error("E0898", span, format!("the address of {what} of a tagged union cannot be taken"))
        .here("another member may be written while the address is in use")
        .label(declared, "the tagged union")
        .help("copy the value, or point to the whole union")
}

pub fn tagcheck_operand(span: Span) -> Diagnostic {
    error("E0899", span, "`tagcheck` needs a member of a tagged union: `tagcheck(e.m)` or `tagcheck(p->m)`")
        .here("not a member of a tagged union")
}

pub fn one_member(span: Span, found: usize) -> Diagnostic {
    error("E0904", span, "a pattern for a tagged union names exactly one member")
        .here(match found {
            0 => "no member is named".into(),
            1 => "no member is named".into(),
            n => format!("{n} patterns"),
        })
        .help("write `{.m = p}`")
}

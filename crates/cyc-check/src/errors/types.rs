//! Errors of types: E02xx.

use cyc_base::{Diagnostic, Span, Symbol};
use cyc_types::TyKind;

/// A type of kind A, of unknown size, stands where a value is meant.
pub fn needs_size(span: Span, what: &str, shown: &str, kind: &TyKind, declared: Option<Span>) -> Diagnostic {
    let error = Diagnostic::error("E0200", span, format!("{what} cannot have type `{shown}`"));
    match kind {
        TyKind::Void => {
            error.here("`void` has no values").help("use a pointer, `void *`, for an object of unknown type")
        }
        TyKind::Function(_) => {
            error.here("a function is not an object").help("declare a pointer to the function: `T (*name)(…)`")
        }
        TyKind::Datatype(_) => {
            error.here("a datatype has no fixed size").help(format!("use a pointer to it: `{shown} @`"))
        }
        TyKind::Array { .. } => {
            error.here("the length of this array is not known").help("write the number of elements")
        }
        _ => {
            let error = error.here("its size is not known here: it is only declared");
            let error = match declared {
                Some(at) => error.label(at, format!("`{shown}` is declared here, but not defined")),
                None => error,
            };
            error.help("define it before this use, or use a pointer to it")
        }
    }
}

pub fn ends_open(span: Span, what: &str, shown: &str, declared: Span) -> Diagnostic {
    Diagnostic::error("E0200", span, format!("{what} cannot have type `{shown}`"))
        .here("its size is not known: it ends in a part of unknown size")
        .label(declared, "defined here")
        .help(format!("use a pointer to it: `{shown} @`"))
}

pub fn array_length_not_constant(span: Span) -> Diagnostic {
    Diagnostic::error("E0201", span, "the length of an array must be a constant integer expression")
        .here("not constant")
        .help("for a length known only at run time allocate the array: `T ?a = new {for i < n : e}`")
}

pub fn array_length_negative(span: Span, value: i128) -> Diagnostic {
    Diagnostic::error("E0202", span, "the length of an array cannot be negative").here(format!("this is {value}"))
}

pub fn array_too_large(span: Span) -> Diagnostic {
    Diagnostic::error("E0203", span, "the array is too large")
        .here("its size in bytes does not fit a signed 64-bit integer")
}

pub fn bad_result(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0204", span, format!("a function cannot return `{shown}`"))
        .here("arrays and functions are not values")
        .help("return a pointer to it, or a struct that holds the array")
}

pub fn bit_field_type(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0205", span, format!("a bit-field cannot have type `{shown}`"))
        .here("expected an integer or enumeration type")
}

pub fn bit_field_width(span: Span, width: Option<i128>, most: u32) -> Diagnostic {
    let here = match width {
        Some(width) => format!("this is {width}"),
        None => "not a constant integer expression".into(),
    };
    Diagnostic::error("E0206", span, format!("the width of this bit-field must be a constant from 0 to {most}"))
        .here(here)
}

pub fn bit_field_zero_named(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0206", span, format!("the bit-field `{name}` has width 0"))
        .here("only an unnamed bit-field may have width 0")
        .help(format!("remove the name `{name}` to align the next bit-field, or give it a width"))
}

pub fn duplicate_field(span: Span, name: Symbol, before: Span) -> Diagnostic {
    Diagnostic::error("E0207", span, format!("the field `{name}` is declared twice"))
        .here("declared again here")
        .label(before, "first declared here")
}

pub fn contains_itself(span: Span, shown: &str, start: Span) -> Diagnostic {
    Diagnostic::error("E0208", span, format!("`{shown}` contains itself"))
        .here("this field would make the object infinitely large")
        .label(start, format!("the definition of `{shown}` begins here"))
        .help(format!("use a pointer: `{shown} *`"))
}

pub fn cannot_zeroterm(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0209", span, format!("a sequence of `{shown}` cannot be zero-terminated"))
        .here("`@zeroterm` is not possible here")
        .note("the elements must be numbers, characters, enumerations or nullable thin pointers: of these 0 is a value")
}

pub fn unbound_region(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0210", span, format!("the region variable {name} is not bound here"))
        .here("no function type, label or function of this name is around this type")
        .help("in a struct, typedef or global variable write `` `H `` for the heap; in a body use a region variable of the function's parameters")
}

pub fn kind_is_not_region(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0211", span, format!("{name} has the wrong kind: here it must be a region"))
        .here("expected kind `E`")
}

pub fn not_a_region(span: Span) -> Diagnostic {
    Diagnostic::error("E0211", span, "this is not a region")
        .here("expected a region variable such as `` `r `` or `` `H ``")
}

pub fn reserved_region(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0212", span, format!("{name} is a predefined region and cannot be bound"))
        .here("not a variable")
        .help("choose another name")
}

pub fn pointer_bound_not_constant(span: Span) -> Diagnostic {
    Diagnostic::error("E0213", span, "the bound of a pointer must be a constant integer expression")
        .here("not constant")
        .help("use a fat pointer, `T ?`: it carries its bounds")
}

pub fn pointer_bound_negative(span: Span, value: i128) -> Diagnostic {
    Diagnostic::error("E0213", span, "the bound of a pointer cannot be negative").here(format!("this is {value}"))
}

pub fn hole_outside_function(span: Span) -> Diagnostic {
    Diagnostic::error("E0214", span, "`_` cannot be inferred here")
        .here("types are inferred only inside function bodies")
        .note("a hidden type variable here isn't abstracted by anything")
        .help("write the type")
}

pub fn undefined_enum(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0215", span, format!("`enum {name}` is not defined"))
        .here("no such enumeration is visible here")
}

pub fn incomplete_enum(span: Span, name: Symbol, declared: Span) -> Diagnostic {
    Diagnostic::error("E0215", span, format!("`enum {name}` is not defined"))
        .here("its values are not known here: it is only declared")
        .label(declared, format!("`enum {name}` is declared here, but not defined"))
        .help("define it before this use, or use a pointer to it")
}

pub fn unknown_datatype(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0216", span, format!("`datatype {name}` is not declared"))
        .here("no such datatype is visible here")
}

pub fn unknown_variant(span: Span, datatype: Symbol, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0216", span, format!("`datatype {datatype}` has no variant `{name}`")).here("unknown variant")
}

pub fn fat_pointer_to_unsized(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0219", span, format!("a fat pointer cannot point to `{shown}`"))
        .here("moving it needs the size of its target")
        .help("use a thin pointer, `*` or `@`")
}

pub fn void_parameter(span: Span) -> Diagnostic {
    Diagnostic::error("E0220", span, "a parameter cannot have type `void`")
        .here("`void` has no values")
        .help("write `(void)` alone for a function without parameters")
}

pub fn bad_attribute_argument(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0221", span, format!("the argument of the attribute `{name}` is not understood"))
        .here("expected words, integers or plain strings")
}

pub fn bad_priority(span: Span, name: Symbol, first: u64, last: u64) -> Diagnostic {
    Diagnostic::error("E0221", span, format!("the argument of the attribute `{name}` is not understood"))
        .here(format!("a priority is a number from {first} to {last}"))
        .note("smaller ones belong to the run time and the C library, which must be ready before the program runs")
}

/// Something has an attribute that makes no sense for it.
pub fn attribute_does_not_fit(span: Span, name: Symbol, why: &str) -> Diagnostic {
    Diagnostic::error("E0136", span, format!("the attribute `{name}` does not belong here"))
        .here(why)
        .help("leave it out, or put it on a declaration at the top level")
}

pub fn reserved_section(span: Span, section: &str, code: bool) -> Diagnostic {
    let error = Diagnostic::error("E0137", span, format!("`{section}` is not a section of the program's own"))
        .here("the loader, the linker or the run time follow what is there, or it cannot be written")
        .note("free are identifiers that begin with a letter, but not with `cyc`, `lowfat` or the name of a sanitizer");
    if code { error.help("for functions, `.text.NAME` is free as well") } else { error }
}

pub fn mixed_section(span: Span, section: &str, before: Span) -> Diagnostic {
    Diagnostic::error("E0138", span, format!("the section `{section}` holds things of another kind"))
        .here("functions, constants and variables need sections of their own")
        .label(before, "put there first")
}

pub fn bad_attribute_index(span: Span, name: Symbol, params: usize) -> Diagnostic {
    Diagnostic::error(
        "E0222",
        span,
        format!("the attribute `{name}` names a parameter that the function does not have"),
    )
    .here(format!("the function has {params} parameter{}", if params == 1 { "" } else { "s" }))
    .note("parameters count from 1; the first checked argument of a format stands after the format")
}

pub fn bad_initializes(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0223", span, "`initializes` needs a parameter that is a non-null thin pointer to one object")
        .here(format!("the parameter has type `{shown}`"))
        .help("declare the parameter as `T @p`, with `@nozeroterm` if it points to characters")
}

pub fn bad_alignment(span: Span) -> Diagnostic {
    Diagnostic::error("E0224", span, "an alignment must be a constant power of two").here("not a power of two")
}

pub fn attribute_not_on_function(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0225", span, format!("the attribute `{name}` belongs to function types"))
        .here("what is declared here is not a function, nor a pointer to one")
}

pub fn unrecognized_attribute(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::warning("W0226", span, format!("unrecognized attribute `{name}`")).here("this attribute is ignored")
}

pub fn attribute_of_other_machines(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::warning("W0226", span, format!("the attribute `{name}` has no effect"))
        .here("this attribute is ignored")
        .note("it asks for what other machines and systems have")
}

pub fn nameless_field(span: Span) -> Diagnostic {
    Diagnostic::error("E0227", span, "this field has no name")
        .here("only structs and unions and bit-fields may be unnamed members")
}

pub fn flexible_array_not_last(span: Span) -> Diagnostic {
    Diagnostic::error("E0228", span, "an array without length can only be the last field of a struct")
        .here("its length is not known")
        .help("write the number of elements, or use a fat pointer")
}

pub fn flexible_array_alone(span: Span) -> Diagnostic {
    Diagnostic::error("E0228", span, "an array without length can only be the last field of a struct, after others")
        .here("no field stands before it")
        .help("put a field before it that tells its length, for instance a `tag_t`")
}

pub fn not_closed(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0229", span, format!("what outlives the function cannot have type `{shown}`"))
        .here("this type speaks of regions or types of this call of the function")
        .note("statics, prototypes and fields of structs are the same for all calls")
        .help("write the type out, with `` `H `` for its regions")
}

pub fn too_large(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0203", span, format!("`{shown}` is too large"))
        .here("its size in bytes does not fit a signed 64-bit integer")
}

pub fn inject_needs_datatype(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0755", span, format!("`inject` needs pointers to a datatype, not `{shown}`"))
        .here("arguments are wrapped in variants of a datatype")
        .help("write `... inject datatype D @ xs`, or without `inject` for arguments of one type")
}

pub fn subset_of_another(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0912", span, format!("`@subset` of the type `{shown}`"))
        .here("a subset is one of numbers, or of pointers that may be copied")
}

pub fn subset_of_locals(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0913", span, format!("the condition of a `@subset` type mentions the local variable `{name}`"))
        .here("only the value itself, constants and globals may occur here")
        .note("the values of the type would change with the variable")
}

pub fn member_condition_form(span: Span) -> Diagnostic {
    Diagnostic::error("E0915", span, "this is no condition for a member of a union")
        .here("compare `valueof(`i)` with constants: `==`, `<`, `<=`, `>`, `>=`, joined by `&&`")
}

pub fn member_condition_elsewhere(span: Span) -> Diagnostic {
    Diagnostic::error("E0915", span, "`@requires` is for the members of an untagged union that has a name")
        .here("nothing chooses between members here")
}

pub fn packed_pointer(span: Span) -> Diagnostic {
    Diagnostic::error("E0157", span, "a packed field may not hold a pointer")
        .here("the collector looks for pointers at multiples of their size only")
        .help("leave `packed` out, or keep the pointer in a struct that is not packed")
}

pub fn member_without_condition(span: Span, with: Span) -> Diagnostic {
    Diagnostic::error("E0915", span, "a member without condition in a union whose members have some")
        .here("when the union has this one is not said")
        .label(with, "another member has a condition")
}

pub fn member_conditions_overlap(span: Span, other: Span) -> Diagnostic {
    Diagnostic::error("E0915", span, "the conditions of two members may hold at once")
        .here("the conditions of members exclude each other, and compare the same integer")
        .label(other, "the other member")
}

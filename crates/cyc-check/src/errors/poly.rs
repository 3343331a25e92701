//! Errors of polymorphism: type variables, kinds, type arguments, instantiation, hidden types. E0820 to E0889.

use cyc_base::{Diagnostic, Span, Symbol};
use cyc_syntax::ast::{Ident, KindName};
use cyc_types::{Kind, TyParam};

/// What a kind means, in words.
fn describe(kind: Kind) -> &'static str {
    match kind {
        Kind::B => {
            "a type whose values are one word: an integer of type `int` or `long`, an enumeration, a thin pointer"
        }
        Kind::M => "a type of known size",
        Kind::A => "any type",
        Kind::E => "a region or a set of regions",
        Kind::I => "an integer known to types",
        Kind::Q => "an alias qualifier",
    }
}

fn shown(params: &[TyParam]) -> String {
    let list: Vec<String> = params.iter().map(|p| format!("{}::{}", p.name, p.kind.name())).collect();
    if list.is_empty() { "no parameters".into() } else { format!("<{}>", list.join(", ")) }
}

pub fn unbound(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0820", span, format!("the type variable {name} is not bound here"))
        .here("no declaration around binds it")
        .help(format!(
            "a function binds the variables of its prototype (all of them, unless it lists them: `f<{name}>(…)`); \
             structs and typedefs list their parameters: `struct S<{name}> {{…}}`"
        ))
}

pub fn wrong_kind(span: Span, name: Symbol, kind: Kind, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0821", span, format!("{name} has kind {}; here {wanted} is needed", kind.name()))
        .here(format!("{name} stands for {}", describe(kind)))
}

pub fn region_as_type(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0821", span, format!("{name} is a region, not a type")).here("a type is needed here")
}

pub fn effect_as_type(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0821", span, format!("`{name}` makes regions, not types"))
        .here("a type is needed here")
        .help("it can stand as a type argument of kind E, and in effects")
}

pub fn no_type(span: Span, integer: bool) -> Diagnostic {
    let error = Diagnostic::error("E0821", span, "this is not the type of a value").here("a type is needed here");
    match integer {
        true => error.help("`valueof_t(e)` is an integer at type level, for type arguments; a value equal to it has type `tag_t<valueof_t(e)>`"),
        false => error,
    }
}

pub fn short_as_region(span: Span, name: Symbol) -> Diagnostic {
    let qualifier = if name.as_str() == "`U" { "UNIQUE" } else { "REFCNT" };
    Diagnostic::error("E0821", span, format!("{name} is not a region here"))
        .here("after a star it is short for a qualified pointer into the heap; here a region is needed")
        .help(format!("give the region `` `H ``, and {qualifier} for a parameter of kind Q"))
}

pub fn not_of_kind(span: Span, kind: Kind) -> Diagnostic {
    Diagnostic::error("E0821", span, format!("expected {} (kind {})", describe(kind), kind.name()))
        .here(format!("not of kind {}", kind.name()))
}

pub fn not_a_type_kind(name: KindName, kind: Kind) -> Diagnostic {
    Diagnostic::error("E0821", name.span, format!("kind {} is not possible here", kind.name()))
        .here(format!("this would stand for {}", describe(kind)))
}

pub fn kind_differs(span: Span, name: Symbol, written: Kind, kind: Kind) -> Diagnostic {
    Diagnostic::error(
        "E0822",
        span,
        format!("{name} is said to have kind {}, but it has kind {}", written.name(), kind.name()),
    )
    .here("the kinds of all occurrences must agree")
    .help("write the kind once, where the variable is bound")
}

pub fn unknown_kind(name: KindName) -> Diagnostic {
    Diagnostic::error("E0823", name.span, format!("there is no kind `{}`", name.name)).here("not a kind").help(
        "the kinds are B (one word), M (known size), A (any type), E (regions), I (integers), Q (alias qualifiers)",
    )
}

pub fn type_of_wrong_kind(span: Span, ty: &str, have: Kind, param: TyParam) -> Diagnostic {
    let error = Diagnostic::error(
        "E0824",
        span,
        format!("`{ty}` has kind {}, but {} needs kind {}", have.name(), param.name, param.kind.name()),
    );
    explain_kind(error, ty, have, param.kind)
}

pub fn inferred_of_wrong_kind(span: Span, ty: &str, have: Kind, wanted: Kind) -> Diagnostic {
    let error = Diagnostic::error(
        "E0824",
        span,
        format!("`{ty}` has kind {}, but here a type of kind {} is needed", have.name(), wanted.name()),
    );
    explain_kind(error, ty, have, wanted)
}

fn explain_kind(error: Diagnostic, ty: &str, have: Kind, wanted: Kind) -> Diagnostic {
    let error = error.here(match have {
        Kind::A => "its size is not known".into(),
        _ => format!("needed: {}", describe(wanted)),
    });
    match wanted {
        Kind::B => error.help(format!("use a pointer to it, `{ty} *`, which is one word")),
        _ => error.help(format!("use a pointer to it, `{ty} *`")),
    }
}

pub fn too_many_arguments(span: Span, what: &str, takes: usize, given: usize, declared: Span) -> Diagnostic {
    let takes = match takes {
        0 => "no type arguments".into(),
        1 => "1 type argument".into(),
        n => format!("{n} type arguments"),
    };
    Diagnostic::error("E0825", span, format!("`{what}` takes {takes}, not {given}"))
        .here("one too many")
        .label(declared, "declared here")
}

pub fn missing_argument(span: Span, what: &str, param: TyParam, declared: Span) -> Diagnostic {
    Diagnostic::error("E0826", span, format!("the argument of `{what}` for {} is missing", param.name))
        .here(format!("needed: {}", describe(param.kind)))
        .label(declared, "declared here")
        .note("type arguments are inferred only in function bodies; elsewhere regions and qualifiers have defaults")
}

pub fn missing_index(span: Span, is_tag: bool) -> Diagnostic {
    let (what, example) = if is_tag { ("tag_t", "tag_t<`n>") } else { ("region_t", "region_t<`r>") };
    Diagnostic::error("E0826", span, format!("the argument of `{what}` is missing"))
        .here(format!("write which, as in `{example}`"))
        .note("parameters and fields bind one of their own, and function bodies infer it; elsewhere nothing tells")
}

pub fn abstracts_memory(span: Span, name: Symbol, what: &str) -> Diagnostic {
    Diagnostic::error("E0827", span, format!("the type variable {name} cannot have kind M"))
        .here(format!("{what} cannot abstract over types of unknown but fixed size"))
        .note("its code is compiled before the type, and with it the size, is known")
        .help(format!("use kind B for values of one word, or {name}::A and pointers to it"))
}

pub fn too_many_variables(span: Span, count: usize, most: usize) -> Diagnostic {
    Diagnostic::error("E0844", span, format!("a function of {count} type variables of kind B; {most} are possible"))
        .here("the function has more")
        .note("a function is compiled once for each choice of 4 or 8 bytes for each of its variables")
        .help("put some of the values into a struct or tuple, and pass a pointer to it")
}

pub fn bound_twice(span: Span, name: Symbol, before: Span) -> Diagnostic {
    Diagnostic::error("E0828", span, format!("{name} is bound twice"))
        .here("bound again here")
        .label(before, "first bound here")
}

pub fn not_a_binder(span: Span) -> Diagnostic {
    Diagnostic::error("E0828", span, "a declaration lists its parameters by name").here("not a type variable")
}

pub fn parameters_differ(span: Span, name: Symbol, new: &[TyParam], before: Span, old: &[TyParam]) -> Diagnostic {
    Diagnostic::error("E0829", span, format!("`{name}` is declared with different parameters"))
        .here(format!("here: {}", shown(new)))
        .label(before, format!("before: {}", shown(old)))
        .help("a declaration without body must write every kind other than B: `` struct S<`r::E>; ``")
}

pub fn unsized_variable(span: Span, what: &str, ty: &str) -> Diagnostic {
    Diagnostic::error("E0830", span, format!("{what} cannot have type {ty}"))
        .here(format!("{ty} has kind A: the size of its values is not known"))
        .help(match ty.starts_with('`') {
            true => format!("use a pointer to it, or kind B: `{ty}::B`"),
            false => "use a pointer to it".into(),
        })
}

pub fn not_a_size(span: Span) -> Diagnostic {
    Diagnostic::error("E0831", span, "this is not an integer that types can speak of")
        .here("expected a constant that is not negative, or `valueof(i)`, or sums and products of these")
}

pub fn not_polymorphic(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("E0832", span, format!("`{found}` has nothing to instantiate"))
        .here("not a polymorphic function")
        .help("remove the type arguments")
}

pub fn too_many_instances(span: Span, takes: usize, given: usize) -> Diagnostic {
    let variables = if takes == 1 { "variable" } else { "variables" };
    Diagnostic::error("E0833", span, format!("the function has {takes} type {variables}, not {given}"))
        .here("one too many")
}

pub fn hidden_field(name: Ident, declared: Span) -> Diagnostic {
    Diagnostic::error("E0840", name.span, format!("must use pattern-matching to access field `{}`", name.name))
        .here("its type mentions what the struct hides")
        .label(declared, "the struct is defined here")
        .help(format!("unpack the struct: `` let S{{<`u> .{0} = {0}, …}} = value; ``", name.name))
}

pub fn too_many_unpacked(span: Span, shown: &str, hides: usize, given: usize, declared: Span) -> Diagnostic {
    let message = format!("too many existential type variables in pattern: `{shown}` hides {hides}, not {given}");
    Diagnostic::error("E0841", span, message).here("one too many").label(declared, "defined here")
}

pub fn too_many_witnesses(span: Span, shown: &str, hides: usize, given: usize, declared: Span) -> Diagnostic {
    Diagnostic::error("E0841", span, format!("`{shown}` hides {hides} types, not {given}"))
        .here("one too many")
        .label(declared, "defined here")
        .note("the type arguments in a struct value are those that it hides; its parameters are inferred")
}

pub fn narrow_witness(span: Span, shown: &str, name: Symbol, field: Span) -> Diagnostic {
    Diagnostic::error(
        "E0842",
        span,
        format!("`{shown}` cannot be hidden as {name} here: it may be smaller than a word"),
    )
    .here(format!("made with {name} = `{shown}`"))
    .label(field, format!("this field holds {name} where it must have 8 bytes"))
    .note("code that unpacks the struct does not know the type; it takes values of it for 8 bytes wide")
    .help("use `long` or a pointer")
}

pub fn hidden_escapes(span: Span, shown: &str, name: Symbol, pattern: Span) -> Diagnostic {
    Diagnostic::error("E0843", span, format!("the hidden type {name} would escape its scope"))
        .here(format!("a value of type `{shown}` is kept beyond the block where {name} means something"))
        .label(pattern, format!("{name} is unpacked here"))
        .help("finish the work on what was unpacked within the block or clause of the pattern")
}

pub fn nested_variable_escapes(span: Span, shown: &str, name: Symbol, function: Span) -> Diagnostic {
    Diagnostic::error("E0843", span, format!("the type variable {name} would escape the nested function that binds it"))
        .here(format!("a value of type `{shown}` is kept outside of the function"))
        .label(function, format!("this function binds {name}"))
        .help("a type of the functions around it cannot mention what each call of it chooses anew")
}

/// A type to be inferred would be one that each call of a function chooses.
pub fn chosen_by_calls(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0843", span, format!("nothing here can be inferred to be `{shown}`"))
        .here("it mentions what a function type around it binds: each call of the function chooses that anew")
        .help("write the type of the function with all that it binds")
}

pub fn field_of_unknown_place(name: Ident, shown: &str) -> Diagnostic {
    Diagnostic::error("E0834", name.span, format!("the place of field `{}` is not known", name.name))
        .here(format!("its type, {shown}, is of unknown size and alignment"))
        .help("only a field of known size, or the first one, can be reached where the type is unknown")
}

pub fn not_this_tag(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0835", span, format!("this `{found}` is not known to be the integer of `{wanted}`"))
        .here("expected that very integer")
        .help("pass the variable of type `tag_t`, or a constant where the types speak of that constant")
}

pub fn not_the_size(span: Span, bytes: u64, shown: &str) -> Diagnostic {
    Diagnostic::error("E0835", span, format!("this is {bytes}, but must be the size of `{shown}`"))
        .here("not that size")
        .help(format!("pass `sizeof({shown})`"))
}

pub fn size_not_in_scope(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0836", span, format!("the bound of `{shown}` is not known here"))
        .here("no variable in scope holds the integer, which the access must be checked against")
        .help("pass or bind the tag, of type `tag_t`, beside the pointer")
}

pub fn valueof_as_value(span: Span) -> Diagnostic {
    Diagnostic::error("E0837", span, "`valueof` can be used only in types and bounds")
        .here("a value is needed here")
        .help("use the variable of type `tag_t`: it converts to integers")
}

/// An alias bound where no variable is declared.
pub fn bound_out_of_place(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0990", span, format!("{name} cannot be given an alias bound here"))
        .here("only the function type or definition that declares it can bound it")
        .edit(span, name.as_str(), "write the bound there, and only the name here")
}

pub fn bound_of_region(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0990", span, format!("{name} cannot be given an alias bound here"))
        .here("a region has no alias qualifier: pointers into it have")
        .edit(
            span,
            name.as_str(),
            "leave the bound out, and write the qualifier before the region, as in ``int *\\U`r``",
        )
}

pub fn old_kind(name: KindName, modern: &str) -> Diagnostic {
    let warning = Diagnostic::warning("W0770", name.span, format!("the kind `{}` is deprecated", name.name))
        .here(format!("use `{modern}` instead"));
    match name.name.as_str() {
        "UR" | "TR" => warning.help("pointers that must not be copied have a qualifier of their own: bind `` `q::Q ``, and write ``@aqual(`q)`` on them"),
        _ => warning,
    }
}

pub fn unused_parameter(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::warning("W0771", span, format!("the parameter {name} is not used in the typedef"))
        .here("taken to be of kind B")
        .help(format!("write its kind, `{name}::B`, if it is meant to be there"))
}

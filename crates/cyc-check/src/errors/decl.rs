//! Errors of declarations and initialisers: E01xx.

use cyc_base::{Diagnostic, Span, Symbol};
use cyc_syntax::ast::{Ident, Name, Root};

// ---------------------------------------------------------------- names

pub fn nested_function_twice(ident: Ident, before: Span) -> Diagnostic {
    Diagnostic::error("E0100", ident.span, format!("the function `{}` is defined twice in this block", ident.name))
        .here("second definition")
        .label(before, "first definition")
        .help("rename one of them")
}

pub fn hides(ident: Ident, before: Span) -> Diagnostic {
    Diagnostic::warning("W0100", ident.span, format!("this `{}` hides another one", ident.name))
        .here("from here to the end of the block the name means this one")
        .label(before, "hidden")
}

pub fn function_defined_twice(ident: Ident, before: Span) -> Diagnostic {
    Diagnostic::error("E0101", ident.span, format!("the function `{}` is defined twice", ident.name))
        .here("second definition")
        .label(before, "first definition")
}

pub fn conflicting_types(ident: Ident, new: &str, before: Span, old: &str) -> Diagnostic {
    Diagnostic::error("E0102", ident.span, format!("`{}` is declared again with another type", ident.name))
        .here(format!("type mismatch: now `{new}`"))
        .label(before, format!("declared before as `{old}`"))
}

pub fn another_kind_of_name(ident: Ident, new: &str, before: Span, old: &str) -> Diagnostic {
    Diagnostic::error("E0103", ident.span, format!("`{}` is declared as {new}, but it is {old} already", ident.name))
        .here(new)
        .label(before, old)
}

pub fn linkage_mismatch(ident: Ident, what: &str, now_static: bool, before: Span) -> Diagnostic {
    let (now, expected) = if now_static { ("static", "public") } else { ("public", "static") };
    Diagnostic::error("E0104", ident.span, format!("{what} `{}` is {now} but expected scope is {expected}", ident.name))
        .here(format!("declared {now} here"))
        .label(before, format!("declared {expected} here"))
        .help("use `static` on both declarations or on neither")
}

pub fn variable_defined_twice(ident: Ident, before: Span) -> Diagnostic {
    Diagnostic::error("E0105", ident.span, format!("the variable `{}` is initialised twice", ident.name))
        .here("second definition")
        .label(before, "first definition")
        .help("use `extern` without initialiser to mention a variable that is defined elsewhere")
}

pub fn tag_of_another_kind(span: Span, name: Symbol, new: &str, old: &str, before: Span) -> Diagnostic {
    Diagnostic::error("E0106", span, format!("`{name}` is used as the tag of a {new}, but it names a {old}"))
        .here(format!("`{new}` here"))
        .label(before, format!("`{old}` here"))
        .note("structs, unions and enumerations share one name space for their tags")
}

pub fn redefined_type(span: Span, shown: &str, before: Span) -> Diagnostic {
    Diagnostic::error("E0107", span, format!("`{shown}` is defined twice, differently"))
        .here("this definition differs")
        .label(before, "from this one")
        .note("a definition may be repeated only if it is identical")
}

pub fn redefined_typedef(ident: Ident, new: &str, before: Span, old: &str) -> Diagnostic {
    Diagnostic::error("E0108", ident.span, format!("the typedef `{}` is declared twice, differently", ident.name))
        .here(format!("now `{new}`"))
        .label(before, format!("before `{old}`"))
}

pub fn duplicate_parameter(ident: Ident, before: Span) -> Diagnostic {
    Diagnostic::error("E0109", ident.span, format!("two parameters are called `{}`", ident.name))
        .here("second parameter of this name")
        .label(before, "first parameter")
}

// ---------------------------------------------------------------- specifiers

pub fn storage_not_allowed(span: Span, storage: &str, place: &str) -> Diagnostic {
    Diagnostic::error("E0110", span, format!("`{storage}` is not allowed on {place}")).here("remove this storage class")
}

pub fn initialized_function(ident: Ident, what: &str) -> Diagnostic {
    Diagnostic::error("E0111", ident.span, format!("`{}` is {what} and cannot have an initialiser", ident.name))
        .here("declared here")
}

pub fn extern_initialized(ident: Ident) -> Diagnostic {
    Diagnostic::error("E0111", ident.span, format!("`{}` is declared `extern` and initialised", ident.name))
        .here("`extern` says that it is defined elsewhere")
        .help("remove `extern` to define it here")
}

pub fn body_in_extern_c(ident: Ident) -> Diagnostic {
    Diagnostic::error("E0112", ident.span, format!("bad storage class on function `{}`: a body in `extern \"C\"`", ident.name))
        .here("`extern \"C\"` only declares what C code defines")
        .help("to call it from C, declare it in `extern \"C\"` and define it outside; to write it in C, use `extern \"C include\"`")
}

pub fn cyclone_in_c_text(span: Span, block: Span) -> Diagnostic {
    Diagnostic::error("E0113", Span::new(span.lo, (span.lo + 10).min(span.hi)), "Cyclone declarations in C text")
        .here("`extern \"C\"` is not C: this comes from a header of Cyclone")
        .label(Span::new(block.lo, block.lo), "the C text begins here")
        .help("include the header of C by its absolute path, or the header of Cyclone before this block")
}

/// `differ`: the attributes that only one declaration has; true: the new one.
pub fn attributes_differ(ident: Ident, before: Span, differ: &[(String, bool)]) -> Diagnostic {
    let of = |new: bool| {
        let names: Vec<String> = differ.iter().filter(|d| d.1 == new).map(|d| format!("`{}`", d.0)).collect();
        if names.is_empty() { String::new() } else { format!(", with {}", names.join(", ")) }
    };
    Diagnostic::error("E0114", ident.span, format!("the declarations of `{}` differ in their attributes", ident.name))
        .here(format!("declared again here{}", of(true)))
        .label(before, format!("first declared here{}", of(false)))
        .help("repeat the attributes: they belong to the function's type")
}

pub fn bad_main(ident: Ident, shown: &str) -> Diagnostic {
    Diagnostic::error("E0115", ident.span, "`main` has a type that the run-time system cannot call")
        .here(format!("declared as `{shown}`"))
        .help("write `int main()`, `int main(int argc)` or `int main(int argc, char ??argv)`")
}

pub fn main_too_many_arguments(span: Span) -> Diagnostic {
    Diagnostic::error("E0116", span, "main declared with too many arguments")
        .here("`main` takes `argc` and `argv` only")
        .help("read the environment with `getenv`")
}

pub fn void_main(span: Span) -> Diagnostic {
    Diagnostic::warning("W0117", span, "`main` should return `int`")
        .here("the exit status is 0")
        .help("write `int main` and return a status")
}

pub fn initializer_required(ident: Ident, shown: &str) -> Diagnostic {
    Diagnostic::error(
        "E0118",
        ident.span,
        format!("initializer required for variable `{}` of type `{shown}`", ident.name),
    )
    .here("zero is not a value of this type")
    .note("a global or static variable without initialiser is all zero")
    .help("initialise it, or use nullable pointers (`*`, `?`) in its type")
}

pub fn array_initializer_required(ident: Ident, shown: &str) -> Diagnostic {
    Diagnostic::error(
        "E0119",
        ident.span,
        format!("the array `{}` of type `{shown}` must be initialised where it is declared", ident.name),
    )
    .here("its elements are not plain numbers")
    .note("whether every element has been assigned is not tracked")
    .help("fill it at once: `= {for i < n : e}`")
}

pub fn not_constant(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error("E0120", span, "the initialiser of a global or static variable must be constant")
        .here(what)
        .help("initialise it with a constant and assign the value when the program runs")
}

pub fn enumerator_not_constant(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error(
        "E0121",
        span,
        format!("the value of the enumerator `{name}` is not a constant integer expression"),
    )
    .here("not constant")
}

pub fn enumerator_too_large(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0122", span, format!("the value of the enumerator `{name}` does not fit any integer type"))
        .here("out of range")
}

pub fn static_assertion_failed(span: Span, message: Option<&str>) -> Diagnostic {
    let text = message.map_or("static assertion failed".into(), |m| format!("static assertion failed: {m}"));
    Diagnostic::error("E0123", span, text).here("this is 0")
}

pub fn static_assertion_not_constant(span: Span) -> Diagnostic {
    Diagnostic::error("E0124", span, "a static assertion needs a constant integer expression").here("not constant")
}

pub fn qualified_declaration(span: Span) -> Diagnostic {
    Diagnostic::error("E0125", span, "qualified names in declarations are not allowed")
        .here("declare a plain name")
        .help("declare it inside of `namespace`, or outside of functions by an absolute path: `Cyc::N::x`")
}

pub fn length_unknown(ident: Ident) -> Diagnostic {
    Diagnostic::error("E0126", ident.span, format!("the length of the array `{}` is not known", ident.name))
        .here("neither a length nor an initialiser")
        .help("write the number of elements between the brackets")
}

pub fn declares_nothing(span: Span) -> Diagnostic {
    Diagnostic::warning("W0127", span, "this declaration declares nothing").here("no name, and no new type")
}

pub fn top_level_asm(span: Span) -> Diagnostic {
    Diagnostic::error("E0128", span, "`asm` is not checked and therefore not allowed")
        .here("assembly code at top level")
        .help("put it into a C file, or into `extern \"C include\"`")
}

pub fn unreadable_c_export(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0129", span, format!("`{name}` cannot be exported"))
        .here("the C code declares no such function or variable whose type can be read as a Cyclone type")
}

pub fn override_incompatible(ident: Ident, new: &str, before: Span, old: &str) -> Diagnostic {
    Diagnostic::error(
        "E0130",
        ident.span,
        format!("the type given to `{}` is not represented as the C code has it", ident.name),
    )
    .here(format!("`{new}`"))
    .label(before, format!("in C `{old}`"))
    .note("a pointer may become `@`, bounded, zero-terminated or not; fat pointers and tuples are not types of C")
}

pub fn override_of_struct(span: Span, shown: &str, field: Option<Span>, before: Span) -> Diagnostic {
    let what = format!("`{shown}` is not laid out as the C code has it");
    let error = Diagnostic::error("E0130", span, what).label(before, "in C").note(
        "the fields have the names and the order of C's; a pointer may become `@`, bounded, zero-terminated or not, and an \
         `unsigned long` may become a `tag_t`",
    );
    match field {
        Some(field) => error.here("its fields must look the same to C").label(field, "this field is not as in C"),
        None => error.here("a field is missing at its end"),
    }
}

pub fn not_an_override(span: Span) -> Diagnostic {
    Diagnostic::error("E0766", span, "`cyclone_override` gives types to what the C code declares")
        .here("not a declaration of a function, a variable, a typedef, or the fields of a struct or union")
        .help("write it outside of the block")
}

pub fn thread_local_misplaced(span: Span) -> Diagnostic {
    Diagnostic::error("E0131", span, "a thread-local variable in a function must be `static` or `extern`")
        .here("this variable lives on the stack")
}

pub fn unnamed_parameter(span: Span, function: Symbol) -> Diagnostic {
    Diagnostic::error("E0132", span, format!("a parameter of `{function}` has no name"))
        .here("a function with a body must name its parameters")
}

pub fn symbol_outside_extern_c(span: Span) -> Diagnostic {
    Diagnostic::error("E0133", span, "only declarations in `extern \"C\"` may choose their symbol")
        .here("`asm` label or `alias` attribute")
        .note("the symbol could belong to something of another type")
        .help("put the declaration into `extern \"C\"`, whose types are trusted")
}

pub fn constructor_with_parameters(ident: Ident, attribute: Symbol) -> Diagnostic {
    Diagnostic::error("E0134", ident.span, format!("the attribute `{attribute}` needs a function without parameters"))
        .here("nobody passes arguments to it")
        .help("declare it as `void f(void)`")
}

pub fn weak_without_definition(ident: Ident) -> Diagnostic {
    Diagnostic::error("E0135", ident.span, format!("`{}` is weak and not defined here", ident.name))
        .here("if nothing defines it, its address is 0")
        .help("define it in this file, or declare it in `extern \"C\"`")
}

// ---------------------------------------------------------------- initialisers

/// `zero`: fields may be left out where they can be zero, and this part of the first missing one, of this type, cannot.
pub fn too_few_fields(span: Span, shown: &str, missing: &[Symbol], zero: Option<(String, String)>) -> Diagnostic {
    let list: Vec<String> = missing.iter().take(4).map(|m| format!("`{m}`")).collect();
    let more = if missing.len() > 4 { " …" } else { "" };
    let list = format!("{}{more}", list.join(", "));
    let needs = if zero.is_some() { list.as_str() } else { "every field" };
    let error = Diagnostic::error("E0140", span, format!("too few arguments to struct: `{shown}` needs {needs}"))
        .here(format!("missing {list}"));
    match zero {
        Some((part, ty)) => error
            .note(format!("what an initialiser leaves out becomes zero, and `{part}` of type `{ty}` cannot be zero")),
        None => error,
    }
}

pub fn too_many_fields(span: Span, shown: &str, count: usize) -> Diagnostic {
    Diagnostic::error(
        "E0141",
        span,
        format!("too many arguments: `{shown}` has {count} field{}", if count == 1 { "" } else { "s" }),
    )
    .here("no field is left for this")
}

pub fn bad_field_designator(span: Span, name: Symbol, shown: &str, near: Option<Symbol>) -> Diagnostic {
    let error = Diagnostic::error("E0142", span, format!("bad field designator: `{shown}` has no field `{name}`"))
        .here("no such field");
    match near {
        Some(near) => error.edit(span, near.as_str(), format!("a field with a similar name exists: `{near}`")),
        None => error,
    }
}

pub fn field_filled_twice(span: Span, name: Symbol, before: Span) -> Diagnostic {
    Diagnostic::error("E0143", span, format!("the field `{name}` is initialised twice"))
        .here("second value")
        .label(before, "first value")
}

pub fn element_out_of_order(span: Span, index: i128, expected: u64) -> Diagnostic {
    Diagnostic::error("E0144", span, "the elements of an array must be given in order, without gaps")
        .here(format!("this is element {index}, expected {expected}"))
}

/// Too many elements; or too few, and zero is not a value of their type.
pub fn different_array_sizes(span: Span, has: u64, needs: u64, elem: &str) -> Diagnostic {
    let error =
        Diagnostic::error("E0145", span, format!("different array sizes: {needs} elements declared, {has} given"))
            .here(format!("{has} element{}", if has == 1 { "" } else { "s" }));
    if has > needs {
        return error;
    }
    error
        .note(format!("what an initialiser leaves out becomes zero, and a value of type `{elem}` cannot be zero"))
        .help("give every element; to fill an array write `{for i < n : e}`")
}

pub fn string_length(span: Span, has: u64, needs: u64) -> Diagnostic {
    Diagnostic::error(
        "E0145",
        span,
        format!("different array sizes: the string has {has} characters with its final zero, the array {needs}"),
    )
    .here(format!("{has} characters, the final zero counted"))
    .help("leave the length out, `char s[] = …`, to have exactly the string")
}

pub fn braces_for_scalar(span: Span, shown: &str, pointer: bool) -> Diagnostic {
    let error = Diagnostic::error("E0146", span, format!("`{{…}}` cannot initialise a value of type `{shown}`"))
        .here("braces make structs and arrays");
    if pointer {
        error.help("to make a new array and point to it, write `new {…}`")
    } else {
        error.help("write the value without braces")
    }
}

pub fn union_needs_one(span: Span, shown: &str, given: usize) -> Diagnostic {
    Diagnostic::error("E0147", span, format!("`{shown}` must be initialised by exactly one member"))
        .here(format!("{given} given"))
}

pub fn designator_too_long(span: Span) -> Diagnostic {
    Diagnostic::error("E0148", span, "only one designator is allowed for an element")
        .here("a path of designators")
        .help("nest the braces: `.a = {.b = e}`")
}

pub fn wrong_designator(span: Span, shown: &str, is_array: bool) -> Diagnostic {
    let (here, help) = if is_array {
        ("a field of an array", "an element of an array is designated by `[k] = …`")
    } else {
        ("an index of a struct", "a field is designated by `.name = …`")
    };
    Diagnostic::error("E0149", span, format!("wrong designator for a value of type `{shown}`")).here(here).help(help)
}

pub fn array_needs_braces(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0150", span, format!("an array of type `{shown}` cannot be initialised by an expression"))
        .here("arrays are not values")
        .help("list the elements in braces, or copy them in a loop")
}

pub fn comprehension_length(span: Span, has: Option<i128>, needs: u64) -> Diagnostic {
    let here = match has {
        Some(n) => format!("this is {n}"),
        None => "not a constant".into(),
    };
    Diagnostic::error("E0151", span, format!("different array sizes: the comprehension must make exactly {needs} elements"))
        .here(here)
        .note("the bound of a comprehension that initialises an array is a constant, one less than its length if the array is zero-terminated")
}

pub fn comprehension_type(span: Span, shown: &str, elem: &str) -> Diagnostic {
    Diagnostic::error(
        "E0152",
        span,
        format!("the elements of this comprehension have type `{shown}`, but the array holds `{elem}`"),
    )
    .here(format!("type mismatch: `{shown}` != `{elem}`"))
    .help(format!("convert each element: `({elem})…`"))
}

pub fn comprehension_uninitialised(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error(
        "E0153",
        span,
        format!("elements of type `{shown}` need an initialiser (type needs initialization)"),
    )
    .here("neither plain numbers nor a type that admits zero")
    .help("write an expression after the colon")
}

pub fn comprehension_for_non_array(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0154", span, format!("a comprehension makes an array, not a `{shown}`"))
        .here("expected a value")
        .help("to make a new array and point to it, write `new {for …}`")
}

pub fn unterminated(span: Span) -> Diagnostic {
    Diagnostic::error("E0155", span, "a zero-terminated array must end with a zero")
        .here("the last element is not the constant 0")
}

pub fn brace_needed(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0156", span, format!("expected `{{…}}` for a value of type `{shown}`"))
        .here("each nested struct or array has its own braces")
}

// ---------------------------------------------------------------- namespaces

pub fn unknown_namespace(span: Span, path: Symbol, near: Option<Symbol>) -> Diagnostic {
    let diagnostic = Diagnostic::error("E0750", span, format!("no namespace is called `{path}`"))
        .here("not a namespace that has been seen before");
    match (near, cyc_base::headers::of_namespace(path.as_str())) {
        (_, Some(header)) => diagnostic.help(format!("`#include <{header}>` declares it")),
        (Some(near), None) => diagnostic.help(format!("did you mean `{near}`?")),
        (None, None) => diagnostic,
    }
}

pub fn not_in_namespace(name: &Name) -> Diagnostic {
    let path: Vec<&str> = name.path.iter().map(|part| part.as_str()).collect();
    let place = match name.root {
        Root::C => "C declares no".into(),
        Root::Cyclone if path.is_empty() => "the root namespace has no".into(),
        _ => format!("the namespace `{}` has no", path.join("::")),
    };
    Diagnostic::error("E0751", name.span, format!("{place} `{}`", name.name))
        .here("nothing of this name and sort is declared there before this use")
}

pub fn reserved_namespace(name: Ident) -> Diagnostic {
    Diagnostic::error("E0752", name.span, format!("a namespace cannot be called `{}`", name.name))
        .here("paths that begin so are absolute")
        .note("`Cyc::x` is `x` of the root namespace, `C::x` is what C calls `x`")
}

// ---------------------------------------------------------------- abstract, main

pub fn abstract_without_definition(span: Span) -> Diagnostic {
    Diagnostic::error("E0753", span, "`abstract` needs the definition of a struct, union or datatype")
        .here("nothing is defined here that other units could see")
        .help("write it outside of functions: `abstract struct S {…};`; other units declare `struct S;`")
}

pub fn main_is_not_the_start(ident: Ident, what: &str) -> Diagnostic {
    Diagnostic::error("E0754", ident.span, format!("`main` is {what}, but the program starts at the function `main`"))
        .here("cannot be called by the run-time system")
        .help("give it another name, or make it a function without `static`")
}

// ---------------------------------------------------------------- nested functions

pub fn nested_function_not_instantiated(span: Span, name: Symbol) -> Diagnostic {
    Diagnostic::error("E0764", span, format!("the nested function `{name}` cannot be a polymorphic value"))
        .here("it can only be called, or instantiated")
        .note("a polymorphic value is one table for the whole program; a nested function belongs to a call of the function around it")
        .help("instantiate it here, or define it outside of the function")
}

pub fn nested_function_uses_unique(span: Span, name: Symbol, variable: Symbol, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "E0765",
        span,
        format!("the nested function `{name}` uses `{variable}`, which must not be copied"),
    )
    .here("a call would not tell what becomes of the variable")
    .label(declared, "declared here")
    .help("hand the value to the function as an argument, and back as its result")
}

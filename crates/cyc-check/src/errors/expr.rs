//! Errors and warnings of expressions: E042x to E049x.

use cyc_base::{Diagnostic, Span, Symbol};
use cyc_syntax::ast::Ident;

fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

/// `1 argument`, `3 arguments`
fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

// ---------------------------------------------------------------- names

/// `near` is a visible name like this one, `elsewhere` a namespace that has one of this name.
pub fn undeclared(span: Span, name: Symbol, near: Option<Symbol>, elsewhere: Option<Symbol>) -> Diagnostic {
    let diagnostic =
        error("E0420", span, format!("undeclared identifier `{name}`")).here("not declared before this use");
    match (elsewhere, near, cyc_base::headers::of_name(name.as_str())) {
        (Some(path), ..) => {
            let whole = format!("{path}::{name}");
            let help = format!("write `{whole}`, or `using {path};` before");
            diagnostic.edit(span, whole, help)
        }
        (None, _, Some(header)) => diagnostic.help(format!("`#include <{header}>` declares it")),
        (None, Some(near), None) => diagnostic.edit(span, near.as_str(), format!("did you mean `{near}`?")),
        (None, None, None) => diagnostic,
    }
}

pub fn no_struct(span: Span, name: Symbol, near: Option<Symbol>) -> Diagnostic {
    let diagnostic = error("E0422", span, format!("no struct or union is called `{name}`")).here("not a struct's tag");
    match near {
        Some(near) => diagnostic.edit(span, near.as_str(), format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

pub fn unknown_type(span: Span) -> Diagnostic {
    error("E0423", span, "the type of this is not known here")
        .here("its first use must tell its type")
        .help("give the variable a type where it is declared, or assign to it before")
}

pub fn infinite_type(span: Span, ty: &str) -> Diagnostic {
    error("E0424", span, format!("this would need a type that contains itself (`{ty}`)")).here("no type fits")
}

pub fn unsafe_builtin(span: Span, name: Symbol) -> Diagnostic {
    error("E0425", span, format!("`{name}` cannot be used in Cyclone code"))
        .here("the compiler cannot check what this does")
        .help("put the code that needs it into an `extern \"C include\"` block")
}

// ---------------------------------------------------------------- operators

pub fn not_a_condition(span: Span, found: &str, float: bool) -> Diagnostic {
    let diagnostic = error("E0430", span, format!("condition has type `{found}` instead of integral or pointer type"))
        .here(format!("this is a `{found}`"));
    match float {
        true => diagnostic.edit(span.end(), " != 0.0", "compare with zero"),
        false => diagnostic,
    }
}

pub fn not_arithmetic(span: Span, operator: &str, found: &str) -> Diagnostic {
    error("E0431", span, format!("expecting arithmetic or ? type but found `{found}`"))
        .here(format!("`{operator}` has no meaning for a `{found}`"))
}

pub fn not_integral(span: Span, operator: &str, found: &str) -> Diagnostic {
    error("E0432", span, format!("expecting integral type but found `{found}`"))
        .here(format!("`{operator}` works on integers only"))
}

pub fn incomparable(span: Span, operator: &str, a: (Span, &str), b: (Span, &str)) -> Diagnostic {
    error("E0433", span, format!("comparison not allowed between `{}` and `{}`", a.1, b.1))
        .here(format!("`{operator}` cannot compare these"))
        .label(a.0, format!("this is `{}`", a.1))
        .label(b.0, format!("this is `{}`", b.1))
}

pub fn integer_first(span: Span, integer: Span, pointer: Span) -> Diagnostic {
    error("E0434", span, "the pointer must stand on the left of `+`")
        .here("an integer plus a pointer")
        .label(integer, "the integer")
        .label(pointer, "the pointer")
        .help("write the pointer first: `p + i`")
}

pub fn difference(span: Span, a: (Span, &str), b: (Span, &str)) -> Diagnostic {
    error("E0435", span, format!("`{}` and `{}` point to different types", a.1, b.1))
        .here("the distance between these has no meaning")
        .label(a.0, format!("this is `{}`", a.1))
        .label(b.0, format!("this is `{}`", b.1))
}

pub fn abstract_pointer(span: Span, found: &str) -> Diagnostic {
    error("E0436", span, format!("can't look at or step over a `{found}`: its size is not known"))
        .here("can't subscript an abstract pointer")
        .help("use a pointer to a type that is defined here")
}

pub fn thin_step(span: Span, found: &str) -> Diagnostic {
    error("E0437", span, format!("a pointer of type `{found}` cannot be moved in place"))
        .here("expecting arithmetic or ? type")
        .note("only fat pointers (`?`) move, since they carry their bounds; thin zero-terminated ones step forward")
        .help("declare the pointer as fat: `T ?p`")
}

pub fn backward_step(span: Span, found: &str) -> Diagnostic {
    error("E0438", span, format!("a zero-terminated pointer of type `{found}` steps forward only"))
        .here("this would move it back")
        .note("nothing says what lies before the element that it points to")
        .help("declare the pointer as fat: `T ?p`")
}

pub fn bad_swap(span: Span, a: (Span, &str), b: (Span, &str)) -> Diagnostic {
    error("E0439", span, "`:=:` exchanges two places of the same pointer or word type")
        .here("these cannot be exchanged")
        .label(a.0, format!("this is `{}`", a.1))
        .label(b.0, format!("this is `{}`", b.1))
}

pub fn swap_of_value(span: Span) -> Diagnostic {
    error("E0439", span, "`:=:` exchanges what two places hold, and this is a value without a place")
        .here("in no variable or object")
        .help("store the value in a variable, and exchange that")
}

pub fn arms(span: Span, a: (Span, &str), b: (Span, &str)) -> Diagnostic {
    error("E0440", span, format!("type mismatch: the arms of `?:` are `{}` and `{}`", a.1, b.1))
        .here("no type fits both arms")
        .label(a.0, format!("this is `{}`", a.1))
        .label(b.0, format!("this is `{}`", b.1))
}

// ---------------------------------------------------------------- dereference and members

pub fn not_a_pointer(span: Span, how: &str, found: &str) -> Diagnostic {
    error("E0441", span, format!("`{how}` needs a pointer, not a `{found}`")).here(format!("this is a `{found}`"))
}

pub fn null_deref(span: Span) -> Diagnostic {
    error("E0442", span, "NULL pointer check will definitely fail").here("this is always null")
}

pub fn out_of_bounds(span: Span, bound: u64, index: i128, object: Option<Span>) -> Diagnostic {
    let diagnostic = error("E0443", span, format!("a dereference is out of bounds: {bound} <= {index}"));
    let diagnostic = match index < 0 {
        true => Diagnostic { message: format!("a dereference is out of bounds: {index} < 0"), ..diagnostic },
        false => diagnostic,
    };
    let elements = count(bound as usize, "element");
    let diagnostic = diagnostic.here(if index < 0 {
        "before the first element".into()
    } else {
        format!("the first element is number 0, and there are {elements}")
    });
    match object {
        Some(at) => diagnostic.label(at, format!("this has {elements}")),
        None => diagnostic,
    }
}

pub fn subscript_type(span: Span, found: &str) -> Diagnostic {
    error("E0444", span, format!("a subscript must be an integer, not a `{found}`"))
        .here(format!("this is a `{found}`"))
}

pub fn unknown_length(span: Span) -> Diagnostic {
    error("E0445", span, "the length of this array is not known")
        .here("its declaration gives no length")
        .help("declare it with its length, or pass a fat pointer to it")
}

pub fn tuple_index(span: Span) -> Diagnostic {
    error("E0446", span, "a tuple is subscripted by a constant").here("this is not a constant expression")
}

pub fn tuple_index_layout(span: Span) -> Diagnostic {
    error("E0446", span, "tuple projection cannot use sizeof or offsetof").here("depends on the layout of types")
}

pub fn tuple_range(span: Span, index: i128, fields: usize) -> Diagnostic {
    error("E0447", span, format!("index is {index} but tuple has only {}", count(fields, "field")))
        .here("no such component")
        .help(format!("components are numbered from 0 to {}", fields.saturating_sub(1)))
}

pub fn no_component(name: Ident, found: &str, fields: usize) -> Diagnostic {
    error("E0448", name.span, format!("`{found}` has no component `{}`", name.name))
        .here("no such component")
        .help(format!("a tuple's components are called `f0` to `f{}`", fields.saturating_sub(1)))
}

pub fn no_field(name: Ident, found: &str, near: Option<Symbol>, declared: Span) -> Diagnostic {
    let diagnostic = error("E0449", name.span, format!("`{found}` has no field `{}`", name.name))
        .here("no such field")
        .label(declared, format!("`{found}` is defined here"));
    match near {
        Some(near) => diagnostic.edit(name.span, near.as_str(), format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

pub fn no_members(name: Ident, object: Span, found: &str) -> Diagnostic {
    error("E0450", name.span, format!("a `{found}` has no fields"))
        .here(format!("`{}` is looked up in a value without fields", name.name))
        .label(object, format!("this is a `{found}`"))
}

pub fn dot_on_pointer(field: Span, object: Span, found: &str) -> Diagnostic {
    let dot = Span::new(object.hi, field.lo);
    error("E0451", field, "`.` on a pointer")
        .here("the field of what the pointer points to?")
        .label(object, format!("this is a `{found}`"))
        .edit(dot, "->", "go through the pointer")
}

pub fn arrow_on_struct(field: Span, object: Span, found: &str) -> Diagnostic {
    let arrow = Span::new(object.hi, field.lo);
    error("E0452", field, "`->` on a value that is not a pointer")
        .here("the field of this very value?")
        .label(object, format!("this is a `{found}`"))
        .edit(arrow, ".", "take the field directly")
}

pub fn incomplete(span: Span, object: Span, found: &str, declared: Span) -> Diagnostic {
    let diagnostic = error("E0453", span, format!("the fields of `{found}` are not known here"))
        .here("`abstract` or not yet defined");
    let diagnostic = if object == span { diagnostic } else { diagnostic.label(object, format!("this is a `{found}`")) };
    diagnostic.label(declared, "only declared, not defined")
}

pub fn union_read(span: Span, name: Option<Symbol>, found: &str, declared: Span) -> Diagnostic {
    let member = name.map_or("this part".into(), |n| format!("`{n}`"));
    error("E0454", span, format!("cannot read union member {member} since it is not `bits-only'"))
        .here(format!("a `{found}` is not just bits"))
        .label(declared, "another member may have been written last")
        .note("reading would make a pointer (or another value with a promise) out of any bits")
}

// ---------------------------------------------------------------- places

pub fn not_an_lvalue(span: Span, what: &str) -> Diagnostic {
    error("E0455", span, what.to_string()).here("this is a value without a place")
}

pub fn bit_field_address(span: Span) -> Diagnostic {
    error("E0456", span, "a bit-field has no address").here("bit-fields lie between bytes")
}

pub fn misaligned_address(span: Span, shown: &str, natural: u64, found: u64) -> Diagnostic {
    error("E0476", span, format!("a pointer to this `{shown}` would not be aligned"))
        .here(format!("here the alignment is {found}, pointers to the type promise {natural}"))
        .note("members of packed structs lie where they fall; reading and writing them by name is fine")
        .help("copy the member to a variable, and take the address of that")
}

pub fn register_address(span: Span, name: Symbol, declared: Span) -> Diagnostic {
    error("E0484", span, format!("the address of `{name}` cannot be taken"))
        .here("this is a `register` variable")
        .label(declared, "declared `register` here")
        .help("declare it without `register`")
}

pub fn write_const(span: Span, name: Option<Symbol>, declared: Option<Span>) -> Diagnostic {
    let diagnostic = error("E0457", span, "attempt to write a const location");
    let diagnostic = match name {
        Some(name) => diagnostic.here(format!("`{name}` is `const`")),
        None => diagnostic.here("this is `const`"),
    };
    match declared {
        Some(at) if at != Span::NONE => diagnostic.label(at, "declared `const` here"),
        _ => diagnostic,
    }
}

pub fn assign_array(span: Span) -> Diagnostic {
    error("E0458", span, "an array cannot be assigned as a whole")
        .here("this is an array")
        .help("assign its elements in a loop, or use a struct that holds the array")
}

pub fn assign_function(span: Span) -> Diagnostic {
    error("E0459", span, "a function cannot be assigned").here("this is a function")
}

pub fn assign_const_member(span: Span, found: &str) -> Diagnostic {
    error("E0460", span, format!("a `{found}` cannot be overwritten as a whole: it has a `const` field"))
        .here("attempt to write a const location")
        .help("assign the other fields one by one")
}

/// An argument whose object a function overwrites as a whole.
pub fn overwrites_const(span: Span, found: &str) -> Diagnostic {
    error("E0460", span, format!("a `{found}` cannot be overwritten as a whole: it has a `const` field"))
        .here("the function that is called overwrites this object")
        .help("assign the other fields one by one, or make new objects")
}

/// As [`overwrites_const`], of a type that may have constant parts.
pub fn overwrites_unknown(span: Span, found: &str) -> Diagnostic {
    error("E0460", span, format!("a `{found}` cannot be overwritten as a whole: it may have a `const` field"))
        .here("the function that is called overwrites this object, and nothing is known about its type")
        .help("write `__attribute__((overwrites(n)))` on the function around, `n` being a parameter that points to this type: its callers then answer for it")
}

// ---------------------------------------------------------------- calls

pub fn not_a_function(span: Span, found: &str) -> Diagnostic {
    error("E0461", span, format!("a `{found}` cannot be called")).here("this is not a function")
}

fn called(diagnostic: Diagnostic, name: Option<(Symbol, Span)>, wanted: usize, parameters: &str) -> Diagnostic {
    let needs = match parameters {
        "" => count(wanted, "argument"),
        _ => format!("{} ({parameters})", count(wanted, "argument")),
    };
    match name {
        Some((name, at)) if at != Span::NONE => diagnostic.label(at, format!("`{name}` takes {needs}")),
        _ => diagnostic.note(format!("the function takes {needs}")),
    }
}

pub fn too_few_arguments(
    span: Span,
    name: Option<(Symbol, Span)>,
    wanted: usize,
    found: usize,
    parameters: &str,
) -> Diagnostic {
    let diagnostic =
        error("E0462", span, "too few arguments for function").here(format!("{} given", count(found, "argument")));
    called(diagnostic, name, wanted, parameters)
}

pub fn too_many_arguments(
    span: Span,
    name: Option<(Symbol, Span)>,
    wanted: usize,
    found: usize,
    parameters: &str,
) -> Diagnostic {
    let diagnostic =
        error("E0463", span, "too many arguments for function").here(format!("{} given", count(found, "argument")));
    called(diagnostic, name, wanted, parameters)
}

pub fn constructor_arguments(span: Span, name: Symbol, wanted: usize, found: usize, declared: Span) -> Diagnostic {
    let few = if found < wanted { "few" } else { "many" };
    let diagnostic = error("E0464", span, format!("too {few} arguments for datatype constructor `{name}`"))
        .here(format!("{} given, {wanted} needed", count(found, "argument")));
    if declared == Span::NONE { diagnostic } else { diagnostic.label(declared, "declared here") }
}

pub fn bad_vararg(span: Span, index: usize, name: Option<Symbol>, found: &str) -> Diagnostic {
    let function = name.map_or("a function with `...`".into(), |n| format!("`{n}`"));
    error("E0465", span, format!("argument {index} of {function} cannot be a `{found}`"))
        .here("not a value that C can pass")
}

// ---------------------------------------------------------------- casts, sizes

pub fn cast_to(span: Span, wanted: &str) -> Diagnostic {
    error("E0466", span, format!("nothing can be cast to `{wanted}`")).here("arrays and functions are not values")
}

pub fn unknown_size(span: Span, found: &str) -> Diagnostic {
    error("E0467", span, format!("the size of `{found}` is not known")).here("a type of known size is needed")
}

pub fn bit_field_size(span: Span) -> Diagnostic {
    error("E0468", span, "a bit-field has no size in bytes").here("this is a bit-field")
}

pub fn bad_offset(span: Span, found: &str) -> Diagnostic {
    error("E0469", span, format!("no such member of `{found}`"))
        .here("`offsetof` needs a field, component or constant index")
}

pub fn numelts_operand(span: Span, found: &str) -> Diagnostic {
    error("E0470", span, format!("`numelts` needs a pointer or an array, not a `{found}`"))
        .here(format!("this is a `{found}`"))
}

// ---------------------------------------------------------------- allocation

pub fn new_fields(span: Span) -> Diagnostic {
    error("E0471", span, "`new {.field = …}` needs to know which struct is meant")
        .here("no struct is expected here")
        .help("write the struct's name: `new S{.field = …}`")
}

pub fn new_nothing(span: Span) -> Diagnostic {
    error("E0472", span, "nothing says of which type the elements of `new {}` are")
        .here("no pointer to an array is expected here")
        .help("declare the variable with its type: `int ?p = new {}`")
}

pub fn new_designator(span: Span) -> Diagnostic {
    error("E0473", span, "elements of `new {…}` have no designators").here("bad field designator")
}

pub fn new_untyped(span: Span) -> Diagnostic {
    error("E0474", span, "the type of these elements is not known here")
        .here("nothing says what this builds")
        .help("write the element's struct (`S{…}`), or declare the pointer's type")
}

pub fn comprehension_count(span: Span, found: &str) -> Diagnostic {
    error("E0475", span, format!("the number of elements must be an integer, not a `{found}`"))
        .here(format!("this is a `{found}`"))
}

pub fn needs_initialisation(span: Span, found: &str) -> Diagnostic {
    error("E0477", span, format!("`malloc` of `{found}` (type needs initialization)"))
        .here("memory that was not initialised is no value of this type")
        .help("use `new` with a value, or make its pointers nullable")
}

pub fn not_zeroable(span: Span, found: &str) -> Diagnostic {
    error("E0478", span, format!("`calloc` of `{found}`: zero is not a value of it"))
        .here("holds a pointer that is never null, or a datatype's value")
        .help("use `new {for i < n : …}` with a value for each element")
}

pub fn allocation_count(span: Span, found: &str) -> Diagnostic {
    error("E0479", span, format!("the number of elements or bytes must be an integer, not a `{found}`"))
        .here(format!("this is a `{found}`"))
}

pub fn malloc_zeroes(span: Span) -> Diagnostic {
    Diagnostic::warning("W0403", span, "malloc becomes calloc: a zero-terminated result is expected")
        .here("all elements are zero; the last one stays zero")
        .help("write `calloc`, or `@nozeroterm` in the pointer's type")
}

// ---------------------------------------------------------------- others

pub fn not_an_exception(span: Span, found: &str, variant: bool) -> Diagnostic {
    let diagnostic =
        error("E0480", span, format!("`throw` needs an exception, not a `{found}`")).here("not a pointer to an `exn`");
    match variant {
        true => diagnostic.edit(Span::new(span.lo, span.lo), "new ", "allocate the exception"),
        false => diagnostic.help("exceptions are allocated: `throw new Name(…)`"),
    }
}

pub fn stmt_expr_end(span: Span) -> Diagnostic {
    error("E0481", span, "statement expression must end with expression").here("no value to give")
}

pub fn stmt_expr_outside(span: Span) -> Diagnostic {
    error("E0482", span, "a statement expression can stand in a function only").here("outside of every function")
}

pub fn asm(span: Span) -> Diagnostic {
    error("E0483", span, "`asm` cannot be checked")
        .here("the compiler cannot see what this does to memory")
        .help("put it into a C function in an `extern \"C include\"` block")
        .help("`--allow-asm` accepts it unchecked")
}

pub fn asm_unchecked(span: Span) -> Diagnostic {
    Diagnostic::warning("W0404", span, "`asm` is not checked").here("whether this is safe is yours to know")
}

pub fn asm_goto(span: Span) -> Diagnostic {
    error("E0485", span, "`asm goto` is not supported").here("jumps out of assembly code cannot be followed")
}

pub fn asm_operand(span: Span, found: &str) -> Diagnostic {
    error("E0486", span, format!("an operand of `asm` cannot be a `{found}`")).here("not a number or thin pointer")
}

pub fn cannot_inject(span: Span, datatype: Symbol, found: &str) -> Diagnostic {
    error("E0756", span, format!("can't find a field in datatype `{datatype}` to inject value of type `{found}`"))
        .here("no variant with one component takes this value")
        .help("convert the value, or add a variant for its type")
}

pub fn member_never(span: Span, value: u64) -> Diagnostic {
    Diagnostic::error("E0916", span, format!("the union has another member: its integer is {value}"))
        .here("the condition (`@requires`) of this member is false")
}

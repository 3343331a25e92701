//! Errors and warnings of conversions: E04xx.

use crate::coerce::Why;
use cyc_base::{Diagnostic, Span};

/// The message for a value of type `found` where `wanted` is needed, in the words of its place.
fn disagreement(why: Why, found: &str, wanted: &str) -> String {
    match why {
        Why::Init(name, _) => format!("`{name}` was declared with type `{wanted}` but initialized with type `{found}`"),
        Why::Component => format!("type mismatch: this part has type `{wanted}`, not `{found}`"),
        Why::Value | Why::Arm | Why::Operand | Why::Format => format!("type mismatch: `{found}` != `{wanted}`"),
        Why::Assign(Some(name)) => format!("type mismatch: `{name}` has type `{wanted}`, the value `{found}`"),
        Why::Assign(None) => format!("type mismatch: the place has type `{wanted}`, the value `{found}`"),
        Why::Return => format!("returns value of type `{found}` but requires `{wanted}`"),
        Why::Argument(..) => format!("actual argument has type `{found}` but formal has type `{wanted}`"),
        Why::Cast => format!("cannot cast `{found}` to `{wanted}`"),
        Why::Throw => format!("`throw` needs `{wanted}`, not `{found}`"),
    }
}

/// Says at the primary place what is expected, and shows the declaration where there is one.
fn placed(diagnostic: Diagnostic, why: Why, wanted: &str) -> Diagnostic {
    match why {
        Why::Init(name, at) => {
            diagnostic.here(format!("expected `{wanted}`")).label(at, format!("`{name}` is declared here"))
        }
        Why::Argument(n, Some(name)) => diagnostic.here(format!("argument {n} of `{name}` must be `{wanted}`")),
        Why::Argument(n, None) => diagnostic.here(format!("argument {n} must be `{wanted}`")),
        Why::Cast => diagnostic.here("this cannot become that type"),
        _ => diagnostic.here(format!("expected `{wanted}`")),
    }
}

/// `parts`: the components that disagree. `attributes`: those of function types that only one side has, and whether it is
/// the side of the value.
pub fn mismatch(
    span: Span,
    why: Why,
    (found, wanted): (&str, &str),
    parts: Option<(String, String)>,
    attributes: &[(String, bool)],
) -> Diagnostic {
    let diagnostic = placed(Diagnostic::error("E0401", span, disagreement(why, found, wanted)), why, wanted);
    let diagnostic = match parts {
        Some((a, b)) if a != b => diagnostic.note(format!("`{a}` and `{b}` do not match")),
        _ => diagnostic,
    };
    attributes.iter().fold(diagnostic, |diagnostic, (attribute, found)| {
        diagnostic.note(match found {
            true => format!("the value's type is `{attribute}`, the type that is expected is not"),
            false => format!("the type that is expected is `{attribute}`, the value's is not"),
        })
    })
}

pub fn null_for_nonnull(span: Span, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0402", span, format!("Used NULL when expecting a value of type `{wanted}`"))
        .here("this is null")
        .note("`@` says that a pointer is never null")
        .help("use a nullable pointer (`*` instead of `@`), or give it an object to point to")
}

pub fn number_to_pointer(span: Span, why: Why, found: &str, wanted: &str, float: bool) -> Diagnostic {
    let verb = if why == Why::Cast { "cast" } else { "convert" };
    let diagnostic = Diagnostic::error("E0403", span, format!("cannot {verb} `{found}` to `{wanted}`"));
    let diagnostic = diagnostic.here("a number is not a pointer");
    match float {
        true => diagnostic,
        false => diagnostic.note("only the literal 0 is a pointer: nobody knows what lies at other addresses"),
    }
}

pub fn pointer_to_number(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0404", span, format!("cannot cast `{found}` to `{wanted}`"))
        .here("this is a pointer")
        .help("a pointer's bits fit `long` and `unsigned long`")
}

pub fn fat_to_number(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0405", span, format!("cannot cast the fat pointer `{found}` to `{wanted}`"))
        .here("this pointer carries its bounds")
        .help("convert it to a thin pointer first")
}

pub fn from_void(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0406", span, format!("cannot cast `{found}` to `{wanted}`"))
        .here("what this points to is not known")
        .note("any pointer becomes a `void *`, but nothing proves what a `void *` points to")
        .help("keep the pointer's type, or use a type variable or a tagged union where several types are possible")
}

/// A function whose result lies in `` `C `` where one is expected that says something else.
pub fn current_of_each_call(span: Span) -> Diagnostic {
    Diagnostic::error("E0401", span, "the result of this function lies in the current region of each call")
        .here("the type that is expected says that it lies elsewhere")
        .note("each call chooses `C anew: it is the innermost lexical region around that call")
        .help("write `C in the function type that is expected, or pass a handle of the region")
}

pub fn drops_const(span: Span, why: Why, found: &str, wanted: &str) -> Diagnostic {
    placed(Diagnostic::error("E0407", span, disagreement(why, found, wanted)), why, wanted)
        .note("qualifiers don't match: what this points to is `const`, and would become writable")
        .help("add `const` to the target's type, or copy the object")
}

pub fn bounds(span: Span, why: Why, found: &str, wanted: &str) -> Diagnostic {
    placed(Diagnostic::error("E0408", span, disagreement(why, found, wanted)), why, wanted)
        .note("different pointer bounds: more elements are required than this pointer is known to have")
        .help("use a fat pointer (`?`), which carries its bounds and is checked when it is made thin")
}

pub fn not_zeroterm(span: Span, why: Why, found: &str, wanted: &str) -> Diagnostic {
    placed(Diagnostic::error("E0409", span, disagreement(why, found, wanted)), why, wanted)
        .note("not both zero terminated: nothing says that a zero element follows what this points to")
        .help("declare the source `@zeroterm`, or the target `@nozeroterm`")
}

pub fn exposes_zero(span: Span, why: Why, found: &str, wanted: &str) -> Diagnostic {
    placed(Diagnostic::error("E0410", span, disagreement(why, found, wanted)), why, wanted)
        .note("the final zero of a zero-terminated sequence must not become writable")
        .help("make the target `const`, or let it end one element earlier")
}

pub fn fat_of_part(span: Span, why: Why, found: &str, wanted: &str) -> Diagnostic {
    placed(Diagnostic::error("E0411", span, disagreement(why, found, wanted)), why, wanted)
        .note("a fat pointer moves over whole elements: it cannot see them as something shorter or unknown")
        .help("convert to a thin pointer to one object")
}

pub fn void_value(span: Span) -> Diagnostic {
    Diagnostic::error("E0412", span, "a `void` expression has no value")
        .here("this has type `void`, but a value is needed")
}

// ---------------------------------------------------------------- warnings

pub fn narrowing(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::warning("W0400", span, format!("integral size mismatch; `{found}` -> `{wanted}` conversion supplied"))
        .here(format!("the value may not fit `{wanted}`"))
        .help(format!("write `({wanted})` if the loss is meant"))
}

pub fn implicit_pointer_to_int(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::warning("W0401", span, format!("implicit cast from `{found}` to `{wanted}`"))
        .here("a pointer becomes a number")
        .help(format!("write `({wanted})` if that is meant"))
}

pub fn implicit_fat_to_thin(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::warning("W0402", span, format!("implicit cast from `{found}` to `{wanted}`"))
        .here("the pointer loses its bounds; they are checked here")
        .help(format!("write `({wanted})` if that is meant"))
}

pub fn never_in_subset(span: Span, wanted: &str) -> Diagnostic {
    Diagnostic::warning("W0405", span, format!("this is never a value of the type `{wanted}`"))
        .here("the condition of the type is false for this constant: raises `Assert`")
}

pub fn not_in_subset(span: Span, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0914", span, format!("this is not a value of the type `{wanted}`"))
        .here("the condition of the type is false for this constant")
}

//! Errors of values that must not be copied: unique and counted pointers (E052x, E053x).

use crate::coerce::Why;
use crate::moves::path::{NotUnique, Step};
use crate::moves::pattern::NoAlias;
use crate::stmt::alias::{Blame, Misfit};
use cyc_base::{Diagnostic, Span, Symbol};

/// E-PATH: a move out of something that others can reach as well.
pub(crate) fn not_unique(span: Span, shown: &str, at: &NotUnique) -> Diagnostic {
    let (here, note) = match &at.why {
        Step::Global(name) => (
            format!("`{name}` can be reached from everywhere"),
            "whoever else looks at it would find a pointer that is no longer there to be used",
        ),
        Step::Subscript => (
            "an element of an array: which one is known at run time only".into(),
            "elements are not followed one by one, so nobody would know that this one is gone",
        ),
        Step::Pointer(ty) => (
            format!("reached through a `{ty}`, of which there may be others"),
            "another pointer to the same object would still lead to what is moved away",
        ),
        Step::Union => ("a member of a union".into(), "another member may lie over it"),
        Step::Value => (
            "this only passes on a pointer that stays where it is".into(),
            "move it into a variable first, and go on from there",
        ),
    };
    let error = Diagnostic::error("E0523", span, format!("a value of type `{shown}` cannot be moved from here"));
    let error = if at.span == span { error.here(here) } else { error.here("moved from here").label(at.span, here) };
    error
        .note(note)
        .help("swap it out: `T *`U x = NULL; x :=: place;`, and put it back by another swap when it is needed there")
}

/// E-ADDR, first rule.
pub fn address_of_restricted(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0524", span, format!("the address of a value of type `{shown}` cannot be taken"))
        .here("it holds a pointer that must not be copied")
        .note("through the address it could be moved away unseen")
        .help("pass the value itself, or look at it through an `alias`")
}

/// E-ADDR, second rule.
pub fn address_behind_restricted(span: Span, pointer: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0524", span, "the address of something behind a pointer that can be freed cannot be taken")
        .here("this address would stay when the object is gone")
        .label(pointer, format!("of type `{shown}`"))
        .help("take it inside of `{ let alias<`r> T *`r x = p; … }`, where nobody can free the object")
}

/// E-ADDR for a pattern.
pub fn array_behind_restricted(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error(
        "E0524",
        span,
        format!("a variable cannot stand for an array of type `{shown}` that can be freed"),
    )
    .here("it would be a pointer into the object")
}

/// E-ADDR for a reference pattern.
pub fn reference_behind_restricted(span: Span) -> Diagnostic {
    Diagnostic::error("E0524", span, "a reference into an object that can be freed cannot be taken")
        .here("this address would stay when the object is gone")
        .help("match the value itself, or match through an `alias`, during which nobody can free the object")
}

/// A pointer that was read, and a call before it is used.
pub fn held_during_call(span: Span, call: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0535", span, "the object may be gone before this pointer is used")
        .here(format!("a `{shown}` is read here, and followed after the call"))
        .label(call, "this call may free the object")
        .help("store what the call returns in a variable before")
}

/// E-ARITH.
pub fn arithmetic(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0529", span, format!("a pointer of type `{shown}` cannot be moved along"))
        .here("it must keep pointing to the start of its object, where it is freed")
        .help("use a subscript, or an `alias`, which may move")
}

/// E-CHAIN.
pub fn chained(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0530", span, "the value of an assignment cannot be moved on")
        .here(format!("of type `{shown}`: it would be in two places"))
        .help("make two statements of it, and say which place keeps the value")
}

/// E-DATATYPE.
pub fn in_datatype(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0531", span, format!("a datatype cannot hold a value of type `{shown}`"))
        .here("this must not be copied, and what a datatype holds is copied by every pattern")
        .help("use a tagged union in a struct, or a pointer that may be copied")
}

/// `` `U `` beside another qualifier.
pub fn overridden_qualifier(span: Span) -> Diagnostic {
    Diagnostic::warning("W0805", span, "this alias qualifier has no effect")
        .here("the pointer's `` `U `` or `` `RC `` says another one")
        .help("leave one of the two out")
}

/// E-AQUAL.
pub fn qualifiers(span: Span, why: Why, found: &str, wanted: &str) -> Diagnostic {
    let error = Diagnostic::error(
        "E0528",
        span,
        format!("alias qualifiers do not fit: a `{found}` cannot become a `{wanted}`"),
    );
    let error = match why {
        Why::Init(name, at) => {
            error.here(format!("expected `{wanted}`")).label(at, format!("`{name}` is declared here"))
        }
        Why::Argument(n, Some(name)) => error.here(format!("argument {n} of `{name}` must be `{wanted}`")),
        _ => error.here(format!("expected `{wanted}`")),
    };
    error.note("a unique or counted pointer comes from an allocation (`unew`, `rcnew`, or `new` where one is expected) or from another one; pointers that may be copied never become such")
}

/// E-AQUAL: below the first pointer.
pub fn qualifiers_within(span: Span, why: Why, found: &str, wanted: &str) -> Diagnostic {
    let error = Diagnostic::error(
        "E0528",
        span,
        format!("alias qualifiers do not fit: a `{found}` cannot be seen as a `{wanted}`"),
    );
    let error = match why {
        Why::Init(name, at) => {
            error.here(format!("expected `{wanted}`")).label(at, format!("`{name}` is declared here"))
        }
        Why::Argument(n, Some(name)) => error.here(format!("argument {n} of `{name}` must be `{wanted}`")),
        _ => error.here(format!("expected `{wanted}`")),
    };
    error
        .note("a pointer within the object stays what it is, or is seen as `\\T` where it is `const`: nothing is moved by looking at an object through another type")
        .help("only an `alias` of a unique pointer may see the unique pointers within as ones that may be copied, where they are `const`")
}

/// E-AQUAL: a function that may keep a pointer, for one that borrows it.
pub fn parameter_keeps(span: Span, n: u32, given: &str, taken: &str) -> Diagnostic {
    Diagnostic::error(
        "E0528",
        span,
        format!("alias qualifiers do not fit: parameter {n} is `{taken}`, and `{given}` is expected"),
    )
    .here("the function could keep the pointer, which its caller would free")
    .help(format!(
        "mark the parameter in the type that is expected with `consume({n})`: then the caller gives the pointer away"
    ))
}

/// E-ATTR: a function whose attributes its new type does not have.
pub fn attribute_lost(span: Span, attribute: &str, n: u32) -> Diagnostic {
    Diagnostic::error("E0991", span, format!("the functions differ in `{attribute}({n})`"))
        .here(match attribute {
            "consume" => {
                "this function takes the argument for good, the type that is expected gives it back".to_string()
            }
            _ => format!("one of the types has `{attribute}({n})`, the other has not"),
        })
        .note("callers go by the type: what they keep would be gone")
        .help(format!("write `__attribute__(({attribute}({n})))` on the type of the pointer too"))
}

/// `consume` and `noliveunique` for what the caller need not keep.
pub fn not_restricted(span: Span, attribute: Symbol, shown: &str) -> Diagnostic {
    Diagnostic::error("E0532", span, format!("`{attribute}` is for pointers that must not be copied"))
        .here(format!("the parameter has type `{shown}`"))
        .help("make the parameter unique (`` T *`U ``), counted or `\\T`, or leave the attribute out")
}

pub fn old_noconsume(span: Span) -> Diagnostic {
    Diagnostic::warning("W0804", span, "`noconsume` has no effect")
        .here("the caller keeps an argument unless `consume` says otherwise")
        .help("leave it out, and mark the parameters that are not kept with `consume(n)`")
}

/// `qnew(e)` of something else.
pub fn not_a_qualifier(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("E0534", span, format!("`{found}` is no alias qualifier"))
        .here("the handle of a qualifier is needed here")
        .help("`Core::unique_qual`, `Core::refcnt_qual` or `Core::aliasable_qual`, or a parameter of type `aqual_t<…>`")
}

/// E-BOUND.
pub fn alias_bound(span: Span, param: Symbol, shown: &str, bound: &str) -> Diagnostic {
    Diagnostic::error("E0533", span, format!("{param} cannot be `{shown}` here: its alias bound is {bound}"))
        .here(format!("`{shown}` is not below {bound}"))
        .note("what is declared with a bound relies on it: values that are `ALIASABLE` are copied")
        .help(format!(
            "declare the variable as `{param}\\T` where it is bound, if its values are moved and never copied"
        ))
}

/// E-ALIAS: of what is no pointer.
pub fn alias_of_no_pointer(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0526", span, format!("`{shown}` is no pointer, and cannot be aliased"))
        .here("a pointer is needed here")
}

/// E-ALIAS: of a value that is in no place.
pub fn alias_of_value(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0526", span, format!("this `{shown}` is in no place that it could be given back to"))
        .here("a value of its own")
        .help("move it into a variable first, and alias that")
}

/// E-ALIAS: a pattern where there is no place.
pub(crate) fn alias_without_place(span: Span, why: NoAlias) -> Diagnostic {
    let (here, help) = match why {
        NoAlias::Value => (
            "what is matched is a value of its own, in no place that the pointer could be given back to",
            "move it into a variable first, and match that",
        ),
        NoAlias::Exception => ("an exception is in no variable of this function", "take the value by a plain variable"),
        NoAlias::Datatype => (
            "components of datatypes are never borrowed: they hold only what may be copied",
            "take the value by a plain variable",
        ),
    };
    Diagnostic::error("E0526", span, "there is nothing to alias here").here(here).help(help)
}

/// E-ALIAS: a pattern for a pointer that may be null.
pub fn alias_may_be_null(span: Span, found: &str, wanted: &str) -> Diagnostic {
    Diagnostic::error(
        "E0526",
        span,
        format!("a `{found}` that may be null cannot be seen as a `{wanted}` in a pattern"),
    )
    .here("matching does not test it")
    .help("write `*` instead of `@` in the alias, and test it, or use `let alias` with the pointer itself")
}

/// E-ALIAS: the written type.
pub fn alias_type(span: Span, shown: &str) -> Diagnostic {
    Diagnostic::error("E0526", span, format!("`{shown}` is not the type of an alias"))
        .here("this must be a pointer that may be copied, into exactly the region that the alias names")
        .help("write `` let alias<`r> T *`r x = e; ``")
}

/// E-ALIAS: the types do not fit.
pub(crate) fn alias_mismatch(span: Span, found: &str, wanted: &str, unique: bool, blame: Option<Blame>) -> Diagnostic {
    let error = Diagnostic::error("E0526", span, format!("a `{found}` cannot be seen as a `{wanted}`"))
        .here("the targets must have the same type");
    let error = match blame.filter(|_| unique) {
        None => error,
        Some(Blame { field, why: Misfit::NotConst }) => error.label(field, "this field would have to be `const`"),
        Some(Blame { field, why: Misfit::NotUnique(shown) }) => {
            error.label(field, format!("others may reach what this `{shown}` points to"))
        }
        Some(Blame { field, why: Misfit::Differs }) => error.label(field, "this field differs"),
    };
    match unique {
        true => error.note(
            "inside the target a unique pointer may be seen as one that may be copied only in a field that is `const`: otherwise a copy could be stored there that outlives the alias",
        ),
        false => error.note("only under a unique pointer can nobody else reach what inner pointers point to"),
    }
}

/// E-TYPE: an autoreleased pointer from anywhere but a pool.
pub fn not_pooled(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("E0970", span, "only a pool makes pointers that are `@autoreleased`")
        .here(format!("of type `{found}`"))
        .note("the object's count must belong to the region that the pointer is good for")
        .help("hand a counted pointer over by `autorelease_handle(h, p)` or `autorelease(p)`")
}

/// `@autoreleased` beside another qualifier.
pub fn autoreleased_is_aliasable(span: Span) -> Diagnostic {
    Diagnostic::error("E0971", span, "an `@autoreleased` pointer is neither unique nor counted")
        .here("it may be copied as often as you like")
        .help("write only one of the two; `inc_refptr(p)` gives a counted pointer to the object")
}

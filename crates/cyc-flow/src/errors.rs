//! The diagnostics of flow analysis (E07xx, W07xx).

use crate::init::branch::Branch;
use crate::no_heap::Touch;
use cyc_base::{Diagnostic, Span};

/// `name` in backquotes, or something to call a value without one.
fn called(name: &Option<String>) -> String {
    name.as_ref().map_or("this value".into(), |n| format!("`{n}`"))
}

fn declared(diagnostic: Diagnostic, declaration: Option<Span>) -> Diagnostic {
    match declaration {
        Some(span) => diagnostic.label(span, "declared here without an initialiser"),
        None => diagnostic,
    }
}

pub fn uninitialised_deref(span: Span, name: &Option<String>, declaration: Option<Span>) -> Diagnostic {
    let what = called(name);
    let error = Diagnostic::error("E0701", span, format!("dereference of possibly uninitialized pointer {what}"))
        .here("no object is known to be here on every path")
        .help("give the pointer a value on every path that leads here");
    declared(error, declaration)
}

pub fn not_initialised(span: Span, name: &Option<String>, declaration: Option<Span>) -> Diagnostic {
    let what = called(name);
    let error = Diagnostic::error("E0702", span, format!("expression may not be (fully) initialized: {what}"))
        .here("used here before it has a value on every path")
        .help("initialise it, with all of its parts, on every path that leads here");
    declared(error, declaration)
}

pub fn escapes_uninitialised(span: Span, name: &Option<String>, declaration: Option<Span>) -> Diagnostic {
    let what = called(name);
    let error = Diagnostic::error("E0703", span, format!("{what} escapes before it is (fully) initialized"))
        .here("whoever gets its address could read what is not there yet")
        .help("initialise all of it first; a function that does so itself is declared with `initializes(n)`");
    declared(error, declaration)
}

pub fn initializes_not_done(end: Span, parameter: &Option<String>) -> Diagnostic {
    let what = parameter.as_ref().map_or("the parameter".into(), |n| format!("`*{n}`"));
    Diagnostic::error("E0704", end, format!("{what} may not be (fully) initialized when the function returns"))
        .here("returned here")
        .note("the function promises it by `__attribute__((initializes(n)))`")
}

pub fn missing_return(end: Span, function: &str, result: &str) -> Diagnostic {
    Diagnostic::error("E0705", end, format!("function may not return a value: `{function}`"))
        .here(format!("reached without a value of type `{result}`"))
        .help("return a value on every path, or throw")
}

pub fn missing_return_of_bits(end: Span, function: &str) -> Diagnostic {
    Diagnostic::warning("W0702", end, format!("function may not return a value: `{function}`"))
        .here("reached without a value; an unspecified one is returned")
        .help("return a value on every path")
}

pub fn noreturn_returns(end: Span, function: &str) -> Diagnostic {
    Diagnostic::error("E0706", end, format!("`noreturn' function might return: `{function}`"))
        .here("control can reach this point")
        .help("end every path in a call that does not return, a throw or an endless loop")
}

pub fn throws_after_all(span: Span, is_call: bool, function: &str) -> Diagnostic {
    let here = if is_call { "what is called here may throw" } else { "this may raise an exception" };
    Diagnostic::error("E0707", span, format!("`{function}` is declared not to throw, but it may")).here(here).help(
        "catch everything: `try { … } catch { default: … }`; declare what is called `nothrow` if it throws nothing",
    )
}

/// `way`: the function that promises not to, what it calls, and so on to where it happens.
pub fn touches_heap(span: Span, way: &[String], touch: Touch) -> Diagnostic {
    let name = way.first().map(String::as_str).unwrap_or_default();
    let (here, help) = match touch {
        Touch::Allocates => (
            "an object that the collector would have to find".into(),
            "allocate a unique object, `unew`, or in a region",
        ),
        Touch::MayAllocate => {
            ("the qualifier decides whether the collector would have to find this object".into(), "take `unique_qual`")
        }
        Touch::Handle => {
            ("the handle of the heap, with which others allocate in it".into(), "use the handle of another region")
        }
        Touch::Calls(called) => (
            format!("`{called}` does not promise it"),
            "declare what is called `__attribute__((noheap))`, if it keeps away from the heap",
        ),
        Touch::CallsPointer => (
            "what is called here may be any function of this type".into(),
            "declare the pointer's type `__attribute__((noheap))`: only functions that promise it then fit",
        ),
    };
    let error =
        Diagnostic::error("E0806", span, format!("`{name}` is declared `noheap`, but it may touch the traced heap"));
    let error = error.here(here);
    let error = match way {
        [_] => error,
        way => error.note(format!("`{}`, which does this", way.join("` calls `"))),
    };
    error.help(help)
}

pub fn uninitialised_bits(span: Span, name: &str, declaration: Span) -> Diagnostic {
    Diagnostic::warning("W0701", span, format!("`{name}` may be used before it has a value"))
        .here("its value is unspecified on some path")
        .label(declaration, "declared here without an initialiser")
}

pub fn null_check_inserted(span: Span) -> Diagnostic {
    Diagnostic::warning("W0710", span, "inserted null check due to implicit cast from * to @ type")
        .here("raises Null_Exception if this is null")
        .help("test the pointer before, or write a cast where the check is meant")
}

pub fn null_certainly(span: Span, name: &Option<String>) -> Diagnostic {
    let what = called(name);
    Diagnostic::error("E0710", span, format!("NULL pointer check will definitely fail: {what} is null here"))
        .here("this would raise Null_Exception whenever it is reached")
}

/// `@assert` (`wanted`) or `@assert_false` that does not follow; `opposite`: the contrary does. `known`: of its operands.
pub fn not_proved(span: Span, wanted: bool, opposite: bool, known: Option<String>) -> Diagnostic {
    let (code, form) = if wanted { ("E0711", "@assert") } else { ("E0712", "@assert_false") };
    let value = if wanted { "true" } else { "false" };
    let (message, label) = match opposite {
        true => (format!("`{form}` fails: the condition is never {value} here"), "known to be the contrary"),
        false => (format!("`{form}` cannot be proved"), "does not follow from the tests and checks before it"),
    };
    let error = Diagnostic::error(code, span, message).here(label);
    let error = match known {
        Some(known) => error.note(format!("what is known: {known}")),
        None => error,
    };
    error.help("test the condition before, or check it at run time: `assert(…)`")
}

pub fn precondition_fails(span: Span) -> Diagnostic {
    Diagnostic::error("E0910", span, "the call does not satisfy the pre-condition of the function")
        .here("what it requires (`@requires`) is known to be false here")
}

pub fn precondition_not_proved(span: Span) -> Diagnostic {
    Diagnostic::warning("W0911", span, "the call is not proved to satisfy the pre-condition of the function")
        .here("what it requires (`@requires`) is checked at run time")
        .help("test the condition before the call, or `assert` it")
}

// ---------------------------------------------------------------- values that must not be copied

/// How a value left its place.
pub enum Away {
    /// By a call that frees it.
    Freed,
    Moved,
    Argument,
    AliasArgument,
    /// Where what comes of it is used next.
    Borrowed(Option<Span>),
    /// The variable that borrows it.
    Alias(String),
    Pattern(String),
    Open,
}

/// E-CONSUMED. `parameter`: it lies in this parameter (1-based) that the caller keeps.
pub fn moved_away(
    span: Span,
    name: &Option<String>,
    at: Span,
    sure: bool,
    how: Away,
    parameter: Option<(u32, String)>,
) -> Diagnostic {
    let what = called(name);
    let verb = match (&how, sure) {
        (Away::Freed, true) => "was freed",
        (Away::Freed, false) => "may have been freed",
        (Away::Moved | Away::Pattern(_), true) => "was moved away",
        (Away::Moved | Away::Pattern(_), false) => "may have been moved away",
        (_, true) => "is borrowed",
        (_, false) => "may be borrowed",
    };
    let error = Diagnostic::error("E0522", span, format!("{what} {verb}"));
    if at == span {
        let (done, doing) = if matches!(how, Away::Freed) { ("freed", "free") } else { ("moved away", "move") };
        let error = error.here(format!("{done} here, and used here again in the next round of the loop"));
        return error
            .help(format!("give the variable another value in the same round, or {doing} it only after the loop"));
    }
    let error = error.here("used here");
    // What is used contains what takes it away in the same round: `s->a[take(s)]`.
    let again = at.lo > span.lo && at.hi > span.hi;
    let path = match (sure, again) {
        (_, true) => ", in an earlier round of the loop",
        (false, _) => ", on one of the paths that lead here",
        _ => "",
    };
    let error = match &how {
        Away::Moved => error.label(at, format!("moved away here{path}")),
        Away::Freed => error.label(at, format!("freed here{path}")),
        Away::Pattern(variable) => {
            error.label(at, format!("taken by the variable `{variable}`, until the end of its scope"))
        }
        Away::Argument => error.label(at, "lent here, until the call returns"),
        Away::AliasArgument => error.label(at, "borrowed here, until the call returns"),
        Away::Borrowed(again) => {
            let error = error.label(at, "borrowed here, while what the call returns is used");
            again.iter().fold(error, |error, again| error.label(*again, "and that is still used here"))
        }
        Away::Alias(variable) => {
            error.label(at, format!("borrowed by the alias `{variable}`, until the end of its scope"))
        }
        Away::Open => error.label(at, "opened here, until the end of the block"),
    };
    match how {
        Away::Alias(variable) => error.help(format!("use `{variable}`, or end its scope first")),
        Away::Borrowed(_) => error.help("do this after the last use of the pointers that come of it"),
        Away::Moved | Away::Freed if !sure => {
            error.help("give it a value on that path too: `NULL` will do, and can be tested for")
        }
        Away::Freed if parameter.is_none() => error.help("free it only after its last use, and once"),
        Away::Moved | Away::Freed => match parameter {
            Some((_, name)) => {
                error.help(format!("`{name}` is only lent to this function: swap a part out before it is moved"))
            }
            None => error.help(
                "move it only after its last use; to let others read it, lend it by `alias`, which gives it back",
            ),
        },
        _ => error,
    }
}

/// The same with the test that decides whether the value is moved.
pub fn by_branch(error: Diagnostic, branch: &Branch) -> Diagnostic {
    error.label(branch.test, if branch.outcome { "if this is true" } else { "if this is false" })
}

/// E-PATH, where the path is too long or too strange to be followed.
pub fn not_followed(span: Span) -> Diagnostic {
    Diagnostic::error("E0523", span, "this value cannot be moved from here")
        .here("the path to it is not followed")
        .help("move or swap it into a variable step by step")
}

/// E-NOCONSUME. `open`: where attributes of the function would stand.
pub fn not_preserved(
    end: Span,
    name: &str,
    (number, open): (u32, Span),
    declared: Span,
    missing: Option<(String, std::rc::Rc<crate::init::Gone>)>,
) -> Diagnostic {
    let error = Diagnostic::error(
        "E0525",
        end,
        format!("`{name}` belongs to the caller, and is not intact when the function returns"),
    )
    .here("returned here");
    let error = match missing {
        Some((part, gone)) => error.label(gone.at, format!("`{part}` was moved away here")),
        None => error.label(declared, "it no longer holds what it was called with"),
    };
    let attribute = format!("__attribute__((consume({number}))) ");
    error.help("put the value back before the function returns, or let it own the parameter:").edit(
        open,
        attribute,
        "the caller then loses the argument",
    )
}

/// E-ALIAS: the place that is to get the pointer back holds something else.
pub fn overwritten_while_borrowed(span: Span, name: &Option<String>, borrowed: Span) -> Diagnostic {
    let what = called(name);
    Diagnostic::error("E0527", span, format!("{what} is overwritten while it is borrowed"))
        .here("at the end of the scope the borrowed pointer comes back here")
        .label(borrowed, "borrowed here")
        .help("end the scope of the borrower first")
}

pub fn leak_at_end(end: Span, name: &Option<String>, declared: Span) -> Diagnostic {
    let what = called(name);
    Diagnostic::warning("W0800", end, format!("{what} may still hold a pointer that is to be freed"))
        .here("it is lost here")
        .label(declared, "declared here")
        .help("free it, or move it to somebody who does")
}

pub fn leak_of_result(span: Span) -> Diagnostic {
    Diagnostic::warning("W0800", span, "the result is a pointer that is to be freed, and nobody takes it")
        .here("it is lost here")
}

pub fn leak_at_join(span: Span, name: &Option<String>, at: Span) -> Diagnostic {
    let what = called(name);
    Diagnostic::warning("W0801", span, format!("{what} is lost where two paths meet"))
        .here("this path still has it")
        .label(at, "the other one has moved it away here")
        .help("free it on both paths, or on none")
}

pub fn leak_by_overwriting(span: Span, name: &Option<String>) -> Diagnostic {
    let what = called(name);
    Diagnostic::warning("W0802", span, format!("{what} may still hold a pointer that is to be freed"))
        .here("it is overwritten here")
        .help("free it first, or swap it out")
}

pub fn frees_live(span: Span) -> Diagnostic {
    Diagnostic::warning("W0803", span, "the object that is freed may still hold pointers that are to be freed")
        .here("freeing is not recursive: they are lost here")
        .help("move them out before, or free them")
}

pub fn loses_alignment(span: Span, alignment: u64) -> Diagnostic {
    Diagnostic::error(
        "E0716",
        span,
        format!("objects that are aligned to {alignment} bytes cannot be allocated like this"),
    )
    .here("counted objects, and unique ones of regions, are aligned to 16 bytes")
    .help("allocate it with `new`, `rnew` or `unew`, or declare a variable of the type")
}

// ---------------------------------------------------------------- --gc=none

pub fn needs_collector(span: Span) -> Diagnostic {
    Diagnostic::error("E0715", span, "this allocation needs a collector, and `--gc=none` leaves it out")
        .here("an object of the heap that nobody gives back")
        .help("allocate it in a region, or as a unique or counted object: `rnew`, `unew`, `rcnew`")
}

pub fn may_need_collector(span: Span) -> Diagnostic {
    Diagnostic::error("E0715", span, "this allocation may need a collector, and `--gc=none` leaves it out")
        .here("an object of the heap; by its qualifier, which the caller chooses, nobody may have to give it back")
        .help("take a region's handle as well, and allocate there")
}

pub fn heap_handle(span: Span) -> Diagnostic {
    Diagnostic::error("E0715", span, "the handle of the heap is for a collector, and `--gc=none` leaves it out")
        .here("objects that are made with it are given back by nobody")
        .help("use the handle of a region")
}

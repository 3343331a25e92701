//! The diagnostics of flow analysis (E07xx, W07xx).

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

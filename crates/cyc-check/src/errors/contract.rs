//! Contracts (core, section 3.18).

use cyc_base::{Diagnostic, Span};

pub fn has_effect(span: Span) -> Diagnostic {
    Diagnostic::error("E0713", span, "a contract has no effects")
        .here("this may change something, or the compiler cannot tell")
        .help("a function called in a contract is declared with `__attribute__((pure))`, and given only what may be copied")
}

pub fn checks_not_here(span: Span) -> Diagnostic {
    Diagnostic::error("E0714", span, "`@checks` is for functions with a fixed number of arguments, and not for `main`")
        .here("nobody could check this before the call")
        .help("write `assert(…);` at the beginning of the body")
}

pub fn not_used_here(span: Span) -> Diagnostic {
    Diagnostic::warning("W0711", span, "only the contract of a function's declaration is checked")
        .here("this one says nothing to the compiler")
        .help("write it after the parameter list of a prototype or definition at the top level")
}

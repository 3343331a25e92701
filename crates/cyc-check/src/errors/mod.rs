//! Every error and warning of the checker: one named constructor each, in the file of its construct.

pub mod coerce;
pub mod contract;
pub mod datatype;
pub mod decl;
pub mod effect;
pub mod expr;
pub mod format;
mod headers;
pub mod moves;
pub mod pattern;
pub mod poly;
pub mod region;
pub mod stmt;
pub mod types;

use cyc_base::{Diagnostic, Span};

/// Something of the language that this release does not have yet.
pub fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error("E0900", span, format!("{what} is not supported yet"))
        .here("not supported in this release")
        .note("the language has it; this release of the compiler does not yet")
}

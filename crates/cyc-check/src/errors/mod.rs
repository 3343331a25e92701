//! Every error and warning of the checker: one named constructor each, in the file of its construct.

pub mod coerce;
pub mod contract;
pub mod datatype;
pub mod decl;
pub mod effect;
pub mod expr;
pub mod format;
pub mod moves;
pub mod pattern;
pub mod poly;
pub mod region;
pub mod stmt;
pub mod thread;
pub mod types;

use cyc_base::{Diagnostic, Span};

/// Something that C compilers have and Cyclone has not.
pub fn only_in_c(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error("E0900", span, format!("{what} is not part of Cyclone"))
        .here("C only")
        .help("C text in `extern \"C include\"` may use it")
}

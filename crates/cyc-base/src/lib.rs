//! Everyone's vocabulary: spans, the source map, symbols, and diagnostics as data.
//!
//! Nothing here reads a file or prints: a [`SourceMap`] is built from text that the driver hands
//! over, and a [`Diagnostic`] is a value that the command renders.

pub mod diag;
pub mod headers;
pub mod source;
pub mod span;
pub mod symbol;

pub use diag::{Code, Diagnostic, Diagnostics, Edit, Label, Severity};
pub use source::{Location, SourceMap};
pub use span::Span;
pub use symbol::Symbol;

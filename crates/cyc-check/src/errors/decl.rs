//! Errors of declarations and initialisers: E02xx.

use cyc_base::{Diagnostic, Span};
use cyc_syntax::ast::Ident;

pub fn redeclared_local(ident: Ident, before: Span) -> Diagnostic {
    Diagnostic::error("E0200", ident.span, format!("`{}` is declared twice in this block", ident.name))
        .here("declared again here")
        .label(before, "first declared here")
        .help("rename one of them, or assign to the first")
}

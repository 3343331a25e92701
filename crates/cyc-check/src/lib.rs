//! Names and types: from the syntax tree to the typed tree, one file per construct.

pub mod coerce;
pub mod constant;
pub mod cx;
pub mod decl;
pub mod errors;
pub mod expr;
mod format;
mod infer;
pub mod init;
mod lookup;
mod moves;
pub mod pattern;
mod print;
pub mod region;
pub mod scope;
pub mod stmt;
pub mod tast;
pub mod template;
pub mod threads;
pub mod types;
mod visit;

pub use crate::lookup::nearest;
pub use crate::print::unit as print;

use crate::cx::Checker;
use crate::tast::TypedUnit;
use cyc_base::{Diagnostics, SourceMap};
use cyc_syntax::ast;

/// What the user allows that the language does not.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// `asm` is accepted with a warning (core, section 5.17).
    pub allow_asm: bool,
    /// Fat pointers have three words instead of two.
    pub wide_fat_pointers: bool,
    /// Flow analysis warns of unique and counted pointers that are lost (memory, section 4.13).
    pub warn_leaks: bool,
    /// Warn of local declarations that hide others (core, section 5.1).
    pub warn_override: bool,
}

/// [`check_with`] the strict options.
pub fn check(unit: &ast::Unit, source: &SourceMap) -> (TypedUnit, Diagnostics) {
    check_with(unit, source, &Options::default())
}

/// Resolves and types a whole translation unit. The tree is meaningful to later passes only when
/// the diagnostics hold no error; it is always safe to print.
pub fn check_with(unit: &ast::Unit, source: &SourceMap, options: &Options) -> (TypedUnit, Diagnostics) {
    let mut checker = Checker::new(source);
    checker.options = *options;
    if options.wide_fat_pointers {
        checker.unit.types.fat_words = 3;
    }
    checker.unit.warn_leaks = options.warn_leaks;
    checker.declare_builtins();
    checker.check_items(&unit.items);
    checker.finish()
}

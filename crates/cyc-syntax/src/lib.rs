//! Lexer, syntax tree, parser and printer for Cyclone.
//!
//! [`parse`] turns the preprocessed text of one unit into an [`ast::Unit`] and whatever is wrong
//! with it; it never fails and never panics, and every span it gives lies inside the text.

pub mod ast;
mod errors;
mod lexer;
pub mod literal;
mod parser;
pub mod print;
pub mod token;
mod walk;

use cyc_base::Diagnostics;
pub use token::{Token, TokenKind, is_keyword};

/// The language of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Cyclone,
    /// C headers: keywords that only Cyclone has are identifiers, `case` is an ordinary label.
    C,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub mode: Mode,
}

/// The syntax tree of a preprocessed translation unit. Errors are in the diagnostics; what could
/// not be read is left out of the tree or stands in it as an `Error` node.
pub fn parse(text: &str, options: &Options) -> (ast::Unit, Diagnostics) {
    parser::unit(text, options)
}

/// The tokens of a text, the last one [`TokenKind::Eof`]; line markers, pragmas and comments are skipped.
pub fn lex(text: &str) -> (Vec<Token>, Diagnostics) {
    let lexed = lexer::run(text);
    (lexed.tokens, lexed.diags)
}

//! Lexer, syntax tree, parser and printer for Cyclone.

pub mod ast;

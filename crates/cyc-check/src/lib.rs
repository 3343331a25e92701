//! Names and types: from the syntax tree to the typed tree, one file per construct.

pub mod tast;

//! The control-flow graph with explicit checks, and its lowering from the typed tree: the last
//! crate that knows Cyclone's expressions and statements.

pub mod mir;

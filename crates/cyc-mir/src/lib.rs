//! The control-flow graph with explicit checks, and its lowering from the typed tree: the last
//! crate that knows Cyclone's expressions and statements.

pub mod graph;
pub mod instantiate;
pub mod live;
pub mod lower;
pub mod mir;
pub mod print;
pub mod types;
pub mod verify;
pub mod visit;

pub use cyc_check::{tast, threads};
pub use instantiate::instantiate;
pub use lower::lower;
pub use mir::*;
pub use print::print;

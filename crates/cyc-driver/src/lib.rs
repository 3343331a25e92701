//! Sessions, processes, build graph and cache: the only crate with I/O.
//!
//! [`pipeline`] is the front end as a pure function; everything else here finds files, runs the C
//! compiler and keeps the cache.

mod beside_syntax;
mod c_text;
pub mod cache;
pub mod cc;
pub mod compile;
pub mod doc;
pub mod embedded;
pub mod gcc_style;
mod interface;
mod modules;
pub mod options;
pub mod parallel;
pub mod pipeline;
pub mod preprocess;
pub mod problem;
pub mod project;
pub mod report;
pub mod runtime;
mod threads;

pub use compile::{Session, Verdict};
pub use options::{Emit, Goal, Options};
pub use problem::Problem;
pub use report::Report;

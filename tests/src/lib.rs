//! What the suites share: finding the command and the tools, running them with a time limit, and the formats of
//! `tests/README.md`.

pub mod builds;
pub mod c_functions;
pub mod check;
pub mod checks;
pub mod conformance;
pub mod csmith;
pub mod docs;
pub mod front_end;
pub mod generate;
pub mod loops;
pub mod mutate;
pub mod pages;
pub mod parallel;
pub mod polymorphic;
pub mod programs;
pub mod sections;
pub mod soundness;
pub mod tools;
pub mod ui;

/// What a check found wrong, as text for the reader of the test's output.
pub type Verdict = Result<(), String>;

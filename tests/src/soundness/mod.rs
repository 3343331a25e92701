//! Random programs about the lives of objects: regions, unique and counted pointers, aliases, swaps, keys, exceptions,
//! polymorphism. A well-typed one must be accepted, and never touches a dead object; a mutant of it is rejected, or does not
//! either. What programs print is of no matter here: AddressSanitizer judges, and under it the run time poisons the pages
//! of dead regions.

mod judge;
mod mutate;
mod state;
mod write;

pub use judge::{Tally, judge, run_seeds};

/// What every program is built from.
pub const PRELUDE: &str = include_str!("prelude.cyc");

/// A program: the functions of a seed, a statement a line, after [`PRELUDE`].
#[derive(Clone)]
pub struct Program {
    lines: Vec<String>,
}

impl Program {
    /// The well-typed program of a seed.
    pub fn of_seed(seed: u64) -> Program {
        Program { lines: write::functions(seed) }
    }

    /// A mutant of it: a few random changes to statements, which may well leave it well-typed.
    pub fn mutant(&self, seed: u64, number: u64) -> Program {
        mutate::mutant(self, seed.wrapping_mul(1 << 20).wrapping_add(number))
    }

    pub fn text(&self) -> String {
        format!("{PRELUDE}{}\n", self.lines.join("\n"))
    }
}

//! `tests/c_functions.txt`: what the library's C functions do with their arguments, its types, and programs made of it.

mod declared;
mod limits;

mod parse;

pub use declared::{Declared, declared, disagreements};
pub use limits::{keeping, limits};

pub use parse::parse;

/// What becomes of what an argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Plain,
    Reads,
    Writes,
    Updates,
    Overwrites,
    Passes,
    Counts,
    Handle,
    Takes,
    Calls,
    Shares,
    Starts,
}

/// How many elements of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    One,
    Fixed(u64),
    /// As the product of arguments says, of one at least.
    Arguments(Vec<String>),
    Text,
    /// All within its bounds.
    Bounds,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    pub name: String,
    pub role: Role,
    pub keeps: bool,
    pub nullable: bool,
    pub extent: Extent,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Number,
    Never,
    Value,
    /// In the heap, or in the region of an argument.
    Fresh(Option<String>),
    Static,
    Current,
    In(String),
}

/// A line of the table.
#[derive(Clone, Debug)]
pub struct Function {
    pub header: String,
    /// With its namespace.
    pub name: String,
    /// None: any parameters, all of them numbers.
    pub params: Option<Vec<Param>>,
    pub varargs: bool,
    pub outcome: Outcome,
    /// The exception when a buffer is too short.
    pub raises: Option<String>,
}

impl Function {
    pub fn params(&self) -> &[Param] {
        self.params.as_deref().unwrap_or_default()
    }

    pub fn position(&self, name: &str) -> Option<usize> {
        self.params().iter().position(|p| p.name == name)
    }
}

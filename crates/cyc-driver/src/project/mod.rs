//! Projects: folders with a `cyc.toml`.
//!
//! [`manifest`] reads the file, [`plan`] finds the sources and says what they become, [`build`] makes what is not up to date
//! ([`record`]), [`testing`] runs tests. Paths are relative to the project, which has to be the current folder: diagnostics, debuggers
//! and records name files alike wherever the command was started.

mod build;
mod compile_commands;
mod create;
mod lock;
pub mod manifest;
mod pkg_config;
mod plan;
mod record;
mod table;
pub mod testing;

pub use build::{Build, Selection};
pub use create::create;
pub use plan::{Plan, Program};

use crate::compile::Verdict;
use crate::gcc_style;
use crate::options::Options;
use crate::problem::Problem;
use crate::report::Report;
use manifest::Manifest;
use std::path::{Path, PathBuf};

/// What names of programs are like.
const NAMES: &str = "use letters, digits, `-`, `_` and `.`, beginning with a letter or digit";

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// The folder of the project that `from` lies in: the nearest one with a `cyc.toml`.
///
/// # Errors
/// There is none.
pub fn find(from: &Path) -> Result<PathBuf, Problem> {
    let found = from.ancestors().find(|folder| folder.join(manifest::FILE).is_file());
    found.map(Path::to_path_buf).ok_or_else(|| Problem::no_project(from))
}

/// The project in the current folder, and the options to compile it with: those of its `cyc.toml`, then those that were
/// `asked` for.
pub fn open(mut asked: Options, report: &dyn Report) -> Result<(Manifest, Options), Verdict> {
    let fail = |problem: Problem| {
        report.problem(&problem);
        Verdict::Environment
    };
    let file = Path::new(manifest::FILE);
    let text = std::fs::read_to_string(file).map_err(|e| fail(Problem::cannot_read(file, &e)))?;
    let manifest = Manifest::parse(text, report).ok_or(Verdict::Environment)?;
    let libraries =
        pkg_config::flags(&manifest.pkg_config).and_then(|flags| gcc_style::options(&flags)).map_err(fail)?;
    for given in [&libraries, &manifest.options] {
        asked.after(given);
    }
    Ok((manifest, asked))
}

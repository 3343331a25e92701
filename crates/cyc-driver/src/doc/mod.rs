//! `cyc doc`: a site of static pages from the comments of headers, and the examples in them as programs.
//!
//! A comment belongs to the declarations below it, up to a blank line or the next comment. What it indents by four spaces is an
//! example: statements of a function. The comment at the head of a file is about the file; what it indents stands before all its
//! examples, at top level.

mod examples;
mod highlight;
mod page;
mod scan;
mod site;

pub use examples::{Outcome, run as run_examples};
pub use scan::{Example, Group, Item, ItemKind, Page, scan};
pub use site::write as write_site;

use crate::compile::{Session, Verdict};
use crate::options::Goal;
use crate::problem::Problem;
use std::path::{Path, PathBuf};

/// A source file to be documented, and how programs include it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub path: PathBuf,
    /// What stands in `#include <…>`, or the path as the user wrote it.
    pub name: String,
    /// Of the library.
    pub system: bool,
}

/// The files with an ending below a folder, sorted; hidden folders and those that `skip` names are left out.
fn files_below(folder: &Path, ending: &str, skip: &[&Path], found: &mut Vec<PathBuf>) -> Result<(), Problem> {
    let entries = std::fs::read_dir(folder).map_err(|e| Problem::cannot_read(folder, &e))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden && !skip.contains(&path.as_path()) {
            files_below(&path, ending, skip, found)?;
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

/// The headers of the library.
///
/// # Errors
/// They cannot be read.
pub fn library(session: &Session) -> Result<Vec<Source>, Problem> {
    let folder = session.home.typed_headers();
    let mut files = vec![];
    files_below(&folder, "h", &[], &mut files)?;
    let source = |path: PathBuf| {
        let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
        Source { path, name, system: true }
    };
    Ok(files.into_iter().map(source).collect())
}

/// The headers below the folder of a project, but for those in the folder of what is built.
///
/// # Errors
/// A folder cannot be read.
pub fn project(folder: &Path, built: &Path) -> Result<Vec<Source>, Problem> {
    let mut files = vec![];
    files_below(folder, "h", &[&folder.join(built)], &mut files)?;
    let source = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        Source { path, name, system: false }
    };
    Ok(files.into_iter().map(source).collect())
}

/// Reads the comments of sources that the front end accepts.
///
/// # Errors
/// A source is rejected or cannot be read, which has been reported.
pub fn read(session: &Session, sources: &[Source]) -> Result<Vec<Page>, Verdict> {
    let mut verdict = None;
    let mut pages = vec![];
    for source in sources {
        // What the library holds has been checked.
        let checked = || session.front_end(Path::new(&source.name), Goal::Check, &[]).map(|_| ());
        if let Err(worse) = if source.system { Ok(()) } else { checked() } {
            verdict = Some(worse);
            continue;
        }
        match std::fs::read_to_string(&source.path) {
            Ok(text) => pages.push(scan(&source.name, &text)),
            Err(e) => {
                session.report.problem(&Problem::cannot_read(&source.path, &e));
                verdict = Some(Verdict::Environment);
            }
        }
    }
    verdict.map_or(Ok(pages), Err)
}

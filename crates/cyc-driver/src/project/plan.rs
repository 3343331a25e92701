//! Which files a project has, and what they become.

use super::manifest::{FILE, Manifest};
use crate::problem::Problem;
use crate::report::Report;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// A source and its object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub source: PathBuf,
    pub object: PathBuf,
}

/// A program to be linked: its own unit and those that all programs share.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub unit: Unit,
    pub path: PathBuf,
}

/// What is made of a project. All paths are relative to the project.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The folder of everything that is made.
    pub folder: PathBuf,
    /// Units of all programs and tests.
    pub shared: Vec<Unit>,
    pub programs: Vec<Program>,
    pub tests: Vec<Program>,
}

impl Plan {
    /// Finds the files that the manifest speaks of; None after what is missing was reported.
    pub fn new(manifest: &Manifest, folder: &Path, report: &dyn Report) -> Option<Plan> {
        let unit = |source: &Path| Unit { source: source.into(), object: object(folder, source) };
        let sources = sources(manifest, folder, report)?;
        let mut programs = vec![];
        for program in &manifest.programs {
            let main = normal(Path::new(&program.main.value));
            if !main.is_file() {
                let what = format!("there is no file `{}`", main.display());
                manifest.report_missing(program.main.span, what, report);
                return None;
            }
            let path = folder.join("bin").join(&program.name);
            programs.push(Program { name: program.name.clone(), unit: unit(&main), path });
        }
        let mains: BTreeSet<&Path> = programs.iter().map(|p| p.unit.source.as_path()).collect();
        let shared = sources.iter().filter(|source| !mains.contains(source.as_path())).map(|s| unit(s)).collect();
        let tests = matching("tests/*.cyc").into_iter().map(|source| {
            let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Program { path: folder.join("test").join(&name), name, unit: unit(&source) }
        });
        let plan = Plan { folder: folder.into(), shared, tests: tests.collect(), programs };
        if plan.units().next().is_none() {
            report.problem(&Problem::nothing_to_build(FILE));
            return None;
        }
        Some(plan)
    }

    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        self.shared.iter().chain(self.programs.iter().chain(&self.tests).map(|p| &p.unit))
    }
}

/// All files that the patterns of the manifest match, without what was made of them.
fn sources(manifest: &Manifest, folder: &Path, report: &dyn Report) -> Option<BTreeSet<PathBuf>> {
    let mut sources = BTreeSet::new();
    for (pattern, written) in manifest.source_patterns() {
        let mut found = matching(&pattern);
        found.retain(|path| !path.starts_with(folder));
        if let (true, Some(span)) = (found.is_empty(), written) {
            manifest.report_missing(span, format!("no file matches `{pattern}`"), report);
            return None;
        }
        sources.extend(found);
    }
    Some(sources)
}

/// The files that a pattern matches, in the order of their names.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let options = glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
    let found = glob::glob_with(pattern, options).into_iter().flatten().flatten();
    found.filter(|path| path.is_file()).map(|path| normal(&path)).collect()
}

/// The path without `.`.
fn normal(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// The place of a source's object: as in the project, what lies outside of it in folders named `__`.
fn object(folder: &Path, source: &Path) -> PathBuf {
    let mut place = folder.join("obj");
    for part in source.components() {
        match part {
            Component::ParentDir | Component::RootDir => place.push("__"),
            Component::Normal(name) => place.push(name),
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    let mut name = place.file_name().unwrap_or_default().to_os_string();
    name.push(".o");
    place.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_different_sources_differ() {
        let place = |source: &str| object(Path::new("build"), Path::new(source)).display().to_string();
        assert_eq!(place("src/a.c"), "build/obj/src/a.c.o");
        assert_eq!(place("src/a.cyc"), "build/obj/src/a.cyc.o");
        assert_eq!(place("../shared/a.c"), "build/obj/__/shared/a.c.o");
        assert_eq!(normal(Path::new("./src/./a.c")), Path::new("src/a.c"));
    }
}

//! `cyc.toml`: what it may say, and what is wrong with one.

use super::table::{Keys, Table, Text};
use crate::gcc_style;
use crate::options::Options;
use crate::report::Report;
use cyc_base::{Diagnostic, SourceMap, Span};
use std::cell::RefCell;
use std::path::Path;

/// The name of the file that makes a folder a project.
pub const FILE: &str = "cyc.toml";

/// Patterns of the sources where `build.sources` is not given.
const SOURCES: &[&str] = &["src/**/*.cyc", "src/**/*.c"];
/// Where the main function of a project without `[[program]]` is.
const MAINS: &[&str] = &["src/main.cyc", "src/main.c"];

const TOP: Keys = Keys { table: "", known: &["project", "build", "program"] };
const PROJECT: Keys = Keys { table: "project", known: &["name", "version"] };
const BUILD: Keys =
    Keys { table: "build", known: &["sources", "include", "flags", "opt", "pkg-config", "libs", "library-path"] };
const PROGRAM: Keys = Keys { table: "program", known: &["name", "main"] };

/// A program: its name and the file with its `main`. All sources that no program has as its main belong to it too.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub main: Text,
}

/// What `cyc.toml` says.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub name: String,
    pub version: Option<String>,
    /// Patterns of the sources, relative to the project; None: [`SOURCES`].
    sources: Option<Vec<Text>>,
    pub programs: Vec<Program>,
    /// `build.include`, `build.flags`, `build.opt`, `build.libs` as the compiler's flags.
    pub options: Options,
    pub pkg_config: Vec<Text>,
    /// The file itself, to show places in.
    text: String,
}

impl Manifest {
    /// Reads the text of a `cyc.toml`. Everything that is wrong with it is reported.
    pub fn parse(text: String, report: &dyn Report) -> Option<Manifest> {
        let wrong = RefCell::new(vec![]);
        let read = match toml::de::DeTable::parse(&text) {
            Ok(table) => read(&text, &Table::new(table.get_ref(), 0..text.len().min(1), &wrong)),
            Err(e) => {
                let span = e.span().unwrap_or(0..0);
                let message = format!("not TOML: {}", e.message().lines().collect::<Vec<_>>().join("; "));
                let syntax = Diagnostic::error("E0081", Span::new(span.start as u32, span.end as u32), message);
                wrong.borrow_mut().push(syntax.help("TOML is described at https://toml.io"));
                None
            }
        };
        let mut wrong = wrong.into_inner();
        if wrong.is_empty() {
            return read;
        }
        wrong.sort_by_key(Diagnostic::span);
        show(text, &wrong, report);
        None
    }

    /// The patterns of the sources and where they stand; None for those that hold without being written.
    pub fn source_patterns(&self) -> Vec<(String, Option<Span>)> {
        match &self.sources {
            Some(list) => list.iter().map(|t| (t.value.clone(), Some(t.span))).collect(),
            None => SOURCES.iter().map(|s| (s.to_string(), None)).collect(),
        }
    }

    /// A file that is named is not there.
    pub fn report_missing(&self, span: Span, what: String, report: &dyn Report) {
        let missing = Diagnostic::error("E0084", span, what).help(format!(
            "paths are relative to the folder of `{FILE}`; `*` stands for part of a name, `**` for folders"
        ));
        show(self.text.clone(), &[missing], report);
    }
}

fn show(text: String, wrong: &[Diagnostic], report: &dyn Report) {
    report.diagnostics(&SourceMap::original(FILE, text), wrong, 0);
}

fn read(text: &str, top: &Table) -> Option<Manifest> {
    top.only(&TOP);
    let (name, version) = match top.table("project") {
        Some(project) => {
            project.only(&PROJECT);
            let name = project.required("name");
            if let Some(name) = &name {
                project.check_name(name);
            }
            (name, project.text("version"))
        }
        None => {
            top.missing_table("project");
            return None;
        }
    };
    let mut manifest = Manifest {
        // Where it is missing, there is a mistake and no manifest.
        name: name.map(|n| n.value).unwrap_or_default(),
        version: version.map(|v| v.value),
        sources: None,
        programs: vec![],
        options: Options::default(),
        pkg_config: vec![],
        text: text.into(),
    };
    let mut opt = "2".to_string();
    let mut flags = vec![];
    if let Some(build) = top.table("build") {
        build.only(&BUILD);
        manifest.sources = build.texts("sources");
        flags.extend(build.texts("include").unwrap_or_default().iter().map(|dir| format!("-I{}", dir.value)));
        flags.extend(checked_flags(&build));
        flags.extend(build.texts("library-path").unwrap_or_default().iter().map(|dir| format!("-L{}", dir.value)));
        flags.extend(build.texts("libs").unwrap_or_default().iter().map(|lib| format!("-l{}", lib.value)));
        manifest.pkg_config = build.texts("pkg-config").unwrap_or_default();
        opt = build.level("opt").unwrap_or(opt);
    }
    manifest.options = gcc_style::options(&flags).unwrap_or_default();
    manifest.options.cc_flags.splice(0..0, [format!("-O{opt}"), "-g1".into()]);
    manifest.programs = programs(top, &manifest.name);
    Some(manifest)
}

/// `build.flags`: those of gcc, but for what decides what is made.
fn checked_flags(build: &Table) -> Vec<String> {
    let flags = build.texts("flags").unwrap_or_default();
    for flag in &flags {
        if !flag.value.starts_with('-') {
            build.wrong(
                flag.span,
                format!("`{}` is not a flag", flag.value),
                "flags begin with `-`; one string for each",
            );
        } else if ["-c", "-S", "-E", "-o"].contains(&flag.value.as_str()) || flag.value.starts_with("-M") {
            build.wrong(flag.span, format!("`{}` is chosen by `cyc build`", flag.value), "remove it");
        }
    }
    let words: Vec<String> = flags.iter().map(|flag| flag.value.clone()).collect();
    if let (Err(problem), Some(last)) = (gcc_style::options(&words), flags.last()) {
        build.wrong(last.span, problem.message, "write the flag and its value as two strings, one after the other");
    }
    words
}

/// The programs of `[[program]]`; without one, the file that has `main` by its name.
fn programs(top: &Table, project: &str) -> Vec<Program> {
    let Some(list) = top.tables("program") else {
        let main = MAINS.iter().find(|main| Path::new(main).is_file());
        let program = |main: &&&str| Program {
            name: project.to_string(),
            main: Text { value: main.to_string(), span: Span::new(0, 0) },
        };
        return main.iter().map(program).collect();
    };
    let mut found: Vec<Program> = vec![];
    for table in &list {
        table.only(&PROGRAM);
        let (name, main) = (table.required("name"), table.required("main"));
        let (Some(name), Some(main)) = (name, main) else { continue };
        table.check_name(&name);
        if found.iter().any(|p| p.name == name.value) {
            table.wrong(name.span, format!("two programs have the name `{}`", name.value), "rename one");
        }
        found.push(Program { name: name.value, main });
    }
    found
}

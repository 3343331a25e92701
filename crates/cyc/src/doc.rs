//! `cyc doc`: pages from comments, or their examples run.

use crate::cli::{Common, Project};
use crate::render::Terminal;
use crate::status;
use clap::Args;
use cyc_driver::doc::{self, Source};
use cyc_driver::project::{self, Plan};
use cyc_driver::{Problem, Report, Session, Verdict, parallel};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub struct Subjects {
    /// Headers; none: those of the project that the current folder lies in. Sources (.cyc, .c) are linked with examples
    files: Vec<PathBuf>,
    /// The library that comes with the compiler
    #[arg(long = "library", conflicts_with = "files")]
    of_library: bool,
    /// Run the examples instead
    #[arg(long)]
    test: bool,
    /// With --test: every function must have a description, and an example that mentions it
    #[arg(long, requires = "test")]
    all: bool,
    /// The folder of the pages; without it `doc`, or of a project `build/doc`
    #[arg(short = 'o', value_name = "DIR", conflicts_with = "test")]
    out: Option<PathBuf>,
}

/// What is to be documented.
struct Subject {
    title: String,
    sources: Vec<Source>,
    /// What examples are linked with.
    linked: Vec<PathBuf>,
    out: PathBuf,
}

impl Subjects {
    fn subject(&self, session: &Session, given: &Project, start: &Path) -> Result<Subject, Problem> {
        let out = |default: PathBuf| start.join(self.out.clone().unwrap_or(default));
        if self.of_library {
            let sources = doc::library(session)?;
            return Ok(Subject {
                title: "The library of Cyclone".into(),
                sources,
                linked: vec![],
                out: out("doc".into()),
            });
        }
        if self.files.is_empty() {
            let folder = std::env::current_dir().map_err(|e| Problem::cannot_read(Path::new("."), &e))?;
            let title = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let sources = doc::project(&folder, &given.build_dir)?;
            return Ok(Subject { title, sources, linked: vec![], out: out(folder.join(&given.build_dir).join("doc")) });
        }
        let (headers, linked): (Vec<PathBuf>, Vec<PathBuf>) =
            self.files.iter().cloned().partition(|f| f.extension().is_some_and(|e| e == "h"));
        if headers.is_empty() {
            return Err(Problem::usage("`cyc doc` needs a header"));
        }
        let source = |path: PathBuf| {
            let name = path.to_string_lossy().into_owned();
            let path = std::path::absolute(&path).unwrap_or(path);
            Source { path, name, system: false }
        };
        let sources = headers.into_iter().map(source).collect();
        Ok(Subject { title: "Headers".into(), sources, linked, out: out("doc".into()) })
    }
}

/// In a project the current folder becomes its, and the options are its own.
fn options(
    common: &Common,
    given: &Project,
    doc: &Subjects,
    terminal: &Terminal,
) -> Result<(cyc_driver::Options, Vec<PathBuf>), Verdict> {
    if doc.of_library || !doc.files.is_empty() {
        return Ok((common.asked(), vec![]));
    }
    let fail = |problem: Problem| {
        terminal.problem(&problem);
        Verdict::Environment
    };
    let start = std::env::current_dir().map_err(|e| fail(Problem::cannot_read(Path::new("."), &e)))?;
    let folder = project::find(&start).map_err(fail)?;
    std::env::set_current_dir(&folder).map_err(|e| fail(Problem::cannot_read(&folder, &e)))?;
    let (manifest, options) = project::open(common.asked(), terminal)?;
    let plan = Plan::new(&manifest, &given.build_dir, terminal).ok_or(Verdict::Environment)?;
    Ok((options, plan.shared.iter().map(|unit| unit.source.clone()).collect()))
}

pub fn doc(common: &Common, given: &Project, doc: &Subjects) -> ExitCode {
    let terminal = Terminal::new(common.message_format());
    let verdict = work(common, given, doc, &terminal).map_or_else(|worse| worse, |()| Verdict::Done);
    terminal.summary();
    status(verdict)
}

fn work(common: &Common, given: &Project, doc: &Subjects, terminal: &Terminal) -> Result<(), Verdict> {
    let fail = |problem: Problem| {
        terminal.problem(&problem);
        Verdict::Environment
    };
    let start = std::env::current_dir().map_err(|e| fail(Problem::cannot_read(Path::new("."), &e)))?;
    let (options, shared) = options(common, given, doc, terminal)?;
    let session = Session::open(options, terminal).map_err(fail)?;
    let mut subject = doc.subject(&session, given, &start).map_err(fail)?;
    subject.linked.extend(shared);
    let pages = doc::read(&session, &subject.sources)?;
    let text = if doc.test {
        return test(&session, &subject, &pages, given, doc.all);
    } else {
        doc::write_site(&subject.title, &pages, &subject.out).map_err(fail)?;
        let names: usize = pages.iter().flat_map(|page| &page.groups).map(|group| group.items.len()).sum();
        format!("{} names of {} headers: `{}`\n", names, pages.len(), subject.out.join("index.html").display())
    };
    say(&session, &text)
}

fn say(session: &Session, text: &str) -> Result<(), Verdict> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| {
        session.report.problem(&Problem::cannot_write(Path::new("standard output"), &e));
        Verdict::Environment
    })
}

/// The functions that lack something, a line for each header.
fn missing(pages: &[doc::Page]) -> String {
    let mut text = String::new();
    for page in pages {
        let names: Vec<&str> = page.undocumented().iter().map(|item| item.name.as_str()).collect();
        if !names.is_empty() {
            text.push_str(&format!("{}: not documented by a line and an example: {}\n", page.name, names.join(", ")));
        }
    }
    text
}

fn test(session: &Session, subject: &Subject, pages: &[doc::Page], given: &Project, all: bool) -> Result<(), Verdict> {
    let jobs = given.jobs.map_or_else(parallel::processors, usize::from);
    let both: Vec<_> = pages.iter().zip(&subject.sources).collect();
    let outcomes =
        parallel::map_on(jobs, &both, |_, (page, source)| doc::run_examples(session, page, source, &subject.linked));
    let (mut text, mut worst) = (String::new(), None);
    for outcome in outcomes {
        match outcome {
            Err(worse) => worst = Some(worse),
            Ok(None) => {}
            Ok(Some(doc::Outcome { header, examples, failure: None })) => {
                text.push_str(&format!("{header}: {examples} examples ok\n"))
            }
            Ok(Some(doc::Outcome { header, failure: Some(failure), .. })) => {
                worst = worst.or(Some(Verdict::Rejected));
                text.push_str(&format!("{header}: FAILED: {failure}\n"));
            }
        }
    }
    let missing = if all { missing(pages) } else { String::new() };
    if !missing.is_empty() {
        worst = worst.or(Some(Verdict::Rejected));
    }
    say(session, &(text + &missing))?;
    worst.map_or(Ok(()), Err)
}

//! `cyc new`, and `build`, `run` and `test` of the project that the current folder lies in.

use crate::cli::{Common, Project};
use crate::profile::Picture;
use crate::render::{Format, Terminal};
use crate::{run, status};
use cyc_driver::project::{self, Build, Plan, Program, Selection, manifest::Manifest, testing};
use cyc_driver::{Problem, Report, Session, Verdict, parallel};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

pub fn create(path: &Path) -> ExitCode {
    let terminal = Terminal::new(Format::Human);
    match project::create(path) {
        Ok(()) => {
            // A closed pipe is not an error worth a word.
            let _ = writeln!(std::io::stdout(), "made `{0}`: try `cd {0}; cyc run`", path.display());
            status(Verdict::Done)
        }
        Err(problem) => {
            terminal.problem(&problem);
            terminal.summary();
            status(Verdict::Environment)
        }
    }
}

/// A project that is open: its folder is the current one.
struct Opened<'a> {
    manifest: Manifest,
    plan: Plan,
    session: Session<'a>,
    jobs: usize,
    /// The folder that the command was started in.
    start: PathBuf,
}

impl<'a> Opened<'a> {
    fn open(common: &Common, given: &Project, profiled: bool, terminal: &'a Terminal) -> Result<Opened<'a>, Verdict> {
        let fail = |problem: Problem| {
            terminal.problem(&problem);
            Verdict::Environment
        };
        if common.emit().is_some() {
            return Err(fail(Problem::usage("`--emit` needs the names of files")));
        }
        let here = Path::new(".");
        let start = std::env::current_dir().map_err(|e| fail(Problem::cannot_read(here, &e)))?;
        let folder = project::find(&start).map_err(fail)?;
        std::env::set_current_dir(&folder).map_err(|e| fail(Problem::cannot_read(&folder, &e)))?;
        let (manifest, mut options) = project::open(common.asked(), terminal)?;
        if profiled {
            options.tell_memory_profile();
        }
        let plan = Plan::new(&manifest, &given.build_dir, terminal).ok_or(Verdict::Environment)?;
        let session = Session::open(options, terminal).map_err(fail)?;
        let jobs = given.jobs.map_or_else(parallel::processors, usize::from);
        Ok(Opened { manifest, plan, session, jobs, start })
    }

    /// The picture that is asked for, named relative to where the user is.
    fn picture(&self, out: Option<&Path>) -> Result<Option<Picture>, Verdict> {
        let picture = out.map(|out| Picture::new(&self.start.join(out))).transpose();
        picture.map_err(|problem| {
            self.session.report.problem(&problem);
            Verdict::Environment
        })
    }

    /// One for each test, its name in the file's.
    fn pictures(&self, out: Option<&Path>, tests: &[&Program]) -> Result<Vec<Picture>, Verdict> {
        let Some(out) = out else { return Ok(vec![]) };
        let name = |test: &Program| {
            let stem = out.file_stem().unwrap_or_default().to_string_lossy();
            let ending = out.extension().unwrap_or_default().to_string_lossy();
            out.with_file_name(format!("{stem}-{}.{ending}", test.name))
        };
        let pictures = tests.iter().map(|test| self.picture(Some(&name(test))));
        Ok(pictures.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn build(&self) -> Build<'_> {
        Build { session: &self.session, plan: &self.plan, jobs: self.jobs }
    }
}

/// `profiled`: the programs shall tell a memory profile where they allocate.
fn in_project(
    common: &Common,
    given: &Project,
    profiled: bool,
    work: impl FnOnce(&Opened) -> Result<ExitCode, Verdict>,
) -> ExitCode {
    let terminal = Terminal::new(common.message_format());
    let code = Opened::open(common, given, profiled, &terminal).and_then(|opened| work(&opened)).unwrap_or_else(status);
    terminal.summary();
    code
}

/// `named`: files or objects were asked for by name.
pub fn build(common: &Common, given: &Project, profiled: bool, named: bool) -> ExitCode {
    in_project(common, given, profiled, |opened| {
        if named {
            opened.session.report.problem(&Problem::usage("`-o` and `-c` need the names of files"));
            return Err(Verdict::Environment);
        }
        opened.build().run(Selection::Programs).map(|_| status(Verdict::Done))
    })
}

pub fn run(
    common: &Common,
    given: &Project,
    profile: Option<&Path>,
    wanted: Option<&str>,
    args: &[String],
) -> ExitCode {
    in_project(common, given, profile.is_some(), |opened| {
        let report = opened.session.report;
        let picture = opened.picture(profile)?;
        let programs = &opened.plan.programs;
        let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
        // The one that is asked for; else the one that has the project's name, or is the only one.
        let index = match wanted {
            Some(name) => names.iter().position(|n| *n == name),
            None if names.len() == 1 => Some(0),
            None => names.iter().position(|n| *n == opened.manifest.name),
        };
        let Some(index) = index else {
            report.problem(&Problem::no_program(wanted, &names));
            return Err(Verdict::Environment);
        };
        opened.build().run(Selection::Programs)?;
        let built = std::path::absolute(&programs[index].path).unwrap_or_else(|_| programs[index].path.clone());
        // The program is the user's: it starts where they are.
        let back = std::env::set_current_dir(&opened.start);
        back.map_err(|e| {
            report.problem(&Problem::cannot_read(&opened.start, &e));
            Verdict::Environment
        })?;
        Ok(run::start(&built, names[index], args, picture, report))
    })
}

pub fn test(common: &Common, given: &Project, profile: Option<&Path>, filter: &str) -> ExitCode {
    in_project(common, given, profile.is_some(), |opened| {
        let build = opened.build();
        let tests = build.run(Selection::Tests(filter))?;
        let pictures = opened.pictures(profile, &tests)?;
        let prepare =
            |test: usize, command: &mut Command| pictures.iter().skip(test).take(1).for_each(|p| p.tell(command));
        let outcomes = testing::run(&tests, opened.jobs, &prepare, opened.session.report);
        let mut text = String::new();
        for outcome in &outcomes {
            let result = if outcome.failure.is_none() { "ok" } else { "FAILED" };
            text.push_str(&format!("test {} ... {result}\n", outcome.name));
        }
        for outcome in &outcomes {
            if let Some(failure) = &outcome.failure {
                text.push_str(&format!("\n{}: {failure}\n", outcome.name));
            }
        }
        let failed = outcomes.iter().filter(|outcome| outcome.failure.is_some()).count();
        text.push_str(&format!("\n{} passed, {failed} failed\n", outcomes.len() - failed));
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|e| {
            opened.session.report.problem(&Problem::cannot_write(Path::new("standard output"), &e));
            Verdict::Environment
        })?;
        let undrawn: Vec<Problem> = pictures.into_iter().filter_map(|picture| picture.draw().err()).collect();
        undrawn.iter().for_each(|problem| opened.session.report.problem(problem));
        if failed == 0 && !undrawn.is_empty() {
            return Err(Verdict::Environment);
        }
        Ok(status(if failed == 0 { Verdict::Done } else { Verdict::Rejected }))
    })
}

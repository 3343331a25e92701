//! Compiling and linking what has changed.

use super::lock::Lock;
use super::plan::{Plan, Program, Unit};
use super::{compile_commands, record};
use crate::cache;
use crate::compile::{Session, Verdict};
use crate::options::Options;
use crate::parallel;
use crate::problem::Problem;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// What to make of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection<'a> {
    /// All programs.
    Programs,
    /// The tests whose names contain this.
    Tests(&'a str),
}

/// One build of a project.
pub struct Build<'a> {
    pub session: &'a Session<'a>,
    pub plan: &'a Plan,
    /// How many compilers run at a time.
    pub jobs: usize,
}

fn make_folder(path: &Path) -> Result<(), Problem> {
    std::fs::create_dir_all(path).map_err(|e| Problem::cannot_write(path, &e))
}

impl Build<'_> {
    /// Brings the selection up to date and returns it. All units are compiled even if one is rejected, so that all
    /// mistakes are shown.
    pub fn run(&self, selection: Selection) -> Result<Vec<&Program>, Verdict> {
        let selected: Vec<&Program> = match selection {
            Selection::Programs => self.plan.programs.iter().collect(),
            Selection::Tests(filter) => self.plan.tests.iter().filter(|t| t.name.contains(filter)).collect(),
        };
        let _lock = self.prepare().map_err(|problem| self.fail(&problem))?;
        let mut units: Vec<&Unit> = self.plan.shared.iter().collect();
        units.extend(selected.iter().map(|program| &program.unit));
        self.compile(&units)?;
        self.link(&selected)?;
        Ok(selected)
    }

    fn fail(&self, problem: &Problem) -> Verdict {
        self.session.report.problem(problem);
        Verdict::Environment
    }

    /// Locks the folder, removes what does not belong to the project any more, and tells C tools the commands.
    fn prepare(&self) -> Result<Lock, Problem> {
        let Build { session, plan, .. } = self;
        make_folder(&plan.folder)?;
        let lock = Lock::take(&plan.folder, session.report)?;
        let kept: BTreeSet<&Path> = plan.units().map(|unit| unit.object.as_path()).collect();
        sweep(&plan.folder.join("obj"), &kept);
        let programs = plan.programs.iter().chain(&plan.tests);
        let kept: BTreeSet<&Path> = programs.map(|program| program.path.as_path()).collect();
        sweep(&plan.folder.join("bin"), &kept);
        sweep(&plan.folder.join("test"), &kept);
        compile_commands::write(session, plan)?;
        Ok(lock)
    }

    fn compile(&self, units: &[&Unit]) -> Result<(), Verdict> {
        let key = self.object_key();
        let old: Vec<&Unit> = units.iter().copied().filter(|unit| !record::up_to_date(&unit.object, &key)).collect();
        let begun = AtomicUsize::new(0);
        let compiled = parallel::map_on(self.jobs, &old, |_, unit| {
            let number = begun.fetch_add(1, Ordering::Relaxed) + 1;
            self.session.report.progress(&format!("compiling {} ({number} of {})", unit.source.display(), old.len()));
            self.object(unit, &key)
        });
        // Status 2 tells more than status 1.
        let worst = compiled.into_iter().filter_map(Result::err).max_by_key(|v| *v == Verdict::Environment);
        worst.map_or(Ok(()), Err)
    }

    /// What all objects are made with: this compiler, the C compiler, the flags, and what the C compiler reads from the
    /// environment.
    fn object_key(&self) -> String {
        let options = Options { link_flags: vec![], ..self.session.options.clone() };
        let ours = std::env::current_exe().and_then(|path| Ok((path.metadata()?.len(), path.metadata()?.modified()?)));
        let environment = ["CPATH", "C_INCLUDE_PATH"].map(std::env::var_os);
        cache::key(&[
            &self.session.home.root.to_string_lossy(),
            &self.session.cc.fingerprint(),
            &format!("{options:?} {ours:?} {environment:?}"),
        ])
    }

    /// Compiles a unit beside its place, and records what it read.
    fn object(&self, unit: &Unit, key: &str) -> Result<(), Verdict> {
        let began = SystemTime::now();
        let parent = unit.object.parent().unwrap_or(&self.plan.folder);
        let fail = |problem: Problem| self.fail(&problem);
        make_folder(parent).map_err(fail)?;
        let cannot = |e: std::io::Error| self.fail(&Problem::cannot_write(&unit.object, &e));
        let folder = tempfile::Builder::new().prefix(".cyc-").tempdir_in(parent).map_err(cannot)?;
        let (object, rule) = (folder.path().join("object.o"), folder.path().join("object.d"));
        let dependencies = ["-MD", "-MT", "object", "-MF"].map(String::from);
        let dependencies: Vec<String> = dependencies.into_iter().chain([rule.to_string_lossy().into_owned()]).collect();
        self.session.object(&unit.source, &object, "-c", &dependencies)?;
        let mut files = record::dependencies(&std::fs::read_to_string(&rule).unwrap_or_default());
        files.insert(unit.source.clone());
        record::forget(&unit.object).map_err(fail)?;
        std::fs::rename(&object, &unit.object).map_err(cannot)?;
        record::remember(&unit.object, key, &files, began).map_err(fail)
    }

    fn link(&self, programs: &[&Program]) -> Result<(), Verdict> {
        let old: Vec<&Program> = programs.iter().copied().filter(|p| !self.is_linked(p)).collect();
        if old.is_empty() {
            return Ok(());
        }
        // Once, before several programs ask for it at the same time.
        let archive = self
            .session
            .home
            .archive(&self.session.cc, &self.session.options, &|what| self.session.report.progress(what));
        archive.map_err(|problem| self.fail(&problem))?;
        let linked = parallel::map_on(self.jobs, &old, |_, program| {
            self.session.report.progress(&format!("linking {}", program.path.display()));
            self.link_one(program)
        });
        linked.into_iter().collect()
    }

    fn objects(&self, program: &Program) -> Vec<PathBuf> {
        self.plan.shared.iter().chain([&program.unit]).map(|unit| unit.object.clone()).collect()
    }

    fn link_key(&self, program: &Program) -> String {
        let options = &self.session.options;
        cache::key(&[&self.object_key(), &format!("{:?} {:?}", options.link_flags, self.objects(program))])
    }

    fn is_linked(&self, program: &Program) -> bool {
        record::up_to_date(&program.path, &self.link_key(program))
    }

    fn link_one(&self, program: &Program) -> Result<(), Verdict> {
        let objects: Vec<String> = self.objects(program).iter().map(|o| o.to_string_lossy().into_owned()).collect();
        let fail = |problem: Problem| self.fail(&problem);
        make_folder(program.path.parent().unwrap_or(&self.plan.folder)).map_err(fail)?;
        record::forget(&program.path).map_err(fail)?;
        self.session.link(&objects, &program.path)?;
        let files: BTreeSet<PathBuf> = self.session.linked_files(&objects).into_iter().collect();
        // The lock has kept the objects as they are.
        record::remember(&program.path, &self.link_key(program), &files, SystemTime::now() + record::STEP).map_err(fail)
    }
}

/// Removes files below `folder` that are neither among `kept` nor records of these, and folders that are then empty. What
/// cannot be removed does no harm.
fn sweep(folder: &Path, kept: &BTreeSet<&Path>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            sweep(&path, kept);
            let _ = std::fs::remove_dir(&path);
        } else if !kept.contains(path.as_path()) && !kept.contains(record::product(&path).as_path()) {
            let _ = std::fs::remove_file(&path);
        }
    }
}

//! What programs do: `tests/run`, every program in every way to build.

use eyewall_tests::builds::{BUILDS, further_builds};
use eyewall_tests::programs::Program;
use eyewall_tests::tools::{files_below, root};
use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::Arc;

/// Files beside the programs that belong to none.
fn orphans() -> Result<(), Failed> {
    let folder = root().join("tests/run");
    let beside = ["out", "hostile", "in", "args", "status", "err"];
    let files = files_below(&folder, "").into_iter();
    let files = files.filter(|p| p.extension().is_some_and(|e| beside.iter().any(|b| e == *b)));
    let lost: Vec<_> = files.filter(|p| !p.with_extension("cyc").exists()).collect();
    if lost.is_empty() { Ok(()) } else { Err(format!("belong to no program: {lost:?}").into()) }
}

fn main() {
    let mut trials = vec![Trial::test("no orphans", orphans)];
    let files = files_below(&root().join("tests/run"), ".cyc").into_iter();
    // `units` holds parts of programs.
    for path in files.filter(|path| path.parent().is_none_or(|folder| !folder.ends_with("units"))) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match Program::load(&path) {
            Err(why) => trials.push(Trial::test(name, move || Err(why.into()))),
            Ok(program) => {
                let program = Arc::new(program);
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                for build in BUILDS.iter().chain(further_builds(&text)) {
                    let program = program.clone();
                    let case = move || program.check(build).map_err(Failed::from);
                    let trial = Trial::test(format!("{name} ({})", build.name), case).with_kind("run");
                    trials.push(trial.with_ignored_flag(build.nightly));
                }
            }
        }
    }
    if trials.len() == 1 {
        trials.push(Trial::test("programs", || Err("tests/run holds no program".into())));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

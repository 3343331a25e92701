//! The library: the programs of `lib/tests`, which check themselves (`lib/tests/check.h`), and that every module has one.

use eyewall_tests::Verdict;
use eyewall_tests::builds::{BUILDS, Build, sanitizer_report, under_sanitizers};
use eyewall_tests::tools::{Job, files_below, header, root};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// The ways to build that find what a module does wrong; the compiler itself is tested in all ways by the suite `run`.
const WAYS: &[&str] = &["gcc -O2", "gcc sanitizers"];

/// How many checks a program counted, if all of them hold: from its line `N of N checks hold`.
fn checks_held(out: &str) -> Option<u32> {
    let line = out.lines().last()?.strip_suffix(" checks hold")?;
    let (held, made) = line.split_once(" of ")?;
    (held == made).then(|| made.parse().ok()).flatten()
}

/// Builds and runs a test; all its checks hold, there is at least one, and it ends as its head says (`// status:`,
/// `// error:` for a line of standard error; without: 0, nothing).
fn judge(source: &Path, build: &Build) -> Verdict {
    let text = std::fs::read_to_string(source).map_err(|e| e.to_string())?;
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let program = scratch.path().join("program");
    build.build(source, &program, &[])?;
    let ran = under_sanitizers(Job::new(&program).dir(scratch.path())).seconds(120).run();
    if let Some(report) = sanitizer_report(&ran) {
        return Err(report);
    }
    let status = header(&text, "status").map_or(Ok(0), |s| s.trim().parse::<i32>()).map_err(|e| e.to_string())?;
    let told = header(&text, "error").is_none_or(|line| ran.err().contains(line.trim()));
    let held = checks_held(&ran.out()).is_some_and(|n| n > 0);
    if held && told && ran.status == status && !ran.timed_out {
        return Ok(());
    }
    Err(format!("ended with status {}:\n{}{}", ran.status, ran.out(), ran.err()))
}

fn modules_have_tests() -> Result<(), Failed> {
    let test = |module: &PathBuf| root().join("lib/tests").join(module.file_name().unwrap_or_default());
    let bare: Vec<_> = files_below(&root().join("lib/src"), ".cyc").into_iter().filter(|m| !test(m).exists()).collect();
    if bare.is_empty() { Ok(()) } else { Err(format!("modules without a test: {bare:?}").into()) }
}

fn main() {
    let mut trials = vec![Trial::test("every module has a test", modules_have_tests)];
    for path in files_below(&root().join("lib/tests"), ".cyc") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for build in BUILDS.iter().filter(|build| WAYS.contains(&build.name)) {
            let path = path.clone();
            let case = move || judge(&path, build).map_err(Failed::from);
            trials.push(Trial::test(format!("{name} ({})", build.name), case).with_kind("library"));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

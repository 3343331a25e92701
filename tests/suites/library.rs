//! The library: the programs of `lib/tests`, which check themselves (`lib/tests/check.h`), and that every module has one.

use eyewall_tests::Verdict;
use eyewall_tests::builds::{BUILDS, Build, further_builds, sanitizer_report};
use eyewall_tests::tools::{Job, Ran, files_below, header, root};
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
    let job = Job::new(&program).dir(scratch.path());
    let runs = build.runs(&job);
    runs.iter().try_for_each(|(how, ran)| judge_run(&text, ran).map_err(|why| format!("{how}{why}")))
}

fn judge_run(text: &str, ran: &Ran) -> Verdict {
    if let Some(report) = sanitizer_report(ran) {
        return Err(report);
    }
    let status = header(text, "status").map_or(Ok(0), |s| s.trim().parse::<i32>()).map_err(|e| e.to_string())?;
    let told = header(text, "error").is_none_or(|line| ran.err().contains(line.trim()));
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

/// A C program that asserts, for each constant of a header that C has too, that it is C's.
fn assertions() -> String {
    let include = root().join("lib/include");
    let number = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit() || "() -+<>|xUuLl".contains(c));
    let mut text = String::from("#define _GNU_SOURCE\n");
    let mut asserted = String::new();
    for header in files_below(&include, ".h") {
        let name = header.strip_prefix(&include).unwrap_or(&header).display().to_string();
        let all = std::fs::read_to_string(&header).unwrap_or_default();
        let defined = || all.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
        // What is defined twice depends on something.
        let once = |constant: &str| defined().filter(|(other, _)| *other == constant).count() == 1;
        let mut found = false;
        for (constant, value) in defined() {
            let value = value.split("//").next().unwrap_or_default().trim();
            if constant.contains('(') || value.is_empty() || !number(value) || !once(constant) {
                continue;
            }
            found = true;
            let assertion = format!("_Static_assert(({value}) == {constant}, \"{name}\");");
            asserted.push_str(&format!("#ifdef {constant}\n{assertion}\n#endif\n"));
        }
        if found {
            text.push_str(&format!("#if __has_include(<{name}>)\n#include <{name}>\n#endif\n"));
        }
    }
    text + &asserted
}

fn constants_are_those_of_c() -> Result<(), Failed> {
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = scratch.path().join("constants.c");
    let text = assertions();
    let asserted = text.matches("_Static_assert").count();
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    let ran = Job::new("gcc").args(["-w", "-fsyntax-only"]).arg(&file).run();
    if ran.status == 0 && asserted > 250 {
        return Ok(());
    }
    Err(format!("{asserted} assertions: {}", ran.err()).into())
}

fn main() {
    let mut trials = vec![
        Trial::test("every module has a test", modules_have_tests),
        Trial::test("constants are those of C", constants_are_those_of_c),
    ];
    for path in files_below(&root().join("lib/tests"), ".cyc") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let further = further_builds(&text).iter();
        for build in BUILDS.iter().filter(|build| WAYS.contains(&build.name)).chain(further) {
            let path = path.clone();
            let case = move || judge(&path, build).map_err(Failed::from);
            let trial = Trial::test(format!("{name} ({})", build.name), case).with_kind("library");
            trials.push(trial.with_ignored_flag(build.nightly));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

//! What the user sees: `tests/ui`. `EYEWALL_BLESS=1` (set by `cargo xtask bless`) writes the expected texts.

use eyewall_tests::ui::{cases, folder, is_twin, judge, twin};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;

fn name(path: &Path) -> String {
    path.strip_prefix(folder()).unwrap_or(path).with_extension("").display().to_string()
}

/// Twins without a case, and expected texts without a program.
fn orphans() -> Result<(), Failed> {
    let all = |suffix| eyewall_tests::tools::files_below(&folder(), suffix);
    let twins = all(".cyc").into_iter().filter(|p| is_twin(p));
    let mut lost: Vec<_> = twins.filter(|p| !cases().iter().any(|c| twin(c) == *p)).collect();
    lost.extend(all(".stderr").into_iter().filter(|p| !p.with_extension("cyc").exists()));
    if lost.is_empty() { Ok(()) } else { Err(format!("belong to no case: {lost:?}").into()) }
}

fn main() {
    // The expected texts show paths relative to the folder.
    std::env::set_current_dir(folder()).expect("tests/ui is a folder");
    let bless = std::env::var_os("EYEWALL_BLESS").is_some();
    let case = |path: std::path::PathBuf| {
        Trial::test(name(&path), move || judge(&path, bless).map_err(Failed::from)).with_kind("ui")
    };
    let mut trials: Vec<Trial> = cases().into_iter().map(case).collect();
    trials.push(Trial::test("no orphans", orphans));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

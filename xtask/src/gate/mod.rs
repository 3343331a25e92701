//! `cargo xtask test` and `cargo xtask nightly`: everything a change has to pass, and the long forms of it.

mod build;
mod run;

use crate::chores::cargo;
use anyhow::{Result, ensure};
use run::{Job, Outcome};
use std::path::Path;
use std::time::Instant;

/// What the suites are told for a night.
const LONG_FORMS: &[(&str, &str)] = &[
    ("EYEWALL_NIGHTLY", "1"),
    ("EYEWALL_CSMITH_SEEDS", "0..360"),
    ("EYEWALL_ELIM_SEEDS", "0..60"),
    ("EYEWALL_MUTATE_CASES", "0..1000000"),
    ("EYEWALL_POLYMORPHIC_SEEDS", "0..240"),
    ("EYEWALL_SOUNDNESS_SEEDS", "0..600"),
    ("EYEWALL_STRESS_SECONDS", "60"),
];

fn step(start: Instant, name: &str) {
    println!("== {:4} s  {name}", start.elapsed().as_secs());
}

/// `cargo xtask test`: installs what is missing, builds once, then runs every suite and tidy side by side; or only some of these. A failure stops nothing; a table of what each cost ends it.
///
/// # Errors
/// Names what failed.
pub fn test(root: &Path, suites: &[String]) -> Result<()> {
    let start = Instant::now();
    step(start, "setup");
    crate::setup::run(root)?;
    step(start, "build");
    let built = build::build(root)?;
    step(start, "tests");
    let this = std::env::current_exe()?;
    let chore = |name: &str, args: &[&str]| Job::chore(name, root, &this, args);
    let mut jobs = built.jobs(&[], &[]);
    jobs.push(chore("tidy", &["tidy", "--no-suites"]).env("CARGO_BUILD_JOBS", "1"));
    finish(start, &run::run(root, run::chosen(jobs, suites)?)?)
}

/// `cargo xtask nightly`: the suites with all compilers and levels and more seeds, with the command as it is released; then
/// the fuzzers and the models.
///
/// # Errors
/// Names what failed.
pub fn nightly(root: &Path) -> Result<()> {
    let start = Instant::now();
    step(start, "setup");
    crate::setup::run(root)?;
    step(start, "build");
    cargo(root, &["build", "--release", "-p", "cyc"], &[])?;
    let built = build::build(root)?;
    built.judge(&root.join("target/release/cyc"))?;
    let this = std::env::current_exe()?;
    let chore = |name: &str, args: &[&str]| Job::chore(name, root, &this, args);
    let mut jobs = built.jobs(&["--include-ignored"], LONG_FORMS);
    let fuzz = |name: &str, args: &[&str]| chore(name, args).env("EYEWALL_CYC", &built.cyc).env("EYEWALL_JOBS", "1");
    jobs.push(fuzz("fuzz csmith", &["csmith", "--seeds", "360..3000"]));
    jobs.push(fuzz("fuzz soundness", &["fuzz", "soundness", "--seeds", "600..20000", "--jobs", "1"]));
    let torture = root.join("runtime/lowfat").display().to_string();
    let folder = format!("B={}", root.join("target/lowfat-torture").display());
    jobs.push(Job::chore("torture", root, Path::new("make"), &["-s", "-C", &torture, &folder, "torture-gc"]));
    step(start, "long forms");
    finish(start, &run::run(root, jobs)?)
}

fn finish(start: Instant, outcomes: &[Outcome]) -> Result<()> {
    println!("{}", run::table(outcomes));
    let failed: Vec<&str> = outcomes.iter().filter(|o| !o.passed()).map(|o| o.name.as_str()).collect();
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    step(start, "all is well");
    Ok(())
}

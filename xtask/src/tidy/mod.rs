//! `cargo xtask tidy`: format, lints, sizes, words, default arms, the direction of the crates' dependencies, and the commands and
//! programs of the documentation. The last two are suites of `tests/`, so that `cargo test` runs them too.

mod arms;
mod sizes;
mod words;

use crate::chores::cargo;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs every step, even after one has failed, so that one run shows everything; `suites` says whether the suites
/// belong to it (after a whole `cargo test` they have run already).
pub fn run(root: &Path, suites: bool) -> Result<()> {
    type Step = fn(&Path) -> Result<()>;
    let steps: [(&str, Step); 7] = [
        ("format", |root| cargo(root, &["fmt", "--all", "--check"], &[])),
        ("lints", |root| cargo(root, &["clippy", "--workspace", "--all-targets", "-q", "--", "-D", "warnings"], &[])),
        ("sizes", sizes::run),
        ("words", words::run),
        ("arms", arms::run),
        ("arrows", |root| cargo(root, &["test", "-q", "-p", "eyewall-tests", "--test", "arrows"], &[])),
        ("documentation", |root| cargo(root, &["test", "-q", "-p", "eyewall-tests", "--test", "docs"], &[])),
    ];
    let mut failed = vec![];
    for (name, step) in &steps[..if suites { steps.len() } else { steps.len() - 2 }] {
        println!("tidy: {name}");
        if let Err(why) = step(root) {
            println!("tidy: {name}: {why:#}");
            failed.push(*name);
        }
    }
    ensure!(failed.is_empty(), "not tidy: {}", failed.join(", "));
    Ok(())
}

/// The files that git tracks (or would), relative to the root.
fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(list).current_dir(root).output().context("cannot run git")?;
    ensure!(output.status.success(), "git ls-files failed");
    let text = String::from_utf8(output.stdout).context("file names are UTF-8")?;
    let names = text.split('\0').filter(|n| !n.is_empty()).map(PathBuf::from);
    Ok(names.filter(|n| root.join(n).is_file()).collect())
}

//! The chores that start cargo: bless, csmith, fuzz.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Runs cargo at the root and fails when it does.
pub fn cargo(root: &Path, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo).args(args).envs(env.iter().copied()).current_dir(root).status();
    let status = status.context("cannot run cargo")?;
    ensure!(status.success(), "cargo {} failed", args.join(" "));
    Ok(())
}

/// `cargo xtask bless [filter]`: writes the expected texts of `tests/ui` anew.
pub fn bless(root: &Path, filter: Option<&str>) -> Result<()> {
    let mut args = vec!["test", "-p", "eyewall-tests", "--test", "ui"];
    if let Some(filter) = filter {
        args.extend(["--", filter]);
    }
    cargo(root, &args, &[("EYEWALL_BLESS", "1")])
}

/// `cargo xtask csmith --seeds A..B`.
pub fn csmith(root: &Path, seeds: &str) -> Result<()> {
    let run = ["run", "--release", "-q", "-p", "eyewall-tests", "--bin", "eyewall-csmith", "--", "--seeds", seeds];
    cargo(root, &run, &[])
}

/// `cargo xtask fuzz soundness --seeds A..B --mutants N --jobs N`.
pub fn soundness(root: &Path, seeds: &str, mutants: u64, jobs: Option<u64>) -> Result<()> {
    let run = ["run", "--release", "-q", "-p", "eyewall-tests", "--bin", "eyewall-soundness", "--"];
    let (mutants, jobs) = (mutants.to_string(), jobs.map(|n| n.to_string()));
    let plan = ["--seeds", seeds, "--mutants", &mutants];
    let jobs = jobs.iter().flat_map(|n| ["--jobs", n]);
    cargo(root, &run.into_iter().chain(plan).chain(jobs).collect::<Vec<_>>(), &[])
}

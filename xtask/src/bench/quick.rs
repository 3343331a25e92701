//! `cargo xtask bench quick`: every benchmark with little work, to see that it builds and runs. Its figures mean nothing,
//! so `bench/results` stays as it is.

use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The arguments of `cargo xtask bench`; `@results` stands for a folder below `target`.
const RUNS: &[&[&str]] = &[
    &["alloc", "--runs", "1", "--work", "1", "--results", "@results"],
    // One program that gets its input through a shell, and one that gets none.
    &["core", "huffman", "--runs", "1", "--dry"],
    &["core", "nqueens", "--runs", "1", "--dry"],
    &["frontend", "--lines", "2000"],
    &["frontend", "--lives", "--lines", "2000"],
    &["gc", "--runs", "1"],
    &["heap", "table", "--runs", "1", "--dry"],
    // nginx would be a service of the machine that runs the tests.
    &["httpd", "--alone", "--runs", "1", "--seconds", "1", "--no-memory", "--results", "@results"],
    &["latency", "--runs", "1"],
    &["lib", "hash", "--runs", "1", "--dry"],
    &["lowfat", "--runs", "1", "--points", "1", "--max-keys", "1000", "--max-items", "1000", "--results", "@results"],
    &["memory", "lists", "--runs", "1", "--dry"],
    &["pool", "--runs", "1", "--size", "100:1", "--results", "@results"],
];

/// # Errors
/// Names the benchmarks that fail, or whose names contain none of the arguments.
pub fn run(root: &Path, args: &[String]) -> Result<()> {
    let results = root.join("target/bench/quick");
    let chosen = |run: &&&[&str]| args.iter().all(|filter| run[0].contains(filter.as_str()));
    let (mut failed, mut ran) = (vec![], 0);
    for run in RUNS.iter().filter(chosen) {
        let start = Instant::now();
        let words = run.iter().map(|word| if *word == "@results" { results.as_os_str() } else { word.as_ref() });
        let output = Command::new(std::env::current_exe()?).arg("bench").args(words).current_dir(root).output()?;
        let name = run.join(" ");
        println!("{:5.1} s  bench {name}", start.elapsed().as_secs_f64());
        ran += 1;
        if !output.status.success() {
            println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            failed.push(name);
        }
    }
    ensure!(ran > 0, "no benchmark is called {}", args.join(" "));
    ensure!(failed.is_empty(), "benchmarks fail: {}", failed.join("; "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::RUNS;
    use std::collections::BTreeSet;

    #[test]
    fn every_benchmark_has_a_quick_run() {
        let quick: BTreeSet<&str> = RUNS.iter().map(|run| run[0]).collect();
        let all: BTreeSet<String> = crate::benchmarks().into_iter().filter(|name| name != "quick").collect();
        assert_eq!(quick, all.iter().map(String::as_str).collect());
    }
}

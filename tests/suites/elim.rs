//! Random programs of loops print the same, exceptions included, with and without the elimination of checks.
//! `EYEWALL_ELIM_SEEDS=A..B` runs other seeds than the usual ones.

use eyewall_tests::loops::program;
use eyewall_tests::tools::{Job, difference};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The seeds of every run.
const SEEDS: std::ops::Range<u64> = 0..6;

fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("EYEWALL_ELIM_SEEDS") else { return SEEDS };
    let parsed = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    parsed.expect("EYEWALL_ELIM_SEEDS is A..B")
}

fn run(source: &Path, flags: &[&str]) -> Result<String, String> {
    let program = source.with_extension(if flags.is_empty() { "elim" } else { "kept" });
    let built =
        Job::cyc().args(["build", "-O0"]).args(flags).args([source.as_os_str(), "-o".as_ref(), program.as_os_str()]);
    let built = built.run();
    if built.status != 0 {
        return Err(format!("cannot be built with {flags:?}:\n{}", built.err()));
    }
    let ran = Job::new(&program).seconds(60).run();
    Ok(format!("{}status {}\n", ran.out(), ran.status))
}

fn compare(folder: &Path, seed: u64) -> Result<(), String> {
    let source = folder.join(format!("loops{seed}.cyc"));
    std::fs::write(&source, program(seed)).map_err(|e| e.to_string())?;
    let (with, without) = (run(&source, &[])?, run(&source, &["--no-elim"])?);
    if with == without {
        return Ok(());
    }
    Err(format!("with elimination it prints something else:\n{}", difference(&without, &with)))
}

#[test]
fn loops_print_the_same_without_elimination() {
    let folder = tempfile::tempdir().unwrap();
    let (next, wrong) = (AtomicU64::new(seeds().start), Mutex::new(vec![]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds().end {
                        return;
                    }
                    if let Err(why) = compare(folder.path(), seed) {
                        wrong.lock().unwrap().push(format!("seed {seed}: {why}"));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Random programs of loops print the same, exceptions included, with and without the elimination of checks.
//! `EYEWALL_ELIM_SEEDS=A..B` runs other seeds than the usual ones.

use eyewall_tests::loops::program;
use eyewall_tests::parallel::{pieces, processors, range_of};
use eyewall_tests::tools::{Job, difference};
use std::path::Path;

/// The seeds of every run.
const SEEDS: std::ops::Range<u64> = 0..6;

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
    let wrong = pieces(range_of("EYEWALL_ELIM_SEEDS", SEEDS), 1, processors(), |seeds| {
        let wrong = compare(folder.path(), seeds.start).err();
        wrong.map(|why| format!("seed {}: {why}", seeds.start)).into_iter().collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

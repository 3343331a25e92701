//! The judgement of one seed: its program, and some mutants of it.

use super::Program;
use crate::builds::{sanitizer_report, under_sanitizers};
use crate::tools::{Job, crash_text};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What became of programs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub programs: u64,
    pub rejected: u64,
    /// Mutants that were accepted, and ran clean.
    pub accepted: u64,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.programs += other.programs;
        self.rejected += other.rejected;
        self.accepted += other.accepted;
    }
}

/// Judges the program of a seed, and `mutants` mutants of it, with `folder` to work in.
///
/// # Errors
/// The text of a program with what is wrong: it is well-typed and rejected, or accepted and touches a dead object.
pub fn judge(seed: u64, mutants: u64, folder: &Path) -> Result<Tally, String> {
    let program = Program::of_seed(seed);
    let mut tally = Tally { programs: 1, ..Tally::default() };
    match accepts(&program, folder)? {
        Err(why) => return Err(format!("well-typed, but rejected:\n{why}\n{}", numbered(&program))),
        Ok(()) => runs_clean(&program, folder)?,
    }
    for number in 0..mutants {
        let mutant = program.mutant(seed, number);
        match accepts(&mutant, folder)? {
            Err(_) => tally.rejected += 1,
            Ok(()) => {
                runs_clean(&mutant, folder).map_err(|why| format!("mutant {number}: {why}"))?;
                tally.accepted += 1;
            }
        }
    }
    Ok(tally)
}

/// Does the checker accept the program? If not, what it says.
fn accepts(program: &Program, folder: &Path) -> Result<Result<(), String>, String> {
    std::fs::write(folder.join("program.cyc"), program.text()).map_err(|e| e.to_string())?;
    let ran = Job::cyc().args(["check", "program.cyc"]).dir(folder).seconds(60).run();
    match ran.status {
        _ if crash_text(&ran.err()).is_some() => {
            Err(format!("the checker crashes:\n{}\n{}", ran.err(), program.text()))
        }
        0 => Ok(Ok(())),
        1 => Ok(Err(ran.err())),
        status => Err(format!("`cyc check` ends with status {status}:\n{}", ran.err())),
    }
}

/// Runs the program under AddressSanitizer. Exceptions that nobody catches, and programs that never end, are no finding.
fn runs_clean(program: &Program, folder: &Path) -> Result<(), String> {
    let built = Job::cyc()
        .args(["build", "program.cyc", "-o", "program", "-O1", "-g"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .env("CC", "gcc")
        .dir(folder)
        .seconds(120)
        .run();
    if built.status != 0 {
        return Err(format!("accepted, but not built:\n{}\n{}", built.err(), numbered(program)));
    }
    let ran = under_sanitizers(Job::new(folder.join("program"))).seconds(20).run();
    let crashed = ran.status > 128 && !ran.timed_out;
    match sanitizer_report(&ran) {
        Some(report) => Err(format!("accepted, but not sound: {report}\n{}", numbered(program))),
        None if crashed => Err(format!("accepted, but ends with status {}:\n{}", ran.status, numbered(program))),
        None => Ok(()),
    }
}

/// The program's own part, with line numbers as in messages.
fn numbered(program: &Program) -> String {
    let first = super::PRELUDE.lines().count() + 1;
    let lines = program.lines.iter().zip(first..).map(|(line, n)| format!("{n:4} {line}\n"));
    lines.collect()
}

/// Judges the seeds of a range, as many at a time as the machine has processors.
pub fn run_seeds(seeds: std::ops::Range<u64>, mutants: u64) -> (Tally, Vec<String>) {
    let next = AtomicU64::new(seeds.start);
    let done = Mutex::new((Tally::default(), vec![]));
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            let scratch = tempfile::tempdir().expect("a scratch folder");
            let verdict = judge(seed, mutants, scratch.path());
            let mut done = done.lock().expect("no worker panics");
            match verdict {
                Ok(tally) => done.0.add(tally),
                Err(why) => done.1.push(format!("seed {seed}: {why}")),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    done.into_inner().expect("no worker panics")
}

//! Running a project's tests.

use super::plan::Program;
use crate::parallel;
use crate::problem::Problem;
use crate::report::Report;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What became of a test.
pub struct Outcome {
    pub name: String,
    /// Why it failed, and what it printed.
    pub failure: Option<String>,
}

/// Runs tests, `jobs` at a time. A test passes when its status is 0 and its standard output is that of the file
/// `tests/NAME.out`, where there is one. `prepare` may change how the test of that index is started.
pub fn run(
    tests: &[&Program],
    jobs: usize,
    prepare: &(dyn Fn(usize, &mut Command) + Sync),
    report: &dyn Report,
) -> Vec<Outcome> {
    parallel::map_on(jobs, tests, |index, test| {
        report.progress(&format!("testing {}", test.name));
        Outcome { name: test.name.clone(), failure: judge(test, &|command| prepare(index, command)).err() }
    })
}

fn judge(test: &Program, prepare: &dyn Fn(&mut Command)) -> Result<(), String> {
    let path = Path::new(".").join(&test.path);
    let mut command = Command::new(&path);
    command.arg0(&test.name).stdin(Stdio::null());
    prepare(&mut command);
    let output = command.output().map_err(|e| Problem::cannot_run(&path.to_string_lossy(), &e).message)?;
    match (output.status.code(), output.status.signal()) {
        (Some(0), _) => {}
        (Some(status), _) => return Err(printed(&format!("it ended with status {status}"), &output)),
        (None, signal) => return Err(printed(&format!("it was ended by signal {}", signal.unwrap_or(0)), &output)),
    }
    let expectation = test.unit.source.with_extension("out");
    let expected = match std::fs::read(&expectation) {
        Ok(expected) => expected,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Problem::cannot_read(&expectation, &e).message),
    };
    match first_difference(&expected, &output.stdout) {
        None => Ok(()),
        Some(difference) => Err(format!("its output is not that of `{}`\n{difference}", expectation.display())),
    }
}

/// A headline, and what a test printed below it.
fn printed(what: &str, output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    let parts = [what.to_string(), text(&output.stdout), text(&output.stderr)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn first_difference(expected: &[u8], got: &[u8]) -> Option<String> {
    if expected == got {
        return None;
    }
    let (expected, got) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(got));
    let (mut wanted, mut printed) = (expected.split('\n'), got.split('\n'));
    for line in 1.. {
        let show = |text: Option<&str>| text.map_or("the end".to_string(), |text| format!("{text:?}"));
        match (wanted.next(), printed.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => return Some(format!("line {line}: expected {}, printed {}", show(a), show(b))),
        }
    }
    Some("they differ in bytes that are not text".into())
}

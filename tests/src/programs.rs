//! `tests/run`: what programs do.

use crate::Verdict;
use crate::builds::{Build, HOSTILE, sanitizer_report, under_sanitizers};
use crate::tools::{Job, Ran, difference, header, root};
use std::path::{Path, PathBuf};

/// A program of `tests/run` and what is expected of it (`tests/README.md` describes the files).
#[derive(Clone, Debug)]
pub struct Program {
    pub source: PathBuf,
    pub args: Vec<String>,
    pub stdin: Vec<u8>,
    pub out: Vec<u8>,
    /// Standard output under a hostile heap, where that differs.
    pub hostile_out: Option<Vec<u8>>,
    pub err: Vec<String>,
    pub status: i32,
    pub builds: Vec<String>,
    /// Why the test fails today, where it is known to.
    pub gap: Option<String>,
}

impl Program {
    /// Reads a program and the files beside it.
    ///
    /// # Errors
    /// A file that is there but cannot be read, or a status that is no number.
    pub fn load(source: &Path) -> Result<Program, String> {
        let beside = |ext: &str| -> Result<Option<Vec<u8>>, String> {
            let path = source.with_extension(ext);
            path.exists().then(|| std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))).transpose()
        };
        let lines = |ext: &str| -> Result<Vec<String>, String> {
            let text = beside(ext)?.unwrap_or_default();
            Ok(String::from_utf8_lossy(&text).lines().map(str::to_string).collect())
        };
        let text = std::fs::read(source).map_err(|e| format!("{}: {e}", source.display()))?;
        let text = String::from_utf8_lossy(&text);
        let status = match lines("status")?.first() {
            None => 0,
            Some(line) => line.trim().parse().map_err(|_| format!("{}: status {line:?}", source.display()))?,
        };
        Ok(Program {
            source: source.into(),
            args: lines("args")?,
            stdin: beside("in")?.unwrap_or_default(),
            out: beside("out")?.unwrap_or_default(),
            hostile_out: beside("hostile")?,
            err: lines("err")?.into_iter().filter(|l| !l.is_empty()).collect(),
            status,
            builds: header(&text, "builds")
                .unwrap_or_default()
                .split_whitespace()
                // Other units of the program lie in the folders beside it.
                .map(|word| match (word.ends_with(".cyc"), source.parent()) {
                    (true, Some(folder)) => folder.join(word).display().to_string(),
                    _ => word.to_string(),
                })
                .collect(),
            gap: header(&text, "known gap"),
        })
    }

    /// Builds and runs the program one way and compares.
    ///
    /// # Errors
    /// What differs from the expectation.
    pub fn check(&self, build: &Build) -> Verdict {
        let verdict = self.check_now(build);
        match (&self.gap, verdict) {
            (None, verdict) => verdict,
            (Some(_), Err(_)) => Ok(()),
            (Some(why), Ok(())) => Err(format!("passes now: remove the line `known gap: {why}`")),
        }
    }

    fn check_now(&self, build: &Build) -> Verdict {
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        let executable = scratch.path().join("program");
        build.build(&self.source, &executable, &self.builds)?;
        let job = Job::new(&executable).args(&self.args).stdin(self.stdin.clone()).dir(root().join("tests/run"));
        self.compare(&under_sanitizers(job.clone()).run(), &self.out)?;
        if !build.has_hostile_heap() {
            return Ok(());
        }
        let out = self.hostile_out.as_ref().unwrap_or(&self.out);
        let verdict = self.compare(&job.env(HOSTILE.0, HOSTILE.1).run(), out);
        verdict.map_err(|why| format!("with {}={}: {why}", HOSTILE.0, HOSTILE.1))
    }

    fn compare(&self, ran: &Ran, out: &[u8]) -> Verdict {
        if ran.timed_out {
            return Err("the program did not end within its time".into());
        }
        if let Some(report) = sanitizer_report(ran) {
            return Err(report);
        }
        if ran.stdout != out {
            let shown = difference(&String::from_utf8_lossy(out), &ran.out());
            return Err(format!("standard output differs:\n{shown}\nstandard error:\n{}", ran.err()));
        }
        if ran.status != self.status {
            let expected = self.status;
            return Err(format!("exit status {}, expected {expected}; standard error:\n{}", ran.status, ran.err()));
        }
        missing_line(&ran.err(), &self.err)
            .map_or(Ok(()), |line| Err(format!("standard error lacks {line:?}; it is:\n{}", ran.err())))
    }
}

/// The first of `wanted` that does not appear, in order, within the lines of `text`.
pub fn missing_line<'a>(text: &str, wanted: &'a [String]) -> Option<&'a String> {
    let mut lines = text.lines();
    wanted.iter().find(|want| !lines.by_ref().any(|line| contains_in_order(line, want)))
}

/// Whether the parts of `want` between `...` appear in `line` one after the other.
fn contains_in_order(line: &str, want: &str) -> bool {
    let mut rest = line;
    want.split("...").all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::missing_line;

    #[test]
    fn lines_are_wanted_in_order() {
        let text = "a: one\nb: two\n";
        let wanted = |lines: &[&str]| -> Vec<String> { lines.iter().map(|s| s.to_string()).collect() };
        assert_eq!(missing_line(text, &wanted(&["one", "two"])), None);
        assert_eq!(missing_line(text, &wanted(&["two", "one"])), Some(&"one".to_string()));
        assert_eq!(missing_line(text, &[]), None);
    }
}

//! `examples/checks.toml`: examples against standard tools and against the same program in C.

use crate::Verdict;
use crate::builds::{Build, sanitizer_report, under_sanitizers};
use crate::tools::{Job, difference, root};
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub name: String,
    /// The program, in `examples/`.
    pub example: String,
    #[serde(default)]
    pub args: Vec<String>,
    /// A file whose contents are the standard input, relative to the root.
    pub stdin: Option<String>,
    /// A command for `sh -c` through which the example's output goes before it is compared.
    pub through: Option<String>,
    /// A command for `sh -c` that prints what is expected; it gets the same standard input.
    pub expect_command: Option<String>,
    /// A file that holds what is expected, relative to the root.
    pub expect_file: Option<String>,
    #[serde(default)]
    pub status: i32,
}

#[derive(Deserialize)]
struct File {
    check: Vec<Check>,
}

/// The checks of `examples/checks.toml`.
///
/// # Errors
/// The file is missing or malformed, or an example has no check at all.
pub fn load() -> Result<Vec<Check>, String> {
    let path = root().join("examples/checks.toml");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let file: File = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let checked: BTreeSet<_> = file.check.iter().map(|c| root().join("examples").join(&c.example)).collect();
    let examples = std::fs::read_dir(root().join("examples")).map_err(|e| e.to_string())?;
    for path in examples.flatten().map(|e| e.path()) {
        if path.extension().is_some_and(|e| e == "cyc") && !checked.contains(&path) {
            return Err(format!("{} has no check in examples/checks.toml", path.display()));
        }
    }
    Ok(file.check)
}

impl Check {
    fn expected(&self, stdin: &[u8]) -> Result<Vec<u8>, String> {
        match (&self.expect_command, &self.expect_file) {
            (Some(command), None) => {
                let ran = Job::new("sh").args(["-c", command]).env("LC_ALL", "C").stdin(stdin).run();
                let failed = ran.status > 1 || ran.timed_out;
                if failed {
                    Err(format!("`{command}` ends with {}: {}", ran.status, ran.err()))
                } else {
                    Ok(ran.stdout)
                }
            }
            (None, Some(file)) => std::fs::read(root().join(file)).map_err(|e| format!("{file}: {e}")),
            _ => Err("exactly one of expect_command and expect_file is needed".into()),
        }
    }

    /// What is compared of the example's output.
    fn filtered(&self, stdout: &[u8]) -> Result<Vec<u8>, String> {
        let Some(command) = &self.through else { return Ok(stdout.to_vec()) };
        let ran = Job::new("sh").args(["-c", command]).env("LC_ALL", "C").stdin(stdout).run();
        match ran.status {
            0 => Ok(ran.stdout),
            status => Err(format!("`{command}` ends with {status} on the output: {}", ran.err())),
        }
    }

    /// Builds the example one way, runs it and compares.
    ///
    /// # Errors
    /// What differs.
    pub fn judge(&self, build: &Build) -> Verdict {
        let stdin = match &self.stdin {
            None => vec![],
            Some(file) => std::fs::read(root().join(file)).map_err(|e| format!("{file}: {e}"))?,
        };
        let expected = self.expected(&stdin)?;
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        let executable = scratch.path().join("program");
        build.build(&root().join("examples").join(&self.example), &executable, &[])?;
        let job = Job::new(&executable).args(&self.args).env("LC_ALL", "C").stdin(stdin).seconds(120);
        let ran = under_sanitizers(job).run();
        if let Some(report) = sanitizer_report(&ran) {
            return Err(report);
        }
        let printed = self.filtered(&ran.stdout)?;
        if printed != expected {
            let shown = difference(&String::from_utf8_lossy(&expected), &String::from_utf8_lossy(&printed));
            return Err(format!("prints something else:\n{shown}\nstandard error:\n{}", ran.err()));
        }
        match ran.status == self.status {
            true => Ok(()),
            false => Err(format!("exit status {}, expected {}:\n{}", ran.status, self.status, ran.err())),
        }
    }
}

//! Programs with a verdict: accepted, rejected for a reason of a certain kind, or warned about. Their header lines are
//! described in `tests/README.md`.

use crate::Verdict;
use crate::builds::{Build, HOSTILE, sanitizer_report, under_sanitizers};
use crate::check::check;
use crate::tools::{Job, Ran, difference, files_below, header, root};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// `tests/conformance/kinds.toml`: which of our codes report which kind of violation.
#[derive(Clone, Debug, Deserialize)]
pub struct Kinds {
    kinds: BTreeMap<String, BTreeSet<String>>,
}

impl Kinds {
    /// # Errors
    /// The file cannot be read or is not what it should be.
    pub fn load() -> Result<Kinds, String> {
        let path = folder().join("kinds.toml");
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Our codes for a list of kinds, any of which will do.
    fn codes(&self, kinds: &str) -> BTreeSet<&str> {
        let lists = kinds.split(',').filter_map(|kind| self.kinds.get(kind.trim()));
        lists.flatten().map(String::as_str).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Accept,
    Warn,
    Reject,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub id: String,
    source: PathBuf,
    expected: Expected,
    /// Kinds of violation, comma separated; any one of them.
    kinds: String,
    stdout: Option<String>,
}

pub fn folder() -> PathBuf {
    root().join("tests/conformance")
}

/// The programs of the project, and those that quote the papers where the folder that holds them is there.
///
/// # Errors
/// A program without a verdict that is known.
pub fn cases() -> Result<Vec<Case>, String> {
    let mut cases = vec![];
    for path in files_below(&folder(), ".cyc") {
        cases.push(Case::load(&path)?);
    }
    let quoted = root().join("../shared/conformance");
    if quoted.is_dir() {
        for path in files_below(&quoted, ".cyc") {
            let case = Case::load(&path)?;
            if !cases.iter().any(|known| known.id == case.id) {
                cases.push(case);
            }
        }
    }
    Ok(cases)
}

/// Programs whose verdict is not met yet, one a line: `ID why`.
pub fn gaps() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(folder().join("gaps.txt")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| line.split_once(' ').unwrap_or((line, ""))).map(|(id, why)| (id.into(), why.into())).collect()
}

impl Case {
    fn load(path: &Path) -> Result<Case, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let expected = match header(&text, "verdict").as_deref() {
            Some("accept") => Expected::Accept,
            Some("warn") => Expected::Warn,
            Some("reject") => Expected::Reject,
            other => return Err(format!("{}: verdict {other:?}", path.display())),
        };
        Ok(Case {
            id: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            source: path.into(),
            expected,
            kinds: header(&text, "code").unwrap_or_default(),
            stdout: header(&text, "stdout").map(|s| s.replace("\\n", "\n")),
        })
    }

    /// Does `cyc` judge as the header says?
    ///
    /// # Errors
    /// What it said or did instead.
    pub fn judge(&self, kinds: &Kinds) -> Verdict {
        let source = self.source.to_string_lossy();
        let leaks = (self.expected == Expected::Warn).then_some("-Wlose-unique");
        let args: Vec<&str> = ["--message-format=json"].into_iter().chain(leaks).chain([source.as_ref()]).collect();
        let checked = check(&args)?;
        let messages = messages(&checked.stderr);
        let errors: Vec<&(String, String)> = messages.iter().filter(|(code, _)| code.starts_with('E')).collect();
        let wanted = kinds.codes(&self.kinds);
        match self.expected {
            Expected::Reject => {
                if errors.is_empty() {
                    return Err(format!("accepted, but it breaks {}", self.kinds));
                }
                match errors.iter().find(|(code, _)| !wanted.contains(code.as_str())) {
                    Some((code, text)) => Err(format!("{code} is none of {}: {text}", self.kinds)),
                    None => Ok(()),
                }
            }
            _ if checked.status != 0 || !errors.is_empty() => Err(format!("rejected: {errors:?}")),
            Expected::Warn if !messages.iter().any(|(code, _)| wanted.contains(code.as_str())) => {
                Err(format!("no warning of kind {}: {messages:?}", self.kinds))
            }
            _ => self.stdout.as_ref().map_or(Ok(()), |expected| self.run(expected)),
        }
    }

    fn run(&self, expected: &str) -> Verdict {
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        let executable = scratch.path().join("program");
        let flags = &["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        Build { name: "gcc sanitizers", cc: "gcc", flags, nightly: false }.build(&self.source, &executable, &[])?;
        let ran = under_sanitizers(Job::new(&executable)).run();
        if let Some(report) = sanitizer_report(&ran) {
            return Err(report);
        }
        prints(&ran, expected)?;
        Build { name: "gcc -O2", cc: "gcc", flags: &["-O2"], nightly: false }.build(&self.source, &executable, &[])?;
        let ran = Job::new(&executable).env(HOSTILE.0, HOSTILE.1).run();
        prints(&ran, expected).map_err(|why| format!("with {}={}: {why}", HOSTILE.0, HOSTILE.1))
    }
}

fn prints(ran: &Ran, expected: &str) -> Verdict {
    if ran.out() != expected {
        return Err(format!("prints something else:\n{}", difference(expected, &ran.out())));
    }
    if ran.status == 0 { Ok(()) } else { Err(format!("ends with status {}:\n{}", ran.status, ran.err())) }
}

/// Code and text of each message.
fn messages(json: &str) -> Vec<(String, String)> {
    let lines = json.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let text = |v: &serde_json::Value| v.as_str().unwrap_or_default().to_string();
    lines.map(|m| (text(&m["code"]), text(&m["message"]))).collect()
}

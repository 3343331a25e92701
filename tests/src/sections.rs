//! `tests/core`: programs for each subsection of the language reference, several to a file. The format is described in
//! `tests/README.md`.

use crate::Verdict;
use crate::builds::{BUILDS, Build, sanitizer_report};
use crate::check::check;
use crate::tools::{Job, difference, files_below, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The ways in which programs that print something are built; of each compiler's sanitizers, clang's run at night.
const WAYS: &[&str] = &["gcc -O2", "gcc sanitizers", "clang sanitizers"];

/// What `cyc` has to say about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing at all.
    Accept,
    /// Warnings of exactly these codes.
    Warn(BTreeSet<String>),
    /// Errors of exactly this code.
    Reject(String),
}

/// One program of a file.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub expected: Expected,
    /// Why it is not judged like that today.
    pub gap: Option<String>,
    text: String,
    /// What it prints; None: it is not run.
    prints: Option<String>,
}

/// The programs of one subsection.
#[derive(Clone, Debug)]
pub struct Section {
    /// As in the reference, `3.5`.
    pub number: String,
    pub title: String,
    /// Why there cannot be the usual number of rejected programs.
    pub unrejected: Option<String>,
    pub programs: Vec<Program>,
}

/// All subsections, in the order of their files' names.
///
/// # Errors
/// A file that does not have the form.
pub fn sections() -> Result<Vec<Section>, String> {
    files_below(&root().join("tests/core"), ".txt").iter().map(|path| Section::load(path)).collect()
}

impl Section {
    fn load(path: &Path) -> Result<Section, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Section::parse(&text).map_err(|why| format!("{}: {why}", path.display()))
    }

    fn parse(text: &str) -> Result<Section, String> {
        let mut parts = format!("\n{text}").split("\n== ").map(str::to_string).collect::<Vec<_>>().into_iter();
        let head = parts.next().unwrap_or_default();
        let mut lines = head.lines().filter_map(|line| line.strip_prefix("# "));
        let title = lines.next().and_then(|line| line.split_once(' ')).ok_or("the first line is `# NUMBER TITLE`")?;
        let unrejected = lines.find_map(|line| line.strip_prefix("no rejected programs: ")).map(str::to_string);
        let programs: Vec<Program> = parts.map(|part| Program::parse(&part)).collect::<Result<_, _>>()?;
        let mut names = BTreeSet::new();
        match programs.iter().find(|p| !names.insert(&p.name)) {
            Some(twice) => Err(format!("two programs are called `{}`", twice.name)),
            None => Ok(Section { number: title.0.into(), title: title.1.into(), unrejected, programs }),
        }
    }

    /// Accepted and rejected programs, without those that are not judged as they should be.
    pub fn counts(&self) -> (usize, usize) {
        let judged = self.programs.iter().filter(|p| p.gap.is_none());
        let (rejected, accepted): (Vec<_>, Vec<_>) = judged.partition(|p| matches!(p.expected, Expected::Reject(_)));
        (accepted.len(), rejected.len())
    }
}

impl Program {
    fn parse(part: &str) -> Result<Program, String> {
        let (head, body) = part.split_once('\n').unwrap_or((part, ""));
        let (head, gap) = head.split_once(", gap: ").map_or((head, None), |(h, why)| (h, Some(why.to_string())));
        let (name, verdict) = head.split_once(": ").ok_or_else(|| format!("`== {head}` names no verdict"))?;
        let words: Vec<&str> = verdict.split_whitespace().collect();
        let expected = match words[..] {
            ["accept"] => Expected::Accept,
            ["warn", ref codes @ ..] if !codes.is_empty() => {
                Expected::Warn(codes.iter().map(|s| s.to_string()).collect())
            }
            ["reject", code] => Expected::Reject(code.into()),
            _ => return Err(format!("unknown verdict `{verdict}` of `{name}`")),
        };
        let (text, prints) = match format!("\n{body}").split_once("\n-- prints") {
            Some((text, out)) => (format!("{text}\n"), Some(format!("{}\n", out.trim()))),
            None => (body.into(), None),
        };
        Ok(Program { name: name.into(), expected, gap, text, prints })
    }

    /// The ways to build a program that prints something; of others, none.
    pub fn ways(&self) -> impl Iterator<Item = &'static Build> {
        let ways = if self.prints.is_some() { WAYS } else { &[] };
        BUILDS.iter().filter(|build| ways.contains(&build.name))
    }

    /// Is the program judged as its header says, and, built in the ways of every day, does it print what it should?
    ///
    /// # Errors
    /// What happened instead.
    pub fn judge(&self) -> Verdict {
        let (_scratch, source) = self.written()?;
        let checked = check(&["--message-format=json", &source.to_string_lossy()])?;
        let reported = codes(&checked.stderr);
        let of = |kind: char| reported.iter().filter(|c| c.starts_with(kind)).cloned().collect::<BTreeSet<_>>();
        let (errors, warnings) = (of('E'), of('W'));
        let good = match &self.expected {
            Expected::Accept => errors.is_empty() && warnings.is_empty(),
            Expected::Warn(codes) => errors.is_empty() && warnings == *codes,
            Expected::Reject(code) => errors.len() == 1 && errors.contains(code),
        };
        if !good || (checked.status == 0) != errors.is_empty() {
            return Err(format!("expected {:?}, got {reported:?} and status {}", self.expected, checked.status));
        }
        self.ways().filter(|build| !build.nightly).try_for_each(|build| self.run(build))
    }

    /// Built this way, does the program print what it should?
    ///
    /// # Errors
    /// What happened instead.
    pub fn run(&self, build: &Build) -> Verdict {
        let expected = self.prints.as_deref().ok_or("the program prints nothing that is known")?;
        let (_scratch, source) = self.written()?;
        let executable = source.with_extension("");
        build.build(&source, &executable, &[])?;
        for (how, ran) in build.runs(&Job::new(&executable)) {
            if let Some(report) = sanitizer_report(&ran) {
                return Err(report);
            }
            if ran.status != 0 || ran.out() != expected {
                let (differs, status) = (difference(expected, &ran.out()), ran.status);
                return Err(format!("{}: {how}ends with status {status}:\n{}{differs}", build.name, ran.err()));
            }
        }
        Ok(())
    }

    /// The program in a folder of its own.
    fn written(&self) -> Result<(tempfile::TempDir, PathBuf), String> {
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        let source = scratch.path().join("program.cyc");
        std::fs::write(&source, &self.text).map_err(|e| e.to_string())?;
        Ok((scratch, source))
    }
}

/// The codes of all messages.
fn codes(json: &str) -> BTreeSet<String> {
    let messages = json.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    messages.filter_map(|m| m["code"].as_str().map(str::to_string)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Expected, Section};

    #[test]
    fn a_file_is_read() {
        let text = "# 3.5 Arrays\n\n== a: accept\nint x;\n-- prints\n3\n\n== b: reject E0145, gap: why\nint y;\n";
        let section = Section::parse(text).unwrap();
        assert_eq!((section.number.as_str(), section.title.as_str(), section.counts()), ("3.5", "Arrays", (1, 0)));
        assert_eq!(section.programs[0].prints.as_deref(), Some("3\n"));
        assert_eq!(section.programs[0].text, "\nint x;\n");
        assert_eq!(section.programs[1].expected, Expected::Reject("E0145".into()));
        assert_eq!(section.programs[1].gap.as_deref(), Some("why"));
    }

    #[test]
    fn bad_files_are_noticed() {
        for text in ["int x;", "# 3.5 A\n== a\n", "# 3.5 A\n== a: reject\n", "# 3.5 A\n== a: accept\n== a: accept\n"] {
            assert!(Section::parse(text).is_err(), "{text}");
        }
    }
}

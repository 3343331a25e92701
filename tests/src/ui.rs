//! `tests/ui`: what the user sees.

use crate::Verdict;
use crate::check::Checked;
use crate::tools::{difference, files_below, header, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of the cases.
pub fn folder() -> PathBuf {
    root().join("tests/ui")
}

/// The programs with a mistake (or a warning): every `.cyc` file that is not an accepted twin.
pub fn cases() -> Vec<PathBuf> {
    let all = files_below(&folder(), ".cyc");
    all.into_iter().filter(|path| !is_twin(path)).collect()
}

pub fn is_twin(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".ok.cyc")
}

/// `NAME.ok.cyc` of `NAME.cyc`.
pub fn twin(path: &Path) -> PathBuf {
    path.with_extension("ok.cyc")
}

/// What `cyc check` says about a case, its path relative to [`folder`], in which the process must be.
fn check(path: &Path) -> Result<Checked, String> {
    let source = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let flags = header(&String::from_utf8_lossy(&source), "flags").unwrap_or_default();
    let shown = path.strip_prefix(folder()).unwrap_or(path).to_string_lossy();
    let args: Vec<&str> = flags.split_whitespace().chain([shown.as_ref()]).collect();
    crate::check::check(&args)
}

/// One case: the verdict and the text are the expected ones, and the twin is accepted. With `bless`, the text becomes
/// the expected one.
///
/// # Errors
/// What differs.
pub fn judge(path: &Path, bless: bool) -> Verdict {
    let source = String::from_utf8_lossy(&std::fs::read(path).map_err(|e| e.to_string())?).into_owned();
    let checked = check(path)?;
    let accepted = header(&source, "accepted").is_some();
    let want = i32::from(!accepted);
    if checked.status != want {
        return Err(format!("`cyc check` ended with {}, expected {want}:\n{}", checked.status, checked.stderr));
    }
    if !accepted && !checked.stderr.contains("error[") {
        return Err(format!("rejected without an error that has a code:\n{}", checked.stderr));
    }
    let expected = path.with_extension("stderr");
    if bless {
        std::fs::write(&expected, &checked.stderr).map_err(|e| format!("{}: {e}", expected.display()))?;
    }
    let text = std::fs::read_to_string(&expected).map_err(|e| format!("{}: {e}; bless it", expected.display()))?;
    let differs = difference(&text, &checked.stderr);
    if !differs.is_empty() {
        return Err(format!("`cyc check` prints something else:\n{differs}"));
    }
    if accepted { Ok(()) } else { judge_twin(&twin(path)) }
}

fn judge_twin(path: &Path) -> Verdict {
    let checked = check(path).map_err(|e| format!("the accepted twin: {e}"))?;
    match checked.status {
        0 => Ok(()),
        status => Err(format!("the accepted twin {} ends with {status}:\n{}", path.display(), checked.stderr)),
    }
}

/// A diagnostic as printed: its code, and its message with the quoted parts cut out, so that the same message about
/// two names counts once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shown {
    pub code: String,
    pub message: String,
}

/// The diagnostics of a rendered text.
pub fn shown(stderr: &str) -> Vec<Shown> {
    stderr.lines().filter_map(shown_in_line).collect()
}

fn shown_in_line(line: &str) -> Option<Shown> {
    let rest = line.strip_prefix("error[").or_else(|| line.strip_prefix("warning["))?;
    let (code, message) = rest.split_once("]: ")?;
    let outside_quotes = message.split('`').step_by(2).collect::<Vec<_>>().join("`…`");
    Some(Shown { code: code.into(), message: outside_quotes })
}

/// Everything that the expected texts show.
///
/// # Errors
/// A `.stderr` file that cannot be read.
pub fn all_shown() -> Result<BTreeSet<Shown>, String> {
    let mut all = BTreeSet::new();
    for path in files_below(&folder(), ".stderr") {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        all.extend(shown(&text));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_about_two_names_counts_once() {
        let text = "error[E0201]: `x` is not declared\n --> a.cyc:1:1\nerror[E0201]: `y` is not declared\n";
        let set: BTreeSet<Shown> = shown(text).into_iter().collect();
        assert_eq!(set.len(), 1);
        assert_eq!(set.first().unwrap().code, "E0201");
        assert!(shown("error: 3 errors\nnote: x\n").is_empty());
    }
}

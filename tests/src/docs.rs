//! What the documentation says works: every block `sh` of the README and the book is run at the root, every block `cyc`
//! is compiled: `cyc wrong` must be rejected, `cyc run` runs and must end with 0, `cyc fails` runs and must end with 1. A block
//! `output` that follows is its whole standard output, a block `message` has lines of its standard error, in this order.

use crate::Verdict;
use crate::pages::{Block, blocks};
use crate::tools::{Job, crash_text, cyc, files_below, root};
use std::path::{Path, PathBuf};

/// The README's test command. It runs these very suites, so they do not run it; `.ci/run` does, as its last line.
pub const WHOLE: &str = "cargo xtask test";

/// What readers are told to save a block as.
const PROGRAM: &str = "x.cyc";

/// The chapters of the book.
pub fn book() -> Vec<PathBuf> {
    files_below(&root().join("docs/book"), ".md")
}

/// The other pages whose blocks are run.
pub fn guides() -> Vec<PathBuf> {
    ["README.md", "CONTRIBUTING.md", "docs/architecture.md"].map(|p| root().join(p)).into()
}

/// Runs or compiles one block; `before` and `next` are the blocks around it.
///
/// # Errors
/// What it printed when it did not do as its kind says.
pub fn judge(block: &Block, before: Option<&Block>, next: Option<&Block>) -> Verdict {
    match block.info.split_whitespace().next() {
        Some("sh") if block.text.trim() == WHOLE => Ok(()),
        Some("sh") => run_commands(block),
        Some("cyc") => compile(block, next),
        Some("output" | "message") if !before.is_some_and(|b| b.info.starts_with("cyc ")) => {
            Err("no program before it could print this".into())
        }
        _ => Ok(()),
    }
}

fn run_commands(block: &Block) -> Verdict {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let bin = cyc().parent().unwrap_or(Path::new("/")).to_path_buf();
    let dirs = std::iter::once(bin).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(dirs).map_err(|e| e.to_string())?;
    // A release is optimised as a whole for minutes: by day the build of the suites stands for it.
    let text = match std::env::var_os("EYEWALL_NIGHTLY") {
        Some(_) => block.text.clone(),
        None => block.text.replace("cargo run --release", "cargo run --profile gate"),
    };
    let ran = Job::new("bash").args(["-euo", "pipefail", "-c", &text]).env("PATH", path).seconds(600).run();
    match ran.status {
        0 => Ok(()),
        status => Err(format!("`{}` ends with {status}:\n{}", block.text.trim(), ran.err())),
    }
}

fn compile(block: &Block, next: Option<&Block>) -> Verdict {
    let (command, wanted) = match block.info.as_str() {
        "cyc" => ("check", 0),
        "cyc run" => ("run", 0),
        "cyc fails" => ("run", 1),
        "cyc wrong" => ("check", 1),
        info => return Err(format!("unknown kind of block `{info}`")),
    };
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    std::fs::write(scratch.path().join(PROGRAM), &block.text).map_err(|e| e.to_string())?;
    let ran = Job::cyc().args([command, PROGRAM]).dir(scratch.path()).env("NO_COLOR", "1").run();
    if crash_text(&ran.err()).is_some() || ran.status != wanted {
        return Err(format!("`cyc {command}` ends with {}:\n{}", ran.status, ran.err()));
    }
    match next {
        Some(next) if next.info == "output" && next.text != ran.out() => Err(format!("it prints\n{}", ran.out())),
        Some(next) if next.info == "message" && !has_lines(&ran.err(), &next.text) => {
            Err(format!("`cyc {command}` says\n{}", ran.err()))
        }
        _ => Ok(()),
    }
}

/// Does the text have these lines, in this order?
fn has_lines(text: &str, lines: &str) -> bool {
    let mut rest = text.lines();
    lines.lines().all(|line| rest.any(|found| found == line))
}

/// Every block of a page that did not do as it says.
///
/// # Errors
/// The page cannot be read.
pub fn wrong_blocks(page: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
    let blocks = blocks(&text);
    let judged = blocks.iter().enumerate().filter_map(|(i, block)| {
        let before = i.checked_sub(1).map(|i| &blocks[i]);
        Some((block.line, judge(block, before, blocks.get(i + 1)).err()?))
    });
    Ok(judged.map(|(line, why)| format!("{}:{line}: {why}", page.display())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_its_lines_in_order() {
        assert!(has_lines("a\nb\nc\n", "a\nc\n"));
        assert!(!has_lines("a\nb\nc\n", "c\na\n"));
        assert!(!has_lines("a\nb\n", "a\na\n"));
    }

    #[test]
    fn what_no_program_prints_is_wrong() {
        let text = "```text\nb\n```\n```output\na\n```\n";
        let found = blocks(text);
        assert!(judge(&found[1], Some(&found[0]), None).is_err());
        assert!(judge(&found[1], None, None).is_err());
    }
}

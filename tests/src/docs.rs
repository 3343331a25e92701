//! What the documentation says works: every block `sh` of the README and the book is run at the root, every block `cyc`
//! is compiled (`cyc wrong` must be rejected, `cyc run` runs, must end with 0, and print the block `output` that follows).

use crate::Verdict;
use crate::pages::{Block, blocks};
use crate::tools::{Job, crash_text, cyc, files_below, root};
use std::path::{Path, PathBuf};

/// The README's test command. It runs these very suites, so they do not run it; `.ci/run` does, as its last line.
pub const WHOLE: &str = "cargo xtask test";

/// The chapters of the book.
pub fn book() -> Vec<PathBuf> {
    files_below(&root().join("docs/book"), ".md")
}

/// The other pages whose blocks are run.
pub fn guides() -> Vec<PathBuf> {
    ["README.md", "CONTRIBUTING.md", "docs/architecture.md"].map(|p| root().join(p)).into()
}

/// Runs or compiles one block; `next` is the block behind it.
///
/// # Errors
/// What it printed when it did not do as its kind says.
pub fn judge(block: &Block, next: Option<&Block>) -> Verdict {
    match block.info.split_whitespace().next() {
        Some("sh") if block.text.trim() == WHOLE => Ok(()),
        Some("sh") => run_commands(block),
        Some("cyc") => compile(block, next.filter(|b| b.info == "output").map(|b| b.text.as_str())),
        _ => Ok(()),
    }
}

fn run_commands(block: &Block) -> Verdict {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let bin = cyc().parent().unwrap_or(Path::new("/")).to_path_buf();
    let dirs = std::iter::once(bin).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(dirs).map_err(|e| e.to_string())?;
    let ran = Job::new("bash").args(["-euo", "pipefail", "-c", &block.text]).env("PATH", path).seconds(600).run();
    match ran.status {
        0 => Ok(()),
        status => Err(format!("`{}` ends with {status}:\n{}", block.text.trim(), ran.err())),
    }
}

fn compile(block: &Block, output: Option<&str>) -> Verdict {
    let (command, wanted) = match block.info.as_str() {
        "cyc" => ("check", 0),
        "cyc run" => ("run", 0),
        "cyc wrong" => ("check", 1),
        info => return Err(format!("unknown kind of block `{info}`")),
    };
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = scratch.path().join("block.cyc");
    std::fs::write(&file, &block.text).map_err(|e| e.to_string())?;
    let ran = Job::cyc().arg(command).arg(&file).run();
    if crash_text(&ran.err()).is_some() || ran.status != wanted {
        return Err(format!("`cyc {command}` ends with {}:\n{}", ran.status, ran.err()));
    }
    match output {
        Some(output) if output != ran.out() => Err(format!("`cyc {command}` prints\n{}", ran.out())),
        _ => Ok(()),
    }
}

/// Every block of a page that did not do as it says.
///
/// # Errors
/// The page cannot be read.
pub fn wrong_blocks(page: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
    let blocks = blocks(&text);
    let judged = (0..).zip(&blocks).filter_map(|(i, block)| Some((block.line, judge(block, blocks.get(i + 1)).err()?)));
    Ok(judged.map(|(line, why)| format!("{}:{line}: {why}", page.display())).collect())
}

//! `docs/errors`: the pages of the diagnostics, and programs in Markdown.

use crate::tools::{files_below, root};
use std::path::{Path, PathBuf};

/// A fenced block of a Markdown file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The words after the opening fence.
    pub info: String,
    /// 1-based line of the opening fence.
    pub line: usize,
    pub text: String,
}

/// The fenced blocks of a text. A block ends at a fence of at least as many backquotes as opened it.
pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut found = vec![];
    let mut open: Option<(usize, Block)> = None;
    for (number, line) in markdown.lines().enumerate() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match &mut open {
            None if ticks >= 3 => {
                let info = line[ticks..].trim().to_string();
                open = Some((ticks, Block { info, line: number + 1, text: String::new() }));
            }
            Some((opened, block)) if ticks >= *opened && line[ticks..].trim().is_empty() => {
                found.push(block.clone());
                open = None;
            }
            Some((_, block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    found
}

/// A page of `docs/errors`.
#[derive(Clone, Debug)]
pub struct Page {
    pub path: PathBuf,
    pub code: String,
    /// The first line, `# CODE: title`.
    pub title: String,
    pub blocks: Vec<Block>,
}

/// Every page, sorted by code.
///
/// # Errors
/// A page that cannot be read.
pub fn pages() -> Result<Vec<Page>, String> {
    let paths = files_below(&root().join("docs/errors"), ".md");
    paths.iter().filter(|p| !p.ends_with("README.md")).map(|p| page(p)).collect()
}

fn page(path: &Path) -> Result<Page, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Page {
        path: path.into(),
        code: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        title: text.lines().next().unwrap_or_default().into(),
        blocks: blocks(&text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_nest_by_the_length_of_their_fence() {
        let text = "a\n```sh\nls\n```\n````md\n```x\n```\n````\n```\nopen to the end";
        let found = blocks(text);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].info.as_str(), found[0].line, found[0].text.as_str()), ("sh", 2, "ls\n"));
        assert_eq!(found[1].text, "```x\n```\n");
    }
}

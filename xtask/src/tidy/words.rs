//! Words that do not belong into the tree: paths of one machine, marks of unresolved merges.

use anyhow::{Result, ensure};
use std::path::Path;

/// Spelt in two parts, so that this file does not find itself.
const WORDS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/tm", "p/eyewall/"),
    concat!("/tm", "p/target"),
    concat!("<<<<<", "<< "),
    concat!(">>>>>", ">> "),
];

pub fn run(root: &Path) -> Result<()> {
    let mut found = vec![];
    for path in super::files(root)? {
        let text = String::from_utf8_lossy(&std::fs::read(root.join(&path))?).into_owned();
        for (number, line) in text.lines().enumerate() {
            found.extend(
                WORDS.iter().filter(|w| line.contains(**w)).map(|w| format!("{}:{}: {w}", path.display(), number + 1)),
            );
        }
    }
    ensure!(found.is_empty(), "these do not belong into the tree:\n{}", found.join("\n"));
    Ok(())
}

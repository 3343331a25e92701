//! What a file was made from, to know when it has to be made again.
//!
//! Beside each product lies its record: a key (the compiler, the flags) and every file that was read, with its stamp. A
//! product is up to date when the key is the same and no stamp has changed. The record is removed before its product is
//! replaced and written after it, so that an interrupted build never leaves a record of something else.

use crate::compile::publish;
use crate::problem::Problem;
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Clocks of file systems advance in steps of a few milliseconds.
pub const STEP: Duration = Duration::from_millis(10);

/// Which version of a file this is: when it was written, its size and its number on the disk.
fn stamp(path: &Path) -> Option<String> {
    let meta = std::fs::metadata(path).ok()?;
    Some(format!("{}.{:09}-{}-{}", meta.mtime(), meta.mtime_nsec(), meta.size(), meta.ino()))
}

fn place(product: &Path) -> PathBuf {
    let mut name = product.file_name().unwrap_or_default().to_os_string();
    name.push(".made");
    product.with_file_name(name)
}

/// The product that a record belongs to.
pub fn product(record: &Path) -> PathBuf {
    record.with_extension("")
}

/// Was `product` made under this key from files that are still the same?
pub fn up_to_date(product: &Path, key: &str) -> bool {
    let Ok(text) = std::fs::read_to_string(place(product)) else { return false };
    let mut lines = text.lines();
    let same =
        |line: &str| line.split_once(' ').is_some_and(|(was, path)| stamp(Path::new(path)).is_some_and(|is| is == was));
    lines.next() == Some(key) && product.is_file() && lines.all(same)
}

/// To be called before a product is replaced.
pub fn forget(product: &Path) -> Result<(), Problem> {
    let place = place(product);
    match std::fs::remove_file(&place) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Problem::cannot_write(&place, &e)),
        _ => Ok(()),
    }
}

/// Records what `product` was made from, by work that began at `began`. No record is left where a file was written
/// meanwhile, or has a name that a record cannot hold.
pub fn remember(product: &Path, key: &str, files: &BTreeSet<PathBuf>, began: SystemTime) -> Result<(), Problem> {
    let mut text = format!("{key}\n");
    for file in files {
        let modified = std::fs::metadata(file).and_then(|m| m.modified());
        let settled = modified.is_ok_and(|time| time + STEP < began);
        let (Some(stamp), Some(name), true) = (stamp(file), file.to_str(), settled) else { return Ok(()) };
        if name.contains(['\n', '\r']) {
            return Ok(());
        }
        text.push_str(&format!("{stamp} {name}\n"));
    }
    let place = place(product);
    publish(&place, |path| std::fs::write(path, &text).map_err(|e| Problem::cannot_write(path, &e)))
}

/// The files that a rule of make depends on, as `cc -MD` writes them: `target: file file \` with white space and `#`
/// escaped by a backslash, `$` doubled.
pub fn dependencies(rule: &str) -> BTreeSet<PathBuf> {
    let rule = rule.split_once(':').map_or("", |(_, files)| files);
    let mut files = BTreeSet::new();
    let mut word = String::new();
    let mut chars = rule.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\n')) => {}
            ('\\', Some(' ' | '#' | '\\' | ':')) | ('$', Some('$')) => word.extend(chars.next()),
            (c, _) if c.is_whitespace() => {
                if !word.is_empty() {
                    files.insert(PathBuf::from(std::mem::take(&mut word)));
                }
            }
            (c, _) => word.push(c),
        }
    }
    if !word.is_empty() {
        files.insert(PathBuf::from(word));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_make_are_read() {
        let files = dependencies("a.o: src/a\\ b.c \\\n /usr/include/x$$y.h \\\n inc/c\\#.h\n");
        let wanted = ["src/a b.c", "/usr/include/x$y.h", "inc/c#.h"];
        assert_eq!(files, wanted.iter().map(PathBuf::from).collect());
        assert_eq!(dependencies("a.o:"), BTreeSet::new());
    }

    #[test]
    fn a_record_holds_until_a_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let (product, source) = (folder.path().join("a.o"), folder.path().join("a.c"));
        std::fs::write(&product, "").unwrap();
        std::fs::write(&source, "1").unwrap();
        let files = BTreeSet::from([source.clone()]);
        let later = SystemTime::now() + Duration::from_secs(1);
        remember(&product, "key", &files, later).unwrap();
        assert!(up_to_date(&product, "key"));
        assert!(!up_to_date(&product, "other"));
        std::fs::write(&source, "22").unwrap();
        assert!(!up_to_date(&product, "key"));
        // Written while the work went on: nobody knows which version was read.
        forget(&product).unwrap();
        remember(&product, "key", &files, SystemTime::UNIX_EPOCH).unwrap();
        assert!(!up_to_date(&product, "key"));
    }
}

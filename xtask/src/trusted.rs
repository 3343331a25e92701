//! `cargo xtask trusted`: what the checker cannot verify, as a table (memory, section 14.6). It is the run time, which is C,
//! and the declarations of `extern "C"` in the library, which say of C functions what their types shall be.

use anyhow::{Context, Result};
use std::path::Path;

/// Files, and lines that are neither blank nor comment.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Size {
    files: usize,
    lines: usize,
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Size) {
        self.files += other.files;
        self.lines += other.lines;
    }
}

/// What is trusted where, for the table; a folder that is not listed is counted under its own name.
const WHAT: &[(&str, &str)] = &[
    ("runtime/include", "what emitted code includes: fat pointers, checks, allocation, the floor under the heap"),
    ("runtime/src/closure", "pointers to nested functions that use variables around them"),
    ("runtime/src/exn", "raising and catching exceptions, leaving regions on the way"),
    ("runtime/src/gc", "the heap of aliasable objects"),
    ("runtime/src/heap", "that heap as the run time uses it, and as Cyclone programs steer it"),
    ("runtime/src/profile", "memory profiles: in builds with --memory-profile only"),
    ("runtime/src/pool", "scoped pools: bounded malloc and free, arrays"),
    (
        "runtime/src/region",
        "pages, regions, reaps, autorelease pools, keys and sequences, regions that are scoped pools",
    ),
    ("runtime/src/refcount", "counts"),
    ("runtime/src/thread", "starting and joining threads, channels, locks, what they share"),
    ("runtime/src/unique", "freeing of unique objects, swaps between threads"),
    ("runtime/src/os", "the start of the program, backtraces"),
    ("runtime/src/lib", "shims that compare counts with bounds and call the C library"),
    ("runtime/src/lowfat", "the allocator"),
];

/// Prints the table.
pub fn run(root: &Path) -> Result<()> {
    let mut rows = vec![];
    let mut c = Size::default();
    for folder in c_folders(root)? {
        let size = measure(&root.join(&folder), &["c", "h"], &code_lines)?;
        let what = WHAT.iter().find(|(name, _)| *name == folder).map_or("", |(_, what)| what);
        c += size;
        rows.push((folder, size, what));
    }
    rows.push(("C in all".into(), c, ""));
    let mut declared = Size::default();
    for (folder, ending) in [("lib/include", "h"), ("lib/src", "cyc")] {
        let size = measure(&root.join(folder), &[ending], &trusted_declarations)?;
        declared += size;
        rows.push((format!("extern \"C\" in {folder}"), size, "types that C functions are believed to have"));
    }
    rows.push(("declarations in all".into(), declared, ""));
    println!("{:<30} {:>5} {:>6}  what", "trusted", "files", "lines");
    for (name, size, what) in rows {
        println!("{}", format!("{name:<30} {:>5} {:>6}  {what}", size.files, size.lines).trim_end());
    }
    println!("Lines that are blank or comment do not count; nor do files without a trusted line.");
    Ok(())
}

/// `runtime/include` and the folders of `runtime/src`, in order.
fn c_folders(root: &Path) -> Result<Vec<String>> {
    let mut folders = vec!["runtime/include".to_string()];
    let source = root.join("runtime/src");
    for entry in std::fs::read_dir(&source).with_context(|| format!("cannot read {}", source.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(format!("runtime/src/{}", entry.file_name().to_string_lossy()));
        }
    }
    folders.sort();
    Ok(folders)
}

/// The files below a folder that have one of the endings, and those of their lines that `count` counts.
fn measure(folder: &Path, endings: &[&str], count: &dyn Fn(&str) -> usize) -> Result<Size> {
    let mut size = Size::default();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            size += measure(&path, endings, count)?;
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let lines = count(&text);
            size += Size { files: usize::from(lines > 0), lines };
        }
    }
    Ok(size)
}

/// The text with comments and the contents of literals blanked, lines kept.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/").map_or(rest.len(), |at| at + 4);
            out.extend(rest[..end].chars().filter(|c| *c == '\n'));
            end
        } else if first == '"' {
            let end = literal_end(rest);
            out += if &rest[..end] == "\"C\"" { "\"C\"" } else { "\"\"" };
            end
        } else {
            out.push(first);
            first.len_utf8()
        };
        rest = &rest[taken..];
    }
    out
}

/// Where the string literal that `text` begins with ends.
fn literal_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' | '\n' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn code_lines(text: &str) -> usize {
    without_comments(text).lines().filter(|line| !line.trim().is_empty()).count()
}

/// The lines of a Cyclone file that are within `extern "C"`: in its braces, or up to the end of its one declaration.
fn trusted_declarations(text: &str) -> usize {
    let text = without_comments(text);
    let mut lines = 0;
    // Braces around the point since `extern "C"`; None: outside of one.
    let mut depth: Option<i64> = None;
    for line in text.lines() {
        let begins = line.trim_start().starts_with("extern \"C\"") && depth.is_none();
        let opens = line.matches('{').count() as i64 - line.matches('}').count() as i64;
        if begins {
            // The line of a block's beginning says nothing by itself.
            match line.trim_end().ends_with('{') {
                true => depth = Some(1),
                false => lines += 1,
            }
            continue;
        }
        let Some(inside) = depth else { continue };
        depth = (inside + opens > 0).then_some(inside + opens);
        lines += usize::from(depth.is_some() && !line.trim().is_empty());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{code_lines, trusted_declarations};

    #[test]
    fn blank_lines_and_comments_are_no_code() {
        assert_eq!(code_lines("int a; /* one\n two */\n\n// three\nchar *s = \"// no comment\"; /* x */ int b;\n"), 2);
        assert_eq!(code_lines("char *s = \"\\\"/*\";\nint c; // */\n"), 2);
    }

    #[test]
    fn declarations_within_extern_c_are_counted() {
        let text = "int a;\nextern \"C\" {\n  // comment\n  int f(int x; {}) asm(\"cyc_f\");\n\n  struct S { int i; };\n}\nint b;\n\
                    extern \"C\" int g(void);\n";
        assert_eq!(trusted_declarations(text), 3);
        assert_eq!(trusted_declarations("int f() { return 1; }\n"), 0);
    }
}

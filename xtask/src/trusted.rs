//! `cargo xtask trusted`: what the checker cannot verify, as a table (memory, section 14.6). It is the run time, which is C,
//! and the declarations of `extern "C"` in the library, which say of C functions what their types shall be.

use anyhow::{Context, Result};
use std::path::Path;

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

/// A file with trusted lines: those that are neither blank nor comment.
struct File {
    path: String,
    lines: usize,
    /// The first sentence of the comment at its head.
    reason: String,
}

/// Files of one row of the table, with the row's name and what they are for.
struct Group {
    name: String,
    what: &'static str,
    files: Vec<File>,
}

impl Group {
    fn lines(&self) -> usize {
        self.files.iter().map(|file| file.lines).sum()
    }
}

/// Prints the table: folders with their sums; with `by_file` every file below its folder, with the reason why it is there.
///
/// # Errors
/// A file cannot be read, or nothing at its head says what it is for.
pub fn run(root: &Path, by_file: bool) -> Result<()> {
    let c = c_groups(root)?;
    let declarations = declaration_groups(root)?;
    println!("{:<42} {:>5} {:>6}  what", "trusted", "files", "lines");
    print_groups(&c, "C in all", by_file);
    print_groups(&declarations, "declarations in all", by_file);
    println!("Lines that are blank or comment do not count; nor do files without a trusted line.");
    Ok(())
}

fn print_groups(groups: &[Group], sum: &str, by_file: bool) {
    let row = |name: &str, files: &dyn std::fmt::Display, lines: usize, what: &str| {
        println!("{}", format!("{name:<42} {files:>5} {lines:>6}  {what}").trim_end());
    };
    for group in groups {
        row(&group.name, &group.files.len(), group.lines(), group.what);
        for file in group.files.iter().filter(|_| by_file) {
            row(&format!("  {}", file.path), &"", file.lines, &file.reason);
        }
    }
    let files = groups.iter().map(|group| group.files.len()).sum::<usize>();
    row(sum, &files, groups.iter().map(Group::lines).sum(), "");
}

/// `runtime/include` and the folders of `runtime/src`, in order.
fn c_groups(root: &Path) -> Result<Vec<Group>> {
    let mut folders = vec!["runtime/include".to_string()];
    let source = root.join("runtime/src");
    for entry in std::fs::read_dir(&source).with_context(|| format!("cannot read {}", source.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(format!("runtime/src/{}", entry.file_name().to_string_lossy()));
        }
    }
    folders.sort();
    let group = |name: String| {
        let what = WHAT.iter().find(|(folder, _)| *folder == name).map_or("", |(_, what)| what);
        let files = trusted_files(root, &root.join(&name), &["c", "h"], &code_lines)?;
        Ok(Group { name, what, files })
    };
    folders.into_iter().map(group).collect()
}

/// The library's declarations of C functions.
fn declaration_groups(root: &Path) -> Result<Vec<Group>> {
    let group = |(folder, ending): (&str, &str)| {
        let files = trusted_files(root, &root.join(folder), &[ending], &trusted_declarations)?;
        let what = "types that C functions are believed to have";
        Ok(Group { name: format!("extern \"C\" in {folder}"), what, files })
    };
    [("lib/include", "h"), ("lib/src", "cyc")].into_iter().map(group).collect()
}

/// The files below a folder that have one of the endings and lines that `count` counts, in order.
fn trusted_files(root: &Path, folder: &Path, endings: &[&str], count: &dyn Fn(&str) -> usize) -> Result<Vec<File>> {
    let mut files = vec![];
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(trusted_files(root, &path, endings, count)?);
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let lines = count(&text);
            if lines > 0 {
                let path = path.strip_prefix(root)?.display().to_string();
                let reason = first_sentence(&text).with_context(|| format!("{path}: no comment at its head"))?;
                files.push(File { path, lines, reason });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The first sentence of the comment that a file begins with, without the file's own name; None: it begins with none.
fn first_sentence(text: &str) -> Option<String> {
    let comment = match text.strip_prefix("/*") {
        Some(rest) => rest.split("*/").next().unwrap_or_default().to_string(),
        None => text.lines().map_while(|line| line.strip_prefix("//")).collect::<Vec<_>>().join("\n"),
    };
    let words: Vec<&str> = comment.lines().flat_map(|line| line.trim().trim_start_matches('*').split(' ')).collect();
    let prose = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let sentence = prose.split_inclusive(". ").next().unwrap_or_default().trim();
    let named = sentence.split_once(" - ").filter(|(name, _)| name.contains('.') && !name.contains(' '));
    let sentence = named.map_or(sentence, |(_, rest)| rest);
    (!sentence.is_empty()).then(|| sentence.to_string())
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
    use super::{code_lines, first_sentence, trusted_declarations};

    #[test]
    fn the_reason_is_the_first_sentence_without_the_name() {
        let c = "/* arena.c - where the address space comes from,\n * once.  More. */\nint a;\n";
        assert_eq!(first_sentence(c).as_deref(), Some("where the address space comes from, once."));
        assert_eq!(first_sentence("// Streams of C.\n//\n// More.\nint a;\n").as_deref(), Some("Streams of C."));
        assert_eq!(first_sentence("int a; // Streams.\n"), None);
    }

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

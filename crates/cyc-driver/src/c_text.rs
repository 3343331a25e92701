//! Headers in `extern "C include"` blocks are C's (core, section 13.2).
//!
//! The typed headers are searched before the system's, but not in C text. The preprocessor must know where C text
//! is: each typed header stands behind a [`wrapper`] that asks for [`MACRO`], and [`mark`] defines that around the
//! blocks of a source file before the file is preprocessed. Blocks in headers are not found by this: their authors
//! define the macro themselves.
//!
//! What a typed header defines as a macro may be an enumerator or a function in the system's: within C text none of their
//! macros is defined, and afterwards they are what they were.

use crate::embedded;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

/// Defined within C text.
const MACRO: &str = "__CYCLONE_C_TEXT__";

/// The directives that come with the beginning and with the end of C text.
static HIDE_AND_SHOW: LazyLock<(String, String)> = LazyLock::new(|| {
    let (mut hide, mut show) = (format!("#define {MACRO} 1"), format!("#undef {MACRO}"));
    for name in macros() {
        let hidden = format!("{MACRO}{name}");
        let (guard, push) = (format!("\n#ifdef {name}\n"), format!("#pragma push_macro(\"{name}\")\n#undef {name}\n"));
        let _ = write!(hide, "{guard}{push}#define {hidden}\n#endif");
        let _ = write!(show, "\n#ifdef {hidden}\n#pragma pop_macro(\"{name}\")\n#undef {hidden}\n#endif");
    }
    (hide, show)
});

/// The macros of the typed headers, without those that keep headers from being read twice.
fn macros() -> BTreeSet<&'static str> {
    let headers = embedded::below("lib/include").filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok());
    let defined = headers.flat_map(str::lines).filter_map(|line| line.trim_start().strip_prefix("#define "));
    let names = defined.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default());
    names.filter(|name| !name.is_empty() && !name.starts_with("_CYC_")).collect()
}

/// What is found for `#include <name>`: the system's header in C text, else the typed one, `typed` among the headers.
pub(crate) fn wrapper(name: &str, typed: &str) -> String {
    format!("#ifdef {MACRO}\n#include_next <{name}>\n#else\n#include <{typed}>\n#endif\n")
}

/// The source with [`MACRO`] defined from the opening to the closing brace of each `extern "C include"` block, lines
/// and columns kept; None without such a block. `file` is the name for line markers. A block that does not end
/// is left alone: the parser reports it.
pub(crate) fn mark(text: &str, file: &str) -> Option<String> {
    if !text.contains("\"C include\"") {
        return None;
    }
    let (hide, show) = &*HIDE_AND_SHOW;
    let mut out = String::with_capacity(text.len() + 256);
    let mut copied = 0;
    for (open, close) in blocks(text) {
        for (at, directive) in [(open, hide), (close, show)] {
            out.push_str(&text[copied..at]);
            copied = at;
            let line = 1 + text[..at].matches('\n').count();
            let column = text[..at].chars().rev().take_while(|c| *c != '\n').count();
            let file = file.replace('\\', "\\\\").replace('"', "\\\"");
            out.push_str(&format!("\n{directive}\n# {line} \"{file}\"\n{:column$}", ""));
        }
    }
    (copied > 0)
        .then(|| format!("# 1 \"{0}\"\n{out}{1}", file.replace('\\', "\\\\").replace('"', "\\\""), &text[copied..]))
}

/// Where C text begins (after the brace) and ends (at the brace), for each block in source order.
fn blocks(text: &str) -> Vec<(usize, usize)> {
    let mut found = vec![];
    // The last tokens: `extern` and `"C include"` make an opening brace one of ours.
    let mut before = ["", ""];
    let mut open: Option<(usize, usize)> = None;
    let mut depth = 0_usize;
    // Depths at the open `#if`s: each branch starts with that of the first.
    let mut conditionals = vec![];
    let mut scanner = Scanner { text, at: 0, line_start: true };
    while let Some((start, token)) = scanner.next() {
        match token {
            "{" => {
                depth += 1;
                if open.is_none() && before == ["extern", "\"C include\""] {
                    open = Some((scanner.at, depth));
                }
            }
            "}" => {
                if let Some((from, _)) = open.take_if(|(_, level)| *level == depth) {
                    found.push((from, start));
                }
                depth = depth.saturating_sub(1);
            }
            _ if token.starts_with('#') => {
                let word = token[1..].trim_start_matches([' ', '\t']);
                if word.starts_with("if") {
                    conditionals.push(depth);
                } else if word.starts_with("el") {
                    depth = conditionals.last().copied().unwrap_or(depth);
                } else if word.starts_with("endif") {
                    conditionals.pop();
                }
                continue;
            }
            _ => {}
        }
        before = [before[1], token];
    }
    found
}

/// Cuts a source file before preprocessing into words, strings, whole directives, and single characters.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Only white space since the line began.
    line_start: bool,
}

impl<'t> Scanner<'t> {
    fn next(&mut self) -> Option<(usize, &'t str)> {
        loop {
            let rest = &self.text[self.at..];
            let first = rest.chars().next()?;
            let len = match first {
                '\n' => {
                    self.line_start = true;
                    self.at += 1;
                    continue;
                }
                c if c.is_whitespace() => {
                    self.at += c.len_utf8();
                    continue;
                }
                '\\' if rest.starts_with("\\\n") => {
                    self.at += 2;
                    continue;
                }
                '/' if rest.starts_with("//") => {
                    self.at += logical_line(rest);
                    continue;
                }
                '/' if rest.starts_with("/*") => {
                    self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                    continue;
                }
                '#' if self.line_start => logical_line(rest),
                '"' | '\'' => literal(rest, first),
                c if c.is_alphanumeric() || c == '_' => {
                    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
                }
                c => c.len_utf8(),
            };
            let start = self.at;
            self.at += len;
            self.line_start = false;
            return Some((start, &self.text[start..self.at]));
        }
    }
}

/// The length of the line that begins `rest`, with those that a backslash (or, in a directive, a comment) joins to it.
fn logical_line(rest: &str) -> usize {
    let mut at = 0;
    let comment_ends = !rest.starts_with("//");
    loop {
        let line = rest[at..].find('\n').map_or(rest.len(), |n| at + n);
        match rest[at..line].find("/*").filter(|_| comment_ends) {
            Some(comment) => at = rest[at + comment..].find("*/").map_or(rest.len(), |n| at + comment + n + 2),
            None if line < rest.len() && rest[..line].ends_with('\\') => at = line + 1,
            None => return line,
        }
    }
}

/// The length of the string or character constant that begins `rest`; one without end takes its line.
fn literal(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return i,
            c if c == quote => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> Vec<&str> {
        blocks(text).into_iter().map(|(open, close)| &text[open..close]).collect()
    }

    #[test]
    fn blocks_end_at_their_own_brace() {
        let text = "extern \"C include\" { int f() { return '}'; } // }\n } int g() { }\nextern \"C\" { int h(); }";
        assert_eq!(inside(text), [" int f() { return '}'; } // }\n "]);
    }

    #[test]
    fn branches_of_conditionals_count_once() {
        let text =
            "extern \"C include\" {\n#if X /* {\n */ > 1\nint f() {\n#else\nint g() {\n#endif\nreturn 1; }\n} x;";
        assert!(inside(text)[0].ends_with("return 1; }\n"), "{:?}", inside(text));
    }

    #[test]
    fn what_does_not_end_or_is_quoted_is_left_alone() {
        assert_eq!(mark("extern \"C include\" { int f();", "a.cyc"), None);
        assert_eq!(mark("char *s = \"extern \\\"C include\\\" {\"; }", "a.cyc"), None);
        assert_eq!(mark("// extern \"C include\" { }\n", "a.cyc"), None);
    }

    #[test]
    fn lines_and_columns_stay() {
        let marked = mark("\nextern \"C include\" { int x; }\n", "a.cyc").unwrap();
        let lines: Vec<&str> = marked.lines().collect();
        assert_eq!(lines[0], "# 1 \"a.cyc\"");
        assert_eq!(lines[2], "extern \"C include\" {");
        assert_eq!(lines[3], format!("#define {MACRO} 1"));
        let places: Vec<usize> = (0..lines.len()).filter(|i| lines[*i] == "# 2 \"a.cyc\"").collect();
        assert_eq!(lines[places[0] + 1].find("int x"), Some(21));
        assert_eq!(lines[places[0] + 2], format!("#undef {MACRO}"));
        assert_eq!(lines[places[1] + 1].find('}'), Some(28));
    }
}

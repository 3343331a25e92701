//! From spans of preprocessed text back to the files the user wrote.
//!
//! `cc -E` leaves line markers (`# 12 "file.h" 2`); the map reads them once and answers by binary
//! search. Columns need care: the preprocessor folds white space, removes comments and expands
//! macros, so [`SourceMap::locate`] aligns the preprocessed line with the original one.

use crate::Span;
use std::cell::Cell;

/// Where a span lies in the file that the user wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Index into [`SourceMap::files`].
    pub file: usize,
    /// 1-based line.
    pub line: u32,
    /// 0-based byte columns in the original line; `end >= start`.
    pub start: u32,
    pub end: u32,
}

/// A run of consecutive preprocessed lines that come from consecutive lines of one file.
#[derive(Clone, Debug)]
struct Chunk {
    /// Offset of the first line of the run in the preprocessed text.
    offset: u32,
    file: usize,
    /// 1-based line in `file` of that first line.
    line: u32,
    /// The number of that line in the preprocessed text.
    first: u32,
    /// From a system header (marker flag 3).
    system: bool,
}

#[derive(Clone, Debug, Default)]
pub struct File {
    pub name: String,
    /// The original text where the driver could supply it; else diagnostics show the preprocessed line.
    pub text: Option<String>,
    line_starts: Vec<u32>,
}

/// The preprocessed text of one translation unit and where its lines come from.
#[derive(Clone, Debug)]
pub struct SourceMap {
    text: String,
    line_starts: Vec<u32>,
    chunks: Vec<Chunk>,
    /// The line found last: most questions are about the same one or the next.
    found: Cell<usize>,
    pub files: Vec<File>,
}

fn line_starts(text: &str) -> Vec<u32> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1)).collect()
}

/// The parts of `# n "file" flags` or `#line n "file"`.
fn parse_marker(line: &str) -> Option<(u32, Option<String>, bool)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim();
    let Some(quoted) = rest.strip_prefix('"') else {
        return rest.is_empty().then_some((number, None, false));
    };
    let mut name = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let system = quoted[at + 1..].split_whitespace().any(|flag| flag == "3");
                return Some((number, Some(name), system));
            }
            '\\' => name.push(chars.next()?.1),
            c => name.push(c),
        }
    }
    None
}

impl SourceMap {
    /// A map over `text`, the output of `cc -E` (or a source file itself); `name` is the file before the first marker.
    pub fn new(name: &str, text: String) -> SourceMap {
        let starts = line_starts(&text);
        let mut files = vec![File { name: name.into(), ..File::default() }];
        let mut chunks = vec![Chunk { offset: 0, file: 0, line: 1, first: 0, system: false }];
        for (i, &start) in starts.iter().enumerate() {
            if text.as_bytes().get(start as usize) != Some(&b'#') {
                continue;
            }
            let end = starts.get(i + 1).map_or(text.len(), |next| *next as usize - 1);
            let Some((line, file, system)) = parse_marker(text[start as usize..end].trim_end()) else { continue };
            let file = match file {
                None => chunks.last().map_or(0, |c| c.file),
                Some(name) => files.iter().position(|f| f.name == name).unwrap_or_else(|| {
                    files.push(File { name, ..File::default() });
                    files.len() - 1
                }),
            };
            let offset = starts.get(i + 1).copied().unwrap_or(text.len() as u32);
            chunks.push(Chunk { offset, file, line, first: i as u32 + 1, system });
        }
        SourceMap { text, line_starts: starts, chunks, found: Cell::new(0), files }
    }

    /// A map over a file as it stands: no line of it is a marker.
    pub fn original(name: &str, text: String) -> SourceMap {
        let line_starts = line_starts(&text);
        let chunks = vec![Chunk { offset: 0, file: 0, line: 1, first: 0, system: false }];
        let file = File { name: name.into(), text: Some(text.clone()), line_starts: line_starts.clone() };
        SourceMap { text, line_starts, chunks, found: Cell::new(0), files: vec![file] }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Supplies the original text of a file, for columns and display.
    pub fn set_file_text(&mut self, file: usize, text: String) {
        let file = &mut self.files[file];
        file.line_starts = line_starts(&text);
        file.text = Some(text);
    }

    fn chunk_at(&self, offset: u32) -> &Chunk {
        let i = self.chunks.partition_point(|c| c.offset <= offset);
        &self.chunks[i.saturating_sub(1)]
    }

    fn line_at(&self, offset: u32) -> usize {
        let starts = &self.line_starts;
        let holds = |line: usize| starts[line] <= offset && starts.get(line + 1).is_none_or(|next| offset < *next);
        let last = self.found.get();
        let line = match holds(last) {
            true => last,
            false if last + 1 < starts.len() && holds(last + 1) => last + 1,
            false => starts.partition_point(|s| *s <= offset).saturating_sub(1),
        };
        self.found.set(line);
        line
    }

    /// Does the span come from a header that the preprocessor calls a system header?
    pub fn in_system_header(&self, span: Span) -> bool {
        self.chunk_at(span.lo).system
    }

    /// Original file index and 1-based line of an offset: what `#line` and exceptions want.
    pub fn file_line(&self, offset: u32) -> (usize, u32) {
        let chunk = self.chunk_at(offset);
        let here = self.line_at(offset) as u32;
        (chunk.file, chunk.line + here.saturating_sub(chunk.first))
    }

    /// The text of a 1-based line of an original file, without its newline.
    pub fn original_line(&self, file: usize, line: u32) -> Option<&str> {
        let file = &self.files[file];
        let text = file.text.as_deref()?;
        let start = *file.line_starts.get((line as usize).checked_sub(1)?)? as usize;
        let end = file.line_starts.get(line as usize).map_or(text.len(), |s| *s as usize - 1);
        text.get(start..end).map(|l| l.trim_end_matches('\r'))
    }

    /// The text of the preprocessed line that holds an offset, and the offset of its start.
    pub fn preprocessed_line(&self, offset: u32) -> (&str, u32) {
        let line = self.line_at(offset);
        let start = self.line_starts[line];
        let end = self.line_starts.get(line + 1).map_or(self.text.len(), |s| *s as usize - 1);
        (&self.text[start as usize..end], start)
    }

    /// Where a span starts, as a place in an original file. A span over several lines ends, for the
    /// purpose of display, at the end of its first line.
    pub fn locate(&self, span: Span) -> Location {
        let lo = span.lo.min(self.text.len() as u32);
        let (file, line) = self.file_line(lo);
        let (pre, start) = self.preprocessed_line(lo);
        let from = (lo - start) as usize;
        let to = ((span.hi.max(lo) - start) as usize).min(pre.len()).max(from.min(pre.len()));
        let from = from.min(pre.len());
        let (start, end) = match self.original_line(file, line) {
            Some(original) => align(pre, original, from, to),
            None => (from, to),
        };
        Location { file, line, start: start as u32, end: end as u32 }
    }
}

/// Byte positions of the significant characters of a line: white space and comments skipped.
fn significant(line: &str) -> Vec<(usize, char)> {
    let mut out = vec![];
    let mut chars = line.char_indices().peekable();
    let mut quote = None;
    while let Some((at, c)) = chars.next() {
        if let Some(q) = quote {
            out.push((at, c));
            if c == '\\' {
                out.extend(chars.next());
            } else if c == q {
                quote = None;
            }
            continue;
        }
        match c {
            '"' => {
                quote = Some(c);
                out.push((at, c));
            }
            '/' if chars.peek().is_some_and(|(_, n)| *n == '/') => break,
            '/' if chars.peek().is_some_and(|(_, n)| *n == '*') => match line[at + 2..].find("*/") {
                None => break,
                Some(len) => {
                    while chars.peek().is_some_and(|(i, _)| *i < at + 2 + len + 2) {
                        chars.next();
                    }
                }
            },
            c if c.is_whitespace() => {}
            c => out.push((at, c)),
        }
    }
    out
}

/// Columns in `original` of the stretch `from..to` of `pre`, the same line after preprocessing.
///
/// The significant characters of both lines are compared from the left and from the right; what
/// differs in the middle is a macro's expansion, and a stretch inside it maps to the macro's name.
fn align(pre: &str, original: &str, from: usize, to: usize) -> (usize, usize) {
    if pre == original {
        return (from, to);
    }
    let (p, o) = (significant(pre), significant(original));
    let left = p.iter().zip(&o).take_while(|(a, b)| a.1 == b.1).count();
    let most = p.len().min(o.len()) - left;
    let right = p.iter().rev().zip(o.iter().rev()).take(most).take_while(|(a, b)| a.1 == b.1).count();
    let middle =
        o.get(left).map_or(original.len(), |c| c.0)..o[..o.len() - right].last().map_or(0, |c| c.0 + c.1.len_utf8());
    let start_of = |at: usize| match p.iter().position(|c| c.0 >= at) {
        None => original.len(),
        Some(i) if i < left => o[i].0,
        Some(i) if i >= p.len() - right => o[i + o.len() - p.len()].0,
        Some(_) => middle.start,
    };
    let end_of = |at: usize| match p.iter().rposition(|c| c.0 < at) {
        None => 0,
        Some(i) if i < left => o[i].0 + o[i].1.len_utf8(),
        Some(i) if i >= p.len() - right => {
            let c = o[i + o.len() - p.len()];
            c.0 + c.1.len_utf8()
        }
        Some(_) => middle.end,
    };
    let start = start_of(from);
    let end = if to > from { end_of(to) } else { start };
    (start.min(original.len()), end.clamp(start.min(original.len()), original.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_move_file_and_line() {
        let text = "int a;\n# 10 \"b.h\" 1 3\nint b;\nint c;\n# 3 \"a.cyc\" 2\nint d;\n";
        let map = SourceMap::new("a.cyc", text.into());
        let at = |needle: &str| {
            let lo = map.text().find(needle).unwrap() as u32;
            let (file, line) = map.file_line(lo);
            (map.files[file].name.clone(), line, map.in_system_header(Span::new(lo, lo + 1)))
        };
        assert_eq!(at("a;"), ("a.cyc".into(), 1, false));
        assert_eq!(at("b;"), ("b.h".into(), 10, true));
        assert_eq!(at("c;"), ("b.h".into(), 11, true));
        assert_eq!(at("d;"), ("a.cyc".into(), 3, false));
    }

    #[test]
    fn columns_survive_comments_and_folded_space() {
        assert_eq!(align("int x = y;", "int   x = /* why */ y; // so", 8, 9), (20, 21));
    }

    #[test]
    fn a_macro_expansion_maps_to_the_macro() {
        let (start, end) = align("int x = (1 + 2) ;", "int x = THREE ;", 9, 10);
        assert_eq!(&"int x = THREE ;"[start..end], "THREE");
    }
}

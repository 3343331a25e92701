//! Diagnostics on the terminal in rustc's look, or as JSON lines for editors.

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use clap::ValueEnum;
use cyc_base::{Diagnostic, Label, Severity, SourceMap};
use cyc_driver::{Problem, Report};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
}

/// Longer lines are shown as a window around the place that matters.
const LONGEST_LINE: usize = 200;

pub struct Terminal {
    format: Format,
    renderer: Renderer,
    /// Where messages go; None: to standard error.
    kept: Option<Mutex<String>>,
    progress: bool,
    errors: AtomicUsize,
    warnings: AtomicUsize,
    omitted: AtomicUsize,
}

impl Terminal {
    pub fn new(format: Format) -> Terminal {
        Terminal::of(format, std::io::stderr().is_terminal(), None)
    }

    /// Keeps what it would print to something that is no terminal.
    pub fn keeping(format: Format) -> Terminal {
        Terminal::of(format, false, Some(Mutex::default()))
    }

    /// What a terminal that keeps its messages was told to print.
    pub fn into_kept(self) -> String {
        self.kept.map(|text| text.into_inner().unwrap_or_else(|p| p.into_inner())).unwrap_or_default()
    }

    fn of(format: Format, terminal: bool, kept: Option<Mutex<String>>) -> Terminal {
        let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        // Long lines are already cut; the renderer's own cutting would not know about that.
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() }.term_width(4 * LONGEST_LINE);
        Terminal {
            format,
            renderer,
            kept,
            progress: terminal && format == Format::Human,
            errors: AtomicUsize::new(0),
            warnings: AtomicUsize::new(0),
            omitted: AtomicUsize::new(0),
        }
    }

    pub fn plain() -> Terminal {
        Terminal::new(Format::Human)
    }

    /// The closing line: how many errors and warnings there were.
    pub fn summary(&self) {
        let errors = self.errors.load(Ordering::Relaxed);
        let warnings = self.warnings.load(Ordering::Relaxed);
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let omitted = match self.omitted.load(Ordering::Relaxed) {
            0 => String::new(),
            n => format!(" shown, {n} more omitted"),
        };
        let text = match (errors, warnings) {
            (0, 0) => return,
            (0, w) => count(w, "warning"),
            (e, 0) => count(e, "error"),
            (e, w) => format!("{}, {}", count(e, "error"), count(w, "warning")),
        };
        if self.format == Format::Human {
            self.print(&format!("{text}{omitted}\n"));
        }
    }

    /// Whole messages at once, so that units compiled side by side do not mix.
    fn print(&self, text: &str) {
        match &self.kept {
            None => drop(std::io::stderr().lock().write_all(text.as_bytes())),
            Some(kept) => kept.lock().unwrap_or_else(|p| p.into_inner()).push_str(text),
        }
    }

    fn render(&self, source: &SourceMap, diagnostic: &Diagnostic) -> String {
        let (snippets, columns) = snippets(source, &diagnostic.labels);
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut main = level.primary_title(clean(&diagnostic.message)).id(diagnostic.code.0).elements(snippets);
        for note in &diagnostic.notes {
            main = main.element(Level::NOTE.message(clean(note)));
        }
        for help in &diagnostic.help {
            main = main.element(Level::HELP.message(clean(help)));
        }
        let mut groups = vec![main];
        groups.extend(diagnostic.edits.iter().filter_map(|edit| patch(source, edit)));
        let text = self.renderer.render(&groups) + "\n\n";
        // The renderer counts in what is shown of a long line.
        columns.iter().fold(text, |text, (counted, column)| {
            // The place ends with its line, or with its colour.
            let replaced = |text: String, end| text.replacen(&format!("{counted}{end}"), &format!("{column}{end}"), 1);
            replaced(replaced(text, '\n'), '\u{1b}')
        })
    }
}

/// Control characters would break the layout.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// A label's place in the original file.
struct Shown<'a> {
    file: usize,
    line: u32,
    text: &'a str,
    columns: std::ops::Range<usize>,
    label: &'a Label,
}

fn shown<'a>(source: &'a SourceMap, label: &'a Label) -> Shown<'a> {
    let place = source.locate(label.span);
    let original = source.original_line(place.file, place.line);
    let text = original.unwrap_or_else(|| source.preprocessed_line(label.span.lo.min(source.text().len() as u32)).0);
    let columns = place.start as usize..place.end as usize;
    Shown { file: place.file, line: place.line.max(1), text, columns, label }
}

/// The part of a line that is shown.
struct Window {
    text: String,
    /// The stretch of the line, and where it begins in `text`.
    stretch: std::ops::Range<usize>,
    shift: usize,
}

/// All of a line of modest length; of a longer one, what lies around the byte `anchor`.
fn window(line: &str, anchor: usize) -> Window {
    let floor = |at: usize| (0..=at.min(line.len())).rev().find(|i| line.is_char_boundary(*i)).unwrap_or(0);
    let stretch = match line.len() {
        0..=LONGEST_LINE => 0..line.len(),
        _ => floor(anchor.saturating_sub(LONGEST_LINE / 4))..floor(anchor + LONGEST_LINE / 2),
    };
    let left = if stretch.start > 0 { "... " } else { "" };
    let right = if stretch.end < line.len() { " ..." } else { "" };
    // Byte for byte, so that columns stay right.
    let harmless = |c: char| if c.is_ascii_control() && c != '\t' { ' ' } else { c };
    let kept: String = line[stretch.clone()].chars().map(harmless).collect();
    Window { text: format!("{left}{kept}{right}"), stretch, shift: left.len() }
}

impl Window {
    /// Columns of the line as columns of the text; what lies outside is moved to the edge.
    fn columns(&self, columns: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let inside = |at: usize| {
            let at = at.clamp(self.stretch.start, self.stretch.end) - self.stretch.start + self.shift;
            (0..=at).rev().find(|i| self.text.is_char_boundary(*i)).unwrap_or(0)
        };
        inside(columns.start)..inside(columns.end)
    }
}

type Parts<'a> = Vec<Snippet<'a, annotate_snippets::Annotation<'a>>>;

/// One snippet for labels that lie close together in a file, the primary label's file first; with them, for lines that are not
/// shown as a whole, places by the columns that are shown and by those of the file.
fn snippets<'a>(source: &'a SourceMap, labels: &'a [Label]) -> (Parts<'a>, Vec<(String, String)>) {
    let mut places: Vec<Shown> = labels.iter().map(|l| shown(source, l)).collect();
    let Some(primary) = places.first().map(|p| p.file) else { return (vec![], vec![]) };
    // On one line the primary label comes first: it is what a window must show.
    places.sort_by_key(|p| (p.file != primary, p.file, p.line, !p.label.primary));
    let mut out = vec![];
    let mut cut = vec![];
    let mut rest = places.into_iter().peekable();
    while let Some(first) = rest.next() {
        let (file, start) = (first.file, first.line);
        let mut group = vec![first];
        while let Some(near) = rest.next_if(|p| p.file == file && p.line - group[group.len() - 1].line <= 8) {
            group.push(near);
        }
        let mut text = String::new();
        let mut annotations = vec![];
        for line in start..=group[group.len() - 1].line {
            let mut here = group.iter().filter(|p| p.line == line).peekable();
            let shown = match here.peek() {
                Some(first) => window(first.text, first.columns.start),
                None => window(source.original_line(file, line).unwrap_or(""), 0),
            };
            for place in here {
                let columns = shown.columns(&place.columns);
                if shown.stretch.len() < place.text.len() {
                    let name = &source.files[file].name;
                    let before = |text: &str, byte| text.get(..byte).map_or(byte, |before| before.chars().count());
                    let at = |text: &str, byte| format!("{name}:{line}:{}", before(text, byte) + 1);
                    cut.push((at(&shown.text, columns.start), at(place.text, place.columns.start)));
                }
                let kind = if place.label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                let label = (!place.label.text.is_empty()).then(|| clean(&place.label.text));
                annotations.push(kind.span(text.len() + columns.start..text.len() + columns.end).label(label));
            }
            text.push_str(&shown.text);
            text.push('\n');
        }
        let name = source.files[file].name.clone();
        out.push(Snippet::source(text).line_start(start as usize).path(name).annotations(annotations));
    }
    (out, cut)
}

/// An edit shown as rustc shows suggestions.
fn patch<'a>(source: &SourceMap, edit: &'a cyc_base::Edit) -> Option<Group<'a>> {
    let place = source.locate(edit.span);
    let text = source.original_line(place.file, place.line)?.to_owned();
    let span = place.start as usize..place.end as usize;
    if text.len() > LONGEST_LINE || !text.is_char_boundary(span.start) || !text.is_char_boundary(span.end) {
        return None;
    }
    let snippet = Snippet::source(text).line_start(place.line as usize).path(source.files[place.file].name.clone());
    Some(Level::HELP.secondary_title(clean(&edit.what)).element(snippet.patch(Patch::new(span, edit.text.as_str()))))
}

fn span_json(source: &SourceMap, label: &Label) -> serde_json::Value {
    let place = source.locate(label.span);
    json!({
        "file": source.files[place.file].name,
        "line": place.line,
        "column": place.start + 1,
        "end_column": place.end + 1,
        "primary": label.primary,
        "label": label.text,
    })
}

impl Report for Terminal {
    fn diagnostics(&self, source: &SourceMap, list: &[Diagnostic], omitted: usize) {
        self.omitted.fetch_add(omitted, Ordering::Relaxed);
        let mut text = String::new();
        for diagnostic in list {
            let counter = if diagnostic.is_error() { &self.errors } else { &self.warnings };
            counter.fetch_add(1, Ordering::Relaxed);
            let rendered = self.render(source, diagnostic);
            match self.format {
                Format::Human => text.push_str(&rendered),
                Format::Json => {
                    let spans: Vec<_> = diagnostic.labels.iter().map(|l| span_json(source, l)).collect();
                    let edits: Vec<_> = diagnostic
                        .edits
                        .iter()
                        .map(|e| {
                            let at = span_json(source, &Label { span: e.span, text: String::new(), primary: true });
                            json!({"span": at, "text": e.text, "what": e.what})
                        })
                        .collect();
                    let message = json!({
                        "code": diagnostic.code.0,
                        "level": if diagnostic.is_error() { "error" } else { "warning" },
                        "message": diagnostic.message,
                        "spans": spans,
                        "notes": diagnostic.notes,
                        "help": diagnostic.help,
                        "edits": edits,
                        "rendered": rendered,
                    });
                    text.push_str(&format!("{message}\n"));
                }
            }
        }
        self.print(&text);
    }

    fn problem(&self, problem: &Problem) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        let mut group = Group::with_title(Level::ERROR.primary_title(clean(&problem.message)).id(problem.code));
        for note in &problem.notes {
            group = group.element(Level::NOTE.message(clean(note)));
        }
        if let Some(help) = &problem.help {
            group = group.element(Level::HELP.message(clean(help)));
        }
        let rendered = self.renderer.render(&[group]) + "\n\n";
        match self.format {
            Format::Human => self.print(&rendered),
            Format::Json => self.print(&format!(
                "{}\n",
                json!({
                    "code": problem.code, "level": "error", "message": problem.message, "spans": [],
                    "notes": problem.notes, "help": problem.help, "edits": [], "rendered": rendered,
                })
            )),
        }
    }

    fn progress(&self, what: &str) {
        if self.progress {
            self.print(&format!("{what} …\n"));
        }
    }
}

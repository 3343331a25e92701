//! Diagnostics on the terminal in rustc's look, or as JSON lines for editors.

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use clap::ValueEnum;
use cyc_base::{Diagnostic, Label, Severity, SourceMap};
use cyc_driver::{Problem, Report};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
}

/// Longer lines are shown as a window around the place that matters.
const LONGEST_LINE: usize = 400;

pub struct Terminal {
    format: Format,
    renderer: Renderer,
    progress: bool,
    errors: AtomicUsize,
    warnings: AtomicUsize,
}

impl Terminal {
    pub fn new(format: Format) -> Terminal {
        let terminal = std::io::stderr().is_terminal();
        let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        Terminal {
            format,
            renderer,
            progress: terminal && format == Format::Human,
            errors: AtomicUsize::new(0),
            warnings: AtomicUsize::new(0),
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
        let text = match (errors, warnings) {
            (0, 0) => return,
            (0, w) => count(w, "warning"),
            (e, 0) => count(e, "error"),
            (e, w) => format!("{}, {}", count(e, "error"), count(w, "warning")),
        };
        if self.format == Format::Human {
            self.print(&format!("{text}\n"));
        }
    }

    /// Whole messages at once, so that units compiled side by side do not mix.
    fn print(&self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    fn render(&self, source: &SourceMap, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut main = level
            .primary_title(clean(&diagnostic.message))
            .id(diagnostic.code.0)
            .elements(snippets(source, &diagnostic.labels));
        for note in &diagnostic.notes {
            main = main.element(Level::NOTE.message(clean(note)));
        }
        for help in &diagnostic.help {
            main = main.element(Level::HELP.message(clean(help)));
        }
        let mut groups = vec![main];
        groups.extend(diagnostic.edits.iter().filter_map(|edit| patch(source, edit)));
        self.renderer.render(&groups) + "\n\n"
    }
}

/// Control characters would break the layout.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// A label's place in the original file: line text, line number, columns within that text.
struct Shown<'a> {
    file: usize,
    line: u32,
    text: String,
    columns: std::ops::Range<usize>,
    label: &'a Label,
}

fn shown<'a>(source: &SourceMap, label: &'a Label) -> Shown<'a> {
    let place = source.locate(label.span);
    let original = source.original_line(place.file, place.line);
    let text = original.unwrap_or_else(|| source.preprocessed_line(label.span.lo.min(source.text().len() as u32)).0);
    let (text, columns) = window(text, place.start as usize, place.end as usize);
    Shown { file: place.file, line: place.line.max(1), text, columns, label }
}

/// The part of a line around `start..end`, with tabs and control characters made harmless.
fn window(line: &str, start: usize, end: usize) -> (String, std::ops::Range<usize>) {
    let floor = |at: usize| (0..=at.min(line.len())).rev().find(|i| line.is_char_boundary(*i)).unwrap_or(0);
    let (start, end) = (floor(start), floor(end.max(start)));
    let (from, to) = if line.len() <= LONGEST_LINE {
        (0, line.len())
    } else {
        (floor(start.saturating_sub(LONGEST_LINE / 4)), floor((start + LONGEST_LINE / 2).min(line.len())))
    };
    let keep = |part: &str| part.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect::<String>();
    let left = if from > 0 { "…" } else { "" };
    let right = if to < line.len() { "…" } else { "" };
    let text = format!("{left}{}{right}", keep(&line[from..to]));
    let shift = |at: usize| at.min(to) - from + left.len();
    let columns = shift(start)..shift(end);
    (text, columns)
}

/// One snippet for labels that lie close together in a file, in the order of the primary label first.
fn snippets<'a>(source: &SourceMap, labels: &'a [Label]) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let mut places: Vec<Shown> = labels.iter().map(|l| shown(source, l)).collect();
    let Some(primary) = places.first().map(|p| (p.file, p.line)) else { return vec![] };
    places.sort_by_key(|p| (p.file != primary.0, p.file, p.line));
    let mut out = vec![];
    let mut rest = places.into_iter().peekable();
    while let Some(first) = rest.next() {
        let (file, start) = (first.file, first.line);
        let mut group = vec![first];
        while let Some(near) = rest.next_if(|p| p.file == file && p.line - group[group.len() - 1].line <= 8) {
            group.push(near);
        }
        let mut text = String::new();
        let mut annotations = vec![];
        let last = group[group.len() - 1].line;
        for line in start..=last {
            let here: Vec<&Shown> = group.iter().filter(|p| p.line == line).collect();
            let base = text.len();
            match here.first() {
                Some(shown) => text.push_str(&shown.text),
                None => text.push_str(&window(source.original_line(file, line).unwrap_or(""), 0, 0).0),
            }
            for shown in here {
                let kind = if shown.label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                let limit = text.len();
                let columns = (base + shown.columns.start).min(limit)..(base + shown.columns.end).min(limit);
                let label = (!shown.label.text.is_empty()).then(|| clean(&shown.label.text));
                annotations.push(kind.span(columns).label(label));
            }
            text.push('\n');
        }
        let name = source.files[file].name.clone();
        out.push(Snippet::source(text).line_start(start as usize).path(name).annotations(annotations));
    }
    out
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
    fn diagnostics(&self, source: &SourceMap, list: &[Diagnostic]) {
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

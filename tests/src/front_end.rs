//! What the front end must do with any text: not crash, keep its spans inside their files, and either say what is wrong
//! or compile.

use crate::tools::thread_seconds;
use cyc_base::{Diagnostic, SourceMap, Span};
use cyc_driver::options::{Goal, Options};
use cyc_driver::pipeline::{Compiled, compile};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Seconds of processor time. No single case may take longer: something would be worse than linear.
const PATIENCE: f64 = 20.0;

/// What became of a case that went well.
pub enum Fate {
    /// What is wrong first.
    Rejected(String),
    /// Accepted: the C that was made of it.
    Compiled(String),
}

/// Runs the front end over one text.
///
/// # Errors
/// What it did that it must never do.
pub fn judge(text: String) -> Result<Fate, String> {
    let start = thread_seconds();
    let options = Options { verify: true, ..Options::default() };
    let result = catch_unwind(AssertUnwindSafe(|| compile("case.cyc", text, &options, Goal::C)));
    let compiled = result.map_err(|panic| format!("panicked: {}", panic_text(panic.as_ref())))?;
    let took = thread_seconds() - start;
    if took > PATIENCE {
        return Err(format!("took {took:.1} s"));
    }
    catch_unwind(AssertUnwindSafe(|| judge_compiled(compiled)))
        .unwrap_or_else(|panic| Err(format!("looking at the diagnostics panicked: {}", panic_text(panic.as_ref()))))
}

fn judge_compiled(compiled: Compiled) -> Result<Fate, String> {
    for diagnostic in compiled.diagnostics.iter() {
        judge_diagnostic(diagnostic, &compiled.source)?;
    }
    if let Some(found) = &compiled.bug {
        return Err(format!("the verifier refuses it: {found}"));
    }
    match (&compiled.c, compiled.diagnostics.has_errors()) {
        (Some(_), false) => Ok(Fate::Compiled(compiled.c.unwrap_or_default())),
        (None, true) => Ok(Fate::Rejected(first_error(&compiled))),
        (Some(_), true) => Err("C was made of a program with errors".into()),
        (None, false) => Err("neither an error nor C".into()),
    }
}

/// Its code, message and line.
fn first_error(compiled: &Compiled) -> String {
    let Some(error) = compiled.diagnostics.iter().find(|d| d.is_error()) else { return String::new() };
    let place = error.labels.first().map_or(String::new(), |label| {
        let text = compiled.source.text();
        let start = text[..label.span.lo as usize].rfind('\n').map_or(0, |at| at + 1);
        text[start..].lines().next().unwrap_or_default().to_string()
    });
    format!("{}: {} in `{place}`", error.code.0, error.message)
}

fn judge_diagnostic(diagnostic: &Diagnostic, source: &SourceMap) -> Result<(), String> {
    let code = diagnostic.code.0;
    let spans = diagnostic.labels.iter().map(|l| l.span).chain(diagnostic.edits.iter().map(|e| e.span));
    for span in spans {
        judge_span(span, source).map_err(|why| format!("{code}, {:?}: {why}", diagnostic.message))?;
    }
    if diagnostic.message.is_empty() || diagnostic.labels.is_empty() {
        return Err(format!("{code} says nothing, or nowhere"));
    }
    Ok(())
}

fn judge_span(span: Span, source: &SourceMap) -> Result<(), String> {
    let text = source.text();
    let (lo, hi) = (span.lo as usize, span.hi as usize);
    if lo > hi || hi > text.len() {
        return Err(format!("span {span:?} in a text of {} bytes", text.len()));
    }
    if !text.is_char_boundary(lo) || !text.is_char_boundary(hi) {
        return Err(format!("span {span:?} cuts a character"));
    }
    let place = source.locate(span);
    if place.file >= source.files.len() || place.end < place.start {
        return Err(format!("span {span:?} is located at {place:?}"));
    }
    Ok(())
}

/// What a panic says.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| s.to_string()).or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "(no text)".into())
}

//! Preprocessing by the user's own `cc -E`, so that their headers and macros are found.

use crate::c_text;
use crate::cc::{CCompiler, stderr_text};
use crate::options::Options;
use crate::problem::Problem;
use crate::report::Report;
use crate::runtime::Home;
use cyc_base::{Diagnostic, SourceMap, Span};
use std::path::{Path, PathBuf};

/// Why there is no preprocessed text.
pub enum Failure {
    Environment(Problem),
    /// The program is at fault; it has been reported.
    Rejected,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure::Environment(problem)
    }
}

/// The preprocessed text of a source file.
pub fn preprocess(
    home: &Home,
    cc: &CCompiler,
    options: &Options,
    file: &Path,
    extra: &[String],
    report: &dyn Report,
) -> Result<String, Failure> {
    let original = std::fs::read(file).map_err(|e| Problem::cannot_read(file, &e))?;
    check_bytes(file, &original, report)?;
    let name = file.to_string_lossy().into_owned();
    let marked = std::str::from_utf8(&original).ok().and_then(|text| c_text::mark(text, &name));
    let arguments = |extra: &[String], input: String| {
        let mut args: Vec<String> = ["-E", "-x", "c", "-D__CYCLONE__=1"].map(String::from).into();
        // Not C's __OPTIMIZE__, for which its headers define functions.
        args.extend(options.takes_bodies_from_headers().then(|| "-D__CYCLONE_OPTIMIZE__=1".to_string()));
        args.extend(options.cpp_flags.iter().cloned());
        args.extend(options.codegen_flags().cloned());
        args.extend(extra.iter().cloned());
        args.extend(["-isystem".into(), home.library_headers().to_string_lossy().into_owned()]);
        args.push(input);
        args
    };
    let output = match &marked {
        None => cc.run(arguments(extra, name))?,
        Some(marked) => {
            if !extra.is_empty() {
                // Dependencies, in which the file has its own name.
                cc.run(arguments(extra, name))?;
            }
            let (_folder, copy) = marked_copy(marked, file)?;
            let beside = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let beside = ["-iquote".into(), beside.to_string_lossy().into_owned()];
            cc.run(arguments(&beside, copy.to_string_lossy().into_owned()))?
        }
    };
    let said = stderr_text(&output);
    if !output.status.success() {
        return Err(rejected(file, &said, report));
    }
    if output.stdout.len() > i32::MAX as usize {
        return Err(Problem::too_large(file).into());
    }
    check_bytes(file, &output.stdout, report)?;
    String::from_utf8(output.stdout).map_err(|_| Failure::Rejected)
}

/// A file that holds `text`, alone in its folder so that nothing beside it is found by `#include "…"`.
fn marked_copy(text: &str, file: &Path) -> Result<(tempfile::TempDir, PathBuf), Problem> {
    let folder = tempfile::Builder::new().prefix("cyc-").tempdir();
    let folder = folder.map_err(|e| Problem::cannot_write(&std::env::temp_dir(), &e))?;
    let copy = folder.path().join(file.file_name().unwrap_or_default());
    std::fs::write(&copy, text).map_err(|e| Problem::cannot_write(&copy, &e))?;
    Ok((folder, copy))
}

/// Source text is UTF-8 without NUL.
fn check_bytes(file: &Path, bytes: &[u8], report: &dyn Report) -> Result<(), Failure> {
    let bad = match std::str::from_utf8(bytes) {
        Err(e) => Some((e.valid_up_to(), "is not UTF-8 text")),
        Ok(_) => bytes.iter().position(|b| *b == 0).map(|at| (at, "contains a NUL character")),
    };
    let Some((at, what)) = bad else { return Ok(()) };
    // The good text up to the bad byte, and one character to stand for it.
    let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let mut text = String::from_utf8_lossy(&bytes[..at]).into_owned();
    let lo = text.len() as u32;
    text.push('\u{fffd}');
    let diagnostic = Diagnostic::error("E0089", Span::new(lo, text.len() as u32), format!("the source {what}"))
        .here(format!("byte 0x{:02x} at column {}", bytes[at], at - start + 1))
        .help("write such bytes in strings as escapes: `\\0`, `\\xff`");
    report_in(file, text, vec![diagnostic], report);
    Err(Failure::Rejected)
}

/// Reports against a file as it stands, without preprocessing.
fn report_in(file: &Path, text: String, diagnostics: Vec<Diagnostic>, report: &dyn Report) {
    let name = file.to_string_lossy();
    let mut map = SourceMap::new(&name, text.clone());
    map.set_file_text(0, text);
    report.diagnostics(&map, &diagnostics, 0);
}

/// Turns `file:line:column: error: message` lines of the preprocessor into diagnostics of our own.
fn rejected(file: &Path, said: &str, report: &dyn Report) -> Failure {
    let mut found = false;
    for line in said.lines() {
        let Some((place, message)) = line.split_once("error: ") else { continue };
        let mut parts = place.trim_end().trim_end_matches("fatal").trim_end().trim_end_matches(':').rsplitn(3, ':');
        let (column, row) = (parts.next(), parts.next());
        let (Some(Ok(column)), Some(Ok(row)), Some(name)) =
            (column.map(str::parse::<usize>), row.map(str::parse::<usize>), parts.next())
        else {
            continue;
        };
        let Ok(text) = std::fs::read_to_string(name) else { continue };
        let start: usize = text.split_inclusive('\n').take(row.saturating_sub(1)).map(str::len).sum();
        let rest = text[start..].lines().next().unwrap_or("");
        let at = (column.saturating_sub(1)).min(rest.len());
        let at = (0..=at).rev().find(|i| rest.is_char_boundary(*i)).unwrap_or(0);
        let span = Span::new((start + at) as u32, (start + rest.len()) as u32);
        let diagnostic = Diagnostic::error("E0088", span, format!("preprocessing failed: {message}"));
        report_in(Path::new(name), text, vec![diagnostic], report);
        found = true;
    }
    if found { Failure::Rejected } else { Problem::preprocessor_failed(file, said).into() }
}

//! What the tests share: sample programs and how to read them without a preprocessor.
#![allow(dead_code)]

pub mod twins;

use cyc_base::Diagnostics;
use cyc_syntax::{Mode, Options, ast, parse};
use std::path::{Path, PathBuf};

/// Typedefs that headers would supply, on one line.
pub const PRELUDE: &str = "typedef unsigned long size_t; typedef long ssize_t; typedef _Bool bool; \
    typedef struct File FILE; typedef const char ?string_t; typedef long time_t; typedef unsigned char uint8_t; \
    typedef unsigned uint32_t; typedef unsigned long uint64_t; \
    namespace Core { typedef int uregion_key_t<`r,`q>; typedef int region_key_t<`r,`q>; \
    typedef int rcregion_key_t<`r>; } \
    namespace Thread { typedef int thread_t<`b>; typedef int channel_t<`a>; typedef int atomic_t; } \
    typedef _::E next_rgn<`r::E>; typedef struct DrSeq<`r> *`r drseq_t<`r::E>; ";

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The programs in a directory, by path; none if it does not exist.
pub fn programs(directory: &Path) -> Vec<(PathBuf, String)> {
    let Ok(entries) = std::fs::read_dir(directory) else { return vec![] };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cyc"));
    paths.sort();
    paths.into_iter().filter_map(|p| std::fs::read_to_string(&p).ok().map(|text| (p, text))).collect()
}

/// The program without its directives, behind the prelude; macros of `core.h` are expanded.
pub fn unpreprocessed(text: &str) -> String {
    let lines = text.lines().map(|l| if l.starts_with('#') { "" } else { l });
    let body = lines.collect::<Vec<_>>().join("\n");
    let words = [("unew ", "qnew(unique_qual) "), ("unew{", "qnew(unique_qual) {"), ("rcnew ", "qnew(refcnt_qual) ")];
    let body = words.iter().fold(body, |body, (from, to)| body.replace(from, to));
    format!("{PRELUDE}\n{body}\n")
}

pub fn cyclone(text: &str) -> (ast::Unit, Diagnostics) {
    parse(text, &Options::default())
}

pub fn c(text: &str) -> (ast::Unit, Diagnostics) {
    parse(text, &Options { mode: Mode::C })
}

/// The errors (not warnings) as text, for assertions.
pub fn errors(text: &str, diags: &Diagnostics) -> Vec<String> {
    let line = |lo: u32| text[..lo as usize].matches('\n').count() + 1;
    let errors = diags.iter().filter(|d| d.is_error());
    errors.map(|d| format!("{}: {} {}", line(d.span().lo), d.code.0, d.message)).collect()
}

/// The tree as text without spans, so that trees of different layouts compare equal.
pub fn shape(unit: &ast::Unit) -> String {
    let debug = format!("{unit:?}");
    let mut out = String::with_capacity(debug.len());
    let mut rest = debug.as_str();
    while let Some(at) = rest.find("..") {
        let left = rest[..at].trim_end_matches(|c: char| c.is_ascii_digit());
        let right = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit());
        let is_span = left.len() < at && right.len() < rest.len() - at - 2;
        out.push_str(if is_span { left } else { &rest[..at] });
        out.push_str(if is_span { "@" } else { ".." });
        rest = if is_span { right } else { &rest[at + 2..] };
    }
    out + rest
}

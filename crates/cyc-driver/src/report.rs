//! How the driver tells the user something; the command renders it.

use crate::problem::Problem;
use cyc_base::{Diagnostic, SourceMap};

pub trait Report: Sync {
    /// Diagnostics of one unit, in source order, and how many more there were. Original texts are
    /// loaded into the map.
    fn diagnostics(&self, source: &SourceMap, list: &[Diagnostic], omitted: usize);
    fn problem(&self, problem: &Problem);
    /// A step of long work begins.
    fn progress(&self, what: &str);
}

/// Loads the original text of the files that the diagnostics point into, for display.
pub fn load_originals(source: &mut SourceMap, list: &[Diagnostic]) {
    for span in list.iter().flat_map(|d| d.labels.iter().map(|l| l.span).chain(d.edits.iter().map(|e| e.span))) {
        let (file, _) = source.file_line(span.lo);
        if source.files[file].text.is_none()
            && let Ok(text) = std::fs::read_to_string(&source.files[file].name)
        {
            source.set_file_text(file, text);
        }
    }
}

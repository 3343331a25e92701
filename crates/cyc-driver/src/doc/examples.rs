//! The examples of a header as one program, in which a failure tells the line of the header.

use super::Source;
use super::scan::Page;
use crate::compile::{Session, Verdict};
use crate::problem::Problem;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What became of the examples of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub header: String,
    pub examples: usize,
    /// Why they failed, and what they printed.
    pub failure: Option<String>,
}

fn program(page: &Page, source: &Source) -> (String, usize) {
    let path = source.path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::from("#include <core.h>\n#include <stdio.h>\n#include <string.h>\n");
    text.push_str(&if source.system {
        format!("#include <{}>\n", source.name)
    } else {
        format!("#include \"{path}\"\n")
    });
    if let Some(prelude) = &page.prelude {
        text.push_str(&format!("# {} \"{path}\"\n{}\n", prelude.line, prelude.code));
    }
    let mut calls = String::new();
    let examples: Vec<_> = page.groups.iter().filter_map(|group| group.example.as_ref()).collect();
    for example in &examples {
        let name = format!("example_{}", example.line);
        text.push_str(&format!("static void {name}(void) {{\n# {} \"{path}\"\n{}\n}}\n", example.line, example.code));
        calls.push_str(&format!("  {name}();\n"));
    }
    text.push_str(&format!("int main() {{\n{calls}  return 0;\n}}\n"));
    (text, examples.len())
}

/// Builds and runs the examples of a header, together with `others`, the sources behind it; None without examples.
///
/// # Errors
/// The program does not compile, which has been reported, or cannot be made.
pub fn run(session: &Session, page: &Page, source: &Source, others: &[PathBuf]) -> Result<Option<Outcome>, Verdict> {
    let failed = |problem: Problem| {
        session.report.problem(&problem);
        Verdict::Environment
    };
    let (text, examples) = program(page, source);
    if examples == 0 {
        return Ok(None);
    }
    let folder = tempfile::Builder::new().prefix("cyc-doc-").tempdir();
    let folder = folder.map_err(|e| failed(Problem::cannot_write(&std::env::temp_dir(), &e)))?;
    let file = folder.path().join("examples.cyc");
    std::fs::write(&file, text).map_err(|e| failed(Problem::cannot_write(&file, &e)))?;
    let program = folder.path().join("examples");
    let files: Vec<PathBuf> = std::iter::once(file).chain(others.iter().cloned()).collect();
    match session.build(&files, &program) {
        Verdict::Done => {}
        worse => return Err(worse),
    }
    let failure = start(&program, folder.path()).map_err(failed)?;
    Ok(Some(Outcome { header: page.name.clone(), examples, failure }))
}

fn start(program: &Path, folder: &Path) -> Result<Option<String>, Problem> {
    let output = Command::new(program).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|e| Problem::cannot_run(&program.to_string_lossy(), &e))?;
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Ok((!output.status.success()).then(|| format!("{}\n{}", output.status, said.trim_end())))
}

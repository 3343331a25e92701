//! The programs of the conformance collection and the examples are syntactically right.

mod common;

use common::{cyclone, errors, programs, repository, unpreprocessed};

#[test]
fn conformance_programs_parse() {
    let programs = programs(&repository().join("../shared/conformance"));
    if programs.is_empty() {
        eprintln!("skipped: no conformance programs beside the repository");
    }
    let mut wrong = vec![];
    for (path, text) in &programs {
        let text = unpreprocessed(text);
        wrong.extend(errors(&text, &cyclone(&text).1).into_iter().map(|e| format!("{}: {e}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_parse() {
    let mut programs = programs(&repository().join("examples"));
    assert!(!programs.is_empty(), "the examples are part of the repository");
    // Macros of their own need a preprocessor.
    programs.retain(|(_, text)| !text.contains("#define") && !text.contains("#if"));
    let mut wrong = vec![];
    for (path, text) in &programs {
        let text = unpreprocessed(text);
        wrong.extend(errors(&text, &cyclone(&text).1).into_iter().map(|e| format!("{}: {e}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

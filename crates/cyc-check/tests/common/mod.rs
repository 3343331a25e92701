//! Checking small programs in tests.
#![allow(dead_code)] // each test file uses some of these

use cyc_base::SourceMap;
use cyc_check::tast::TypedUnit;

/// The typed unit of a program and the codes of its diagnostics, in source order.
pub fn check(text: &str) -> (TypedUnit, Vec<String>) {
    let source = SourceMap::new("test.cyc", text.into());
    let (unit, mut diags) = cyc_syntax::parse(source.text(), &cyc_syntax::Options::default());
    let (typed, more) = cyc_check::check(&unit, &source);
    diags.extend(more);
    (typed, diags.into_sorted().into_iter().map(|d| d.code.0.to_string()).collect())
}

#[track_caller]
pub fn accepted(text: &str) -> TypedUnit {
    let (typed, codes) = check(text);
    assert!(codes.is_empty(), "expected no diagnostics, got {codes:?}:\n{text}");
    typed
}

#[track_caller]
pub fn rejected(text: &str, expected: &[&str]) {
    let (_, codes) = check(text);
    assert_eq!(codes, expected, "\n{text}");
}

/// Each is the body of a function that has the parameters of `head`.
#[track_caller]
pub fn bodies(head: &str, good: &[&str], bad: &[(&str, &str)]) {
    for body in good {
        accepted(&format!("{head} {{ {body} }}"));
    }
    for (body, code) in bad {
        rejected(&format!("{head} {{ {body} }}"), &[code]);
    }
}

/// The typed tree of the last function, printed.
#[track_caller]
pub fn typed(text: &str) -> String {
    let unit = accepted(text);
    let all = cyc_check::print(&unit);
    let start = all.trim_end().rfind("\n\n").map_or(0, |i| i + 2);
    all[start..].trim().to_string()
}

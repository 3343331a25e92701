//! What the library's C functions do with their arguments is in a table: their types say the same, and they do no more.

use eyewall_tests::builds::{BUILDS, sanitizer_report};
use eyewall_tests::c_functions::{Function, declared, disagreements, keeping, limits, parse};
use eyewall_tests::tools::Job;
use std::collections::BTreeSet;

fn table() -> Vec<Function> {
    parse(include_str!("../c_functions.txt")).expect("the table is well-formed")
}

#[test]
fn every_c_function_is_in_the_table_and_nothing_else() {
    let declared = declared();
    let table = table();
    let listed: BTreeSet<&str> = table.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(listed.len(), table.len(), "a function is listed twice");
    let known: BTreeSet<&str> = declared.functions.keys().map(String::as_str).collect();
    let missing: Vec<&&str> = known.difference(&listed).collect();
    let stale: Vec<&&str> = listed.difference(&known).collect();
    assert!(missing.is_empty() && stale.is_empty(), "missing: {missing:?}\nnot declared: {stale:?}");
}

#[test]
fn declared_types_agree_with_the_table() {
    let declared = declared();
    let all = table()
        .iter()
        .flat_map(|f| disagreements(f, &declared).into_iter().map(|d| format!("{}: {d}", f.name)))
        .collect::<Vec<_>>();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Exact sizes, one more, positions outside, null, zero and huge sizes, overlapping buffers.
#[test]
fn buffers_are_checked_at_their_limits() {
    let (program, expected) = limits(&table(), &declared());
    let folder = tempfile::tempdir().expect("a scratch directory");
    let source = folder.path().join("limits.cyc");
    std::fs::write(&source, &program).expect("the scratch directory is writable");
    for build in BUILDS.iter().filter(|b| b.name == "gcc -O2" || b.name.ends_with("sanitizers")) {
        let out = folder.path().join("limits");
        build.build(&source, &out, &[]).unwrap_or_else(|said| panic!("{said}\n{program}"));
        for (how, ran) in build.runs(&Job::new(&out).dir(folder.path())) {
            let report = sanitizer_report(&ran);
            assert!(report.is_none(), "{} {how}{}\n{}", build.name, ran.out(), report.unwrap_or_default());
            let seen = (ran.status, ran.out(), ran.err());
            assert_eq!(seen, (0, expected.clone(), String::new()), "{} {how}", build.name);
        }
    }
    assert!(expected.lines().count() > 25, "{expected}");
}

#[test]
fn what_is_kept_lives_as_long_as_the_program() {
    let folder = tempfile::tempdir().expect("a scratch directory");
    let programs = keeping(&table(), &declared());
    for (name, program) in &programs {
        std::fs::write(folder.path().join("kept.cyc"), program).expect("the scratch directory is writable");
        let ran = Job::cyc().args(["check", "kept.cyc"]).dir(folder.path()).env("NO_COLOR", "1").run();
        let codes: Vec<&str> = ran
            .stderr
            .split(|b| *b == b'\n')
            .filter_map(|l| std::str::from_utf8(l).ok()?.strip_prefix("error["))
            .collect();
        let escapes = ["E0302", "E0961"];
        assert!(
            ran.status == 1 && !codes.is_empty() && codes.iter().all(|c| escapes.iter().any(|e| c.starts_with(e))),
            "{name}: status {}\n{}\n{program}",
            ran.status,
            ran.err()
        );
    }
    assert!(programs.len() >= 4, "only {} parameters are kept", programs.len());
}

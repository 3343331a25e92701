//! What README, book and guides say works.

use eyewall_tests::docs::{WHOLE, book, guides, wrong_blocks};
use eyewall_tests::pages::blocks;
use eyewall_tests::tools::{Job, root};
use std::path::PathBuf;

fn do_as_they_say(pages: &[PathBuf]) {
    assert!(!pages.is_empty());
    let wrong: Vec<String> = pages.iter().flat_map(|page| wrong_blocks(page).unwrap()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_and_programs_do_as_the_guides_say() {
    do_as_they_say(&guides());
}

#[test]
fn commands_and_programs_do_as_the_book_says() {
    do_as_they_say(&book());
}

/// The README's two commands: one shows the program at work, the other tests everything, and CI is that one.
#[test]
fn the_readme_has_its_two_commands_and_ci_runs_the_second() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let commands: Vec<String> =
        blocks(&readme).into_iter().filter(|b| b.info == "sh").map(|b| b.text.trim().to_string()).collect();
    assert!(commands.iter().any(|c| c == "cargo run --release -p cyc -- run examples/wordfreq.cyc -- README.md"));
    assert!(commands.iter().any(|c| c == WHOLE), "the README lacks `{WHOLE}`");
    let ci = std::fs::read_to_string(root().join(".ci/run")).unwrap();
    assert!(ci.trim_end().ends_with(WHOLE), ".ci/run has to end with `{WHOLE}`");
}

/// The taste of an error message in the README is what the command prints.
#[test]
fn the_readme_shows_a_real_message() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let all = blocks(&readme);
    let wrong = all.iter().position(|b| b.info == "cyc wrong").expect("the README shows a rejected program");
    let shown = all.get(wrong + 1).expect("and what the command says to it");
    let scratch = tempfile::tempdir().unwrap();
    let name =
        shown.text.split("--> ").nth(1).and_then(|rest| rest.split(':').next()).expect("the message names a file");
    std::fs::write(scratch.path().join(name), &all[wrong].text).unwrap();
    let ran = Job::cyc().args(["check", name]).dir(scratch.path()).env("NO_COLOR", "1").run();
    assert_eq!(ran.err().trim(), shown.text.trim());
}

/// Each line of the page on what C leaves open names tests, and they are there.
#[test]
fn the_page_on_semantics_names_tests_that_exist() {
    let page = std::fs::read_to_string(root().join("docs/semantics.md")).unwrap();
    let lines =
        page.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| C leaves") && !l.starts_with("| attribute |"));
    let suite = std::fs::read_to_string(root().join("tests/suites/command.rs")).unwrap();
    let mut wrong = vec![];
    for line in lines {
        let tests = line.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let names: Vec<&str> =
            tests.split('`').filter(|part| part.starts_with("run/") || part.starts_with("ui/")).collect();
        let of_the_command =
            tests.strip_prefix("`command`: `").map(|name| format!("fn {}()", name.trim_end_matches('`')));
        let known = of_the_command.is_some_and(|test| suite.contains(&test));
        if names.is_empty() && !known {
            wrong.push(format!("no test: {line}"));
        }
        let missing = names.iter().filter(|name| !root().join(format!("tests/{name}.cyc")).exists());
        wrong.extend(missing.map(|name| format!("there is no tests/{name}.cyc")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

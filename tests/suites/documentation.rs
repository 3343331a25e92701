//! `cyc doc`: every function of the library has a description and an example that runs; the pages, in a browser; bad input.

use eyewall_tests::tools::{Job, Ran, crash_text};
use std::path::Path;

fn doc(folder: &Path, args: &[&str]) -> Ran {
    let ran = Job::cyc().arg("doc").args(args).dir(folder).env("NO_COLOR", "1").seconds(900).run();
    assert_eq!(crash_text(&ran.err()), None);
    ran
}

#[test]
fn every_function_of_the_library_has_a_description_and_an_example_that_runs() {
    let scratch = tempfile::tempdir().unwrap();
    let ran = doc(scratch.path(), &["--library", "--test", "--all"]);
    let run: usize = ran
        .out()
        .lines()
        .filter_map(|line| line.split(": ").nth(1)?.strip_suffix(" examples ok")?.parse::<usize>().ok())
        .sum();
    assert_eq!(ran.status, 0, "{}{}", ran.out(), ran.err());
    assert!(run > 300, "only {run} examples");
}

/// What the page is after its scripts have run.
fn dom(page: &Path, query: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    let data = format!("--user-data-dir={}", profile.path().display());
    let url = format!("file://{}{query}", page.display());
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", &data, "--dump-dom", &url];
    eyewall_tests::tools::need("chromium", "chromium").unwrap();
    Job::new("chromium").args(flags).seconds(120).run().out()
}

#[test]
fn the_search_finds_functions_and_pages_explain_them() {
    let scratch = tempfile::tempdir().unwrap();
    let ran = doc(scratch.path(), &["--library", "-o", "site"]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    let site = scratch.path().join("site");
    let found = dom(&site.join("index.html"), "?q=fold_left");
    let results =
        found.split("<ol id=\"results\"").nth(1).and_then(|rest| rest.split("</ol>").next()).unwrap_or_default();
    assert!(results.contains("href=\"list.html#fold_left\">List::fold_left</a>"), "{results}");
    assert!(!results.starts_with(" hidden"), "the results are not shown: {results}");
    let nothing = dom(&site.join("index.html"), "?q=no_such_function");
    assert!(nothing.contains("Nothing of this name."));
    let page = dom(&site.join("list.html"), "");
    assert!(page.contains("<a id=\"fold_left\"></a>"));
    assert!(page.contains("<span class=\"k\">assert</span>(same(rev(list(1, 2)), list(2, 1))"));
    // Types lead to where they are explained, type variables stand out, names of the linker are not shown.
    let dict = dom(&site.join("dict.html"), "");
    assert!(
        dict.contains("<a href=\"list.html#list_t\">list_t</a>&lt;") && dict.contains("<span class=\"v\">`a</span>")
    );
    assert!(!dom(&site.join("stdio.html"), "").contains("cyc_lib_fopen"));
    // Nothing is asked of the network.
    for file in std::fs::read_dir(&site).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!text.contains("src=\"http") && !text.contains("url(http") && !text.contains("fetch("));
    }
}

#[test]
fn a_project_has_pages_and_examples() {
    let scratch = tempfile::tempdir().unwrap();
    assert_eq!(Job::cyc().args(["new", "hello"]).dir(scratch.path()).run().status, 0);
    let project = scratch.path().join("hello");
    let ran = doc(&project.join("src"), &[]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    let page = std::fs::read_to_string(project.join("build/doc/src_greeting.html")).unwrap();
    assert!(page.contains("Greets <code>name</code>, on a line of its own."), "{page}");
    // Without an example that is asked for, with one that runs, with one that does not hold.
    let ran = doc(&project, &["--test", "--all"]);
    assert!(
        ran.status == 1 && ran.out().contains("src/greeting.h: not documented by a line and an example: greet"),
        "{}",
        ran.out()
    );
    let header = project.join("src/greeting.h");
    let text = std::fs::read_to_string(&header).unwrap();
    let with = |code: &str| text.replace("of its own.\n", &format!("of its own.\n//\n//     {code}\n"));
    std::fs::write(&header, with("greet(stdout, \"Ada\");")).unwrap();
    let ran = doc(&project, &["--test", "--all"]);
    assert!(ran.status == 0 && ran.out() == "src/greeting.h: 1 examples ok\n", "{}{}", ran.out(), ran.err());
    std::fs::write(&header, with("assert(1 + 1 == 3);")).unwrap();
    let ran = doc(&project, &["--test"]);
    assert!(ran.status == 1 && ran.out().contains("FAILED") && ran.out().contains("greeting.h:8"), "{}", ran.out());
    std::fs::write(&header, with("greet(stdout);")).unwrap();
    let ran = doc(&project, &["--test"]);
    assert!(ran.status == 1 && ran.err().contains("too few arguments"), "{}", ran.err());
}

#[test]
fn bad_input_gets_clear_errors() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    std::fs::write(folder.join("good.h"), "// Counts.\nint count(int n);\n").unwrap();
    std::fs::write(folder.join("bad.h"), "int f(;\n").unwrap();
    std::fs::write(folder.join("file"), "").unwrap();
    for (args, status, message) in [
        (&["bad.h"][..], 1, "--> bad.h:2:1"),
        (&["missing.h"], 2, "missing.h"),
        (&["good.h", "-o", "file"], 2, "cannot write `"),
        (&["good.h", "-o", "/proc/nowhere"], 2, "/proc/nowhere"),
        (&["x.cyc"], 2, "`cyc doc` needs a header"),
        (&["--library", "good.h"], 2, "cannot be used with"),
        (&["good.h", "--all"], 2, "--test"),
        (&[], 2, "cyc.toml"),
    ] {
        let ran = doc(folder, args);
        assert!(ran.status == status && ran.err().contains(message), "{args:?}: {} {}", ran.status, ran.err());
    }
    assert!(!folder.join("doc").exists(), "nothing is written for a header with errors");
    assert_eq!(doc(folder, &["good.h"]).status, 0);
    assert!(folder.join("doc/good.html").exists());
}

//! What is wrong with a `cyc.toml` is said with its place and what to do, and the status is 2.

use crate::scratch::{Scratch, expect};

/// A file, and words of what is said about it.
const WRONG: &[(&str, &[&str])] = &[
    ("", &["E0083", "cyc.toml:1:1", "the table `project` is missing", "begin the file with `[project]`"]),
    ("[project", &["E0081", "cyc.toml:1:9", "not TOML", "toml.io"]),
    ("[project]\nname = \"a\"\nname = \"b\"\n", &["E0081", "cyc.toml:3:1", "duplicate key"]),
    ("[project]\nname = \"a\0\"\n", &["E0081", "cyc.toml:2:"]),
    ("[project]\n", &["E0083", "the key `name` is missing", "add `name = "]),
    ("[project]\nname = 3\n", &["E0083", "cyc.toml:2:8", "`name` is a string", "integer"]),
    ("[project]\nname = \"../a\"\n", &["E0083", "cyc.toml:2:8", "cannot be the name of a program"]),
    ("project = 1\n", &["E0083", "`project` is a table", "[project]"]),
    (
        "[project]\nname = \"a\"\nverison = \"1\"\n",
        &["E0082", "cyc.toml:3:1", "no key `verison`", "did you mean `version`?"],
    ),
    ("[project]\nname = \"a\"\n[biuld]\n", &["E0082", "cyc.toml:3:2", "did you mean `build`?"]),
    ("[project]\nname = \"a\"\n[build]\nzzz = 1\n", &["E0082", "cyc.toml:4:1", "the keys are `sources`"]),
    ("[project]\nname = \"a\"\n[build]\nlibs = \"m\"\n", &["E0083", "cyc.toml:4:8", "a list of strings"]),
    ("[project]\nname = \"a\"\n[build]\nlibs = [\"m\", 2]\n", &["E0083", "cyc.toml:4:14", "a list of strings"]),
    ("[project]\nname = \"a\"\n[build]\nopt = \"fastest\"\n", &["E0083", "cyc.toml:4:7", "level of optimisation"]),
    ("[project]\nname = \"a\"\n[build]\nflags = [\"Wall\"]\n", &["E0083", "cyc.toml:4:10", "begin with `-`"]),
    ("[project]\nname = \"a\"\n[build]\nflags = [\"-c\"]\n", &["E0083", "cyc.toml:4:10", "chosen by `cyc build`"]),
    ("[project]\nname = \"a\"\n[build]\nflags = [\"-I\"]\n", &["E0083", "cyc.toml:4:10", "needs a value"]),
    (
        "[project]\nname = \"a\"\n[build]\nsources = [\"lib/*.c\"]\n",
        &["E0084", "cyc.toml:4:12", "no file matches `lib/*.c`"],
    ),
    ("[project]\nname = \"a\"\n[build]\npkg-config = [\"no-such-library\"]\n", &["E0086", "no-such-library"]),
    ("[project]\nname = \"a\"\n[program]\nname = \"a\"\n", &["E0083", "a list of tables", "[[program]]"]),
    ("[project]\nname = \"a\"\n[[program]]\nname = \"a\"\n", &["E0083", "the key `main` is missing"]),
    (
        "[project]\nname = \"a\"\n[[program]]\nname = \"p\"\nmain = \"src/no.cyc\"\n",
        &["E0084", "cyc.toml:5:8", "there is no file `src/no.cyc`"],
    ),
    (
        "[project]\nname = \"a\"\n[[program]]\nname = \"p\"\nmain = \"src/main.cyc\"\n[[program]]\nname = \"p\"\nmain = \"src/main.cyc\"\n",
        &["E0083", "cyc.toml:7:8", "two programs have the name `p`"],
    ),
    // A comment is no line marker.
    ("# 7 \"other.h\"\n[project]\nname = 1\n", &["E0083", "cyc.toml:3:8"]),
];

#[test]
fn mistakes_have_a_place_and_a_way_out() {
    let s = Scratch::new(&[("src/main.cyc", "int main() { return 0; }\n")]);
    for (text, words) in WRONG {
        s.write("cyc.toml", text);
        for command in ["build", "run", "test"] {
            let ran = s.cyc(&[command]).run();
            assert!(ran.status == 2, "status {} of `cyc {command}` for {text:?}:\n{}", ran.status, ran.err());
            expect(&ran, 2, words);
        }
    }
    assert!(!s.path().join("build").exists(), "something was made");
}

#[test]
fn several_mistakes_are_shown_at_once() {
    let s = Scratch::new(&[("cyc.toml", "[project]\nnam = \"a\"\n[build]\nopt = 9\nlib = []\n")]);
    expect(&s.cyc(&["build"]).run(), 2, &["`nam`", "`name` is missing", "`lib`"]);
}

#[test]
fn bytes_that_are_not_text() {
    let s = Scratch::new(&[]);
    std::fs::write(s.path().join("cyc.toml"), b"[project]\nname = \"\xff\"\n").unwrap();
    expect(&s.cyc(&["build"]).run(), 2, &["cyc.toml"]);
}

#[test]
fn no_project_and_no_sources() {
    let s = Scratch::new(&[]);
    for command in ["build", "run", "test"] {
        expect(&s.cyc(&[command]).run(), 2, &["E0085", "no `cyc.toml`", "cyc new"]);
    }
    s.write("cyc.toml", "[project]\nname = \"empty\"\n");
    for command in ["build", "run", "test"] {
        expect(&s.cyc(&[command]).run(), 2, &["E0085", "no sources"]);
    }
    // A library without a program: it is built and tested, but cannot be run.
    s.write("src/part.cyc", "int part() { return 1; }\n");
    s.write("tests/part.cyc", "int part();\nint main() { return part() - 1; }\n");
    expect(&s.cyc(&["build"]).run(), 0, &[]);
    assert_eq!(s.cyc(&["test"]).run().out(), "test part ... ok\n\n1 passed, 0 failed\n");
    expect(&s.cyc(&["run"]).run(), 2, &["E0085", "has no program", "src/main.cyc"]);
    for args in [&["build", "-o", "x"] as &[&str], &["build", "-c"], &["build", "--emit=c"], &["build", "-j0"]] {
        expect(&s.cyc(args).run(), 2, &[]);
    }
}

//! `examples/projects/grep` against GNU grep.

use crate::programs::{Program, contents, random_lines};
use eyewall_tests::tools::Job;

/// GNU grep takes our files as text, too.
#[track_caller]
fn agrees(p: &Program, args: &[&str], stdin: &[u8]) {
    p.agrees_with("grep", &[&["-a"], args].concat(), args, stdin);
}

#[test]
fn grep_finds_what_grep_finds() {
    let p = Program::build("grep");
    let files = ["README.md", "LICENSE-APACHE", "Cargo.lock", "/bin/ls"];
    for expression in [
        "the",
        "^#",
        "[Cc]yclone",
        "s$",
        "^$",
        "a.*b.*c",
        r"\(the\|and\) .*x",
        "version = \"[0-9]*\\.",
        "[^ -~]",
        "*",
        "",
    ] {
        agrees(&p, &[&[expression], &files[..]].concat(), b"");
        agrees(&p, &["-n", expression], &contents("README.md"));
        if !expression.is_empty() {
            // Of no line at all, GNU grep does not even print the count.
            agrees(&p, &["-c", "-v", expression, "README.md"], b"");
        }
    }
    for flags in ["-i", "-in", "-l", "-c", "-cv", "-hv"] {
        agrees(&p, &[&[flags, "LICEN[CS]E"], &files[..]].concat(), b"");
    }
    agrees(&p, &["-E", "(http|www)[^ ]+\\.(org|io)/?", "README.md", "LICENSE-APACHE"], b"");
    agrees(&p, &["x", "no/such/file", "README.md"], b"");
    agrees(&p, &["last", "-"], b"first\nlast line without newline");
}

#[test]
fn grep_searches_folders() {
    let p = Program::build("grep");
    let sorted = |out: String| {
        let mut lines: Vec<_> = out.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    let args = ["-r", "-n", "struct [A-Z][a-z]* @", "examples", "lib"];
    let expected = Job::new("grep").arg("-a").args(args).env("LC_ALL", "C").run();
    let got = p.run(&args, b"");
    assert!(expected.out().lines().count() > 50);
    assert_eq!(sorted(got.out()), sorted(expected.out()));
    assert_eq!(p.run(&["x", "examples"], b"").status, 2, "a folder is not searched without -r");
}

/// Expressions made of parts, on text that is made for them.
#[test]
fn grep_agrees_on_random_expressions() {
    let p = Program::build("grep");
    let basic = ["a", "b", ".", "[ab]", "[^a]", "[a-c]", r"\(ab\)", r"\(a*b\)", r"\(a\|b\)", "[[:alpha:]]", r"\w", "x"];
    let extended =
        ["a", "b", ".", "[ab]", "[^a]", "[a-c]", "(ab)", "(a*b)", "(a|b)", "[[:digit:]]", r"\.", "(^a|b$)", "()"];
    let text = random_lines(4, 100, |rng| {
        (0..rng.usize(0..9)).map(|_| char::from(*rng.choice(b"abc. x1").unwrap())).collect()
    });
    let mut rng = fastrand::Rng::with_seed(6);
    for _ in 0..60 {
        let is_extended = rng.bool();
        let (atoms, posts): (&[&str], &[&str]) = match is_extended {
            true => (&extended, &["", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{,1}"]),
            false => (&basic, &["", "", "", "*", r"\+", r"\?", r"\{2\}", r"\{1,\}", r"\{0,2\}"]),
        };
        let mut part = || -> String {
            (0..rng.usize(1..4))
                .map(|_| format!("{}{}", rng.choice(atoms).unwrap(), rng.choice(posts).unwrap()))
                .collect()
        };
        let (first, second) = (part(), part());
        let mut expression = match rng.u8(..4) {
            0 if is_extended => format!("{first}|{second}"),
            0 => format!(r"{first}\|{second}"),
            _ => first,
        };
        if rng.u8(..4) == 0 {
            expression = format!("^{expression}$");
        }
        let flag = rng.choice(["-n", "-i", "-v", "-c"]).unwrap();
        let args = if is_extended { vec!["-E", flag, &expression] } else { vec![flag, &expression] };
        agrees(&p, &args, &text);
    }
}

#[test]
fn wrong_expressions_are_refused() {
    let p = Program::build("grep");
    for wrong in [r"\(a", "[a", "[b-a]", "[[:no:]]", r"a\{2", r"a\{3,2\}", "a\\", r"\(a\)\1", r"a\{99999\}"] {
        let ran = p.run(&[wrong], b"");
        assert_eq!(ran.status, 2, "{wrong}");
        assert!(ran.err().contains("the expression is wrong at character"), "{wrong}: {}", ran.err());
    }
    for wrong in ["(a", "a)", "+", "a{1,2", "((((a{999}){999}){999}){999})", &"(".repeat(5000)] {
        assert_eq!(p.run(&["-E", wrong], b"").status, 2, "{wrong}");
    }
}

/// Expressions and texts that make backtracking exponential, or a table of all sets of states too large.
#[test]
fn time_is_linear_and_memory_is_bounded() {
    let p = Program::build("grep");
    let [plain, _] = p.executables();
    let nested = format!("{}\n", "a".repeat(200_000));
    let mut rng = fastrand::Rng::with_seed(7);
    let bits: String = (0..200_000).map(|_| if rng.bool() { 'a' } else { 'b' }).collect();
    for (expression, text) in [("(a*)*(a*)*(a|a)*$b", &nested), ("(a|b)*a(a|b){16}c", &bits)] {
        let script = format!("ulimit -v 1000000; ulimit -t 20; '{}' -c -E '{expression}'", plain.display());
        let ran = Job::new("sh").args(["-c", &script]).stdin(text.as_bytes()).seconds(60).run();
        assert_eq!((ran.out().as_str(), ran.status), ("0\n", 1), "{}", ran.err());
    }
}

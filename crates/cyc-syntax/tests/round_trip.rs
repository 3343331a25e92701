//! What the printer prints is the same program.

mod common;

use common::twins::TWINS;
use common::{cyclone, errors, programs, repository, shape, unpreprocessed};
use cyc_syntax::{Mode, Options, parse, print};

/// Parses, prints, parses: the trees agree but for spans, and printing again gives the same text.
fn check(name: &str, text: &str, mode: Mode) {
    let options = Options { mode };
    let (first, diags) = parse(text, &options);
    assert!(!diags.has_errors(), "{name}: {:?}", errors(text, &diags));
    let printed = print::unit(&first);
    let (second, diags) = parse(&printed, &options);
    assert!(!diags.has_errors(), "{name}, printed: {:?}\n{printed}", errors(&printed, &diags));
    let (a, b) = (shape(&first), shape(&second));
    if a != b {
        let at = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        let from = at.saturating_sub(200);
        let piece = |s: &str| s.chars().skip(from).take(400).collect::<String>();
        panic!("{name}: trees differ\n{}\n--- printed:\n{}\n--- text:\n{printed}", piece(&a), piece(&b));
    }
    assert_eq!(print::unit(&second), printed, "{name}");
}

#[test]
fn twins() {
    for twin in TWINS {
        check(twin.rule, twin.accepted, Mode::Cyclone);
    }
}

#[test]
fn examples_and_conformance_programs() {
    let repository = repository();
    let mut all = programs(&repository.join("examples"));
    all.extend(programs(&repository.join("../shared/conformance")));
    for (path, text) in all {
        let text = unpreprocessed(&text);
        if !cyclone(&text).1.has_errors() {
            check(&path.display().to_string(), &text, Mode::Cyclone);
        }
    }
}

#[test]
fn expressions_keep_their_shape() {
    for text in [
        "a - (b - c) - d",
        "(a, b), c",
        "a = (b = c)",
        "(a ? b : c) ? d : (e ? f : g)",
        "-(-a) + +(+b)",
        "&(&a)",
        "*(*(a))++",
        "(a + b)[c].d(e, (f, g))",
        "sizeof(a)[b] + sizeof((int)c)",
        "!(a && b || c) && (d || e)",
        "(int)(a + b) * (int)-c",
        "(throw a) ? (new b) : (throw c)",
        "new (a ? b : c)",
        "3 .x",
        "1.5f + 0x10ul + 017 + 'a' + '\\'' + '\"' + '\\0'",
        "\"a\\0b\\377\\\"?\" + L\"\\x12\" L\"3\"",
        "a@<int>(b)<>[3]",
        "(a = b) = c",
        "((a ?: b) ?: c)",
        "S{<int,`r> 1, .b = {2, {}}}",
        "$(1, (2, 3))[0]",
    ] {
        check(text, &format!("void f() {{ x = ({text}); }}"), Mode::Cyclone);
    }
}

#[test]
fn c_code() {
    let text = "int f(int x, ...) { switch (x) while (x--) { case 1 ... 3: x++; default: ; } return __builtin_va_arg(x, int); }\n\
        int r[9] = {[1 ... 3] = 4, [5] = 6}; int new = __real__ x; _Atomic(int) a; _Alignas(16) int b;\n\
        int t = _Generic(1, int: 2, default: 3) + __builtin_offsetof(struct S, a[3].b) + _Alignof(x);\n\
        struct { int a, *b; } c, *d; enum { A = 1, B } e; typedef int (*g)(int), h[3];\n\
        extern int i(int) asm(\"j\") __attribute__((const)), __attribute__((unused)) k;";
    check("C", text, Mode::C);
}

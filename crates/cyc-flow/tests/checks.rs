//! Which checks bounds facts remove, and which they must not.

use cyc_base::SourceMap;

/// Checks left, removed, and tested before their loop, of a program's first function.
fn checks(text: &str) -> (usize, usize, usize) {
    let text = format!("{text}\n");
    let source = SourceMap::new("test.cyc", text.clone());
    let (unit, diagnostics) = cyc_syntax::parse(&text, &cyc_syntax::Options::default());
    assert!(!diagnostics.has_errors(), "{text}");
    let (typed, diagnostics) = cyc_check::check_with(&unit, &source, &cyc_check::Options::default());
    assert!(!diagnostics.has_errors(), "{text}: {:?}", diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>());
    let mut bodies = cyc_mir::lower(&typed);
    let body = &mut bodies[0];
    let mut verify = |stage, body: &cyc_mir::Body| {
        if let Err(failure) = cyc_mir::verify::verify(&typed, body, stage) {
            panic!("{text}:\n{failure}");
        }
    };
    assert!(!cyc_flow::analyse(&typed, body, &mut verify).has_errors(), "{text}");
    cyc_flow::eliminate(&typed, body, &mut verify);
    let found = cyc_flow::checks(&typed, body).expect("the function has checks");
    (found.left.len(), found.removed, found.before_loop)
}

#[track_caller]
fn removed(text: &str) {
    let (left, removed, before) = checks(text);
    assert!(
        left == 0 && removed > 0 && before == 0,
        "{text}: {left} left, {removed} removed, {before} before the loop"
    );
}

#[track_caller]
fn kept(text: &str) {
    let (left, _, before) = checks(text);
    assert!(left == 1 && before == 0, "{text}: {left} left, {before} before the loop");
}

#[test]
fn tests_remove_checks() {
    removed("int f(int ?p, int i) { if (i >= 0 && i < numelts(p)) return p[i]; return 0; }");
    removed("int f(int ?p, unsigned i) { if (i < numelts(p)) return p[i]; return 0; }");
    removed("int f(int ?p) { if (numelts(p) == 0) return 0; return *p; }");
    removed("int f(int i) { int a[4] = {1, 2, 3, 4}; return a[i & 3]; }");
    removed("int f(unsigned i) { int a[4] = {1, 2, 3, 4}; return a[i % 4]; }");
    removed(
        "int f(int ?p, int i) { switch (i) { case 2: if (numelts(p) > 2) return p[i]; return 1; default: return 0; } }",
    );
    kept("int f(int ?p, int i) { if (i < 4) { if (4 <= numelts(p)) return p[i]; } return 0; }");
    kept("int f(int ?p, int i) { if (i >= 0 && i + 1 < (int)numelts(p)) return p[i]; return 0; }");
    kept("int f(int ?p, int i, volatile int v) { if (v >= 0 && v < numelts(p)) return p[v]; return 0; }");
}

#[test]
fn counted_loops_lose_their_checks() {
    removed("int f(int ?p) { int s = 0; for (int i = 0; i < numelts(p); i++) s += p[i]; return s; }");
    removed("int f(int ?p) { int s = 0; for (int i = (int)numelts(p) - 1; i >= 0; i--) s += p[i]; return s; }");
    removed(
        "int f(int n) { int ?p = new {for i < (unsigned)n : 1}; int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }",
    );
    kept("int f(int ?p) { int s = 0; for (int i = 0; i <= numelts(p); i++) s += p[i]; return s; }");
    kept("int f(int ?p) { int s = 0; for (int i = 0; i < numelts(p); i++) { i++; s += p[i]; } return s; }");
    kept(
        "int f(int ?p, int j) { int s = 0; for (int i = j; i < numelts(p); i++) { if (i == 3) i = -4; s += p[i]; } return s; }",
    );
}

#[test]
fn loops_with_an_unknown_bound_are_copied() {
    assert_eq!(
        checks("int f(int ?p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }"),
        (0, 0, 1)
    );
    let twice = "int f(int ?p, int ?q, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * q[i]; return s; }";
    assert_eq!(checks(twice), (0, 0, 2));
    kept("int f(int ?p, int n) { int s = 0; for (int i = 0; i < n; i++) { s += p[i]; p++; } return s; }");
    kept("int f(int ?p, int n) { int s = 0; for (int i = 0; i < n; i++) { s += p[i]; n += s; } return s; }");
}

#[test]
fn a_check_makes_the_next_one_needless() {
    assert_eq!(checks("int f(int ?p, int i) { return p[i] + p[i]; }"), (1, 1, 0));
    assert_eq!(checks("int f(int ?p, int i) { p[i] = 1; return p[i]; }"), (1, 1, 0));
    assert_eq!(checks("int f(int ?p) { return p[3] + p[0] + p[1] + p[2]; }"), (2, 2, 0));
    assert_eq!(checks("void g(void); int f(int ?p, int i) { int s = p[i]; g(); return s + p[i]; }"), (1, 1, 0));
    // (The position of `p` may wrap, and so may `i`.)
    assert_eq!(checks("int f(int ?p, int i) { int s = p[i]; p++; i--; return s + p[i]; }"), (2, 0, 0));
    assert_eq!(checks("int f(int ?p) { int s = p[0] + p[1]; p++; return s + p[0]; }"), (2, 1, 0));
    assert_eq!(checks("int i; void g(void); int f(int ?p) { int s = p[i]; g(); return s + p[i]; }"), (2, 0, 0));
    assert_eq!(checks("int f(int ?p, int i, int @q) { int s = p[i]; *q = 7; return s + p[i]; }"), (1, 1, 0));
    assert_eq!(checks("int i; int f(int ?p, int @q) { int s = p[i]; *q = 7; return s + p[i]; }"), (2, 0, 0));
}

#[test]
fn scans_of_text_are_linear() {
    removed("int f(char @s) { int n = 0; for (; *s; s++) n++; return n; }");
    removed("int f(char @s) { int n = 0; for (long i = 0; s[i]; i++) n++; return n; }");
    // An `int` wraps in a text of more than 2^31 characters.
    kept("int f(char @s) { int n = 0; for (int i = 0; s[i]; i++) n++; return n; }");
    kept("int f(char @s) { int n = 0; for (long i = 0; s[i]; i++) { n++; s[0] = '\\0'; } return n; }");
}

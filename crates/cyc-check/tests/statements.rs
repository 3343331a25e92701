//! Statements, switches and patterns: what is accepted and what is rejected.

mod common;
use common::*;

#[test]
fn switches_are_exhaustive_and_their_clauses_reachable() {
    bodies(
        "enum E { A, B, C }; int f(int n, char c, int *p, int @q, int ?fat, $(int, int) t, enum E e, $(enum E, int *) both)",
        &[
            "switch (n) { case 1: return 1; case 2: return 2; default: return 3; }",
            "switch (n) { case 1: case 2: return 2; case k && k > 5: return k; case _: return 3; }",
            "switch (p) { case NULL: return 0; case &k: return k; }",
            "switch (p) { case &0: return 0; case &k: return k; case NULL: return 1; }",
            "switch (q) { case &k: return k; }",
            "switch (fat) { case NULL: return 0; case &k: return k; default: return -1; }",
            "switch (t) { case $(0, _): return 0; case $(a, b) && a > b: return a; case $(_, b): return b; }",
            "switch (e) { case A: return 1; case B: return 2; case C: return 3; }",
            "switch (both) { case $(A, NULL): return 1; case $(_, &k): return k; case $(B, NULL): return 2; case $(C, NULL): return 3; }",
            "switch (n) { case -1: return 1; case 'a': return 2; case A + 7: return 3; case (1 << 4): return 4; default: break; } return 0;",
            "switch (c) { case y as 'x': return y; case z: return z; }",
            "switch (p) { case r as NULL: return r == p; case r: return *r; }",
            "switch (p) { case NULL: return 0; case &_: return 1; default: return 2; }",
        ],
        &[
            ("switch (n) { case 1: return 1; case 2: return 2; } return 0;", "E0513"),
            ("switch (p) { case &0: return 0; case NULL: return 1; } return 0;", "E0513"),
            ("switch (fat) { case NULL: return 0; case &k: return k; } return 0;", "E0513"),
            ("switch (e) { case A: return 1; case B: return 2; } return 0;", "E0513"),
            ("switch (t) { case $(0, _): return 0; case $(_, 0): return 1; } return 0;", "E0513"),
            ("switch (n) { case k && k > 5: return k; } return 0;", "E0513"),
            ("switch (n) { case 1: return 1; case 1: return 2; default: return 3; }", "E0514"),
            ("switch (n) { default: return 3; case 1: return 1; }", "E0514"),
            ("switch (t) { case $(_, 0): return 0; case $(a, b): return a; case $(1, 0): return 1; }", "E0514"),
            ("switch (t) { case $(a, b, c): return a; } return 0;", "E0561"),
            ("switch (t) { case $(a): return a; } return 0;", "E0561"),
            ("switch (t) { case $(a, ...): return a; case 5: return 1; } return 0;", "E0550"),
            ("switch (q) { case NULL: return 0; case &k: return k; }", "E0558"),
            ("switch (c) { case 1000: return 0; default: return 1; }", "E0557"),
            ("switch (n) { case n + 1: return 0; default: return 1; }", "E0556"),
        ],
    );
}

#[test]
fn characters_have_256_shapes() {
    let labels = |to: i32| (-128..to).map(|i| format!("case {i}: ")).collect::<String>();
    accepted(&format!("int f(char c) {{ switch (c) {{ {} return 1; }} }}", labels(128)));
    rejected(&format!("int f(char c) {{ switch (c) {{ {} return 1; }} return 0; }}", labels(127)), &["E0513"]);
}

#[test]
fn clauses_do_not_fall_silently() {
    bodies(
        "extern void quit(void) __attribute__((noreturn)); int f(int n, $(int, int) t)",
        &[
            "switch (n) { case 1: n = 2; break; case 2: n = 3; fallthru; case 3: while (1) n++; case 4: quit(); case 5: throw new Assert; default: n = 1; } return n;",
            "switch (n) { case 1: if (n > 2) return 1; else break; case 2: { goto out; } default: do { return 3; } while (n); } out: return n;",
            "while (n) { switch (n) { case 1: continue; default: n--; } } return n;",
            "switch (t) { case $(1, _): fallthru(7, 1); case $(a, b): return a + b; }",
            "switch \"C\" (n) { case 1: n = 2; case 2: n = 3; break; case 5: n++; } return n;",
        ],
        &[
            ("switch (n) { case 1: n = 2; case 2: n = 3; break; default: break; } return n;", "W0500"),
            ("switch (n) { case 1: while (n) n--; default: break; } return n;", "W0500"),
            ("switch (n) { case 1: for (;;) { if (n) break; } case 2: break; default: break; } return n;", "W0500"),
            ("switch (t) { case $(1, _): n = 1; case $(a, b): return a + b; }", "E0515"),
            ("switch (t) { case $(1, _): case $(a, b): return a + b; }", "E0515"),
            ("switch (t) { case $(1, _): fallthru(7); case $(a, b): return a + b; }", "E0521"),
            ("switch (n) { case 1: return 1; default: fallthru; }", "E0520"),
            ("switch (n) { case k && k++ > 3: return 1; default: return 0; }", "E0518"),
            ("fallthru; return n;", "E0519"),
        ],
    );
}

#[test]
fn handlers_end_in_jumps() {
    bodies(
        "int f(int ?p)",
        &[
            "try { return p[0]; } catch { case &Array_bounds: case &Null_Exception: return 1; }",
            "int r = 0; try r = p[0]; catch { case &Array_bounds: r = 1; break; case e: throw e; } return r;",
            "while (1) { try { break; } catch { default: continue; } } return 0;",
        ],
        &[
            ("int r = 0; try r = p[0]; catch { case &Array_bounds: r = 1; } return r;", "E0517"),
            ("int r = 0; try r = p[0]; catch { case &Array_bounds: r = 1; case &Assert: break; } return r;", "E0517"),
            ("int r = 0; try r = p[0]; catch { default: break; case &Assert: break; } return r;", "E0514"),
            ("int r = 0; try r = p[0]; catch { case Assert: break; } return r;", "E0551"),
        ],
    );
}

#[test]
fn jumps_leave_scopes_and_enter_none() {
    bodies(
        "int f(int n)",
        &[
            "if (n) goto inside; switch (n) { case 1: inside: break; default: break; } return n;",
            "again: if (n > 3) goto out; { int m = n; n = m + 1; if (n == 2) goto again; } goto again; out: return n;",
            "try { if (n) goto out; } catch { default: goto out; } out: return n;",
            "if (n) goto inner; { inner: n++; } return n;",
            "L: { int x = 1; int *`L p = &x; n = *p; } return n;",
        ],
        &[
            ("if (n) goto out; int m = 3; n = m; out: return n;", "E0503"),
            ("if (n) goto inside; try { inside: n++; } catch { default: break; } return n;", "E0503"),
            ("if (n) goto inside; try { n++; } catch { default: inside: break; } return n;", "E0503"),
            ("if (n) goto inside; switch (n) { case k && k > 2: inside: break; default: break; } return n;", "E0503"),
            ("if (n) goto inside; let m = 3; inside: return m;", "E0503"),
            ("goto nowhere; return n;", "E0501"),
            ("a: n++; a: return n;", "E0502"),
            ("continue; return n;", "E0500"),
            ("switch (n) { case 1: continue; default: break; } return n;", "E0500"),
        ],
    );
}

#[test]
fn patterns_bind_copies_with_the_parts_types() {
    accepted(
        "struct P { int x; struct { double d; } in; }; int f(struct P p, struct P @q, $(int, const char ?) t) {
            let P{a, {d}} = p; let &P{.x = b, ...} = q; let $(n, s) = t; let whole as _ = p; a = whole.x;
            return a + b + n + (int)d + s[0]; }",
    );
    rejected("int f($(int, int) t) { let $(a, a) = t; return a; }", &["E0552"]);
    rejected("struct P { int x; int y; }; int f(struct P p) { let P{a} = p; return a; }", &["E0566"]);
    rejected("struct P { int x; int y; }; int f(struct P p) { let P{a, b, c} = p; return a; }", &["E0561"]);
    rejected("int f(int *p) { let &n = p; return n; }", &["W0501"]);
    rejected("int *f(void) { int x = 1; let $(p, _) = $(&x, 2); return p; }", &["E0301"]);
    rejected(
        "int f(void) { int *q = NULL; { int x = 1; switch (&x) { case p: q = p; break; } } return q == NULL; }",
        &["E0300"],
    );
}

#[test]
fn returns_have_the_type_of_the_function() {
    rejected("void f(void) { return 1; }", &["E0504"]);
    rejected("int f(void) { return; }", &["E0505"]);
    rejected("int *f(void) { int x; return &x; }", &["E0301"]);
    rejected("int f(void) { return \"abc\"; }", &["W0401"]);
    rejected("const char @f(int *p) { return p; }", &["E0401"]);
}

#[test]
fn statement_expressions_do_not_leak_their_locals() {
    accepted("int f(int n) { return ({ int s = 0; for (int i = 0; i < n; i++) s += i; s; }) + ({ n; }); }");
    rejected("int f(void) { int *p = ({ int x = 1; &x; }); return *p; }", &["E0300"]);
    rejected("int f(void) { return ({ int x = 1; if (x) x = 2; }); }", &["E0481"]);
}

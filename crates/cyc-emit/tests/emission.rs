//! The C text of small programs: no undefined behaviour of C, names, readable shape.

use cyc_emit::Options;

/// The C text, laid out for people, of a program that has no errors.
fn c(program: &str) -> String {
    let (unit, problems) = cyc_syntax::parse(program, &cyc_syntax::Options::default());
    assert!(!problems.has_errors(), "{problems:?}");
    let source = cyc_base::SourceMap::new("test.cyc", program.into());
    let (typed, problems) = cyc_check::check(&unit, &source);
    assert!(!problems.has_errors(), "{problems:?}");
    let bodies = cyc_mir::lower(&typed);
    let options = Options { line_directives: false, ..Options::default() };
    cyc_emit::emit(&typed, &bodies, &source, &options)
}

#[track_caller]
fn has(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is missing:\n{text}");
}

#[test]
fn arithmetic_that_c_leaves_undefined_is_guarded() {
    let text = c("int f(int a, int b, long n) { return a / b + a % 10 + (a << n) + (a >> 3); }");
    has(&text, "cyc_div_i32(a, b)");
    has(&text, "a % 10");
    has(&text, "a << (n & 31)");
    has(&text, "a >> 3");
    has(&c("int f(double d) { return (int)d; }"), "CYC_FLOAT_TO_INT(int, d)");
}

#[test]
fn a_division_by_one_of_two_constants_is_one_by_each() {
    let text = c("unsigned f(unsigned k) { k %= k % 4 == 0 ? 200000u : 16000; return k; }");
    has(&text, "k % 200000");
    has(&text, "k % 16000");
    assert!(!text.contains("cyc_rem_u32"), "{text}");
    let text = c("long f(long k, int c) { return k / (c ? 10 : 7); }");
    has(&text, "k / 10");
    has(&text, "k / 7");
    has(&c("int f(int k, int c) { return k % (c ? 10 : 0); }"), "cyc_rem_i32(k, ");
    has(&c("int f(int k, int c) { return k % (unsigned char)(c ? 300 : 7); }"), "(unsigned char)");
    has(&c("double f(double k, int c) { return k / (c ? 10 : 7); }"), "k / ");
}

#[test]
fn addresses_of_different_objects_are_compared_as_numbers() {
    has(&c("int f(int ?p, int ?q) { return p < q; }"), "(unsigned long)cyc_fat_ptr(p, sizeof(int))");
    has(&c("int f(int *p, int *q) { return p == q; }"), "p == q");
}

#[test]
fn const_stands_where_it_belongs() {
    let text = c("int x; static int *const p = &x; static const int t[2] = {1, 2}; int f() { return *p + t[0]; }");
    has(&text, "static int *const Cyc_p = ");
    has(&text, "static const int Cyc_t[2] = {1, 2};");
}

#[test]
fn names_are_the_programmers_unless_c_would_misread_them() {
    let text = c(
        "extern \"C\" int puts(const char @); int f(int puts, int linux_) { int i = puts; { int i = linux_; return i; } }",
    );
    has(&text, "int Cyc_f(int puts_, int linux_)");
    has(&text, "i_2 = linux_;");
}

#[test]
fn expressions_are_put_together_again() {
    has(&c("int f(int a, int b, int c) { return a + b * c - (a - b); }"), "return a + b * c - (a - b);");
    has(&c("struct S { int n; struct S *next; }; int f(struct S @s) { s->n += 2; return s->n; }"), "s->n += 2;");
}

#[test]
fn a_value_is_not_moved_past_what_changes_it() {
    let text = c("int g; int h(); int f() { return g + h(); }");
    has(&text, "= Cyc_g;");
    has(&text, "= Cyc_h();");
}

#[test]
fn loops_and_conditionals_nest() {
    let text = c(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; if (i > 9) break; s += i; } return s; }",
    );
    has(&text, "while (i < n) {");
    has(&text, "if (i > 9) break;");
    has(&text, "i++;");
    let text = c("int f(int n) { switch (n) { case 1: return 5; case 2: n = 7; break; default: n = 0; } return n; }");
    has(&text, "case 1:\n    return 5;");
    assert!(!text.contains("goto"), "{text}");
}

#[test]
fn jumps_that_do_not_nest_are_gotos() {
    let text = c(
        "int f(int n) { again: if (n > 3) { n--; for (;;) { n -= 2; if (n < 9) goto again; if (n < 4) goto out; } } out: return n; }",
    );
    has(&text, "return n;");
    assert!(text.contains("goto L") || text.contains("continue;"), "{text}");
}

#[test]
fn failing_checks_are_calls_without_expectations() {
    let text = c("int f(int ?p, int i) { return p[i]; }");
    has(&text, "if (!cyc_fat_ok(p, i, 1)) cyc_fail_fat(p, i, 1, _cycF0, 1);");
    assert!(!text.contains("builtin_expect") && !text.contains("UNLIKELY"), "{text}");
}

#[test]
fn definitions_come_before_their_uses() {
    let text =
        c("struct B; struct A { struct B *b; }; struct B { struct A a; int n; }; int f(struct B @b) { return b->n; }");
    let (a, b) = (text.find("struct A {"), text.find("struct B {"));
    assert!(a.is_some() && a < b, "{text}");
}

#[test]
fn main_is_called_by_the_run_time() {
    has(&c("int main() { return 3; }"), "return Cyc_main();");
    has(&c("int main(int argc, char ??argv) { return argc; }"), "return Cyc_main(argc, argv);");
}

#[test]
fn lines_of_the_source_are_kept() {
    let program = "int f(int ?p) {\n\n\n\n\n\n\n  return *p;\n}\n";
    let (unit, _) = cyc_syntax::parse(program, &cyc_syntax::Options::default());
    let source = cyc_base::SourceMap::new("test.cyc", program.into());
    let (typed, _) = cyc_check::check(&unit, &source);
    let text = cyc_emit::emit(&typed, &cyc_mir::lower(&typed), &source, &Options::default());
    has(&text, "#line 1 \"test.cyc\"");
    has(&text, "#line 8");
}

#[test]
fn a_loop_entered_from_one_place_is_written_once() {
    // Two headers, each with a single entry: neither may be written inside itself.
    let text = c(
        "int g(int); void f(int n) { while (n > 16) { int j = n - 1; for (;;) { while (g(j)) j--; if (n >= j) break; f(n - j); } } }",
    );
    assert_eq!(text.matches("Cyc_f(n - j);").count(), 1, "{text}");
}

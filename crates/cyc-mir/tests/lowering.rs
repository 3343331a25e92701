//! Evaluation order, checks and handlers of small programs, read off the printed MIR.

/// The MIR of the functions of a program that has no errors.
fn mir(program: &str) -> String {
    let (unit, problems) = cyc_syntax::parse(program, &cyc_syntax::Options::default());
    assert!(!problems.has_errors(), "{problems:?}");
    let source = cyc_base::SourceMap::new("test.cyc", program.into());
    let (typed, problems) = cyc_check::check(&unit, &source);
    assert!(!problems.has_errors(), "{problems:?}");
    cyc_mir::print(&typed, &cyc_mir::lower(&typed))
}

/// The lines that `parts` name stand in this order.
#[track_caller]
fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => panic!("`{part}` is missing, or not after the parts before it:\n{text}"),
        }
    }
}

#[test]
fn an_operand_that_is_changed_later_is_copied_first() {
    let text = mir("int f(int k) { return k + k++; }");
    in_order(&text, &["t2 = k.0;", "t1 = k.0;", "k.0 = t1 + 1", "t3 = t2 + t1", "return t3"]);
}

#[test]
fn an_operand_that_nothing_changes_is_not_copied() {
    let text = mir("int f(int k, int j) { return k + j++; }");
    assert!(!text.contains("= k.0;"), "{text}");
}

#[test]
fn the_right_side_of_an_assignment_comes_first() {
    // Core, section 5.7: `a[i++] = i` stores the old `i`.
    let text = mir("void f(int @{9} a, int i) { a[i++] = i; }");
    in_order(&text, &["t3 = i.1;", "t2 = i.1;", "i.1 = t2 + 1", "check t2 < 9", "(*(a.0 + t2)) = t3"]);
}

#[test]
fn a_pointer_is_read_before_the_index_that_changes_it() {
    let text = mir("struct S { int ?p; }; int g(struct S @); int f(struct S @s) { return s->p[g(s)]; }");
    in_order(&text, &["= (*s.0).0;", "= g<_>(s.0);", "check t", "has 1 at t"]);
}

#[test]
fn checks_follow_from_pointer_types() {
    let text = mir("int f(int *p, int @q, int ?r, int @{4} s, int i) { return *p + *q + r[i] + s[i] + s[3]; }");
    in_order(&text, &["check p.0 not null", "check r.2 has 1 at i.4", "check i.4 < 4"]);
    assert_eq!(text.matches("check").count(), 3, "{text}");
}

#[test]
fn a_write_through_a_zero_terminated_pointer_keeps_the_zero() {
    let text = mir("void f(char *@notnull s, char c) { s[0] = c; s[0] = 0; }");
    assert_eq!(text.matches("keeps the final zero").count(), 1, "zero may be written anywhere:\n{text}");
}

#[test]
fn leaving_a_try_pops_its_handler_on_every_way() {
    let text = mir("int g(); int f(int n) {
           while (n > 0) {
             try { n--; if (n == 5) break; if (n == 4) continue; if (n == 3) return g(); if (n == 2) goto out; }
             catch { default: return 1; }
           }
           out: return n;
         }");
    // break, continue, return, goto, and the normal end.
    assert_eq!(text.matches("pop h0").count(), 5, "{text}");
    in_order(&text, &["= g()", "pop h0", "return t"]);
}

#[test]
fn only_locals_that_a_handler_needs_survive_a_throw() {
    let text = mir("int g(); int f() {
           int seen = 0; int only = 0;
           try { only = g(); seen = 1; only = only + g(); } catch { default: return seen; }
           return only;
         }");
    assert!(text.contains("seen.0;  // survives"), "{text}");
    assert!(!text.contains("only.1;  // survives"), "{text}");
}

#[test]
fn conditions_are_control_flow() {
    let text = mir("int f(int *p) { if (p && *p > 3 || !p) return 1; return 0; }");
    assert!(!text.contains("&&") && text.matches("if ").count() == 3, "{text}");
}

#[test]
fn unreachable_code_is_not_in_the_graph() {
    let text = mir("int f() { return 1; return 2; }");
    assert!(!text.contains("return 2"), "{text}");
}

#[test]
fn a_count_plus_the_final_zero_cannot_wrap() {
    let text = mir("char ?`H f(unsigned long n) { char ?@zeroterm`H s = new {for i < n : 'x'}; return s; }");
    in_order(&text, &["!= 18446744073709551615", "alloc t"]);
}

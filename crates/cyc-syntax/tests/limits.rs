//! Nesting is limited by an error, never by the stack.

mod common;

use common::{c, cyclone, errors};
use cyc_syntax::ast::ItemKind;

/// `open` repeated, `middle`, `close` repeated, inside a function body.
fn body(open: &str, middle: &str, close: &str, times: usize) -> String {
    format!("void f() {{ {}{middle}{} }}", open.repeat(times), close.repeat(times))
}

fn top(open: &str, middle: &str, close: &str, times: usize) -> String {
    format!("{}{middle}{}", open.repeat(times), close.repeat(times))
}

/// Deep in the constructs where the parser recurses.
fn deep(times: usize) -> Vec<String> {
    vec![
        body("(", "1", ")", times).replace("{ ", "{ x = ").replace(" }", "; }"),
        body("{", ";", "}", times),
        body("- ", "1;", "", times),
        body("!", "1;", "", times),
        body("*", "p;", "", times),
        body("(int)", "1;", "", times),
        body("sizeof ", "1;", "", times),
        body("a = ", "1;", "", times),
        body("a[", "1", "]", times).replace(" }", "; }"),
        body("a(", "1", ")", times).replace(" }", "; }"),
        body("$(", "1", ")", times).replace(" }", "; }"),
        body("S{", "1", "}", times).replace(" }", "; }"),
        body("({", "1;", "});", times),
        body("throw ", "1;", "", times),
        body("new ", "1;", "", times).replace("{ ", "{ x = "),
        body("if (a) ", ";", "", times),
        body("while (a) ", ";", "", times),
        body("do ", ";", " while (a);", times),
        body("L: ", ";", "", times),
        body("try ", ";", " catch { default: ; }", times),
        body("switch (a) { default: ", ";", "}", times),
        body("int g() { ", ";", "}", times),
        format!("void f() {{ let {}x = 1; }}", "&".repeat(times)),
        format!("void f() {{ let {}x{} = 1; }}", "$(".repeat(times), ")".repeat(times)),
        format!("int x = {}1{};", "{".repeat(times), "}".repeat(times)),
        top("struct { ", "int x;", "} y;", times),
        format!("int {}x{};", "(".repeat(times), ")".repeat(times)),
        format!("int {}x{};", "(*".repeat(times), ")(int)".repeat(times)),
        format!("int f{}{};", "(int ".repeat(times), ")".repeat(times)),
        format!("typedef int t; {}int{} x;", "t<".repeat(times), ">".repeat(times)),
        format!("{}int{} x;", "$(".repeat(times), ")".repeat(times)),
        format!("{}int{} x;", "typeof(".repeat(times), ")".repeat(times)),
        format!("int f(int x; {}{});", "{".repeat(times), "}".repeat(times)),
        top("namespace N { ", "int x;", "}", times),
        top("namespace N; ", "int x;", "", times),
        top("using N; ", "int x;", "", times),
        top("extern \"C\" { ", "int x;", "}", times),
    ]
}

/// High because of chains, which the parser reads in loops.
fn tall(times: usize) -> Vec<String> {
    vec![
        body("a+", "a;", "", times),
        body("a*b+", "a;", "", times),
        body("a,", "a;", "", times),
        body("a&&", "a;", "", times),
        body("a?b:", "a;", "", times),
        body("if (a) b; else ", ";", "", times),
        body("a", ";", "", 1).replace("a;", &format!("a{};", "[1]".repeat(times))),
        body("a", ";", "", 1).replace("a;", &format!("a{};", ".b".repeat(times))),
        body("a", ";", "", 1).replace("a;", &format!("a{};", "(1)".repeat(times))),
        body("a", ";", "", 1).replace("a;", &format!("a{};", "++".repeat(times))),
        format!("int {}x;", "*".repeat(times)),
        format!("int x{};", "[1]".repeat(times)),
        format!("int x{};", "()".repeat(times)),
    ]
}

fn one_depth_error(text: &str) {
    let (_, diags) = cyclone(text);
    let found = errors(text, &diags);
    assert!(matches!(found.as_slice(), [e] if e.contains("E0005")), "{:?}: {found:?}", &text[..text.len().min(60)]);
}

#[test]
fn moderate_nesting_is_fine() {
    for text in deep(100).into_iter().chain(tall(2_000)) {
        let (_, diags) = cyclone(&text);
        assert!(!diags.has_errors(), "{:?}: {:?}", &text[..text.len().min(60)], errors(&text, &diags));
    }
}

#[test]
fn siblings_do_not_add_up() {
    let many = |text: &str| text.repeat(30_000);
    for text in [
        many("int *p, **q[3]; "),
        many("int f(int *x, int y[3]) { return *x + y[1]; } "),
        format!("struct S {{ {} }};", many("int *p, q[2];")),
        format!("datatype D {{ {} }};", many("V(int *, int @);")),
        format!("enum E {{ {} }};", many("A = 1 + 2,")),
        format!("int f({} int);", many("int *(*x)[2], ")),
        format!("int x[] = {{ {} }};", many("1 + 2 * 3, a[1].b, ")),
        format!("void f() {{ {} }}", many("x = a + b[1]; int *y, *z; if (a && b) c(1, 2); ")),
        format!("void f() {{ switch (x) {{ {} }} }}", many("case A + 1: case &V(*p, $(q, 3)): x + y; ")),
        format!("void f() {{ g({} 1); }}", many("a + b, ")),
        format!("typedef int t; t<{} int> x;", many("int *`r, ")),
        format!("void f(int x; {{ {} `z }});", many("`a, ")),
        format!("void f() {{ asm(\"\" : {} ); }}", many("\"r\"(a + b), ").trim_end_matches(", ")),
    ] {
        let (_, diags) = cyclone(&text);
        assert!(!diags.has_errors(), "{:?}: {:?}", &text[..60], errors(&text, &diags));
    }
}

#[test]
fn deep_nesting_is_one_error() {
    deep(100_000).iter().for_each(|text| one_depth_error(text));
}

#[test]
fn tall_trees_are_one_error() {
    tall(100_000).iter().for_each(|text| one_depth_error(text));
}

#[test]
fn deep_c_labels_are_one_error() {
    let text = format!("void f() {{ switch (x) {} ; }}", "case 1: ".repeat(100_000));
    let (_, diags) = c(&text);
    assert_eq!(diags.iter().map(|d| d.code.0).collect::<Vec<_>>(), ["E0005"]);
}

#[test]
fn unclosed_openers_without_end() {
    for opener in ["(", "[", "{", "(int)", "f(", "struct S {", "<`a", "@{", "$(", "if (", "switch (x) { case "] {
        for around in [("", ""), ("void f() { ", ""), ("void f() { x = ", " ; }\nint y;"), ("int x = ", "")] {
            let text = format!("{}{}{}", around.0, opener.repeat(50_000), around.1);
            assert!(cyclone(&text).1.has_errors(), "{}", &text[..40]);
            assert!(c(&text).1.has_errors(), "{}", &text[..40]);
        }
    }
}

#[test]
fn ten_megabytes_in_one_line() {
    let text = "int x; ".repeat(10_000_000 / 7);
    let (unit, diags) = cyclone(&text);
    assert!(diags.is_empty());
    assert_eq!(unit.items.len(), 10_000_000 / 7);
    assert!(unit.items.iter().all(|item| matches!(item.kind, ItemKind::Decl(_))));
    one_depth_error(&format!("int x = {}1;", "1+".repeat(5_000_000)));
    let (_, diags) = cyclone(&format!("char ?s = \"{}\";", "x".repeat(10_000_000)));
    assert!(diags.is_empty());
    assert_eq!(errors("", &cyclone(&"(".repeat(10_000_000)).1).len(), 1);
}

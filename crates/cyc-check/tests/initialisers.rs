//! Initialisers, at the top level and in functions: what they fill, and what is wrong with them.

use cyc_base::SourceMap;
use cyc_check::tast::{ExprKind, TypedUnit};

fn check(text: &str) -> (TypedUnit, Vec<String>) {
    let source = SourceMap::new("test.cyc", text.into());
    let (unit, mut diags) = cyc_syntax::parse(source.text(), &cyc_syntax::Options::default());
    let (typed, more) = cyc_check::check(&unit, &source);
    diags.extend(more);
    (typed, diags.into_sorted().into_iter().map(|d| d.code.0.to_string()).collect())
}

#[track_caller]
fn accepted(text: &str) -> TypedUnit {
    let (typed, codes) = check(text);
    assert!(codes.is_empty(), "accepted, but got {codes:?}:\n{text}");
    typed
}

/// The same declaration must be wrong in the same way at the top level, in a function, and as a static local.
#[track_caller]
fn rejected_everywhere(before: &str, declaration: &str, expected: &str) {
    for text in [
        format!("{before}\n{declaration}"),
        format!("{before}\nvoid f(void) {{ {declaration} }}"),
        format!("{before}\nvoid f(void) {{ static {declaration} }}"),
    ] {
        let (_, codes) = check(&text);
        assert_eq!(codes, [expected], "\n{text}");
    }
}

#[track_caller]
fn rejected(text: &str, expected: &[&str]) {
    let (_, codes) = check(text);
    assert_eq!(codes, expected, "\n{text}");
}

const POINT: &str = "struct Point { int x; int y; }; struct Line { struct Point from; struct Point to; };";

#[test]
fn structs_are_filled_by_position_and_name() {
    accepted(&format!(
        "{POINT} struct Point a = {{1, 2}}; struct Point b = {{.y = 2, .x = 1}}; struct Point c = {{.y = 2, 1}};
         struct Line l = {{{{0, 0}}, .to = {{.x = 1, 1}}}}; struct Point none[] = {{}};"
    ));
    accepted(
        "struct P { int : 3; int a; union { int b; float c; }; struct { int d; int e; }; }; struct P p = {1, {2}, {3, 4}};",
    );
    accepted(
        "struct P { int a; union { int b; float c; }; struct { int d; int e; }; }; struct P p = {.d = 3, .e = 4, .c = 1.0f, .a = 2};",
    );
    accepted(
        "union U { int i; double d; struct { int a; int b; }; }; union U u = {1}; union U v = {.d = 1.5}; union U w = {.a = 1, .b = 2};",
    );
    accepted("void f(void) { $(int, char) t = {1, 'a'}; $(int, char) u = $(1, 'a'); }");
    accepted(&format!("{POINT} struct Point p = {{1}}; struct Point q = {{}}; struct Line l = {{.to = {{.y = 1}}}};"));
    accepted(&format!("{POINT} struct Line l = {{0}}; void f(void) {{ struct Line m = {{0}}, n[2] = {{0}}; }}"));
    rejected_everywhere("struct N { int n; int @p; };", "struct N p = {1};", "E0140");
    rejected_everywhere("struct N { int @p; };", "struct N n = {};", "E0140");
    rejected_everywhere("struct N { int @p; }; struct M { struct N n; };", "struct M m = {0};", "E0140");
    rejected_everywhere(POINT, "struct Line l = {1};", "E0156");
    rejected_everywhere(POINT, "struct Point p = {1, 2, 3};", "E0141");
    rejected_everywhere(POINT, "struct Point p = {.z = 1, .y = 2};", "E0142");
    rejected_everywhere(POINT, "struct Point p = {1, .x = 2};", "E0143");
    rejected_everywhere(POINT, "struct Line l = {.from.x = 1};", "E0148");
    rejected_everywhere(POINT, "struct Point p = {[0] = 1, [1] = 2};", "E0149");
    rejected_everywhere("union U { int i; float f; };", "union U u = {1, 2.0f};", "E0147");
    rejected_everywhere("union U { int i; float f; };", "union U u = {};", "E0147");
    rejected_everywhere("", "$(int, char) t = {1};", "E0140");
    rejected_everywhere("", "int x = {3};", "E0146");
    rejected_everywhere("", "int ?p = {3};", "E0146");
}

#[test]
fn arrays_are_filled_in_order() {
    let unit =
        accepted("int a[] = {1, 2, 3}; int b[2][2] = {{1, 2}, {3, 4}}; int c[2] = {[0] = 1, [1] = 2}; int e[0] = {};");
    let lengths: Vec<u64> =
        unit.globals.iter().map(|g| unit.types.layout(g.qty.ty).expect("complete").size / 4).collect();
    assert_eq!(lengths, [3, 4, 2, 0]);
    accepted("void f(int n) { int a[] = {n, n + 1}; int b[2] = {n, n}; int c[] = (int[2]){1, 2}; }");
    accepted("int a[3] = {1, 2}; int b[2][2] = {{1}}; int c[9][9] = {0}; int e[3] = {}; int *p[2] = {};");
    rejected_everywhere("int x;", "int @p[3] = {&x};", "E0145");
    rejected_everywhere("", "int @p[3] = {};", "E0145");
    rejected_everywhere("", "int a[1] = {1, 2};", "E0145");
    rejected_everywhere("", "int a[2] = {[1] = 2, [0] = 1};", "E0144");
    rejected_everywhere("", "int a[2] = {.x = 2, .y = 1};", "E0149");
    rejected_everywhere("int b[2] = {1, 2};", "int a[2] = b;", "E0150");
    rejected_everywhere("", "int a[2][2] = {1, 2, 3, 4};", "E0156");
    rejected_everywhere(POINT, "struct Line l = {0, 0, 1, 1};", "E0156");
}

#[test]
fn strings_fill_arrays_of_their_length() {
    let unit = accepted(
        "char a[] = \"abc\"; char b[4] = \"abc\"; char c[] @zeroterm = \"ab\\0c\"; unsigned char d[] = \"x\"; int w[] = L\"xy\";",
    );
    let sizes: Vec<u64> = unit.globals.iter().map(|g| unit.types.layout(g.qty.ty).expect("complete").size).collect();
    assert_eq!(sizes, [4, 4, 5, 2, 12]);
    rejected_everywhere("", "char s[3] = \"abc\";", "E0145");
    accepted("char s[8] = \"abc\"; char t[8] @zeroterm = \"\"; int w[9] = L\"x\"; char z[4] @zeroterm = {'a'};");
    rejected_everywhere("", "short s[4] = \"abc\";", "E0150");
    rejected_everywhere("", "char s[2] @zeroterm = {'a', 'b'};", "E0155");
    accepted("char s[3] @zeroterm = {'a', 'b', 0}; char *t[2] @zeroterm = {s, NULL};");
}

#[test]
fn comprehensions() {
    let unit = accepted(
        "int a[4] = {for i < 4 : 7}; char b[5] @zeroterm = {for i < 4 : 'x'}; int c[1000] = {for i < 1000 : 0};",
    );
    let kinds: Vec<&ExprKind> = unit.globals.iter().map(|g| &g.init.as_ref().expect("initialised").kind).collect();
    assert!(matches!(kinds[0], ExprKind::ArrayFor(all) if all.count.as_int() == Some(4) && !all.zeroterm));
    assert!(matches!(kinds[1], ExprKind::ArrayFor(all) if all.count.as_int() == Some(4) && all.zeroterm));
    assert!(matches!(kinds[2], ExprKind::Zero));
    accepted(
        "void f(void) { int a[4] = {for i < 4 : (int)i}; int *p[3] = {for i < 3 : int *}; long l[] = {for i < 9 : 0}; }",
    );
    rejected_everywhere("", "int a[4] = {for i < 3 : 0};", "E0151");
    rejected_everywhere("int n = 4;", "int a[4] = {for i < n : 0};", "E0151");
    rejected_everywhere("", "char a[4] @zeroterm = {for i < 4 : 'x'};", "E0151");
    rejected_everywhere("", "int *p = {for i < 3 : 0};", "E0154");
    rejected("void f(void) { int a[3] = {for i < 3 : i}; }", &["E0152"]);
    rejected("void f(void) { int @a[3] = {for i < 3 : int @}; }", &["E0153"]);
    rejected("int a[3] = {for i < 3 : (int)i};", &["E0120"]);
}

#[test]
fn global_initialisers_are_constant() {
    accepted(
        "int x = 3 + 4 * sizeof(int); int *p = &x; int a[3] = {1, 2, 3}; int *q = &a[1]; int ?f = a; int @{3} t = a;
         struct S { int i; int j[2]; } s = {1, {2, 3}}; int *m = &s.j[1]; const char *str = \"abc\"; const char ?fat = \"abc\";
         int g(int n) { return n; } int (*fp)(int) = g; double d = 1.5 * 2; int *n = NULL; int ?z = 0;
         enum { N = 4 }; int big[N] = {for i < N : N}; long addr = (long)&x; int cond = 1 ? 2 : 3;
         datatype exn.Assert failed = Assert;",
    );
    rejected("int x = 1; int y = x;", &["E0120"]);
    rejected("int f(void); int y = f();", &["E0120"]);
    rejected("int *p = new 3;", &["E0120"]);
    rejected("int a[3] = {1, 2, 3}; int ?p = a + 1;", &["E0120"]);
    rejected("int x; int y = 1 / 0;", &["E0120"]);
    rejected("int x; int y = &x ? 1 : 2;", &["E0120"]);
    rejected("int *p; int y = 1 << 40;", &["E0120"]);
    rejected("void f(int n) { static int m = n; }", &["E0120"]);
}

#[test]
fn locals() {
    accepted(
        "int f(void) { int a = 1, *p = &a, b[2] = {a, *p}; static int n; extern int g; int h(int); return b[0] + n + g + h(1); }",
    );
    accepted(
        "int f(void) { typedef int t; struct S { t a; }; struct S s = {1}; enum { K = 3 }; { int s = K; return s; } }",
    );
    accepted("int x; int f(void) { int x = 1; { extern int x; return x; } }");
    accepted("int f(void) { int a; int a; return 0; }");
    accepted("int f(int a) { int a = 1; return a; }");
    accepted("int f(int a) { { int a = 1; return a; } }");
    rejected("int f(void) { int *`H p[3]; return 0; }", &["E0119"]);
    rejected("int f(void) { struct S s; return 0; }", &["E0200"]);
    rejected("int f(void) { void x; return 0; }", &["E0200"]);
    rejected("int f(void) { extern int g = 1; return g; }", &["E0111"]);
    rejected("long g; int f(void) { extern int g; return 0; }", &["E0102"]);
    rejected("int f(void) { static int @p; return *p; }", &["E0118"]);
    rejected("int f(void) { static int g(int); return 0; }", &["E0110"]);
}

#[test]
fn declarations_of_blocks_are_those_of_the_unit() {
    accepted("int f(void) { extern int g; return g; } int h(void) { extern int g; return g; } int g = 3;");
    rejected("int f(void) { extern int g; return g; } int h(void) { extern int *g; return *g; }", &["E0102"]);
    rejected("int f(void) { extern int g; return g; } int *g;", &["E0102"]);
    rejected("int f(void) { int k(int); return k(1); } long k(long a) { return a; }", &["E0102"]);
}

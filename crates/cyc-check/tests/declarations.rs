//! Declarations, types and initialisers: small programs with the codes that the checker gives them.

use cyc_base::SourceMap;
use cyc_check::tast::TypedUnit;
use cyc_types::print::Plain;
use cyc_types::{Ty, TyKind};

fn check(text: &str) -> (TypedUnit, Vec<String>) {
    let source = SourceMap::new("test.cyc", text.into());
    let (unit, mut diags) = cyc_syntax::parse(source.text(), &cyc_syntax::Options::default());
    let (typed, more) = cyc_check::check(&unit, &source);
    diags.extend(more);
    let codes = diags.into_sorted().into_iter().map(|d| {
        assert!(d.labels.iter().all(|l| l.span.hi as usize <= text.len()), "spans lie in the file: {d:?}");
        d.code.0.to_string()
    });
    (typed, codes.collect())
}

#[track_caller]
fn accepted(text: &str) -> TypedUnit {
    let (typed, codes) = check(text);
    assert!(codes.is_empty(), "accepted, but got {codes:?}:\n{text}");
    typed
}

#[track_caller]
fn rejected(text: &str, expected: &[&str]) {
    let (_, codes) = check(text);
    assert_eq!(codes, expected, "\n{text}");
}

/// The type of a global as the checker prints it.
fn type_of(unit: &TypedUnit, name: &str) -> String {
    let global = unit.globals.iter().find(|g| g.name.as_str() == name).unwrap_or_else(|| panic!("no global {name}"));
    unit.types.declaration(global.qty, name, &Plain)
}

#[test]
fn declarators_and_their_defaults() {
    let unit = accepted(
        "int *p; int ?f; const char *s; char *@nozeroterm b; int *{4} q; int *?*t[3]; int (*fn)(char, ...);
         extern int @{3} e; int (*(*g)(void))[2]; double d[2][3]; $(int, char) pair; volatile int v;",
    );
    for (name, shown) in [
        ("p", "int *p"),
        ("f", "int ?f"),
        ("s", "const char *s"),
        ("b", "char *@nozeroterm b"),
        ("q", "int *{4} q"),
        ("t", "int *?*t[3]"),
        ("fn", "int (*fn)(char, ...)"),
        ("e", "int @{3} e"),
        ("g", "int (*(*g)(void))[2]"),
        ("d", "double d[2][3]"),
        ("pair", "$(int, char) pair"),
        ("v", "volatile int v"),
    ] {
        assert_eq!(type_of(&unit, name), shown);
    }
}

#[test]
fn parameters_are_adjusted_and_bind_regions() {
    let unit = accepted("int f(int a[], int b[4], int g(int), char ?s, int *`r p, int *`r q);");
    assert_eq!(type_of(&unit, "f"), "int f(int ?`a, int @{4}`b, int (@`g)(int), char ?`s, int *`r, int *`r)");
    let unit = accepted("int *`r pick(int *`r a, int *b, int *`H c);");
    assert_eq!(type_of(&unit, "pick"), "int *`r pick(int *`r, int *`b, int *)");
    let unit = accepted("struct S { int (*cmp)(int *, int *); int *(@deep)<`r>(int *`r); };");
    assert_eq!(unit.types.aggr_ids().count(), 1);
}

#[test]
fn layouts_are_those_of_the_platform() {
    let unit = accepted(
        "struct A { char c; int i; short s; }; struct A a;
         struct B { int x : 3; int y : 30; char c; long z : 40; int : 0; char d; }; struct B b;
         struct C { char c; double d; } __attribute__((packed)); struct C c;
         union U { char c[5]; int i; }; union U u;
         struct D { struct A a; union U u[2]; void *p; int ?f; }; struct D d;
         struct E { char a; char b __attribute__((aligned(16))); }; struct E e;
         enum F { X = 1, Y = 0x80000000 }; enum F f; enum G { M = -1 }; enum G g; enum H { W = 0x100000000 }; enum H h;
         long double ld; $(char, long) t;",
    );
    // What gcc 12 says about the same declarations.
    for (name, size, align) in [
        ("a", 12, 4),
        ("b", 24, 8),
        ("c", 9, 1),
        ("u", 8, 4),
        ("d", 56, 8),
        ("e", 32, 16),
        ("f", 4, 4),
        ("g", 4, 4),
        ("h", 8, 8),
        ("ld", 16, 16),
        ("t", 16, 8),
    ] {
        let global = unit.globals.iter().find(|g| g.name.as_str() == name).expect(name);
        let layout = unit.types.layout(global.qty.ty).expect(name);
        assert_eq!((layout.size, layout.align), (size, align), "{name}");
    }
}

#[test]
fn redeclarations_must_agree() {
    accepted(
        "int f(int *p); int f(int *q) { return 0; } extern int x; int x = 3; extern int a[]; int a[3] = {1, 2, 3};",
    );
    accepted("typedef int t; typedef int t; struct S { int a; }; struct S { int a; }; enum E { A }; enum E;");
    rejected("int f(int); int f(long) { return 0; }", &["E0102"]);
    rejected("int f(int *`r a, int *`r b); int f(int *a, int *b);", &["E0102"]);
    rejected("int x; long x;", &["E0102"]);
    rejected("int x; int x(void);", &["E0102"]);
    rejected("typedef int x; int x;", &["E0103"]);
    rejected("int f(void) { return 0; } int f(void) { return 0; }", &["E0101"]);
    rejected("int h(void); static int h(void) { return 0; }", &["E0104"]);
    rejected("static int h; int h;", &["E0104"]);
    rejected("int x = 1; int x = 2;", &["E0105"]);
    rejected("struct S { int a; }; union S u;", &["E0106"]);
    rejected("struct S { int a; }; struct S { long a; };", &["E0107"]);
    rejected("enum E { A, B }; enum E { A };", &["E0107"]);
    rejected("typedef int t; typedef long t;", &["E0108"]);
    rejected("int f(int a, int a);", &["E0109"]);
    rejected("void die(void) __attribute__((noreturn)); void die(void) { }", &["E0114"]);
}

#[test]
fn specifiers_in_the_wrong_place() {
    rejected("auto int x;", &["E0110"]);
    rejected("int f(void) = 3;", &["E0111"]);
    rejected("extern int x = 3;", &["E0111"]);
    rejected("extern \"C\" { int f(int a) { return a; } }", &["E0112"]);
    rejected("_Static_assert(1 > 2, \"no\");", &["E0123"]);
    rejected("int x; _Static_assert(x, \"no\");", &["E0124"]);
    rejected("int;", &["W0127"]);
    rejected("asm(\"nop\");", &["E0128"]);
    rejected("int f(int) { return 0; }", &["E0132"]);
}

#[test]
fn assembly_only_where_it_is_allowed() {
    let text = "asm(\"nop\"); int f(void) asm(\"symbol\"); int g(void) { return 0; }";
    rejected(text, &["E0128", "E0133"]);
    let source = SourceMap::new("test.cyc", text.into());
    let (unit, _) = cyc_syntax::parse(source.text(), &cyc_syntax::Options::default());
    let (typed, diags) =
        cyc_check::check_with(&unit, &source, &cyc_check::Options { allow_asm: true, ..Default::default() });
    assert!(!diags.has_errors() && !diags.is_empty(), "accepted with a warning: {diags:?}");
    assert_eq!(typed.c_texts.len(), 1);
}

#[test]
fn main_is_called_by_the_run_time() {
    accepted("int main() { return 0; }");
    accepted("int main(int argc, char ??argv) { return 0; }");
    accepted("int main(int argc, const char ?@notnull ?@notnull argv) { return 0; }");
    rejected("int main(int argc, char **argv) { return 0; }", &["E0115"]);
    rejected("int main(int argc, char ??argv, char ??envp) { return 0; }", &["E0116"]);
    rejected("void main() { }", &["W0117"]);
}

#[test]
fn globals_without_initialiser_are_zero() {
    accepted("int *p; struct S { int ?a; double d[3]; } s; int a[4] @zeroterm;");
    rejected("int @p;", &["E0118"]);
    rejected("struct S { int a; int @p; }; struct S s;", &["E0118"]);
    rejected("int a[];", &["E0126"]);
    rejected("struct S s;", &["E0200"]);
}

#[test]
fn types_that_cannot_be() {
    rejected("void x;", &["E0200"]);
    rejected("void a[3];", &["E0200"]);
    rejected("struct S { struct T t; };", &["E0200"]);
    rejected("int n; int a[n];", &["E0201"]);
    rejected("int a[-1];", &["E0202"]);
    rejected("int a[0x7fffffffffffffff];", &["E0203"]);
    rejected("int f(void)[3];", &["E0204"]);
    rejected("struct S { float x : 3; };", &["E0205"]);
    rejected("struct S { int x : 33; };", &["E0206"]);
    rejected("struct S { int x : 0; };", &["E0206"]);
    rejected("struct S { int x; char x; };", &["E0207"]);
    rejected("struct S { int x; struct { char x; }; };", &["E0207"]);
    rejected("struct S { struct S s; };", &["E0208"]);
    rejected("struct S { struct S s[2]; };", &["E0208"]);
    rejected("struct T { int a; }; struct T *@zeroterm p;", &["E0209"]);
    rejected("int @ a[3] @zeroterm;", &["E0209"]);
    rejected("struct S { int *`r p; };", &["E0210"]);
    rejected("int *`r p;", &["E0210"]);
    rejected("void f(int *`r::I p);", &["E0211"]);
    rejected("void f<`H>(int *`H p);", &["E0212"]);
    rejected("int n; int *{n} p;", &["E0213"]);
    rejected("_ x;", &["E0214"]);
    rejected("enum E x;", &["E0215"]);
    rejected("void f() { datatype D *p = NULL; }", &["E0216"]);
    rejected("datatype exn.Nope x;", &["E0216"]);
    rejected("@tagged union U { int i; }; @tagged union U u;", &["E0118"]);
    rejected("void ?p;", &["E0219"]);
    rejected("int f(int a, void b);", &["E0220"]);
    rejected("struct S { int; };", &["E0227"]);
    rejected("struct S { int a[]; int b; };", &["E0228"]);
}

#[test]
fn attributes() {
    let unit = accepted(
        "void f(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
         int x __attribute__((section(\"mine\"), aligned(64))); typedef int w __attribute__((mode(DI))); w y;",
    );
    let f = unit.globals.iter().find(|g| g.name.as_str() == "f").map(|g| g.qty.ty).unwrap_or(Ty::ERROR);
    let TyKind::Function(f) = unit.types.kind(f) else { panic!("f is a function") };
    assert!(f.attrs.noreturn && f.attrs.format.is_some());
    assert_eq!(unit.globals[1].attrs, ["section(\"mine\")", "aligned(64)"]);
    assert_eq!(type_of(&unit, "y"), "long y");
    rejected("void f(const char *fmt, ...) __attribute__((format(printf, 2, 3)));", &["E0222"]);
    rejected("void f(int *p) __attribute__((initializes(1)));", &["E0223"]);
    rejected("int x __attribute__((aligned(3)));", &["E0224"]);
    rejected("int x __attribute__((noreturn));", &["E0225"]);
    rejected("int x __attribute__((shiny));", &["W0226"]);
}

#[test]
fn a_subset_has_values() {
    rejected("typedef @subset(void x | 1) t;", &["E0912"]);
}

//! Regions: no pointer outlives what it points to. Every way that a pointer can take out of its block,
//! each beside a twin that is allowed.

use cyc_base::SourceMap;

fn codes(text: &str) -> Vec<String> {
    let source = SourceMap::new("test.cyc", text.into());
    let (unit, mut diags) = cyc_syntax::parse(source.text(), &cyc_syntax::Options::default());
    let (_, more) = cyc_check::check(&unit, &source);
    diags.extend(more);
    diags.into_sorted().into_iter().filter(|d| d.is_error()).map(|d| d.code.0.to_string()).collect()
}

#[track_caller]
fn lives(text: &str) {
    let found = codes(text);
    assert!(found.is_empty(), "accepted, but got {found:?}:\n{text}");
}

#[track_caller]
fn escapes(text: &str) {
    let found = codes(text);
    assert!(found.len() == 1 && found[0].starts_with("E030"), "one region error, but got {found:?}:\n{text}");
}

#[test]
fn variables_of_inner_blocks() {
    lives("void f(void) { int x = 1; int *p = &x; { int y = 2; int *q = &y; q = p; } }");
    escapes("void f(void) { int *p = NULL; { int y = 2; p = &y; } }");
    escapes("void f(void) { int *p; for (int i = 0; i < 3; i++) p = &i; }");
    escapes("void f(void) { int *p = NULL; while (1) { int y = 2; int *q = &y; p = q; } }");
    escapes("void f(int n) { int *p = NULL; switch (n) { case 1: int y = 2; p = &y; break; default: break; } }");
    escapes("void f(int n) { int *p = NULL; try { int y = 2; p = &y; } catch { default: break; } }");
    escapes("void f(int n) { int *p = NULL; if (n) { int y = 2; p = n ? &y : NULL; } }");
    escapes("void f(int n) { int *p = NULL; { int y = 2; p = (n, &y); } }");
    escapes("void f(int n) { int *p = NULL; int *q = NULL; { int y = 2; p = q = &y; } }");
    escapes("void f(void) { int ?p = NULL; { int a[3] = {1, 2, 3}; p = a; } }");
    escapes("void f(void) { char *p = NULL; { char a[3] @zeroterm; p = a; } }");
}

#[test]
fn values_that_hold_pointers() {
    escapes("void f(void) { $(int *, int) t = $(NULL, 1); { int y = 2; t = $(&y, 1); } }");
    escapes("void f(void) { $(int *, int) t = $(NULL, 1); { int y = 2; t[0] = &y; } }");
    lives("void f(void) { int y = 2; $(int *, int) t = $(&y, 1); t[0] = &y; }");
    escapes("void f(void) { int *a[2] = {NULL, NULL}; { int y = 2; a[1] = &y; } }");
    lives("void f(void) { int y = 2; int *a[2] = {NULL, &y}; a[0] = &y; }");
    escapes("struct S { int *p; }; void f(void) { int y = 2; struct S s = {&y}; }");
    escapes("struct S { int *p; }; void f(void) { int y = 2; struct S s = {NULL}; s.p = &y; }");
    lives("struct S { int *p; }; void f(void) { struct S s = {new 3}; struct S *q = &s; q->p = new 4; }");
    escapes("union U { int *p; int i; }; void f(void) { int y = 2; union U u; u.p = &y; }");
    escapes("void f(void) { int y = 2; int *`H *`H pp = new &y; }");
    escapes("void f(void) { int y = 2; int *`H ?pp = new {for i < 3 : &y}; }");
}

#[test]
fn results_and_globals() {
    escapes("int *f(void) { int x = 1; return &x; }");
    escapes("int *f(void) { int x = 1; int *p = &x; int *q = p; return q; }");
    escapes("char ?f(void) { char b[4] @zeroterm; return b; }");
    escapes("int *g; void f(void) { int x = 1; g = &x; }");
    escapes("int *g; void f(void) { int x = 1; int *`H *gp = &g; *gp = &x; }");
    escapes("void f(void) { static int *g; int x = 1; g = &x; }");
    lives("int y; int *f(void) { return &y; }");
    lives("int *f(void) { static int y; return &y; }");
    escapes("int *f(int *p) { return p; }");
    lives("int *`r f(int *`r p) { return p; }");
    escapes("int *`r f(int *`r p) { int x = 1; return &x; }");
    escapes("int *`r f(int *`r p, int *q) { return q; }");
    lives("int *`r f(int *`r p) { return new 3; }");
    escapes("typedef int *ip; int y; void g(ip p); void f(void) { int x = 1; g(&x); }");
    escapes("struct S { int x; }; int *f(struct S s) { return &s.x; }");
    lives("struct S { int x; }; int *`r f(struct S @`r s) { return &s->x; }");
    escapes("struct S { int x[3]; }; int ?f(void) { struct S s = {{1, 2, 3}}; return s.x; }");
}

#[test]
fn pointers_to_pointers() {
    escapes("void f(void) { int *p = NULL; int **pp = &p; { int y = 2; *pp = &y; } }");
    lives("void f(void) { int y = 2; int *p = NULL; int **pp = &p; *pp = &y; }");
    escapes("void f(int **pp) { int x = 1; *pp = &x; }");
    escapes("void f(int **pp, int *v) { *pp = v; }");
    lives("void f(int *`r *pp, int *`r v) { *pp = v; }");
    escapes("void set(int *`r *pp, int *`r v); void f(void) { int *p = NULL; { int y = 2; set(&p, &y); } }");
    lives("void set(int *`r *pp, int *`r v); void f(void) { int *p = NULL; int y = 2; set(&p, &y); }");
    escapes("void f(void) { int x = 1; int *p = &x; int *`H *q = &p; }");
    lives("void f(void) { int *p = NULL; int *`H *q = &p; *q = new 1; }");
    escapes("void f(void) { int *p = NULL; int *`H *q = &p; *q = new 1; int x = 1; p = &x; }");
    escapes("void f(void) { int ***ppp; int **pp; int *p = NULL; pp = &p; ppp = &pp; { int y = 1; **ppp = &y; } }");
}

#[test]
fn calls() {
    escapes("int *`r id(int *`r p) { return p; } void f(void) { int *p = NULL; { int y = 2; p = id(&y); } }");
    lives("int *`r id(int *`r p) { return p; } void f(void) { int y = 2; int *p = id(&y); }");
    escapes("int *`r id(int *`r p) { return p; } int *f(void) { int y = 2; return id(id(&y)); }");
    escapes("int *`r pick(int *`r a, int *`r b); int *f(void) { int y = 2; return pick(new 1, &y); }");
    escapes("void keep(int *`H p); void f(int *p) { keep(p); }");
    lives("void use(int *p); void f(int *p) { int x = 1; use(p); use(&x); use(new 3); }");
    escapes("void keep(struct S *`H p); struct S { int a; }; void f(void) { struct S s = {1}; keep(&s); }");
}

#[test]
fn function_pointers() {
    lives("int use(int *p); void f(void) { int x = 1; int (*g)(int *) = use; g(&x); }");
    escapes("void keep(int *`H p); void f(void) { int x = 1; void (*g)(int *) = keep; g(&x); }");
    escapes("int *`r id(int *`r p); int *g; void f(void) { int x = 1; int *(*h)(int *) = id; g = h(&x); }");
    escapes(
        "void keep(int *`H p); void apply(void f(int *`r), int *`r x) { f(x); } void g(void) { int x; apply(keep, &x); }",
    );
    lives("void use(int *p); void apply(void f(int *`r), int *`r x) { f(x); } void g(void) { int x; apply(use, &x); }");
    escapes("struct V { void (*f)(int *); }; void use(int *p); void g(struct V @v) { int x = 1; v->f(&x); }");
    lives(
        "struct V { void (@f)<`r>(int *`r); }; void use(int *p); void g(void) { int x = 1; struct V v = {use}; v.f(&x); }",
    );
    assert!(
        !codes("struct V { void (@f)<`r>(int *`r); }; void keep(int *`H p); void g(void) { struct V v = {keep}; }")
            .is_empty()
    );
}

#[test]
fn blocks_that_are_values() {
    escapes("int f(void) { int *p = ({ int x = 3; &x; }); return *p; }");
    lives("int f(void) { int y = 1; int *p = ({ int x = 3; &y; }); return *p; }");
    escapes("int f(void) { int *p = ({ int x = 3; int *q = &x; q; }); return *p; }");
    escapes("int f(void) { $(int *, int) p = ({ int x = 3; $(&x, 1); }); return *p[0]; }");
    escapes("int f(void) { return *({ int x = 3; int *q = &x; q; }); }");
}

#[test]
fn inferred_types() {
    lives("int f(void) { int x = 1; let p = &x; return *p; }");
    escapes("int f(void) { let p; { int x = 1; p = &x; } return *p; }");
    escapes("int f(void) { int y = 2; let p = &y; { int x = 1; p = &x; } return *p; }");
    escapes("int *f(void) { int y = 2; let p = &y; return p; }");
    escapes("int *f(void) { int y = 2; let $(p, n) = $(&y, 1); return p; }");
    escapes("int f(void) { _ *q = NULL; { int x = 1; int *p = &x; q = &p; } return **q; }");
    escapes("int f(void) { let q; { int x = 1; let r = $(&x, 2); q = r; } return *q[0]; }");
}

#[test]
fn names_of_blocks() {
    lives("int f(int x) { int *`f p = &x; return *p; }");
    lives("int f(void) { int x = 1; L: { int y = 2; int *`L p = &y; int *`f q = &x; p = q; return *p; } }");
    escapes("int f(void) { int x = 1; L: { int y = 2; int *`f q = &y; return *q; } }");
    escapes("int f(int *`r p) { int x = 1; int *`r q = &x; return *q; }");
}

#[test]
fn other_ways_out() {
    escapes("void f(void) { datatype exn.Assert a = Assert; throw &a; }");
    escapes("int *f(void) { int x = 1; return (int *)&x; }");
    escapes("void f(void) { int x = 1; int *p = &x; int *q = NULL; int *`H h = NULL; q = p; h = q; }");
    escapes("void f(void) { int *p = NULL; int *q = NULL; { int x = 1; q = &x; p :=: q; } }");
    escapes("void f(int n) { int *p = NULL; again: { int x = 1; if (n) { p = &x; goto again; } } }");
    escapes("int *f(int n) { int a[3] = {1, 2, 3}; return &a[n]; }");
    escapes("int ?f(int n) { int a[3] = {1, 2, 3}; return a + n; }");
    escapes("const char *f(const char *s) { while (*s) s++; return s; }");
    lives("const char *`r f(const char *`r s) { while (*s) s++; return s; }");
}

#[test]
fn types_that_outlive_the_function() {
    let statics = "void f(int *`r p) { static int *`r q = NULL; q = p; }";
    assert_eq!(codes(statics), ["E0210"], "{statics}");
    for text in [
        "void f(int *`r p) { static typeof(p) q; q = p; }",
        "void f(int *p) { typedef typeof(p) t; static t q; q = p; }",
        "void f(int *p) { struct S { typeof(p) q; }; }",
        "void f(int *p) { int x; extern int g(typeof(&x)); }",
        "void f(void) { let x = NULL; static typeof(x) y; }",
        "void f(int *`r p) { typedef int *`r t; static t q; q = p; }",
    ] {
        assert_eq!(codes(text), ["E0229"], "{text}");
    }
    lives("int y; void f(int *`r p) { typedef int *`r t; t q = p; static typeof(y) z; static int *s = &y; }");
    assert_eq!(codes("void g(struct S { int *`r p; } *x, int *`r y);"), ["E0210"]);
    lives("void f(int *`r p) { int g(int *`r); int *`r q = p; g(q); }");
}

//! Separately compiled units: what they share must agree, and the command says so before it links.

use eyewall_tests::tools::{Job, Ran};
use std::path::Path;

/// Compiles each file to an object of its own and links them; what the link said.
fn link(files: &[(&str, &str)], flags: &[&str]) -> (tempfile::TempDir, Ran) {
    let folder = tempfile::tempdir().expect("a scratch directory");
    let mut objects = vec![];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("the scratch directory is writable");
        if name.ends_with(".cyc") {
            let object = Path::new(name).with_extension("o").display().to_string();
            let ran = cyc(folder.path(), &["build", "-c", name, "-o", &object]);
            assert_eq!(ran.status, 0, "{name}:\n{}", ran.err());
            objects.push(object);
        }
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let ran = cyc(folder.path(), &[&["build", "-o", "program"], flags, &objects].concat());
    (folder, ran)
}

fn cyc(folder: &Path, args: &[&str]) -> Ran {
    Job::cyc().args(args).dir(folder).env("NO_COLOR", "1").seconds(120).run()
}

#[track_caller]
fn accepted(files: &[(&str, &str)]) {
    let (folder, ran) = link(files, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err());
    let ran = Job::new(folder.path().join("program")).run();
    assert_eq!(ran.status, 0, "{}{}", ran.out(), ran.err());
}

/// The link is refused, and its message has all of `words`.
#[track_caller]
fn rejected(files: &[(&str, &str)], words: &[&str]) {
    let (folder, ran) = link(files, &[]);
    assert_eq!(ran.status, 1, "{}", ran.err());
    for word in words {
        assert!(ran.err().contains(word), "no {word:?} in\n{}", ran.err());
    }
    assert!(!folder.path().join("program").exists(), "a program was left");
}

#[test]
fn units_that_agree() {
    let header = "struct Point { int x; int y; };
namespace Geometry { int sum(struct Point @p); extern int calls; extern int table[]; }
int total(... int xs);
";
    accepted(&[
        ("geometry.h", header),
        (
            "a.cyc",
            "#include \"geometry.h\"
namespace Geometry { int calls = 0; int table[3] = {1, 2, 3}; int sum(struct Point @`q p) { calls++; return p->x + p->y; } }
int total(... int xs) { int t = 0; for (int i = 0; i < numelts(xs); i++) t += xs[i]; return t; }
",
        ),
        (
            "b.cyc",
            "#include \"geometry.h\"
int main() { struct Point p = {2, 3}; return Geometry::sum(&p) + total(1, 2) - 8 + Geometry::calls - 1; }
",
        ),
    ]);
}

#[test]
fn private_types_of_one_name() {
    accepted(&[
        (
            "a.cyc",
            "struct Node { int a; }; int first(struct Node @n) { return n->a; } int f() { return first(new Node{1}); }\n",
        ),
        (
            "b.cyc",
            "struct Node { long a; int b; }; int second(struct Node @n) { return n->b; }
int f(void); int main() { return f() + second(new Node{5, -1}); }\n",
        ),
    ]);
}

#[test]
fn abstract_types_are_opaque_elsewhere() {
    let stack = "abstract struct Stack { int depth; };
struct Stack @make() { return new Stack{0}; }
int push(struct Stack @s) { return ++s->depth; }\n";
    accepted(&[
        ("stack.h", "extern struct Stack;\nstruct Stack @make();\nint push(struct Stack @s);\n"),
        ("stack.cyc", stack),
        ("main.cyc", "#include \"stack.h\"\nint main() { let s = make(); push(s); return push(s) - 2; }\n"),
    ]);
    rejected(
        &[
            ("stack.cyc", stack),
            (
                "main.cyc",
                "struct Stack { long depth; char ?name; };
struct Stack @make();\nint main() { return make()->name == NULL ? 0 : 1; }\n",
            ),
        ],
        &["E0761", "struct Stack", "stack.cyc", "main.cyc"],
    );
}

#[test]
fn a_function_of_another_type() {
    rejected(
        &[
            ("a.cyc", "int deref(int *@notnull p) { return *p; }\n"),
            ("b.cyc", "int deref(int *p);\nint main() { return deref(NULL); }\n"),
        ],
        &["E0760", "`deref`", "a.cyc", "b.cyc", "int deref(int @`p)", "int deref(int *`p)"],
    );
}

#[test]
fn a_variable_of_another_type() {
    rejected(
        &[
            ("a.cyc", "namespace N { long count = 0; }\n"),
            ("b.cyc", "namespace N { extern char ?count; }\nint main() { return N::count == NULL; }\n"),
        ],
        &["E0760", "`N::count`", "long count", "char ?"],
    );
}

#[test]
fn an_array_of_another_length() {
    let main = "extern int table[100];\nint main() { int i = 50; return table[i]; }\n";
    rejected(
        &[("a.cyc", "int table[3] = {1, 2, 3};\n"), ("b.cyc", main)],
        &["E0761", "the length of `table`", "a.cyc", "b.cyc"],
    );
    accepted(&[("a.cyc", "int table[100];\n"), ("b.cyc", main)]);
}

#[test]
fn regions_and_attributes_are_part_of_a_type() {
    rejected(
        &[
            ("a.cyc", "int *`r same(int *`r p) { return p; }\n"),
            ("b.cyc", "int *`H same(int *p);\nint *g;\nint main() { int x = 0; g = same(&x); return *g; }\n"),
        ],
        &["E0760", "`same`"],
    );
    rejected(
        &[
            ("a.cyc", "int f(int x) { return x; }\n"),
            ("b.cyc", "void f(int x) __attribute__((noreturn));\nint main() { f(1); }\n"),
        ],
        &["E0760"],
    );
}

#[test]
fn a_third_unit_hands_on_what_it_does_not_know() {
    rejected(
        &[
            ("a.cyc", "struct S { int x; }; struct S @make() { return new S{1}; }\n"),
            ("b.cyc", "struct S; struct S @make(); int use(struct S @); int main() { return use(make()); }\n"),
            ("c.cyc", "struct S { char ?p; }; int use(struct S @s) { return *s->p; }\n"),
        ],
        &["E0761", "struct S"],
    );
}

#[test]
fn fat_pointers_of_another_size() {
    let folder = tempfile::tempdir().expect("a scratch directory");
    std::fs::write(folder.path().join("a.cyc"), "int f(const char ?s) { return (int)numelts(s); }\n").unwrap();
    std::fs::write(folder.path().join("b.cyc"), "int f(const char ?s);\nint main() { return f(\"ab\") - 3; }\n")
        .unwrap();
    let compile = |file: &str, words: &str| {
        assert_eq!(cyc(folder.path(), &["build", "-c", "--fat-words", words, file]).status, 0);
    };
    compile("a.cyc", "3");
    compile("b.cyc", "2");
    let ran = cyc(folder.path(), &["build", "a.o", "b.o", "-o", "program"]);
    assert_eq!(ran.status, 1, "{}", ran.err());
    assert!(ran.err().contains("E0762"), "{}", ran.err());
    compile("a.cyc", "2");
    assert_eq!(cyc(folder.path(), &["build", "a.o", "b.o", "-o", "program"]).status, 0);
}

#[test]
fn archives_are_read_as_the_linker_reads_them() {
    let folder = tempfile::tempdir().expect("a scratch directory");
    let files = [
        ("good.cyc", "int wanted(int x) { return x; }\n"),
        ("bad.cyc", "int unused(long x) { return 0; }\nint other(char ?s) { return 1; }\n"),
        ("main.cyc", "int wanted(int x);\nint main() { return wanted(0); }\n"),
        ("wrong.cyc", "int wanted(int x);\nint other(int x);\nint main() { return wanted(0) + other(3); }\n"),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(cyc(folder.path(), &["build", "-c", name]).status, 0, "{name}");
    }
    let made = Job::new("ar").args(["rcs", "libx.a", "good.o", "bad.o"]).dir(folder.path()).run();
    assert_eq!(made.status, 0, "{}", made.err());
    for archive in [&["libx.a"][..], &["-L.", "-lx"]] {
        let ran = cyc(folder.path(), &[&["build", "main.o", "-o", "program"], archive].concat());
        assert_eq!(ran.status, 0, "{}", ran.err());
        let ran = cyc(folder.path(), &[&["build", "wrong.o", "-o", "program"], archive].concat());
        assert_eq!(ran.status, 1, "{}", ran.err());
        assert!(ran.err().contains("`other` has different types"), "{}", ran.err());
    }
    let ran = cyc(folder.path(), &["cc", "wrong.o", "libx.a", "-o", "program"]);
    assert_eq!(ran.status, 1, "{}", ran.err());
}

/// What is C's is trusted, and the section is not part of the program.
#[test]
fn c_is_trusted_and_the_section_stays_behind() {
    let (folder, ran) = link(
        &[
            (
                "a.cyc",
                "extern \"C\" int abs(int);\nextern \"C\" int shared(int);\nint shared(int x) { return abs(x); }\n",
            ),
            (
                "b.cyc",
                "extern \"C\" long shared(int);\nint g(int x) { return x; }\nint main() { return g((int)shared(0)); }\n",
            ),
        ],
        &[],
    );
    assert_eq!(ran.status, 0, "{}", ran.err());
    let sections = Job::new("readelf").args(["-S", "-W", "program"]).dir(folder.path()).run();
    assert!(!sections.out().contains(".cyc.types"), "{}", sections.out());
    let sections = Job::new("readelf").args(["-S", "-W", "b.o"]).dir(folder.path()).run();
    assert!(sections.out().contains(".cyc.types"), "{}", sections.out());
}

/// A thread runs `f`, which comes to `step` of another unit.
const SPAWNS: (&str, &str) = (
    "main.cyc",
    "#include <thread.h>
int step(int n);
int f(int n) { return step(n) + 1; }
int main() { return Thread::join(Thread::spawn(f, 2)) - 3; }
",
);

#[test]
fn what_a_thread_runs_is_followed_into_other_units() {
    let counts = "static int counter;
static int bump(int n) { return counter += n; }
int step(int n) { return bump(n); }
";
    rejected(
        &[SPAWNS, ("step.cyc", counts)],
        &["E0767", "main.cyc:4", "`f` mentions `step` mentions `bump` mentions `counter`"],
    );
    // What the thread never comes to may do as it likes.
    let apart = "static int counter;
int count(int n) { return counter += n; }
static const int one[1] = { 1 };
int step(int n) { return n * one[0]; }
";
    accepted(&[SPAWNS, ("step.cyc", apart)]);
}

#[test]
fn constants_of_other_units_count_with_what_they_lead_to() {
    let table = ("table.cyc", "int limit = 2;\nconst struct Table { const int *at; } table = { &limit };\n");
    let reads = "struct Table { const int *at; };
extern const struct Table table;
int step(int n) { return *table.at; }
";
    rejected(&[SPAWNS, ("step.cyc", reads), table], &["E0767", "`table` mentions `limit`"]);
    let constant = ("table.cyc", "const int limit = 2;\nconst struct Table { const int *at; } table = { &limit };\n");
    accepted(&[SPAWNS, ("step.cyc", reads), constant]);
}

#[test]
fn a_struct_that_c_makes_safe_is_not_defined_in_another_unit() {
    let main = "extern \"C\" { __attribute__((thread_safe)) struct Door; }
void open(struct Door @`H d) __attribute__((sends(1)));
int main() { return 0; }
void both(struct Door @`H d) { open(d); }
";
    let door = "struct Door { int *at; };
void open(struct Door @`H d) __attribute__((sends(1))) { }
";
    rejected(&[("main.cyc", main), ("door.cyc", door)], &["E0761", "struct Door"]);
}

//! The command's promises: `run`, `build`, `cc`, `explain`, run-time failures, debuggers, the cache.

use eyewall_tests::tools::{Job, Ran, cyc, need, root};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

struct Scratch(tempfile::TempDir);

impl Scratch {
    /// A folder that holds these files.
    fn new(files: &[(&str, &str)]) -> Scratch {
        let folder = tempfile::tempdir().expect("a scratch directory");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("the scratch directory is writable");
        }
        Scratch(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn cyc(&self, args: &[&str]) -> Job {
        Job::cyc().args(args).dir(self.path()).env("NO_COLOR", "1")
    }

    fn sh(&self, script: &str) -> Job {
        Job::new("sh").args(["-euc", script]).dir(self.path()).env("CYC", cyc()).seconds(300)
    }
}

#[track_caller]
fn expect(ran: &Ran, status: i32, out: &str) {
    assert_eq!((ran.status, ran.out().as_str()), (status, out), "standard error:\n{}", ran.err());
}

const ECHO: &str = "#include <stdio.h>
int main(int argc, char ??argv) {
  for (int i = 1; i < argc; i++) printf(\"%s\\n\", argv[i]);
  for (int c = getchar(); c != EOF; c = getchar()) putchar(c);
  return argc;
}
";

#[test]
fn run_hands_on_arguments_input_and_status() {
    let s = Scratch::new(&[("echo.cyc", ECHO)]);
    expect(&s.cyc(&["run", "echo.cyc", "--", "a b", "--flag"]).stdin("in\n").run(), 3, "a b\n--flag\nin\n");
    expect(&s.cyc(&["run", "-O0", "echo.cyc"]).run(), 1, "");
}

/// `-x` is about what is compiled, not about objects that are linked; configure scripts write such lines.
#[test]
fn cc_compiles_what_x_names() {
    let s = Scratch::new(&[("text", "int main(void) { return 7; }\n"), ("echo.cyc", ECHO)]);
    expect(&s.sh("\"$CYC\" cc -x c text -o a; ./a").seconds(120).run(), 7, "");
    expect(&s.sh("\"$CYC\" cc -xc - -x none -lm -o b <text; ./b").seconds(120).run(), 7, "");
    expect(&s.sh("\"$CYC\" cc -x c echo.cyc -o c; echo in | ./c").seconds(120).run(), 1, "in\n");
}

/// A program that ends by a closed pipe ends the command in the same way, though there is nobody to tell.
#[test]
fn run_into_a_closed_pipe() {
    const ENDLESS: &str = "#include <stdio.h>\nint main() { for (;;) printf(\"line\\n\"); }\n";
    let s = Scratch::new(&[("endless.cyc", ENDLESS)]);
    let script = "{ \"$CYC\" run endless.cyc 2>&1 || echo $? >status; } | head -n 2; cat status";
    expect(&s.sh(script).run(), 0, "line\nline\n141\n");
}

const MAIN: &str =
    "int twice(int x);\nextern \"C\" int thrice(int x);\nint main() { return twice(4) + thrice(1) + BASE; }\n";
const TWICE: &str = "#include \"twice.h\"\nint twice(int x) { return FACTOR * x; }\n";
const THRICE: &str = "int thrice(int x) { return 3 * x; }\n";

fn several() -> Scratch {
    let s = Scratch::new(&[("main.cyc", MAIN), ("twice.cyc", TWICE), ("thrice.c", THRICE)]);
    fs::create_dir(s.path().join("inc")).unwrap();
    fs::write(s.path().join("inc/twice.h"), "#define FACTOR 2\n").unwrap();
    s
}

#[test]
fn build_takes_several_files_and_flags() {
    let s = several();
    let build = ["build", "-DBASE=1", "-Iinc", "-O1", "-g", "main.cyc", "twice.cyc", "thrice.c", "-o", "out"];
    expect(&s.cyc(&build).run(), 0, "");
    expect(&Job::new(s.path().join("out")).run(), 12, "");
}

#[test]
fn build_makes_objects_to_link_later() {
    let s = several();
    expect(&s.cyc(&["build", "-c", "-I", "inc", "-D", "BASE=2", "main.cyc", "twice.cyc", "thrice.c"]).run(), 0, "");
    expect(&s.cyc(&["build", "main.o", "twice.o", "thrice.o", "-o", "out"]).run(), 0, "");
    expect(&Job::new(s.path().join("out")).run(), 13, "");
}

#[test]
fn cc_takes_the_place_of_gcc() {
    let s = several();
    let script = "
        $CYC cc -O2 -Wall -Iinc -DBASE=3 -c main.cyc -o m.o
        $CYC cc -Iinc -c twice.cyc
        $CYC cc -c thrice.c
        $CYC cc -o out m.o twice.o thrice.o -lm
        $CYC cc -O1 -Iinc -DBASE=3 main.cyc twice.cyc thrice.c -o both
        ./both || [ $? = 14 ]
        ./out
    ";
    expect(&s.sh(script).run(), 14, "");
}

#[test]
fn cc_serves_a_makefile() {
    need("make", "make").unwrap();
    let s = several();
    let rules = "CFLAGS = -O1 -Iinc -DBASE=4\nout: main.o twice.o thrice.o\n\t$(CC) -o $@ $^\n%.o: %.cyc\n\t$(CC) $(CFLAGS) -c $< -o $@\n";
    fs::write(s.path().join("Makefile"), rules).unwrap();
    let ran = s.sh("make -s CC=\"$CYC cc\" && ./out").run();
    expect(&ran, 15, "");
}

/// Objects of link-time optimisation show which modules of the library they need, and what they believe about each other.
#[test]
fn link_time_optimisation_finds_the_library() {
    const ORDERED: &str = "#include <list.h>\n#include <stdio.h>
int main() {
  for (let l = List::merge_sort(Core::intcmp, List::list(3, 1, 2)); l != NULL; l = l->tl) printf(\"%d\", l->hd);
  return 0;
}
";
    let s = Scratch::new(&[
        ("ordered.cyc", ORDERED),
        ("uses.cyc", "long shared(void);\nint main() { return (int)shared(); }\n"),
        ("has.cyc", "int shared(void) { return 1; }\n"),
    ]);
    let gcc = |args: &[&str]| s.cyc(args).env("CC", "gcc").seconds(300).run();
    expect(&gcc(&["build", "-O2", "-flto=1", "ordered.cyc", "-o", "out"]), 0, "");
    expect(&Job::new(s.path().join("out")).run(), 0, "123");
    let ran = gcc(&["build", "-O2", "-flto=1", "uses.cyc", "has.cyc", "-o", "out"]);
    assert!(ran.status == 1 && ran.err().contains("shared"), "{}: {}", ran.status, ran.err());
}

#[test]
fn works_with_clang() {
    need("clang", "clang").unwrap();
    let s = Scratch::new(&[("echo.cyc", ECHO)]);
    expect(&s.cyc(&["run", "echo.cyc", "--", "x"]).env("CC", "clang").run(), 2, "x\n");
}

#[test]
fn explain_prints_the_page() {
    let codes: Vec<_> = eyewall_tests::pages::pages().unwrap();
    let page = codes.first().expect("there are pages");
    let ran = Job::cyc().args(["explain", &page.code]).run();
    assert_eq!(ran.status, 0);
    assert!(ran.out().contains(&page.code));
}

const FAILS: &str = "#include <stdio.h>
int at(int ?v, int i) {
  return v[i];
}
int main() {
  int ?v = new {10, 20, 30};
  printf(\"%d\\n\", at(v, 1));
  fflush(stdout);
  return at(v, 7);
}
";

#[test]
fn a_failed_check_says_what_and_where() {
    let s = Scratch::new(&[("fails.cyc", FAILS)]);
    let ran = s.cyc(&["run", "fails.cyc"]).run();
    expect(&ran, 1, "20\n");
    for word in ["Array_bounds", "fails.cyc:3", "7", "3"] {
        assert!(ran.err().contains(word), "the message does not say {word}:\n{}", ran.err());
    }
    assert!(!ran.err().contains("main"), "a backtrace that nobody asked for:\n{}", ran.err());
}

/// The frame is larger than the thread's stack, and another thread's stack lies below that.
const LARGE_FRAME: &str = "#include <stdio.h>
#include <thread.h>
void write(char ?@nozeroterm p, int n) { for (int i = 0; i < n; i++) p[i] = 'x'; }
int attack(int n) { Thread::sleep(200); char buf[9300000] @nozeroterm; write(buf, n); return 1; }
int look(char ?@nozeroterm p) { int bad = 0; for (int i = 0; i < numelts(p); i++) if (p[i] != 0) bad++; return bad; }
int suffer(int n) {
  char a[1048576] @nozeroterm;
  char ?@nozeroterm p = a;
  for (int i = 0; i < numelts(p); i++) p[i] = 0;
  Thread::sleep(600);
  return look(p);
}
int main() {
  let a = Thread::spawn(attack, 1000);
  let b = Thread::spawn(suffer, 3);
  int x = Thread::join(a);
  printf(\"%d %d\\n\", x, Thread::join(b));
  return 0;
}
";
const DEEP: &str =
    "int deep(int n) { char here[3000] @nozeroterm; here[n % 3000] = 1; return deep(n + 1) + here[n % 7]; }
int main() { return deep(0); }
";

#[test]
fn a_stack_that_is_used_up_ends_the_program() {
    const SEGMENTATION_FAULT: i32 = 128 + 11;
    let s = Scratch::new(&[("large.cyc", LARGE_FRAME), ("deep.cyc", DEEP)]);
    for (cc, level) in [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")] {
        need(cc, cc).unwrap();
        for program in ["large", "deep"] {
            let source = format!("{program}.cyc");
            expect(&s.cyc(&["build", level, &source, "-o", program]).env("CC", cc).run(), 0, "");
            expect(&Job::new(s.path().join(program)).run(), SEGMENTATION_FAULT, "");
        }
    }
}

#[test]
fn a_failed_check_prints_a_backtrace_on_demand() {
    let s = Scratch::new(&[("fails.cyc", FAILS)]);
    for level in ["-O0", "-O2"] {
        expect(&s.cyc(&["build", "-g", level, "fails.cyc", "-o", "out"]).run(), 0, "");
        let ran = Job::new(s.path().join("out")).env("CYC_BACKTRACE", "1").run();
        expect(&ran, 1, "20\n");
        assert!(ran.err().contains("fails.cyc:9"), "{level}: the caller's line is missing:\n{}", ran.err());
    }
}

#[test]
fn a_debugger_shows_the_programmers_lines() {
    need("gdb", "gdb").unwrap();
    let s = Scratch::new(&[("fails.cyc", FAILS)]);
    expect(&s.cyc(&["build", "-g", "-O0", "fails.cyc", "-o", "out"]).run(), 0, "");
    let commands = ["-ex", "break fails.cyc:3", "-ex", "run", "-ex", "print i", "-ex", "backtrace", "-ex", "kill"];
    let ran = Job::new("gdb").args(["-batch", "-nx"]).args(commands).arg("./out").dir(s.path()).run();
    for word in ["fails.cyc:3", "fails.cyc:7", "$1 = 1"] {
        assert!(ran.out().contains(word), "gdb does not say {word}:\n{}\n{}", ran.out(), ran.err());
    }
}

const VALUES: &str = r#"datatype Shape { Dot; Rect(int, $(int, int)); Named(const char ?, datatype Shape @) };
datatype Opt<`a> { None; Some(`a) };
@tagged union Num { int i; double d; };
struct List<`a> { `a hd; struct List<`a> *tl; };
@extensible datatype exn { Too_big(int, const char ?) };
namespace Geom {
  int area(datatype Shape @shape, int ?v, const char ?name) {
    const char *thin = "thin";
    $(int, const char ?) pair = $(7, "seven");
    @tagged union Num num = {.d = 2.5};
    struct List<const char *> list = List{"first", NULL};
    datatype Opt<const char ?@> @opt = new Some(new "some");
    datatype exn @`H thrown = new Too_big(3, "big");
    datatype exn @`H null = new Null_Exception;
    datatype Shape.Rect rect = Rect(1, $(2, 3));
    int ?empty = NULL;
    int ?far = v + 1;
    far += 9;
    struct List<int> numbers = List{4, NULL};
    return v[0] + pair[0] + numbers.hd;
  }
}
int main() {
  int ?v = new {10, 20, 30};
  v++;
  return Geom::area(new Named("box", new Dot), v, "a name") - 31;
}
"#;

/// What a debugger shows of the values above: expression and text.
const SHOWN: &[(&str, &str)] = &[
    ("shape", "&Named(\"box\", &Dot)"),
    ("v", "{20, 30}"),
    ("name", "\"a name\""),
    ("pair", "$(7, \"seven\")"),
    ("num", "{.d = 2.5}"),
    ("thrown", "&Too_big(3, \"big\")"),
    ("null", "&Null_Exception"),
    ("rect", "Rect(1, $(2, 3))"),
    ("empty", "NULL"),
    ("far", "outside: element 11 of 3"),
    ("numbers", "{hd = 4, tl = 0x0}"),
];

#[test]
fn a_debugger_shows_values_as_the_programmer_writes_them() {
    need("gdb", "gdb").unwrap();
    need("clang", "clang").unwrap();
    for cc in ["gcc", "clang"] {
        let s = Scratch::new(&[("values.cyc", VALUES)]);
        expect(&s.cyc(&["build", "-g", "-O0", "values.cyc", "-o", "out"]).env("CC", cc).run(), 0, "");
        expect(&Job::new(s.path().join("out")).run(), 0, "");
        let mut args = vec!["gdb", "-batch", "-nx", "-ex", "break values.cyc:20", "-ex", "run", "-ex", "backtrace"];
        args.extend(["-ex", "info locals", "-ex", "whatis v", "-ex", "whatis shape"]);
        let prints: Vec<String> = SHOWN.iter().map(|(expression, _)| format!("print {expression}")).collect();
        args.extend(prints.iter().flat_map(|print| ["-ex", print.as_str()]));
        args.extend(["-ex", "kill", "./out"]);
        let ran = s.cyc(&args).run();
        let said = ran.out();
        for word in [
            "Geom::area (shape=",
            "main () at",
            "type = int ?",
            "type = datatype Shape *",
            "\"thin\"",
            "\"first\"",
            "&Some(0x",
        ] {
            assert!(said.contains(word), "{cc}: gdb does not say {word}:\n{said}\n{}", ran.err());
        }
        for (n, (expression, text)) in (1..).zip(SHOWN) {
            let line = format!("${n} = {text}\n");
            assert!(said.contains(&line), "{cc}: of `{expression}` gdb does not say {line}:\n{said}\n{}", ran.err());
            let local = format!("\n{expression} = {text}\n");
            let is_local = !["shape", "v", "name"].contains(expression);
            assert!(!is_local || said.contains(&local), "{cc}: `info locals` does not say {local}:\n{said}");
        }
    }
}

const OVERFLOWS: &str = "extern \"C\" void fill(int @{4} a);
int main() {
  int @{4} a = new {1, 2, 3, 4};
  fill(a);
  return a[0];
}
";
const FILL: &str = "void fill(int *a) { for (int i = 0; i <= 4; i++) a[i] = 0; }\n";

/// C code that writes behind a Cyclone object is found by the sanitizer, for which the heap is the C library's; without
/// it, the heap is liblowfat.
#[test]
fn the_address_sanitizer_sees_the_heap() {
    need("nm", "binutils").unwrap();
    let s = Scratch::new(&[("main.cyc", OVERFLOWS), ("fill.c", FILL)]);
    let symbols = || Job::new("nm").arg("out").dir(s.path()).run().out();
    expect(&s.cyc(&["build", "main.cyc", "fill.c", "-o", "out"]).run(), 0, "");
    assert!(symbols().contains(" lowfat_malloc"));
    expect(&s.cyc(&["build", "-g", "-fsanitize=address", "main.cyc", "fill.c", "-o", "out"]).run(), 0, "");
    assert!(!symbols().contains(" lowfat_malloc"));
    let ran = Job::new(s.path().join("out")).run();
    assert!(ran.err().contains("heap-buffer-overflow") && ran.err().contains("fill.c:1"), "{}", ran.err());
}

const ALLOCATES: &str = "#include <core.h>
#include <stdio.h>
struct List { int hd; struct List *tl; };
int main() {
  struct List *l = NULL;
  for (int i = 0; i < 1000; i++) l = new List{i, l};
  region r;
  int @`r p = rnew(r) 1000;
  int *`U q = malloc(sizeof(int));
  if (q != NULL) *q = *p;
  Core::ufree(q);
  for (; l != NULL; l = l->tl) *p += l->hd;
  printf(\"%d\\n\", *p);
  return 0;
}
";

/// Valgrind keeps a record of every page that is mapped: the run time must not reserve terabytes under it.
#[test]
fn valgrind_runs_programs_at_its_usual_speed() {
    need("valgrind", "valgrind").unwrap();
    let s = Scratch::new(&[("main.cyc", ALLOCATES)]);
    expect(&s.cyc(&["build", "-g", "main.cyc", "-o", "out"]).run(), 0, "");
    let out = s.path().join("out");
    expect(&Job::new("valgrind").args(["-q", "--error-exitcode=9"]).arg(out).seconds(15).run(), 0, "500500\n");
}

const SMALL_OBJECTS: &str = "#include <core.h>
#include <stdio.h>
using Core;
struct Small { char text[16]; };
struct Odd { char text[5]; };
extern \"C\" unsigned long slot_of(void @`r);
extern \"C\" unsigned long asked_for(void @`r);
int main() {
  struct Small @`U small = unew Small{{for i < 16 : 'x'}};
  struct Odd @`U odd = unew Odd{{for i < 5 : 'x'}};
  printf(\"%lu %lu\", slot_of(small), asked_for(odd));
  ufree(small);
  ufree(odd);
  return 0;
}
";
const LOOK: &str = "#include <lowfat.h>
unsigned long slot_of(const void *p) { return lowfat_size(p); }
unsigned long asked_for(const void *p) { return lowfat_requested_size(p); }
";

/// Emitted code takes small objects by itself, but not where an option of the allocator changes what they are.
#[test]
fn options_of_the_allocator_reach_every_object() {
    let s = Scratch::new(&[("main.cyc", SMALL_OBJECTS), ("look.c", LOOK)]);
    expect(&s.cyc(&["build", "-O2", "main.cyc", "look.c", "-o", "out"]).run(), 0, "");
    let with = |options| Job::new(s.path().join("out")).env("LOWFAT_OPTIONS", options).run();
    expect(&with(""), 0, "16 16");
    expect(&with("past_end=1"), 0, "32 16");
    expect(&with("exact=1"), 0, "16 5");
}

#[test]
fn output_is_the_same_every_time() {
    let example = root().join("examples/wordfreq.cyc");
    let emit = || Job::cyc().args(["check", "--emit=c"]).arg(&example).run();
    let first = emit();
    assert_eq!(first.status, 0, "{}", first.err());
    assert!((0..3).all(|_| emit() == first));
}

/// Eight first builds at once over an empty cache, and each program works.
#[test]
fn the_cache_survives_concurrent_first_use() {
    let s = Scratch::new(&[("echo.cyc", ECHO)]);
    let build = |n: usize| {
        let out = format!("out{n}");
        let ran = s.cyc(&["build", "echo.cyc", "-o", &out]).env("CYC_CACHE_DIR", s.path().join("cache")).run();
        expect(&ran, 0, "");
        expect(&Job::new(s.path().join(out)).arg("x").run(), 2, "x\n");
    };
    std::thread::scope(|scope| {
        for n in 0..8 {
            let build = &build;
            scope.spawn(move || build(n));
        }
    });
}

/// Builds that are killed while they fill the cache do not harm those that come after.
#[test]
fn the_cache_survives_interruption() {
    let s = Scratch::new(&[("echo.cyc", ECHO)]);
    let cache = s.path().join("cache");
    let mut killed = 0;
    for milliseconds in [20, 60, 120, 250, 500, 900] {
        let mut child = Command::new(cyc())
            .args(["build", "echo.cyc", "-o", "killed"])
            .current_dir(s.path())
            .env("CYC_CACHE_DIR", &cache)
            .stderr(Stdio::null())
            .spawn()
            .expect("cyc starts");
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        let _ = child.kill();
        killed += usize::from(child.wait().expect("cyc ends").signal() == Some(9));
    }
    assert!(killed > 0, "every build had ended before it was killed");
    let ran = s.cyc(&["build", "echo.cyc", "-o", "out"]).env("CYC_CACHE_DIR", &cache).run();
    expect(&ran, 0, "");
    expect(&Job::new(s.path().join("out")).run(), 1, "");
}

#[test]
fn works_without_a_home_and_with_an_unusable_cache() {
    let s = Scratch::new(&[("echo.cyc", ECHO)]);
    let script = "unset HOME XDG_CACHE_HOME; TMPDIR=$PWD $CYC run echo.cyc -- x";
    expect(&s.sh(script).run(), 2, "x\n");
    let ran = s.cyc(&["build", "echo.cyc", "-o", "out"]).env("CYC_CACHE_DIR", "/dev/null/cache").run();
    assert_eq!(ran.status, 2, "{}", ran.err());
    assert!(ran.err().contains("/dev/null/cache"), "{}", ran.err());
}

#[test]
fn the_example_of_the_readme_counts_its_words() {
    let pipeline = "tr -cs 'A-Za-z' '\\n' < README.md | tr 'A-Z' 'a-z' | grep . | sort | uniq -c \
                    | sort -k1,1nr -k2,2 | awk '{ print $1, $2 }'";
    let expected = Job::new("sh").args(["-c", pipeline]).env("LC_ALL", "C").run();
    assert!(expected.out().lines().count() > 100);
    let ran = Job::cyc().args(["run", "examples/wordfreq.cyc", "--", "README.md"]).run();
    expect(&ran, 0, &expected.out());
}

const SUMS: &str = "#include <stdio.h>
static int sum(int ?p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += p[i];
  return s + p[n - 1];
}
static int first(int ?p) {
  if (numelts(p) > 0) return p[0];
  return -1;
}
int main() { int a[3] = {1, 2, 3}; printf(\"%d %d\\n\", sum(a, 3), first(a)); return 0; }
";

#[test]
fn mir_says_which_checks_are_removed_and_why() {
    let s = Scratch::new(&[("sums.cyc", SUMS)]);
    let mir = s.cyc(&["check", "--emit=mir", "sums.cyc"]).run().out();
    assert!(mir.contains("// removed, in bounds here: check p.0 has 1 at 0;"), "{mir}");
    assert!(mir.contains("// removed, tested before the loop: check p.0 has 1 at i.3;"), "{mir}");
    let kept = s.cyc(&["check", "--no-elim", "--emit=mir", "sums.cyc"]).run().out();
    assert!(!kept.contains("removed"), "{kept}");
}

#[test]
fn report_checks_lists_what_is_left() {
    let s = Scratch::new(&[("sums.cyc", SUMS)]);
    let report = "sum: checks left: 1, removed: 0, tested before their loop: 1\n  sums.cyc:5: bounds\n\
                  first: checks left: 0, removed: 1\n";
    expect(&s.cyc(&["check", "--report-checks", "sums.cyc"]).run(), 0, report);
    expect(&s.cyc(&["build", "--report-checks", "sums.cyc"]).run(), 0, report);
    let kept = "sum: checks left: 2, removed: 0\n  sums.cyc:4: bounds\n  sums.cyc:5: bounds\n\
                first: checks left: 1, removed: 0\n  sums.cyc:8: bounds\n";
    expect(&s.cyc(&["check", "--no-elim", "--report-checks", "sums.cyc"]).run(), 0, kept);
}

const UNCHECKED: &str = "#include <stdio.h>
int nulls(int *p) { return *p; }
static int a[4] = {1, 2, 3, 4};
static int bounds(int ?p, int i) { try { return p[i]; } catch { case &Array_bounds: return -1; } }
int main(int argc, char ??argv) { int ?p = a; p++; printf(\"%d\\n\", bounds(p, 1 + argc)); return 0; }
";

/// The checks that are left out are those named, no others: an element after the end (that is there) can be read.
#[test]
fn the_collector_can_be_left_out() {
    let owned = "#include <core.h>
#include <heap.h>
#include <stdio.h>
#include <string.h>
using Core;
int main() {
  region r;
  char ?buffer = rcalloc(r, 10, sizeof(char));
  int *`U one = unew 5;
  int ?`RC many = rcnew 6;
  try strcpy(buffer, \"much too long for it\");
  catch { case &Invalid_argument(what): printf(\"%s \", what); break; }
  printf(\"%d %d %d\\n\", *one, *many, is_traced());
  ufree(one);
  drop_refptr(many);
  return 0;
}
";
    let traced = "#include <list.h>
int twice(int x) { return 2 * x; }
int main() { region r; return List::length(List::map(twice, List::rlist(r, 1, 2, 3))); }
";
    let cells = "#include <array.h>
#include <list.h>
#include <stdio.h>
int main() { region r; List::list_t<int> x = rnew(r) List::List(1, NULL); printf(\"%d\\n\", x->hd); return 0; }
";
    let owned = owned.replace("is_traced", "Heap::is_traced");
    let s = Scratch::new(&[("owned.cyc", &owned), ("cells.cyc", cells), ("traced.cyc", traced)]);
    expect(&s.cyc(&["run", "owned.cyc"]).run(), 0, "strcpy 5 6 1\n");
    expect(&s.cyc(&["build", "--gc=none", "owned.cyc", "-o", "owned"]).run(), 0, "");
    expect(&s.sh("./owned; ! nm owned | grep -q lowfat_gc_").run(), 0, "strcpy 5 6 0\n");
    expect(&s.sh("\"$CYC\" cc --gc=none -O2 owned.cyc -o owned && ./owned").run(), 0, "strcpy 5 6 0\n");
    // Bodies in headers, which an optimised program has, count as well: there are none then.
    expect(&s.sh("\"$CYC\" cc --gc=none -O2 cells.cyc -o cells && ./cells").run(), 0, "1\n");
    // A flag that nobody knows is no defect of the code that was generated.
    for (flag, told) in [("--gc=nun", "`--gc` is `mark-sweep` or `none`"), ("-fno-such-flag", "-fno-such-flag")] {
        let ran = s.sh(&format!("\"$CYC\" cc {flag} -c owned.cyc")).run();
        let blames_cyc = ran.err().contains("E0094");
        assert!(ran.status != 0 && ran.err().contains(told) && !blames_cyc, "{} {}", ran.status, ran.err());
    }
    // What the library allocates is known when the program is linked.
    expect(&s.cyc(&["run", "traced.cyc"]).run(), 3, "");
    let ran = s.cyc(&["build", "--gc=none", "traced.cyc"]).run();
    expect(&ran, 1, "");
    assert!(ran.err().contains("E0715") && ran.err().contains("`List::map` allocates on the heap"), "{}", ran.err());
}

#[test]
fn checks_can_be_left_out() {
    let s = Scratch::new(&[("unchecked.cyc", UNCHECKED)]);
    let c = |flag: &[&str]| {
        let args = [&["check", "--emit=c", "unchecked.cyc"], flag].concat();
        let c = s.cyc(&args).run().out();
        (c.contains("cyc_fail_null(") as u8, c.contains("cyc_fail_fat(") as u8)
    };
    assert_eq!(c(&[]), (1, 1));
    assert_eq!(c(&["--nonullchecks"]), (0, 1));
    assert_eq!(c(&["--noboundschecks"]), (1, 0));
    assert_eq!(c(&["--nochecks"]), (0, 0));
    expect(&s.sh("$CYC cc --nochecks unchecked.cyc -o out && ./out").run(), 0, "4\n");
}

//! What is built, and what is not built again.

use crate::scratch::{Scratch, expect, set};
use eyewall_tests::tools::{Job, need};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

const TOML: &str = "[project]\nname = \"mix\"\nversion = \"1.0\"\n\n[build]\ninclude = [\"include\"]\n";
const MAIN: &str =
    "#include <stdio.h>\n#include \"both.h\"\nint main() { printf(\"%d\\n\", twice(BASE) + half()); return 0; }\n";
const TWICE: &str = "#include \"both.h\"\n#include \"factor.h\"\nint twice(int x) { return FACTOR * x; }\n";
const HALF: &str = "#include \"factor.h\"\nint half(void) { return FACTOR * 10; }\n";

/// A program of two Cyclone units and one in C, with two headers.
fn mix() -> Scratch {
    Scratch::new(&[
        ("cyc.toml", TOML),
        ("include/both.h", "#define BASE 4\nextern int twice(int x);\nextern \"C\" int half(void);\n"),
        ("include/factor.h", "#define FACTOR 2\n"),
        ("src/main.cyc", MAIN),
        ("src/deep/twice.cyc", TWICE),
        ("src/deep/half.c", HALF),
    ])
}

const ALL: &[&str] = &["bin/mix", "obj/src/deep/half.c.o", "obj/src/deep/twice.cyc.o", "obj/src/main.cyc.o"];

#[test]
fn a_new_project_builds_runs_and_passes_its_test() {
    let s = Scratch::new(&[]);
    expect(&s.cyc(&["new", "demo"]).run(), 0, &[]);
    let demo = s.path().join("demo");
    let ran = s.cyc(&["run", "--", "Ada", "Grace"]).dir(&demo).run();
    expect(&ran, 0, &[]);
    assert_eq!(ran.out(), "Hello, Ada!\nHello, Grace!\n");
    let ran = s.cyc(&["test"]).dir(&demo).run();
    assert_eq!((ran.status, ran.out().as_str()), (0, "test greeting ... ok\n\n1 passed, 0 failed\n"));
    // What is there is never overwritten.
    let before = s.read("demo/cyc.toml");
    expect(&s.cyc(&["new", "demo"]).run(), 2, &["E0087", "is there already"]);
    assert_eq!(s.read("demo/cyc.toml"), before);
    expect(&s.cyc(&["new", "no good"]).run(), 2, &["E0087", "letters, digits"]);
    expect(&s.cyc(&["new", "no/such/folder"]).run(), 2, &["E0091"]);
}

#[test]
fn only_what_has_changed_is_built_again() {
    let s = mix();
    assert_eq!(s.build(), set(ALL));
    assert_eq!(s.build(), set(&[]));
    let ran = s.cyc(&["run"]).run();
    assert_eq!((ran.status, ran.out().as_str()), (0, "28\n"));
    // A header: the units that read it.
    s.touch("include/both.h");
    assert_eq!(s.build(), set(&["bin/mix", "obj/src/deep/twice.cyc.o", "obj/src/main.cyc.o"]));
    s.write("include/factor.h", "#define FACTOR 3\n");
    assert_eq!(s.build(), set(&["bin/mix", "obj/src/deep/half.c.o", "obj/src/deep/twice.cyc.o"]));
    assert_eq!(s.cyc(&["run"]).run().out(), "42\n");
    // A source, an object, a record, and the program.
    s.touch("src/deep/half.c");
    assert_eq!(s.build(), set(&["bin/mix", "obj/src/deep/half.c.o"]));
    s.remove("build/obj/src/main.cyc.o");
    assert_eq!(s.build(), set(&["bin/mix", "obj/src/main.cyc.o"]));
    s.remove("build/obj/src/main.cyc.o.made");
    assert_eq!(s.build(), set(&["bin/mix", "obj/src/main.cyc.o"]));
    s.remove("build/bin/mix");
    assert_eq!(s.build(), set(&["bin/mix"]));
    assert_eq!(s.build(), set(&[]));
}

#[test]
fn other_flags_and_another_compiler_build_everything_again() {
    let s = mix();
    assert_eq!(s.build(), set(ALL));
    assert_eq!(s.build_with(&["-DBASE_IS_OTHER"]), set(ALL));
    assert_eq!(s.build(), set(ALL));
    s.write("cyc.toml", &TOML.replace("[build]", "[build]\nopt = 1\n"));
    assert_eq!(s.build(), set(ALL));
    // Libraries concern the linker only.
    s.write("cyc.toml", &TOML.replace("[build]", "[build]\nopt = 1\nlibs = [\"m\"]\n"));
    assert_eq!(s.build(), set(&["bin/mix"]));
    need("clang", "clang").unwrap();
    let object = || std::fs::read(s.path().join("build/obj/src/main.cyc.o")).unwrap();
    let before = object();
    expect(&s.cyc(&["build"]).env("CC", "clang").run(), 0, &[]);
    assert_ne!(object(), before);
}

#[test]
fn sources_that_come_and_go() {
    let s = mix();
    s.build();
    s.write("src/extra.c", "int extra(void) { return 1; }\n");
    assert_eq!(s.build(), set(&["bin/mix", "obj/src/extra.c.o"]));
    s.remove("src/extra.c");
    assert_eq!(s.build(), set(&["bin/mix"]));
    assert!(!s.path().join("build/obj/src/extra.c.o").exists(), "the object of a source that is gone stays");
    // A unit that is needed: the linker misses it, and the program stays as it was.
    let program = std::fs::read(s.path().join("build/bin/mix")).unwrap();
    s.remove("src/deep/half.c");
    expect(&s.cyc(&["build"]).run(), 2, &["linking failed", "half"]);
    assert_eq!(std::fs::read(s.path().join("build/bin/mix")).unwrap(), program);
    // A header that is gone is an error where it was read, and not before somebody reads it.
    s.write("src/deep/half.c", HALF);
    s.remove("include/factor.h");
    expect(&s.cyc(&["build"]).run(), 1, &["factor.h"]);
    s.write("include/factor.h", "#define FACTOR 2\n");
    assert_eq!(s.build(), set(&["bin/mix", "obj/src/deep/half.c.o", "obj/src/deep/twice.cyc.o"]));
}

#[test]
fn all_mistakes_are_shown_and_good_units_are_kept() {
    let s = mix();
    s.write("src/main.cyc", "int main() { return oops; }\n");
    s.write("src/deep/half.c", "int half(void) { return wrong; }\n");
    expect(&s.cyc(&["build"]).run(), 1, &["oops", "wrong", "src/main.cyc:1:"]);
    assert!(!s.path().join("build/bin/mix").exists());
    s.write("src/main.cyc", MAIN);
    s.write("src/deep/half.c", HALF);
    assert_eq!(s.build(), set(&["bin/mix", "obj/src/deep/half.c.o", "obj/src/main.cyc.o"]));
}

#[test]
fn a_circular_include_is_an_error_with_a_place() {
    let s = mix();
    s.write("include/both.h", "#include \"factor.h\"\n");
    s.write("include/factor.h", "#include \"both.h\"\n");
    let ran = s.cyc(&["build"]).run();
    expect(&ran, 1, &["nested", "include/"]);
    assert!(ran.err().len() < 100_000, "the message is {} bytes long", ran.err().len());
}

#[test]
fn several_programs_share_what_is_no_main() {
    let program = |name: &str| format!("\n[[program]]\nname = \"{name}\"\nmain = \"src/{name}.cyc\"\n");
    let main = |n: i32| {
        format!("#include <stdio.h>\nint shared(int);\nint main() {{ printf(\"%d\\n\", shared({n})); return 0; }}\n")
    };
    let s = Scratch::new(&[
        ("cyc.toml", &format!("[project]\nname = \"several\"\n{}{}", program("one"), program("two"))),
        ("src/one.cyc", &main(1)),
        ("src/two.cyc", &main(2)),
        ("src/shared.cyc", "int shared(int n) { return 10 * n; }\n"),
        ("tests/shared.cyc", &main(3)),
        ("tests/shared.out", "30\n"),
        ("tests/other.cyc", "int shared(int);\nint main() { return shared(1) != 10; }\n"),
    ]);
    let objects = ["obj/src/one.cyc.o", "obj/src/shared.cyc.o", "obj/src/two.cyc.o"];
    assert_eq!(s.build_with(&["-j1"]), set(&[&["bin/one", "bin/two"], &objects[..]].concat()));
    expect(&s.cyc(&["run"]).run(), 2, &["E0085", "several programs", "`one`, `two`"]);
    expect(&s.cyc(&["run", "--program", "three"]).run(), 2, &["E0085", "no program `three`"]);
    assert_eq!(s.cyc(&["run", "--program", "two"]).run().out(), "20\n");
    s.touch("src/two.cyc");
    assert_eq!(s.build(), set(&["bin/two", "obj/src/two.cyc.o"]));
    let ran = s.cyc(&["test"]).run();
    assert_eq!(ran.out(), "test other ... ok\ntest shared ... ok\n\n2 passed, 0 failed\n", "{}", ran.err());
    // Failures: an output that differs, a status, an exception.
    s.write("tests/shared.out", "30\nmore\n");
    s.write("tests/other.cyc", "int main(int argc, char ??argv) { return argv[5][0]; }\n");
    let ran = s.cyc(&["test"]).run();
    assert_eq!(ran.status, 1);
    for words in ["shared ... FAILED", "line 2: expected \"more\"", "Array_bounds", "0 passed, 2 failed"] {
        assert!(ran.out().contains(words), "{words:?} is not in:\n{}", ran.out());
    }
    assert_eq!(s.cyc(&["test", "oth"]).run().out().matches("FAILED").count(), 1);
}

#[test]
fn a_project_is_found_from_below() {
    let s = mix();
    let ran = s.cyc(&["run"]).dir(s.path().join("src/deep")).run();
    assert_eq!((ran.status, ran.out().as_str()), (0, "28\n"), "{}", ran.err());
    s.write("src/main.cyc", "int main() { return oops; }\n");
    expect(&s.cyc(&["build"]).dir(s.path().join("src/deep")).run(), 1, &["--> src/main.cyc:1:"]);
}

/// Builds at the same time wait for each other; what they leave is whole.
#[test]
fn concurrent_builds_do_no_harm() {
    let s = mix();
    let start = || {
        let mut command = Command::new(eyewall_tests::tools::cyc());
        // As `Job::cyc` does: what was built without the verifier is built again.
        command.env("CYC_VERIFY", "1").args(["build", "-j2"]).current_dir(s.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("cyc starts")
    };
    for round in 0..3 {
        s.write("include/factor.h", &format!("#define FACTOR {round}\n"));
        let children: Vec<_> = (0..4).map(|_| start()).collect();
        for child in children {
            let output = child.wait_with_output().expect("cyc ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert_eq!(Job::new(s.path().join("build/bin/mix")).run().out(), format!("{}\n", 14 * round));
    }
    assert_eq!(s.build(), set(&[]));
}

/// A build that is killed leaves nothing that a later one takes for whole.
#[test]
fn an_interrupted_build_is_taken_up() {
    let s = mix();
    let mut killed = 0;
    for pause in [10, 40, 80, 120, 200] {
        s.write("include/factor.h", &format!("#define FACTOR {pause}\n"));
        let mut child =
            Command::new(eyewall_tests::tools::cyc()).arg("build").current_dir(s.path()).spawn().expect("cyc starts");
        std::thread::sleep(std::time::Duration::from_millis(pause));
        let _ = child.kill();
        killed += usize::from(child.wait().expect("cyc ends").signal() == Some(9));
        s.build();
        assert_eq!(Job::new(s.path().join("build/bin/mix")).run().out(), format!("{}\n", 14 * pause));
    }
    assert!(killed > 0, "every build had ended before it was killed");
    let left = eyewall_tests::tools::files_below(&s.path().join("build"), "");
    let stray: Vec<_> = left
        .iter()
        .filter(|path| path.components().any(|c| c.as_os_str().to_string_lossy().starts_with(".cyc-")))
        .collect();
    assert!(stray.is_empty(), "{stray:?} are left over");
}

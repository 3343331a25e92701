//! What the command says to bad input and a bad environment: a clear message, exit status 2 for usage and environment,
//! 1 for rejected programs, nothing half-written, never a crash.

use eyewall_tests::tools::{Job, Ran, crash_text, root};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The status, the words of the message, and no crash.
#[track_caller]
fn expect(ran: &Ran, status: i32, words: &[&str]) {
    let text = ran.err();
    let head: String = text.chars().take(2000).collect();
    assert!(!ran.timed_out, "took too long:\n{head}");
    assert_eq!(crash_text(&text), None, "crashed:\n{head}");
    assert_eq!(ran.status, status, "exit status; standard error:\n{head}");
    for word in words {
        assert!(text.contains(word), "the message does not say {word:?}:\n{head}");
    }
    assert!(!text.is_empty() || status == 0, "no message");
    assert!(text.len() < 100_000, "the message is {} bytes long", text.len());
}

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a scratch directory"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Scratch {
        fs::write(self.path().join(name), bytes).expect("the scratch directory is writable");
        self
    }

    fn cyc(&self, args: &[&str]) -> Job {
        Job::cyc().args(args).dir(self.path()).env("NO_COLOR", "1")
    }

    /// `cyc check` of one program.
    fn check(&self, source: impl AsRef<[u8]>) -> Ran {
        self.write("program.cyc", source).cyc(&["check", "program.cyc"]).run()
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the scratch directory is readable");
        let mut names: Vec<_> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

const HELLO: &str = "#include <stdio.h>\nint main() { printf(\"hello\\n\"); return 0; }\n";

#[test]
fn usage_errors() {
    let s = Scratch::new();
    for args in
        [&[] as &[&str], &["frobnicate"], &["build"], &["check"], &["run"], &["check", "--no-such-option", "a.cyc"]]
    {
        expect(&s.cyc(args).run(), 2, &[]);
    }
    expect(&s.cyc(&["explain", "E9999"]).run(), 2, &["E9999"]);
}

#[test]
fn missing_file() {
    let s = Scratch::new();
    for command in ["check", "run"] {
        expect(&s.cyc(&[command, "nowhere.cyc"]).run(), 2, &["nowhere.cyc"]);
    }
    expect(&s.cyc(&["build", "nowhere.cyc", "-o", "out"]).run(), 2, &["nowhere.cyc"]);
    assert_eq!(s.files(), Vec::<String>::new());
}

#[test]
fn directory_as_file() {
    let s = Scratch::new();
    fs::create_dir(s.path().join("folder.cyc")).unwrap();
    expect(&s.cyc(&["check", "folder.cyc"]).run(), 2, &["folder.cyc", "directory"]);
    s.write("a.cyc", HELLO);
    expect(&s.cyc(&["build", "a.cyc", "-o", "folder.cyc"]).run(), 2, &["folder.cyc"]);
}

#[test]
fn unreadable_and_missing_headers() {
    let s = Scratch::new();
    s.write("a.cyc", "#include \"missing.h\"\nint main() { return 0; }\n");
    let ran = s.cyc(&["check", "a.cyc"]).run();
    assert!(ran.status == 1 || ran.status == 2, "status {}", ran.status);
    expect(&ran, ran.status, &["missing.h"]);
    fs::create_dir(s.path().join("dir.h")).unwrap();
    s.write("b.cyc", "#include \"dir.h\"\nint main() { return 0; }\n");
    let ran = s.cyc(&["check", "b.cyc"]).run();
    assert!(ran.status == 1 || ran.status == 2, "status {}", ran.status);
    expect(&ran, ran.status, &["dir.h"]);
    // The superuser reads everything: the case needs an ordinary user, or `setpriv` to become one.
    s.write("secret.h", "int x;\n").write("c.cyc", "#include \"secret.h\"\nint main() { return 0; }\n");
    fs::set_permissions(s.path().join("secret.h"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(s.path().join("secret.h")).is_err() {
        let ran = s.cyc(&["check", "c.cyc"]).run();
        expect(&ran, ran.status.clamp(1, 2), &["secret.h"]);
    }
}

#[test]
fn unreadable_source() {
    let s = Scratch::new();
    s.write("a.cyc", HELLO);
    fs::set_permissions(s.path().join("a.cyc"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(s.path().join("a.cyc")).is_err() {
        expect(&s.cyc(&["check", "a.cyc"]).run(), 2, &["a.cyc"]);
    }
}

#[test]
fn no_c_compiler() {
    let s = Scratch::new();
    s.write("a.cyc", HELLO);
    for args in [&["check", "a.cyc"] as &[&str], &["run", "a.cyc"], &["build", "a.cyc", "-o", "out"]] {
        expect(&s.cyc(args).env("CC", "/nonexistent").run(), 2, &["/nonexistent"]);
    }
    assert_eq!(s.files(), ["a.cyc"]);
}

/// A stand-in for the C compiler: preprocesses like `cc`, then fails in `how`.
fn stand_in(s: &Scratch, how: &str) -> String {
    let script = format!("#!/bin/sh\nfor a in \"$@\"; do [ \"$a\" = -E ] && exec cc \"$@\"; done\n{how}\n");
    s.write("failing-cc", script);
    let path = s.path().join("failing-cc");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn failing_c_compiler() {
    let s = Scratch::new();
    s.write("a.cyc", HELLO);
    for how in ["echo 'cc1: out of cheese' >&2; exit 1", "kill -SEGV $$", "exit 77"] {
        let cc = stand_in(&s, how);
        let ran = s.cyc(&["build", "a.cyc", "-o", "out"]).env("CC", &cc).run();
        expect(&ran, 2, &["failing-cc"]);
        assert!(!s.path().join("out").exists(), "a failed build left a file");
    }
    let cc = stand_in(&s, "echo 'cc1: out of cheese' >&2; exit 1");
    let ran = s.cyc(&["build", "a.cyc", "-o", "out"]).env("CC", &cc).run();
    expect(&ran, 2, &["out of cheese"]);
}

#[test]
fn full_disk_and_unwritable_output() {
    let s = Scratch::new();
    s.write("a.cyc", HELLO);
    let ran = s.cyc(&["build", "a.cyc", "-o", "/dev/full"]).run();
    expect(&ran, 2, &["/dev/full"]);
    assert!(Path::new("/dev/full").exists(), "the device was replaced");
    expect(&s.cyc(&["build", "a.cyc", "-o", "no/such/folder/out"]).run(), 2, &["no/such/folder"]);
    // A listing that nobody can take.
    let cyc = eyewall_tests::tools::cyc().display().to_string();
    let ran = Job::new("sh").args(["-c", &format!("'{cyc}' check --emit=c a.cyc > /dev/full")]).dir(s.path()).run();
    expect(&ran, 2, &[]);
}

#[test]
fn a_failed_build_keeps_the_old_program() {
    let s = Scratch::new();
    s.write("a.cyc", HELLO).write("bad.cyc", "int main() { return x; }\n");
    expect(&s.cyc(&["build", "a.cyc", "-o", "out"]).run(), 0, &[]);
    let before = fs::read(s.path().join("out")).unwrap();
    expect(&s.cyc(&["build", "bad.cyc", "-o", "out"]).run(), 1, &["error["]);
    assert_eq!(fs::read(s.path().join("out")).unwrap(), before);
    assert_eq!(s.files(), ["a.cyc", "bad.cyc", "out"], "files are left over");
}

#[test]
fn empty_and_blank_units() {
    let s = Scratch::new();
    for source in ["", "\n", " \t\x0c\n\n", "/* nothing */", "// nothing"] {
        let ran = s.check(source);
        expect(&ran, 0, &[]);
        // There is no `main` to run.
        let ran = s.cyc(&["build", "program.cyc", "-o", "out"]).run();
        assert!(ran.status == 1 || ran.status == 2, "status {} for {source:?}", ran.status);
        expect(&ran, ran.status, &["main"]);
    }
}

#[test]
fn binary_junk() {
    let s = Scratch::new();
    let mut rng = fastrand::Rng::with_seed(7);
    for size in [1, 16, 1000, 100_000] {
        let junk: Vec<u8> = (0..size).map(|_| rng.u8(..)).collect();
        let ran = s.check(&junk);
        assert!(ran.status <= 2, "status {}", ran.status);
        expect(&ran, ran.status, &[]);
    }
    let executable = fs::read("/bin/true").unwrap();
    let ran = s.check(&executable);
    expect(&ran, 1, &["program.cyc"]);
}

#[test]
fn nul_and_invalid_utf8_in_strings() {
    let s = Scratch::new();
    let program = |inside: &[u8]| {
        [b"#include <stdio.h>\nint main() { const char ?s = \"".as_slice(), inside, b"\"; puts(s); return 0; }\n"]
            .concat()
    };
    for inside in [b"a\0b".as_slice(), b"\xff\xfe", b"caf\xe9", "naïve ☂".as_bytes()] {
        let ran = s.check(program(inside));
        assert!(ran.status <= 1, "status {} for {inside:?}:\n{}", ran.status, ran.err());
        expect(&ran, ran.status, &[]);
    }
    // What is valid must pass through byte for byte.
    s.write("u.cyc", program("naïve ☂".as_bytes()));
    let ran = s.cyc(&["run", "u.cyc"]).run();
    expect(&ran, 0, &[]);
    assert_eq!(ran.out(), "naïve ☂\n");
    expect(&s.check(b"int \xff\xfe = 3;\n"), 1, &["program.cyc"]);
    expect(&s.check(b"int a\0b;\n"), 1, &["program.cyc"]);
}

#[test]
fn one_very_long_line() {
    let s = Scratch::new();
    let terms = "+ 1 ".repeat(10 << 18);
    let ran = s.check(format!("int main() {{ return 0 {terms}; }}\n"));
    assert!(ran.status <= 1, "status {}", ran.status);
    expect(&ran, ran.status, &[]);
    let declarations: String = (0..500_000).map(|i| format!("int variable_{i}; ")).collect();
    expect(&s.check(format!("{declarations} int main() {{ return oops; }}\n")), 1, &["oops"]);
    let blanks = " ".repeat(10 << 20);
    expect(&s.check(format!("int main() {{ return {blanks} oops; }}\n")), 1, &["oops"]);
}

#[test]
fn deep_nesting() {
    let s = Scratch::new();
    let deep = 100_000;
    let (open, close) = ("(".repeat(deep), ")".repeat(deep));
    let wholes = [
        format!("int x = {open}1{close};\n"),
        format!("int x = {open}1;\n"),
        format!("int main() {{ return {}1; }}\n", "-".repeat(deep)),
        format!("int main() {{ return {}1; }}\n", "- ".repeat(deep)),
        format!("int main() {{ {} {} }}\n", "{".repeat(deep), "}".repeat(deep)),
        format!("int main() {{ {} ; }}\n", "if (1) ".repeat(deep)),
        format!("int main() {{ {} ; return 0; }}\n", "while (1) ".repeat(deep)),
        format!("int {}x;\n", "*".repeat(deep)),
        format!("int x{};\n", "[1]".repeat(deep)),
        format!("int x = {}1{};\n", "{".repeat(deep), "}".repeat(deep)),
        format!("int x = {}1;\n", "1 ? 1 : ".repeat(deep)),
        format!("int x = {}sizeof(int);\n", "(int)".repeat(deep)),
        format!("int x; int main() {{ {}1; return 0; }}\n", "x = ".repeat(deep)),
        format!("int {}x{};\n", "(".repeat(deep), ")".repeat(deep)),
        format!("{}int{} x;\n", "$(".repeat(deep), ")".repeat(deep)),
        format!("struct A {{ {} int x; {} }};\n", "struct {".repeat(deep), "};".repeat(deep)),
        format!("int f() {{ return {}1{}; }}\n", "({ ".repeat(deep), "; })".repeat(deep)),
        format!("int a[1]; int f() {{ return a{}; }}\n", "[0]".repeat(deep)),
        format!("int f(void) {{ return f{}; }}\n", "()".repeat(deep)),
    ];
    for whole in wholes {
        let ran = s.check(&whole);
        let head: String = whole.chars().take(40).collect();
        assert!(ran.status <= 1, "status {} for {head:?}:\n{}", ran.status, ran.err());
        expect(&ran, ran.status, &[]);
    }
}

#[test]
fn long_chains_are_not_deep() {
    let s = Scratch::new();
    let sum = "1 + ".repeat(20_000);
    let ran = s.check(format!("int main() {{ return {sum} 1; }}\n"));
    assert!(ran.status <= 1, "status {}", ran.status);
    expect(&ran, ran.status, &[]);
    let ifs: String = (0..5_000).map(|i| format!("if (x == {i}) return {i}; else ")).collect();
    let ran = s.check(format!("int f(int x) {{ {ifs} return 0; }}\n"));
    assert!(ran.status <= 1, "status {}", ran.status);
    expect(&ran, ran.status, &[]);
}

#[test]
fn many_mistakes_are_not_a_flood() {
    let s = Scratch::new();
    let lines: String = (0..10_000).map(|i| format!("int f{i}() {{ return undeclared{i}; }}\n")).collect();
    let ran = s.write("program.cyc", lines).cyc(&["check", "program.cyc"]).run();
    assert_eq!(ran.status, 1);
    assert_eq!(crash_text(&ran.err()), None);
}

#[test]
fn an_error_is_shown_after_however_many_warnings() {
    let warnings: String = (0..200).map(|i| format!("int f{i}(long x) {{ int y = x; return y; }}\n")).collect();
    let ran = Scratch::new().check(format!("{warnings}int main() {{ return oops; }}\n"));
    expect(&ran, 1, &["error[", "oops", "omitted"]);
}

#[test]
fn line_markers_lie() {
    let s = Scratch::new();
    for marker in
        ["# 1 \"no/such/file.c\"", "#line 4294967295 \"x.c\"", "#line 0", "# 99999999999999 \"x\"", "#line 1 \"\""]
    {
        let ran = s.check(format!("{marker}\nint main() {{ return oops; }}\n"));
        assert!(ran.status == 1 || ran.status == 2, "status {} for {marker}", ran.status);
        expect(&ran, ran.status, &[]);
    }
}

#[test]
fn json_messages_are_json() {
    let s = Scratch::new();
    s.write("a.cyc", "int main() { return x + \"\\xff\"; }\n");
    let ran = s.cyc(&["check", "--message-format=json", "a.cyc"]).run();
    assert_eq!(ran.status, 1);
    let text = ran.out() + &ran.err();
    let mut codes = 0;
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        codes += usize::from(!value["code"].is_null());
    }
    assert!(codes > 0, "no message has a code:\n{text}");
}

#[test]
fn emitted_forms_are_printed() {
    let program = root().join("examples/hello.cyc");
    for form in ["tokens", "ast", "typed", "mir", "c"] {
        let ran = Job::cyc().args(["check", &format!("--emit={form}")]).arg(&program).run();
        expect(&ran, 0, &[]);
        assert!(!ran.stdout.is_empty(), "--emit={form} prints nothing");
    }
    expect(&Job::cyc().args(["check", "--emit=poetry"]).arg(&program).run(), 2, &["poetry"]);
}

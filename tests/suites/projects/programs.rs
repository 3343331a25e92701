//! The real programs of `examples/projects`: built as users build them and under sanitizers, and compared with the standard
//! tools on real input.

use crate::scratch::expect;
use eyewall_tests::builds::{sanitizer_report, under_sanitizers};
use eyewall_tests::tools::{Job, Ran, difference, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A program in two builds.
pub struct Program {
    name: &'static str,
}

const SANITIZERS: &[&str] = &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Where a build of a project goes: what is up to date from the run before is not built again.
fn build_folder(name: &str, build: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects").join(name).join(build)
}

impl Program {
    /// Builds the project of this name twice, unless this process has done so already, and runs its own tests in both
    /// builds.
    #[track_caller]
    pub fn build(name: &'static str) -> Program {
        static BUILT: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        if !built.contains(name) {
            for (build, flags) in [("plain", &[] as &[&str]), ("sanitized", SANITIZERS)] {
                for command in ["build", "test"] {
                    let job = Job::cyc().arg(command).args(flags).arg("--build-dir").arg(build_folder(name, build));
                    let ran = under_sanitizers(job).dir(root().join("examples/projects").join(name)).seconds(300).run();
                    expect(&ran, 0, &[]);
                    assert_eq!(ran.err(), "", "`cyc {command}` of {name} warns");
                }
            }
            built.insert(name);
        }
        Program { name }
    }

    pub fn executables(&self) -> [PathBuf; 2] {
        ["plain", "sanitized"].map(|build| build_folder(self.name, build).join("bin").join(self.name))
    }

    /// Runs both builds with these arguments, which have to do the same; the first one's output is returned.
    #[track_caller]
    pub fn run(&self, args: &[&str], stdin: &[u8]) -> Ran {
        let [plain, sanitized] = self.executables().map(|executable| {
            let ran = under_sanitizers(job(executable, args, stdin)).run();
            if let Some(report) = sanitizer_report(&ran) {
                panic!("{args:?}: {report}");
            }
            ran
        });
        assert!(plain.stdout == sanitized.stdout && plain.status == sanitized.status, "the builds differ: {args:?}");
        plain
    }

    /// The program prints what a standard tool prints, and ends as it does.
    #[track_caller]
    pub fn agrees(&self, tool: &str, args: &[&str], stdin: &[u8]) {
        self.agrees_with(tool, args, args, stdin);
    }

    /// The same, where the tool wants other arguments.
    #[track_caller]
    pub fn agrees_with(&self, tool: &str, tool_args: &[&str], args: &[&str], stdin: &[u8]) {
        let expected = job(tool, tool_args, stdin).run();
        let got = self.run(args, stdin);
        if expected.stdout != got.stdout {
            panic!("{args:?} differs from {tool}:\n{}\n{}", difference(&expected.out(), &got.out()), got.err());
        }
        assert_eq!(got.status, expected.status, "{args:?}: {}{}", got.err(), expected.err());
    }
}

fn job(program: impl Into<std::ffi::OsString>, args: &[&str], stdin: &[u8]) -> Job {
    Job::new(program).args(args).env("LC_ALL", "C").stdin(stdin)
}

/// Files of the repository that the programs read.
pub const FILES: &[&str] = &["README.md", "LICENSE-APACHE", "Cargo.lock", "crates/cyc-driver/src/compile.rs"];

pub fn contents(file: &str) -> Vec<u8> {
    std::fs::read(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// Text that looks random and is the same in every run.
pub fn random_lines(seed: u64, lines: usize, line: impl Fn(&mut fastrand::Rng) -> String) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..lines).flat_map(|_| (line(&mut rng) + "\n").into_bytes()).collect()
}

#[test]
fn wc_counts_as_wc_does() {
    let p = Program::build("wc");
    p.agrees("wc", FILES, b"");
    for flags in ["-l", "-w", "-c", "-L", "-lw", "-Lc"] {
        p.agrees("wc", &[flags, "README.md", "/bin/ls", "examples/data/menu.json.gz"], b"");
    }
    p.agrees("wc", &["no/such/file", "README.md"], b"");
    for stdin in [b"" as &[u8], b"no newline", b"a\tb\r\nc\x0cd\x0be \n", &contents("LICENSE-MIT")] {
        p.agrees("wc", &["-l", "-"], stdin);
        p.agrees("wc", &[], stdin);
    }
    assert_eq!(p.run(&["-z"], b"").status, 2);
}

#[test]
fn sort_sorts_as_sort_does() {
    let p = Program::build("sort");
    let agrees = |args: &[&str], stdin: &[u8]| p.agrees_with("sort", &[&["-s"], args].concat(), args, stdin);
    agrees(FILES, b"");
    agrees(&["-r", "README.md", "-", "LICENSE-MIT"], b"from\nstandard\ninput");
    for stdin in [b"" as &[u8], b"\n", b"b\na\n\nb", &contents("/bin/ls")] {
        agrees(&[], stdin);
        agrees(&["-u"], stdin);
    }
    let fields = random_lines(1, 2000, |rng| {
        (0..rng.usize(0..9)).map(|_| char::from(*rng.choice(b"ab: \t").unwrap())).collect()
    });
    for key in ["1", "2", "3", "1,1", "2,2", "2,3"] {
        agrees(&["-k", key, "-t", ":"], &fields);
        agrees(&["-r", "-k", key], &fields);
        agrees(&["-u", "-k", key, "-t", " "], &fields);
    }
    let numbers = random_lines(2, 20_000, |rng| {
        let sign = rng.choice(["", "-", " ", "00", "-0"]).unwrap();
        format!("{sign}{}{} {}", rng.u32(..2000), rng.choice(["", ".5", ".25", ".", ".250", "x"]).unwrap(), rng.u8(..9))
    });
    for flags in [&["-n"] as &[&str], &["-nr"], &["-nu"], &["-n", "-k2,2"], &["-nr", "-k", "2"]] {
        agrees(flags, &numbers);
    }
    for wrong in [&["-k", "0"] as &[&str], &["-k", "2,1"], &["-k", "x"], &["-t", "ab"], &["-q"]] {
        assert_eq!(p.run(wrong, b"").status, 2, "{wrong:?}");
    }
    assert_eq!(p.run(&["README.md", "no/such/file"], b"").status, 2);
}

/// A file of twenty megabytes, and a line of one.
#[test]
fn sort_takes_large_files() {
    let p = Program::build("sort");
    let mut large = random_lines(3, 400_000, |rng| format!("{:016x} {}", rng.u64(..), "x".repeat(rng.usize(0..60))));
    large.extend(std::iter::repeat_n(b'y', 1 << 20));
    let [plain, _] = p.executables();
    let got = job(plain, &[], &large).run();
    assert!(got.stdout == job("sort", &["-s"], &large).run().stdout, "{}", got.err());
}

#[test]
fn calc_computes_what_python_computes() {
    let p = Program::build("calc");
    let mut rng = fastrand::Rng::with_seed(5);
    let lines: Vec<String> = (0..300).map(|_| expression(&mut rng, 4)).collect();
    let python = "import sys\nfor line in sys.stdin:\n  print('%.15g' % eval(line.replace('^', '**')))";
    let text = lines.join("\n") + "\n";
    p.agrees_with("python3", &["-c", python], &[], text.as_bytes());
    let ran = p.run(&[], b"x = 1 + 2\n\n# a comment\ny = x * x\ny - x\nz\n1 / 0\n(1\n2 2\n");
    assert_eq!((ran.out().as_str(), ran.status), ("3\n9\n6\n", 1));
    for wrong in [
        "line 6, column 1: this name",
        "line 7, column 3: division by zero",
        "line 8, column 3: `)`",
        "line 9, column 3",
    ] {
        assert!(ran.err().contains(wrong), "{wrong:?} is not in:\n{}", ran.err());
    }
    // Nesting and length end in a message and not in the end of the stack.
    for hostile in ["(".repeat(100_000), "-".repeat(100_000), "1+".repeat(100_000) + "1", "2^".repeat(50_000) + "1"] {
        let ran = p.run(&[], hostile.as_bytes());
        assert_eq!((ran.status, ran.err().lines().count()), (1, 1), "{}", ran.err());
    }
}

fn expression(rng: &mut fastrand::Rng, depth: usize) -> String {
    if depth == 0 || rng.u8(..4) == 0 {
        return format!("{}.0", rng.u8(1..20));
    }
    let (a, b) = (expression(rng, depth - 1), expression(rng, depth - 1));
    match rng.u8(..6) {
        0 => format!("({a} + {b})"),
        1 => format!("{a} - {b}"),
        2 => format!("{a}*{b}"),
        3 => format!("({a}) / (1.0 + ({b})^2)"),
        4 => format!("-({a})"),
        _ => format!("({a} + {b}) - {a}"),
    }
}

/// Every three words that follow each other in the text that is made follow each other in the text that was read.
#[test]
fn markov_writes_only_what_it_has_read() {
    let p = Program::build("markov");
    let read: Vec<String> = FILES.iter().flat_map(|file| words(&contents(file))).collect();
    let known: std::collections::HashSet<&[String]> = read.windows(3).collect();
    let mut texts = std::collections::BTreeSet::new();
    for seed in ["1", "2", "3"] {
        let ran = p.run(&[&["-n", "500", "-s", seed], FILES].concat(), b"");
        assert_eq!(ran.status, 0, "{}", ran.err());
        let made = words(&ran.stdout);
        assert!((100..=500).contains(&made.len()), "{} words", made.len());
        assert_eq!(made[..2], read[..2], "it begins as the text begins");
        for three in made.windows(3) {
            assert!(known.contains(three), "{three:?} is not in the text");
        }
        assert_eq!(p.run(&[&["-n", "500", "-s", seed], FILES].concat(), b"").stdout, ran.stdout);
        texts.insert(ran.stdout);
    }
    assert_eq!(texts.len(), 3, "the seed makes no difference");
    assert_eq!(p.run(&[], b"only these words").out(), "only\nthese\nwords\n");
    assert_eq!(p.run(&[], b"").out(), "");
    assert_eq!(p.run(&["no/such/file"], b"").status, 1);
}

fn words(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text).split_ascii_whitespace().map(str::to_string).collect()
}

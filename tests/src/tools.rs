//! The command under test, the tools around it, and running them.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository")
}

/// The command `cyc`, built as the gate builds it on first use (`EYEWALL_CYC` names another one instead).
pub fn cyc() -> &'static Path {
    static CYC: OnceLock<PathBuf> = OnceLock::new();
    CYC.get_or_init(|| std::env::var_os("EYEWALL_CYC").map_or_else(build_cyc, PathBuf::from))
}

fn build_cyc() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "build",
            "--profile",
            "gate",
            "--package",
            "cyc",
            "--bin",
            "cyc",
            "--message-format=json-render-diagnostics",
        ])
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo cannot build `cyc`");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut executables = messages.filter_map(|m| m["executable"].as_str().map(PathBuf::from));
    executables.find(|path| path.ends_with("cyc")).expect("cargo names the executable it built")
}

/// Checks that a tool is installed. The message says which Debian package brings it.
///
/// # Panics
/// When the package is not in the one list of what the tests need, `.ci/packages`.
pub fn need(tool: &str, package: &str) -> Result<(), String> {
    let listed = include_str!("../../.ci/packages").lines().any(|line| line.split_whitespace().next() == Some(package));
    assert!(listed || package == "gcc", "`{package}` is not in .ci/packages");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|dir| dir.join(tool).is_file());
    found.then_some(()).ok_or_else(|| format!("`{tool}` is not installed: apt-get install {package}"))
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Exit status; 128 plus the signal's number where one ended it, as a shell reports it.
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub timed_out: bool,
}

impl Ran {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// A command to run with a time limit, its input given at once.
#[derive(Clone, Debug)]
pub struct Job {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(String, OsString)>,
    dir: PathBuf,
    stdin: Vec<u8>,
    seconds: u32,
}

impl Job {
    /// A job in the repository's root, with two minutes to finish (machines that run tests are busy) and no input.
    pub fn new(program: impl Into<OsString>) -> Job {
        Job {
            program: program.into(),
            args: vec![],
            env: vec![],
            dir: root().to_path_buf(),
            stdin: vec![],
            seconds: 120,
        }
    }

    pub fn cyc() -> Job {
        Job::new(cyc()).env("CYC_VERIFY", "1")
    }

    pub fn arg(mut self, arg: impl Into<OsString>) -> Job {
        self.args.push(arg.into());
        self
    }

    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Job {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Job {
        self.env.push((name.into(), value.into()));
        self
    }

    pub fn dir(mut self, dir: impl Into<PathBuf>) -> Job {
        self.dir = dir.into();
        self
    }

    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Job {
        self.stdin = bytes.into();
        self
    }

    pub fn seconds(mut self, seconds: u32) -> Job {
        self.seconds = seconds;
        self
    }

    /// Runs the job. coreutils' `timeout` ends it, with everything it started, when it takes too long: its seconds are those
    /// of an idle machine.
    ///
    /// # Panics
    /// When `timeout` itself cannot be started.
    pub fn run(self) -> Ran {
        let seconds = f64::from(self.seconds) * crowding();
        let mut child = Command::new("timeout")
            .args(["--kill-after=5", &format!("{seconds:.0}")])
            .arg(&self.program)
            .args(&self.args)
            .envs(self.env.iter().map(|(k, v)| (k, v)))
            .current_dir(&self.dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("coreutils' `timeout` runs");
        let mut pipe = child.stdin.take().expect("a pipe was asked for");
        let input = self.stdin;
        // The program may write before it has read everything, and may leave without reading: a broken pipe is fine.
        let feeder = std::thread::spawn(move || drop(pipe.write_all(&input)));
        let output = child.wait_with_output().expect("a started program can be waited for");
        let _ = feeder.join();
        let status = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
        Ran { status, stdout: output.stdout, stderr: output.stderr, timed_out: status == 124 || status == 137 }
    }
}

/// How much longer everything takes because others use the machine too: the load of each processor, at least 1.
fn crowding() -> f64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(1.0);
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    (load / processors as f64).max(1.0)
}

/// Processor seconds of this thread so far: what else runs on the machine is of no matter.
///
/// # Panics
/// Where the system is not Linux.
pub fn thread_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells the time of a thread");
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse().ok());
    nanoseconds.map_or(f64::NAN, |n: f64| n / 1e9)
}

/// The difference between two texts, line by line; empty when there is none.
pub fn difference(expected: &str, got: &str) -> String {
    if expected == got {
        return String::new();
    }
    let diff = similar::TextDiff::from_lines(expected, got);
    let text = diff.unified_diff().context_radius(2).header("expected", "printed").to_string();
    text.chars().take(4000).collect()
}

/// All files below `dir` whose name ends in `suffix`, sorted; none when the directory is not there.
pub fn files_below(dir: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = vec![];
    let Ok(entries) = std::fs::read_dir(dir) else { return found };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            found.extend(files_below(&path, suffix));
        } else if path.file_name().is_some_and(|n| n.to_string_lossy().ends_with(suffix)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The value of a header line `// key: value` among the comment lines at the head of a program.
pub fn header(source: &str, key: &str) -> Option<String> {
    let lines = source.lines().map_while(|line| line.strip_prefix("//")).map(str::trim);
    let mut values = lines.filter_map(|line| line.strip_prefix(key)).filter_map(|rest| match rest.chars().next() {
        None => Some(String::new()),
        Some(':') => Some(rest[1..].trim().to_string()),
        Some(_) => None,
    });
    values.next()
}

/// Text that betrays a crash of the command instead of a message.
pub fn crash_text(stderr: &str) -> Option<&'static str> {
    let signs =
        ["panicked at", "RUST_BACKTRACE", "stack overflow", "unwrap()", "internal error", "this is a bug in cyc"];
    signs.into_iter().find(|sign| stderr.contains(sign))
}

//! Running programs and measuring what they cost.
//!
//! The unit of work is a *case*: one task that several *variants* (allocators,
//! compilers, languages) do. [`Bench::case`] runs the variants interleaved
//! (every variant once, then every variant again, the order rotating), so that a
//! machine that slows down for a while slows all of them alike, and returns the
//! samples of each variant. [`Figures`] are their medians.
//!
//! ```ignore
//! use crate::bench::measure::{Bench, Variant};
//! let bench = Bench::new(&std::env::temp_dir())?;
//! let variants = [
//!     Variant::new("sleep", "sleep").arg("0.1"),
//!     Variant::new("busy", "sh").args(["-c", "for i in 1 2 3; do :; done"]),
//! ];
//! for outcome in bench.case("nothing", &variants, &mut |_| {}) {
//!     println!("{:?}", outcome.figures().map(|f| f.wall));
//! }
//! ```
//!
//! Time is wall-clock time and processor time (user and system, all threads);
//! memory is the peak resident set as `launch.c` finds it. The commands are
//! started by a small C program (`launch.c` says why), built on first use with
//! the system's C compiler, so `cc` has to be there.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

/// One way to do the work of a case: a command, its environment, and a name for
/// the column of the table.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Column heading, for instance `mimalloc`.
    pub name: String,
    /// Looked up in `PATH` when it has no slash.
    pub program: OsString,
    pub args: Vec<OsString>,
    /// Added to the inherited environment.
    pub env: Vec<(String, OsString)>,
    pub cwd: Option<PathBuf>,
}

impl Variant {
    pub fn new(name: impl Into<String>, program: impl Into<OsString>) -> Self {
        Variant { name: name.into(), program: program.into(), args: Vec::new(), env: Vec::new(), cwd: None }
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    pub fn env(mut self, name: impl Into<String>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }

    pub fn cwd(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cwd = Some(dir.into());
        self
    }
}

/// What one run cost.
#[derive(Clone, Debug, Serialize)]
pub struct Sample {
    /// Seconds from start to exit.
    pub wall: f64,
    /// Processor seconds in user mode, all threads.
    pub user: f64,
    /// Processor seconds in the kernel, all threads.
    pub system: f64,
    /// Peak resident set, KiB.
    pub peak_rss_kib: u64,
    /// Page faults served without I/O.
    pub minor_faults: u64,
    #[serde(skip)]
    pub stdout: String,
}

/// Medians over the samples of one variant, each figure by itself.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figures {
    /// Seconds.
    pub wall: f64,
    /// Processor seconds, user and system, all threads.
    pub cpu: f64,
    /// Processor seconds in user mode.
    pub user: f64,
    /// Peak resident set, KiB.
    pub peak_rss_kib: f64,
    /// Fastest run, seconds.
    pub wall_min: f64,
    /// Slowest run, seconds.
    pub wall_max: f64,
}

/// The runs of one variant in one case: all of them, or the first thing that went
/// wrong. A variant that fails is not run again.
#[derive(Clone, Debug)]
pub enum Outcome {
    Done(Vec<Sample>),
    Failed(String),
}

impl Outcome {
    pub fn figures(&self) -> Option<Figures> {
        let Outcome::Done(samples) = self else { return None };
        let of = |f: fn(&Sample) -> f64| -> Vec<f64> { samples.iter().map(f).collect() };
        let wall = of(|s| s.wall);
        Some(Figures {
            wall: median(&wall)?,
            cpu: median(&of(|s| s.user + s.system))?,
            user: median(&of(|s| s.user))?,
            peak_rss_kib: median(&of(|s| s.peak_rss_kib as f64))?,
            wall_min: wall.iter().copied().fold(f64::INFINITY, f64::min),
            wall_max: wall.iter().copied().fold(0.0, f64::max),
        })
    }

    pub fn samples(&self) -> &[Sample] {
        match self {
            Outcome::Done(samples) => samples,
            Outcome::Failed(_) => &[],
        }
    }

    pub fn error(&self) -> Option<&str> {
        match self {
            Outcome::Done(_) => None,
            Outcome::Failed(why) => Some(why),
        }
    }
}

/// How to measure. Build with [`Bench::new`], then set the public fields.
pub struct Bench {
    launcher: PathBuf,
    /// Where the launcher leaves its line.
    result: PathBuf,
    /// Measured runs of every variant.
    pub runs: usize,
    /// A run that takes longer is killed and counts as failed.
    pub timeout: Duration,
    /// Run everything once beforehand without counting it (page cache, cpu clock).
    pub warm_up: bool,
    /// Every run has to print what the first successful run of the case printed.
    pub same_output: bool,
}

impl Bench {
    /// Builds the launcher in `scratch` (created when missing): five runs, one
    /// minute each, no warm-up, outputs compared.
    pub fn new(scratch: &Path) -> Result<Self> {
        fs::create_dir_all(scratch).with_context(|| format!("cannot create {}", scratch.display()))?;
        let launcher = scratch.join("launch");
        build_launcher(&launcher)?;
        Ok(Bench {
            launcher,
            result: scratch.join(format!("launch.{}.txt", std::process::id())),
            runs: 5,
            timeout: Duration::from_secs(60),
            warm_up: false,
            same_output: true,
        })
    }

    /// Runs all variants of one case, interleaved; outcomes in the order of
    /// `variants`. `progress` gets a short line before every run.
    pub fn case(&self, name: &str, variants: &[Variant], progress: &mut dyn FnMut(&str)) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = variants.iter().map(|_| Outcome::Done(Vec::new())).collect();
        let mut expected: Option<String> = None;
        let rounds = self.runs + usize::from(self.warm_up);
        for round in 0..rounds {
            let counted = round >= rounds - self.runs;
            for turn in 0..variants.len() {
                let at = (turn + round) % variants.len();
                let Outcome::Done(samples) = &mut outcomes[at] else { continue };
                progress(&format!("{name}: {} {}/{rounds}", variants[at].name, round + 1));
                let sample = self.run(&variants[at]).and_then(|sample| {
                    if self.same_output {
                        let first = expected.get_or_insert_with(|| sample.stdout.clone());
                        ensure!(
                            *first == sample.stdout,
                            "printed {:?}, expected {:?}",
                            shorten(&sample.stdout),
                            shorten(first)
                        );
                    }
                    Ok(sample)
                });
                match sample {
                    Ok(sample) if counted => samples.push(sample),
                    Ok(_) => {}
                    Err(error) => outcomes[at] = Outcome::Failed(format!("{error:#}")),
                }
            }
        }
        outcomes
    }

    /// One run. An error when the command cannot be started, does not exit with 0,
    /// or takes too long.
    pub fn run(&self, variant: &Variant) -> Result<Sample> {
        let mut command = Command::new(&self.launcher);
        command.arg(&self.result).arg(self.timeout.as_secs().max(1).to_string());
        for (name, value) in &variant.env {
            let mut pair = OsString::from(name);
            pair.push("=");
            pair.push(value);
            command.arg(pair);
        }
        command.arg("--").arg(&variant.program).args(&variant.args).stdin(Stdio::null());
        if let Some(dir) = &variant.cwd {
            command.current_dir(dir);
        }
        let output = command.output().context("cannot start the launcher")?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}", stderr.trim());
        let line = fs::read_to_string(&self.result).context("the launcher left no result")?;
        let (mut sample, status, timed_out) = parse(&line)?;
        ensure!(!timed_out, "killed after {} s", self.timeout.as_secs());
        if !status.success() {
            bail!("{status}: {}", shorten(stderr.trim()));
        }
        sample.stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(sample)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // Nothing to do about a file that is not there.
        let _ = fs::remove_file(&self.result);
    }
}

/// Compiles `launch.c`, statically where the system can (a smaller floor for the
/// memory figures and deaf to `LD_PRELOAD`).
fn build_launcher(to: &Path) -> Result<()> {
    let source = to.with_extension("c");
    fs::write(&source, include_str!("launch.c"))?;
    let compile = |linking: &[&str]| -> Result<bool> {
        let output = Command::new("cc")
            .args(["-O2", "-o"])
            .arg(to)
            .arg(&source)
            .args(linking)
            .output()
            .context("cannot run cc, which builds the launcher of the benchmarks")?;
        Ok(output.status.success())
    };
    ensure!(compile(&["-static"])? || compile(&[])?, "cc cannot compile {}", source.display());
    Ok(())
}

/// Reads the launcher's line; `stdout` is left empty.
fn parse(line: &str) -> Result<(Sample, ExitStatus, bool)> {
    let numbers: Vec<i64> = line
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .with_context(|| format!("launcher: unreadable line {line:?}"))?;
    let [wall_ns, user_us, system_us, rss, minor, _major, status, timed_out] = numbers[..] else {
        bail!("launcher: unreadable line {line:?}");
    };
    let sample = Sample {
        wall: wall_ns as f64 / 1e9,
        user: user_us as f64 / 1e6,
        system: system_us as f64 / 1e6,
        peak_rss_kib: rss as u64,
        minor_faults: minor as u64,
        stdout: String::new(),
    };
    Ok((sample, ExitStatus::from_raw(status as i32), timed_out != 0))
}

/// First lines of a text, for an error message.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(300).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Middle value, or the mean of the two middle ones; `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// Geometric mean of positive values; `None` for no values.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|v| v.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

/// The machine, for the head of a result file: what a reader needs to judge the
/// figures, nothing that identifies it.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
    pub memory_gib: u64,
    pub kernel: String,
    pub cc: String,
}

impl Machine {
    pub fn this() -> Self {
        let file = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, key: &str| -> String {
            let line = text.lines().find(|l| l.starts_with(key)).unwrap_or_default();
            line.split_once(':').map_or(String::new(), |(_, v)| v.trim().to_string())
        };
        let memory = field(&file("/proc/meminfo"), "MemTotal");
        let kib: u64 = memory.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
        let cc = Command::new("cc").arg("--version").output();
        let cc = cc.map(|o| String::from_utf8_lossy(&o.stdout).lines().next().unwrap_or_default().to_string());
        Machine {
            cpu: field(&file("/proc/cpuinfo"), "model name"),
            cores: std::thread::available_parallelism().map_or(1, |n| n.get()),
            memory_gib: kib.div_ceil(1 << 20),
            kernel: file("/proc/sys/kernel/osrelease").split('-').next().unwrap_or_default().trim().to_string(),
            cc: cc.unwrap_or_default(),
        }
    }
}

/// Writes a file completely or not at all.
pub fn write_whole(path: &Path, contents: &str) -> Result<()> {
    let dir = path.parent().context("a result file needs a directory")?;
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let part = path.with_extension(format!("part{}", std::process::id()));
    fs::write(&part, contents).with_context(|| format!("cannot write {}", part.display()))?;
    fs::rename(&part, path).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench(runs: usize) -> (tempfile::TempDir, Bench) {
        let dir = tempfile::tempdir().unwrap();
        let mut bench = Bench::new(dir.path()).unwrap();
        bench.runs = runs;
        (dir, bench)
    }

    #[test]
    fn medians_and_means() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(geometric_mean(&[]), None);
        let mean = geometric_mean(&[0.5, 2.0, 8.0]).unwrap();
        assert!((mean - 2.0).abs() < 1e-12);
    }

    #[test]
    fn every_variant_runs_every_round_in_rotation() {
        let (_dir, bench) = bench(2);
        let variants = [Variant::new("a", "true"), Variant::new("b", "true")];
        let mut order = Vec::new();
        let outcomes = bench.case("case", &variants, &mut |line| order.push(line.to_string()));
        assert_eq!(order, ["case: a 1/2", "case: b 1/2", "case: b 2/2", "case: a 2/2"]);
        assert!(outcomes.iter().all(|o| o.samples().len() == 2));
    }

    #[test]
    fn environment_output_and_time_are_seen() {
        let (_dir, bench) = bench(1);
        let shell = Variant::new("sh", "sh").args(["-c", "sleep 0.05; printf %s \"$GREETING\""]);
        let sample = bench.run(&shell.env("GREETING", "a b")).unwrap();
        assert_eq!(sample.stdout, "a b");
        assert!(sample.wall >= 0.05 && sample.user < sample.wall);
    }

    #[test]
    fn a_shell_may_become_the_command_and_a_trap_is_still_a_trap() {
        let (_dir, bench) = bench(1);
        let shell = |script: &str| bench.run(&Variant::new("sh", "sh").args(["-c", script]));
        assert_eq!(shell("exec sh -c 'exec echo done' < /dev/null").unwrap().stdout, "done\n");
        let trap = shell("exec sh -c 'kill -TRAP $$'").unwrap_err().to_string();
        assert!(trap.contains("SIGTRAP"), "{trap}");
    }

    #[test]
    fn memory_is_the_commands_own() {
        // A caller that holds 64 MiB itself must not see them in a small child.
        let ballast = vec![1u8; 64 << 20];
        let (_dir, bench) = bench(1);
        let sample = bench.run(&Variant::new("true", "true")).unwrap();
        assert!(sample.peak_rss_kib < 16 << 10, "{} KiB", sample.peak_rss_kib);
        assert_eq!(ballast[ballast.len() - 1], 1);
    }

    #[test]
    fn failures_are_told_apart() {
        let (_dir, mut bench) = bench(1);
        bench.timeout = Duration::from_secs(1);
        let variants = [
            Variant::new("fine", "echo").arg("1"),
            Variant::new("differs", "echo").arg("2"),
            Variant::new("fails", "false"),
            Variant::new("missing", "/no/such/program"),
            Variant::new("slow", "sleep").arg("30"),
        ];
        let outcomes = bench.case("case", &variants, &mut |_| {});
        let error = |at: usize| outcomes[at].error().unwrap_or("none").to_string();
        assert_eq!(error(0), "none");
        assert!(error(1).contains("expected \"1\\n\""), "{}", error(1));
        assert!(error(2).contains("exit status: 1"), "{}", error(2));
        assert!(error(3).contains("cannot run /no/such/program"), "{}", error(3));
        assert!(error(4).contains("killed after 1 s"), "{}", error(4));
    }
}

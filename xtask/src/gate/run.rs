//! Jobs side by side, as many as there are processors, the longest first; what each cost.

use crate::bench::table::Table;
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// What takes longest comes first, so that no processor waits for another at the end. The others follow in any order.
const LONGEST: &[&str] = &[
    "run",
    "lowfat",
    "mutate",
    "tidy",
    "csmith",
    "documentation",
    "projects",
    "core",
    "profile",
    "soundness",
    "command",
    "library",
    "checks",
    "polymorphism",
    "conformance",
    "ui",
];

/// Runs a command; the processor time of everything that it started goes to a file.
const SCRIPT: &str = r#"times=$1; shift; "$@"; status=$?; times > "$times"; exit $status"#;

pub struct Job {
    name: String,
    folder: PathBuf,
    program: PathBuf,
    args: Vec<OsString>,
    environment: Vec<(String, OsString)>,
    /// Does it print `test result: …`?
    counts: bool,
}

/// How a job ended.
pub struct Outcome {
    pub name: String,
    good: bool,
    wall: f64,
    processor: f64,
    /// Tests that passed, and that were left to `cargo xtask nightly`; None: it printed no result of tests.
    tests: Option<(u64, u64)>,
}

impl Job {
    pub fn chore(name: &str, folder: &Path, program: &Path, args: &[&str]) -> Job {
        let job = Job {
            name: name.into(),
            folder: folder.into(),
            program: program.into(),
            args: vec![],
            environment: vec![],
            counts: false,
        };
        job.args(args)
    }

    pub fn args(mut self, args: &[&str]) -> Job {
        self.args.extend(args.iter().map(OsString::from));
        self
    }

    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Job {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// The job prints how many tests passed; without that it has failed.
    pub fn counting(mut self) -> Job {
        self.counts = true;
        self
    }

    fn rank(&self) -> usize {
        LONGEST.iter().position(|name| *name == self.name).unwrap_or(LONGEST.len())
    }

    /// Runs to the end; what it prints is in `logs`, and shown where it fails.
    fn run(&self, logs: &Path) -> Result<Outcome> {
        let file = |ending: &str| logs.join(format!("{}.{ending}", self.name.replace(' ', "-")));
        let log = File::create(file("log"))?;
        let start = Instant::now();
        let status = Command::new("sh")
            .args(["-c", SCRIPT, "sh"])
            .args([file("times"), self.program.clone()])
            .args(&self.args)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .status()
            .context("cannot run sh")?;
        let wall = start.elapsed().as_secs_f64();
        let printed = String::from_utf8_lossy(&fs::read(file("log"))?).into_owned();
        let times = fs::read_to_string(file("times")).unwrap_or_default();
        let tests = counts(&printed);
        let good = status.success() && (tests.is_some() || !self.counts);
        let outcome = Outcome { name: self.name.clone(), good, wall, processor: processor_seconds(&times), tests };
        // One call, so that two failures do not mix.
        let text = if outcome.passed() { String::new() } else { format!("{printed}\n== FAILED: {}\n", self.name) };
        println!("{text}{}", outcome.line());
        Ok(outcome)
    }
}

/// The children's line of the shell's `times`: `1m2.30s 0m4.56s`.
fn processor_seconds(times: &str) -> f64 {
    let second = |word: &str| -> Option<f64> {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    times.lines().nth(1).unwrap_or_default().split_whitespace().filter_map(second).sum()
}

/// Tests passed and ignored: `test result: ok. 12 passed; 0 failed; 3 ignored; …`.
fn counts(printed: &str) -> Option<(u64, u64)> {
    let result = printed.lines().filter_map(|line| line.strip_prefix("test result: ")).next_back()?;
    let words: Vec<&str> = result.split_whitespace().collect();
    let number = |what: &str| -> Option<u64> {
        let pair = words.windows(2).find(|pair| pair[1].trim_end_matches(';') == what)?;
        pair[0].parse().ok()
    };
    Some((number("passed")?, number("ignored")?))
}

impl Outcome {
    pub fn passed(&self) -> bool {
        self.good
    }

    fn line(&self) -> String {
        let verdict = if self.passed() { "ok" } else { "FAILED" };
        format!("{verdict:6} {:24} {:6.1} s wall, {:6.1} s processor", self.name, self.wall, self.processor)
    }
}

/// The jobs of these names; all, if there are no names.
///
/// # Errors
/// No job has one of the names.
pub fn chosen(mut jobs: Vec<Job>, names: &[String]) -> Result<Vec<Job>> {
    let known = |name: &String| jobs.iter().any(|job| job.name == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let all: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        bail!("no suite is called {unknown}; there are {}", all.join(", "));
    }
    jobs.retain(|job| names.is_empty() || names.contains(&job.name));
    Ok(jobs)
}

/// Runs all jobs; a failure stops none.
///
/// # Errors
/// A job cannot be started, or two have one name (and one log).
pub fn run(root: &Path, mut jobs: Vec<Job>) -> Result<Vec<Outcome>> {
    let logs = root.join("target/gate-logs");
    fs::create_dir_all(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
    let names: BTreeSet<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    ensure!(names.len() == jobs.len(), "two jobs have one name");
    jobs.sort_by_key(Job::rank);
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    let queue = Mutex::new(VecDeque::from(jobs));
    let next = || queue.lock().expect("no worker panics").pop_front();
    let worker = || std::iter::from_fn(next).map(|job| job.run(&logs)).collect::<Vec<_>>();
    let outcomes = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no worker panics")).collect::<Vec<_>>()
    });
    outcomes.into_iter().collect()
}

/// What each job cost, the dearest first.
pub fn table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new("What it cost", ["suite", "passed", "nightly only", "wall s", "processor s"]);
    let mut sorted: Vec<&Outcome> = outcomes.iter().collect();
    sorted.sort_by(|a, b| b.processor.total_cmp(&a.processor));
    let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    for o in &sorted {
        let name = if o.passed() { o.name.clone() } else { format!("{} FAILED", o.name) };
        let (passed, ignored) = (o.tests.map(|t| t.0), o.tests.map(|t| t.1).filter(|n| *n > 0));
        table.row([name, number(passed), number(ignored), format!("{:.1}", o.wall), format!("{:.1}", o.processor)]);
    }
    table.rule();
    let sum = |of: fn(&(u64, u64)) -> u64| Some(outcomes.iter().filter_map(|o| o.tests.as_ref().map(of)).sum());
    let processor = outcomes.iter().map(|o| o.processor).sum::<f64>();
    let all = [number(sum(|t| t.0)), number(sum(|t| t.1)), String::new(), format!("{processor:.1}")];
    table.row(std::iter::once("all".to_string()).chain(all));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(name: &str, script: &str) -> Job {
        Job::chore(name, Path::new("/"), Path::new("sh"), &["-c", script])
    }

    #[test]
    fn jobs_are_timed_and_counted() {
        let root = tempfile::tempdir().unwrap();
        let passes = "echo 'test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured'";
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let jobs = vec![
            job("none", "true").counting(),
            job("some", passes).counting(),
            job("busy", busy),
            job("bad", "exit 3").env("NAME", "value"),
            job("dies", "kill -SEGV $$"),
        ];
        let outcomes = run(root.path(), jobs).unwrap();
        let of = |name: &str| outcomes.iter().find(|o| o.name == name).unwrap();
        let failed: BTreeSet<&str> = outcomes.iter().filter(|o| !o.passed()).map(|o| o.name.as_str()).collect();
        assert_eq!(failed, BTreeSet::from(["bad", "dies", "none"]), "a suite that printed no result has failed, too");
        assert_eq!(of("some").tests, Some((12, 3)));
        assert!(of("busy").processor > of("some").processor);
        let shown = table(&outcomes).to_string();
        assert!(shown.contains("bad FAILED") && shown.contains("12"), "{shown}");
        assert!(run(root.path(), vec![job("a", ""), job("a", "")]).is_err());
    }

    #[test]
    fn jobs_are_chosen_by_name() {
        let names = |chosen: &[&str]| {
            let chosen: Vec<String> = chosen.iter().map(|s| s.to_string()).collect();
            let jobs = super::chosen(vec![job("a", ""), job("b", "")], &chosen);
            jobs.map(|jobs| jobs.iter().map(|job| job.name.clone()).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap(), ["a", "b"]);
        assert_eq!(names(&["b"]).unwrap(), ["b"]);
        assert!(names(&["c"]).unwrap_err().to_string().contains("there are a, b"));
    }

    #[test]
    fn times_are_read() {
        assert_eq!(processor_seconds("0m0.001s 0m0.002s\n1m2.5s 0m3.25s\n"), 65.75);
        assert_eq!(processor_seconds(""), 0.0);
    }
}

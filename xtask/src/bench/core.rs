//! `cargo xtask bench core`: compiled Cyclone, all checks on, against the same programs in C.
//!
//! A third program, `cyc build --nochecks`, shows what the checks that are left cost.
//!
//! Each folder `bench/programs/NAME` holds `bench.toml` ([`Program`]) and the twin in C. Both programs are built at `-O2`
//! with the same C compiler, run interleaved, median of seven, and must print the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use serde::{Deserialize, Serialize};

use super::comparison::{Common, Comparison, verdict};
use super::measure::{Bench, Figures, Machine, Variant, geometric_mean};
use super::table::Table;
use super::{build, cyc};

/// The figures that the project is after: `docs/architecture.md` says why.
const MEAN_GOAL: f64 = 1.10;
const WORST_GOAL: f64 = 1.35;
const MEMORY_GOAL: f64 = 1.05;

#[derive(Parser)]
#[command(name = "cargo xtask bench core", about = "Compiled Cyclone against the same programs in C")]
struct Options {
    #[command(flatten)]
    common: Common,
    /// The C compiler of both sides.
    #[arg(long, default_value = "gcc")]
    cc: String,
}

/// `bench.toml`. Defaults: `examples/NAME.cyc` and `NAME.c`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Spec {
    /// The program in Cyclone, relative to the root.
    cyc: Option<String>,
    /// Its twin in C, relative to the folder.
    c: Option<String>,
    /// Arguments of both; `@input` stands for the file that `input` makes.
    #[serde(default)]
    args: Vec<String>,
    /// A command for `sh -c`, run at the root, whose output becomes the file `@input`.
    input: Option<String>,
    /// A file, relative to the root, or `@input`: the standard input of both.
    stdin: Option<String>,
    /// Arguments of both compilers.
    #[serde(default)]
    libs: Vec<String>,
}

struct Program {
    name: String,
    folder: PathBuf,
    spec: Spec,
}

#[derive(Serialize)]
struct Measured {
    name: String,
    c: Figures,
    cyclone: Figures,
    /// Cyclone's without null and bounds checks (unsafe).
    unchecked: Figures,
    checks: Checks,
    time_ratio: f64,
    memory_ratio: f64,
}

/// What `cyc check --report-checks` counts.
#[derive(Serialize, Default)]
struct Checks {
    left: u32,
    removed: u32,
    before_loop: u32,
}

impl Checks {
    /// The sum over a program's functions.
    fn of(report: &str) -> Checks {
        let mut sum = Checks::default();
        let number = |line: &str, name: &str| -> u32 {
            let rest = line.split_once(name).map_or("", |(_, rest)| rest);
            rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
        };
        for line in report.lines().filter(|line| line.contains(": checks left: ")) {
            sum.left += number(line, ": checks left: ");
            sum.removed += number(line, ", removed: ");
            sum.before_loop += number(line, ", tested before their loop: ");
        }
        sum
    }
}

fn programs(root: &Path, filter: Option<&str>) -> Result<Vec<Program>> {
    let folder = root.join("bench/programs");
    let mut found = vec![];
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let folder = entry?.path();
        let path = folder.join("bench.toml");
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && filter.is_none_or(|f| name.contains(f)) {
            let text = fs::read_to_string(&path)?;
            let spec = toml::from_str(&text).with_context(|| path.display().to_string())?;
            found.push(Program { name, folder, spec });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    ensure!(!found.is_empty(), "no program in bench/programs matches");
    Ok(found)
}

impl Program {
    fn source(&self, root: &Path) -> PathBuf {
        root.join(self.spec.cyc.clone().unwrap_or_else(|| format!("examples/{}.cyc", self.name)))
    }

    fn checks(&self, root: &Path, cyc: &Path) -> Result<Checks> {
        let output = Command::new(cyc).args(["check", "--report-checks"]).arg(self.source(root)).output();
        let output = output.with_context(|| format!("cannot run {}", cyc.display()))?;
        ensure!(output.status.success(), "{}: --report-checks failed", self.name);
        Ok(Checks::of(&String::from_utf8_lossy(&output.stdout)))
    }

    /// Builds all sides: the C twin, Cyclone, Cyclone without checks.
    fn variants(&self, root: &Path, cyc: &Path, cc: &str, scratch: &Path) -> Result<[Variant; 3]> {
        let [by_c, by_cyc, unchecked] =
            ["c", "cyc", "nochecks"].map(|side| scratch.join(format!("{}-{side}", self.name)));
        let twin = self.folder.join(self.spec.c.clone().unwrap_or_else(|| format!("{}.c", self.name)));
        let source = self.source(root);
        build(Command::new(cc).args(["-O2", "-o"]).arg(&by_c).arg(&twin).args(&self.spec.libs))?;
        for (program, flags) in [(&by_cyc, &[][..]), (&unchecked, &["--nochecks"][..])] {
            let mut with_cyc = Command::new(cyc);
            with_cyc.args(["build", "-O2"]).args(flags).arg("-o").arg(program).arg(&source).args(&self.spec.libs);
            build(with_cyc.env("CC", cc))?;
        }
        let input = scratch.join(format!("{}.input", self.name));
        if let Some(command) = &self.spec.input {
            let output =
                Command::new("sh").args(["-c", command]).current_dir(root).output().context("cannot run sh")?;
            ensure!(output.status.success(), "{}: `{command}` failed", self.name);
            fs::write(&input, output.stdout)?;
        }
        let input = input.display().to_string();
        let args: Vec<String> = self.spec.args.iter().map(|a| a.replace("@input", &input)).collect();
        let stdin = self.spec.stdin.as_ref().map(|s| s.replace("@input", &input));
        Ok([("C", by_c), ("Cyclone", by_cyc), ("nochecks", unchecked)].map(|(name, program)| match &stdin {
            None => Variant::new(name, &program).args(&args).cwd(root),
            // The launcher gives no input: a shell that becomes the program does.
            Some(file) => Variant::new(name, "sh")
                .args(["-c", "file=$1; shift; exec \"$@\" < \"$file\"", "sh", file])
                .arg(&program)
                .args(&args)
                .cwd(root),
        }))
    }
}

/// Time without the launcher's floor: processor time in user and system mode, which other work on the machine disturbs
/// least; the programs have one thread.
fn measure(root: &Path, options: &Options) -> Result<Vec<Measured>> {
    let cyc = cyc(root)?;
    let scratch = root.join("target/bench/core");
    let mut bench = Bench::new(&scratch)?;
    bench.runs = options.common.runs;
    bench.warm_up = true;
    bench.timeout = Duration::from_secs(120);
    let mut all = vec![];
    for program in programs(root, options.common.filter.as_deref())? {
        let variants = program.variants(root, &cyc, &options.cc, &scratch).context(program.name.clone())?;
        let outcomes = bench.case(&program.name, &variants, &mut |line| eprintln!("{line}"));
        if let Some(why) = outcomes.iter().find_map(|o| o.error()) {
            bail!("{}: {why}", program.name);
        }
        let figures = |at: usize| outcomes[at].figures().context("no samples");
        let (c, cyclone, unchecked) = (figures(0)?, figures(1)?, figures(2)?);
        let checks = program.checks(root, &cyc)?;
        let (time_ratio, memory_ratio) = (cyclone.cpu / c.cpu, cyclone.peak_rss_kib / c.peak_rss_kib);
        all.push(Measured { name: program.name, c, cyclone, unchecked, checks, time_ratio, memory_ratio });
    }
    Ok(all)
}

fn table(all: &[Measured], mean: f64, worst: f64, memory: f64) -> Table {
    let title = "Cyclone, all checks on, against the same program in C (gcc -O2 both; median)";
    let head =
        ["program", "C s", "Cyclone s", "time", "--nochecks", "left", "removed", "C KiB", "Cyclone KiB", "memory"];
    let mut table = Table::new(title, head);
    for m in all {
        table.row([
            m.name.clone(),
            format!("{:.3}", m.c.cpu),
            format!("{:.3}", m.cyclone.cpu),
            format!("{:.2}", m.time_ratio),
            format!("{:.2}", m.unchecked.cpu / m.c.cpu),
            m.checks.left.to_string(),
            (m.checks.removed + m.checks.before_loop).to_string(),
            format!("{:.0}", m.c.peak_rss_kib),
            format!("{:.0}", m.cyclone.peak_rss_kib),
            format!("{:.2}", m.memory_ratio),
        ]);
    }
    table.rule();
    let blank = || String::new();
    let cells = |name: &str, time: f64, unchecked: String, memory: String| {
        let time = format!("{time:.3}");
        [name.to_string(), blank(), blank(), time, unchecked, blank(), blank(), blank(), blank(), memory]
    };
    let unchecked: Vec<f64> = all.iter().map(|m| m.unchecked.cpu / m.c.cpu).collect();
    let unchecked = geometric_mean(&unchecked).map_or_else(blank, |mean| format!("{mean:.3}"));
    table.row(cells("geometric mean", mean, unchecked, format!("{memory:.3}")));
    table.row(cells("worst", worst, blank(), blank()));
    table
}

pub fn run(args: &[String]) -> Result<()> {
    let options = Options::parse_from(std::iter::once("core").chain(args.iter().map(String::as_str)));
    let root = super::root()?;
    let all = measure(&root, &options)?;
    let times: Vec<f64> = all.iter().map(|m| m.time_ratio).collect();
    let memories: Vec<f64> = all.iter().map(|m| m.memory_ratio).collect();
    let (mean, memory) = (geometric_mean(&times).unwrap_or(f64::NAN), geometric_mean(&memories).unwrap_or(f64::NAN));
    let worst = times.iter().copied().fold(0.0, f64::max);
    let table = table(&all, mean, worst, memory);
    println!("{table}");
    for (what, got, goal) in
        [("mean time", mean, MEAN_GOAL), ("worst time", worst, WORST_GOAL), ("mean memory", memory, MEMORY_GOAL)]
    {
        println!("{}", verdict(what, got, goal));
    }
    if !options.common.keeps() {
        return Ok(());
    }
    let report = serde_json::json!({ "machine": Machine::this(), "programs": all, "mean_time": mean, "worst_time": worst, "mean_memory": memory });
    let comparison = Comparison {
        name: "core",
        title: "Cyclone, all checks on: time and peak memory, C = 1",
        y_label: "ratio to C",
        programs: all.iter().map(|m| m.name.clone()).collect(),
        times: &times,
        memories: &memories,
    };
    comparison.keep(&table, &report)
}

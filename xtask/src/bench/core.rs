//! `cargo xtask bench core`: compiled Cyclone, all checks on, against the same programs in C.
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

use super::measure::{Bench, Figures, Machine, Variant, geometric_mean, write_whole};
use super::svg::{BarChart, Bars, bar_chart};
use super::table::Table;

/// The figures that the project is after: `docs/architecture.md` says why.
const MEAN_GOAL: f64 = 1.10;
const WORST_GOAL: f64 = 1.35;
const MEMORY_GOAL: f64 = 1.05;

#[derive(Parser)]
#[command(name = "cargo xtask bench core", about = "Compiled Cyclone against the same programs in C")]
struct Options {
    /// Only programs whose name contains this.
    filter: Option<String>,
    /// Measured runs of every program; the median counts.
    #[arg(long, default_value_t = 7)]
    runs: usize,
    /// The C compiler of both sides.
    #[arg(long, default_value = "gcc")]
    cc: String,
    /// Leave bench/results alone.
    #[arg(long)]
    dry: bool,
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
    time_ratio: f64,
    memory_ratio: f64,
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

fn build(what: &mut Command) -> Result<()> {
    let output = what.output().with_context(|| format!("cannot run {:?}", what.get_program()))?;
    ensure!(output.status.success(), "{what:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

impl Program {
    /// Builds both sides; the C twin first, Cyclone second.
    fn variants(&self, root: &Path, cyc: &Path, cc: &str, scratch: &Path) -> Result<[Variant; 2]> {
        let (by_c, by_cyc) = (scratch.join(format!("{}-c", self.name)), scratch.join(format!("{}-cyc", self.name)));
        let twin = self.folder.join(self.spec.c.clone().unwrap_or_else(|| format!("{}.c", self.name)));
        let source = root.join(self.spec.cyc.clone().unwrap_or_else(|| format!("examples/{}.cyc", self.name)));
        build(Command::new(cc).args(["-O2", "-o"]).arg(&by_c).arg(&twin).args(&self.spec.libs))?;
        let mut with_cyc = Command::new(cyc);
        build(with_cyc.args(["build", "-O2", "-o"]).arg(&by_cyc).arg(&source).args(&self.spec.libs).env("CC", cc))?;
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
        Ok([("C", by_c), ("Cyclone", by_cyc)].map(|(name, program)| match &stdin {
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

fn cyc(root: &Path) -> Result<PathBuf> {
    crate::chores::cargo(root, &["build", "--release", "-q", "-p", "cyc"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/cyc"))
}

/// Time without the launcher's floor: processor time in user and system mode, which other work on the machine disturbs
/// least; the programs have one thread.
fn measure(root: &Path, options: &Options) -> Result<Vec<Measured>> {
    let cyc = cyc(root)?;
    let scratch = root.join("target/bench/core");
    let mut bench = Bench::new(&scratch)?;
    bench.runs = options.runs;
    bench.warm_up = true;
    bench.timeout = Duration::from_secs(120);
    let mut all = vec![];
    for program in programs(root, options.filter.as_deref())? {
        let variants = program.variants(root, &cyc, &options.cc, &scratch).context(program.name.clone())?;
        let outcomes = bench.case(&program.name, &variants, &mut |line| eprintln!("{line}"));
        if let Some(why) = outcomes.iter().find_map(|o| o.error()) {
            bail!("{}: {why}", program.name);
        }
        let figures = |at: usize| outcomes[at].figures().context("no samples");
        let (c, cyclone) = (figures(0)?, figures(1)?);
        let (time_ratio, memory_ratio) = (cyclone.cpu / c.cpu, cyclone.peak_rss_kib / c.peak_rss_kib);
        all.push(Measured { name: program.name, c, cyclone, time_ratio, memory_ratio });
    }
    Ok(all)
}

fn table(all: &[Measured], mean: f64, worst: f64, memory: f64) -> Table {
    let title = "Cyclone, all checks on, against the same program in C (gcc -O2 both; median)";
    let mut table = Table::new(title, ["program", "C s", "Cyclone s", "time", "C KiB", "Cyclone KiB", "memory"]);
    for m in all {
        table.row([
            m.name.clone(),
            format!("{:.3}", m.c.cpu),
            format!("{:.3}", m.cyclone.cpu),
            format!("{:.2}", m.time_ratio),
            format!("{:.0}", m.c.peak_rss_kib),
            format!("{:.0}", m.cyclone.peak_rss_kib),
            format!("{:.2}", m.memory_ratio),
        ]);
    }
    table.rule();
    let blank = || String::new();
    let cells = |name: &str, time: f64, memory: String| {
        [name.to_string(), blank(), blank(), format!("{time:.3}"), blank(), blank(), memory]
    };
    table.row(cells("geometric mean", mean, format!("{memory:.3}")));
    table.row(cells("worst", worst, blank()));
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
        let verdict = if got <= goal { "reached" } else { "MISSED" };
        println!("{what}: {got:.3}, goal {goal:.2}: {verdict}");
    }
    if options.dry || options.filter.is_some() {
        return Ok(());
    }
    let results = root.join("bench/results");
    let chart = BarChart {
        title: "Cyclone, all checks on: time and peak memory, C = 1".into(),
        y_label: "ratio to C".into(),
        categories: all.iter().map(|m| m.name.clone()).collect(),
        series: vec![
            Bars { label: "time".into(), values: times.iter().copied().map(Some).collect() },
            Bars { label: "peak memory".into(), values: memories.iter().copied().map(Some).collect() },
        ],
        reference: Some(1.0),
        cut: 2.0,
    };
    write_whole(&results.join("core.svg"), &bar_chart(&chart)?)?;
    write_whole(&results.join("core.txt"), &table.to_string())?;
    let report = serde_json::json!({ "machine": Machine::this(), "programs": all, "mean_time": mean, "worst_time": worst, "mean_memory": memory });
    write_whole(&results.join("core.json"), &serde_json::to_string_pretty(&report)?)
}

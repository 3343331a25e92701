//! `cargo xtask bench heap`: Cyclone on the traced heap against C on the Boehm collector, with Go and Java for orientation where
//! they are installed (`bench/heap/`).
//!
//! All versions of a program print the same. Besides time and peak memory, the longest pause: our collector's by its own
//! statistics, Boehm's by what it prints when `GC_PRINT_STATS` is set.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use serde::Serialize;

use super::comparison::{Common, Comparison, verdict};
use super::measure::{Bench, Figures, Machine, Variant, geometric_mean};
use super::table::Table;
use super::{build, root};

/// Cyclone on our heap against C on the Boehm collector.
#[derive(Parser)]
#[command(name = "cargo xtask bench heap")]
struct Options {
    #[command(flatten)]
    common: Common,
    /// The compiler to measure, instead of a release build.
    #[arg(long)]
    cyc: Option<PathBuf>,
}

/// Programs and their arguments.
const PROGRAMS: [(&str, &str); 5] =
    [("gcbench", "16"), ("trees", "17"), ("lru", "6000"), ("strings", "1500"), ("table", "800")];

/// The twin in C: that of `gcbench` is a program of `cargo xtask bench gc`.
fn twin(root: &Path, name: &str) -> PathBuf {
    match name {
        "gcbench" => root.join("bench/gc/trees.c"),
        name => root.join(format!("bench/heap/{name}.c")),
    }
}

/// Neither time nor memory may be more than Boehm's.
const GOAL: f64 = 1.0;

#[derive(Serialize)]
struct Measured {
    name: &'static str,
    cyclone: Figures,
    boehm: Figures,
    go: Option<Figures>,
    java: Option<Figures>,
    /// Milliseconds.
    longest_pause: f64,
    boehm_longest_pause: Option<f64>,
    time_ratio: f64,
    memory_ratio: f64,
}

/// The class of a program in Java: its name with a capital.
fn class(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

/// The programs of one name: Cyclone's, Boehm's; Go's and Java's if there is a Go, a javac.
fn variants(cyc: &Path, root: &Path, scratch: &Path, name: &str, argument: &str) -> Result<Vec<Variant>> {
    let source = |ending: &str| root.join(format!("bench/heap/{name}.{ending}"));
    let [ours, boehm, go] = ["cyc", "boehm", "go"].map(|side| scratch.join(format!("{name}-{side}")));
    build(Command::new(cyc).args(["build", "-O2", "-o"]).arg(&ours).arg(source("cyc")))?;
    build(Command::new("gcc").args(["-O2", "-DWITH_BOEHM", "-o"]).arg(&boehm).arg(twin(root, name)).arg("-lgc"))?;
    let mut all = vec![("Cyclone", ours), ("Boehm", boehm)];
    if Command::new("go").arg("version").output().is_ok() {
        build(Command::new("go").args(["build", "-o"]).arg(&go).arg(source("go")))?;
        all.push(("Go", go));
    }
    let mut variants: Vec<Variant> =
        all.into_iter().map(|(name, program)| Variant::new(name, program).arg(argument)).collect();
    if Command::new("javac").arg("-version").output().is_ok() {
        build(Command::new("javac").arg("-d").arg(scratch).arg(source("java")))?;
        variants.push(Variant::new("Java", "java").arg("-cp").arg(scratch).arg(class(name)).arg(argument));
    } else {
        eprintln!("no Java: javac is not installed (Debian: default-jdk-headless)");
    }
    Ok(variants)
}

/// What a variant writes to standard error with this in its environment.
fn told(variant: &Variant, name: &str, value: &str) -> Result<String> {
    let output = Command::new(&variant.program).args(&variant.args).env(name, value).output()?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Our longest pause in milliseconds, of the line `NANOSECONDS  pause_longest_ns`.
fn our_pause(told: &str) -> Option<f64> {
    let line = told.lines().find(|line| line.ends_with("pause_longest_ns"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|ns| ns / 1e6)
}

/// Boehm's in milliseconds, of lines `World-stopped marking took N ms N ns …`.
fn boehm_pause(told: &str) -> Option<f64> {
    let pauses = told.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_once("World-stopped marking took ")?.1.split_whitespace().collect();
        let number = |i: usize| words.get(i)?.parse::<f64>().ok();
        let ns = if words.get(3).is_some_and(|word| word.starts_with("ns")) { number(2)? } else { 0.0 };
        Some(number(0)? + ns / 1e6)
    });
    pauses.reduce(f64::max)
}

fn measure(root: &Path, options: &Options) -> Result<Vec<Measured>> {
    let cyc = options.cyc.clone().map_or_else(|| super::cyc(root), Ok)?;
    let scratch = root.join("target/bench/heap");
    let mut bench = Bench::new(&scratch)?;
    (bench.runs, bench.same_output) = (options.common.runs, true);
    let mut all = vec![];
    for (name, argument) in PROGRAMS.into_iter().filter(|(name, _)| options.common.chooses(name)) {
        let variants = variants(&cyc, root, &scratch, name, argument)?;
        let outcomes = bench.case(name, &variants, &mut |line| eprintln!("{line}"));
        let figures = outcomes.iter().map(|o| o.figures().with_context(|| format!("{name}: {:?}", o.error())));
        let figures: Vec<Figures> = figures.collect::<Result<_>>()?;
        let (cyclone, boehm) = (figures[0], figures[1]);
        let of = |side: &str| variants.iter().position(|v| v.name == side).map(|i| figures[i]);
        let statistics = told(&variants[0], "LOWFAT_GC_OPTIONS", "verbose=2")?;
        all.push(Measured {
            name,
            cyclone,
            boehm,
            go: of("Go"),
            java: of("Java"),
            longest_pause: our_pause(&statistics).context("no statistics of the collector")?,
            boehm_longest_pause: boehm_pause(&told(&variants[1], "GC_PRINT_STATS", "1")?),
            time_ratio: cyclone.cpu / boehm.cpu,
            memory_ratio: cyclone.peak_rss_kib / boehm.peak_rss_kib,
        });
    }
    ensure!(!all.is_empty(), "no program of bench/heap matches");
    Ok(all)
}

fn table(all: &[Measured], time: f64, memory: f64) -> Table {
    let header = [
        "program",
        "Boehm s",
        "Cyclone s",
        "time",
        "Go s",
        "Java s",
        "Boehm KiB",
        "KiB",
        "memory",
        "Go KiB",
        "Java KiB",
        "Boehm ms",
        "pause ms",
    ];
    let mut table = Table::new("Cyclone on the traced heap against C on the Boehm collector (median)", header);
    let or_none = |value: Option<f64>, digits: usize| value.map_or("-".to_string(), |v| format!("{v:.digits$}"));
    for m in all {
        table.row([
            m.name.to_string(),
            format!("{:.3}", m.boehm.cpu),
            format!("{:.3}", m.cyclone.cpu),
            format!("{:.2}", m.time_ratio),
            or_none(m.go.map(|go| go.cpu), 3),
            or_none(m.java.map(|java| java.cpu), 3),
            format!("{:.0}", m.boehm.peak_rss_kib),
            format!("{:.0}", m.cyclone.peak_rss_kib),
            format!("{:.2}", m.memory_ratio),
            or_none(m.go.map(|go| go.peak_rss_kib), 0),
            or_none(m.java.map(|java| java.peak_rss_kib), 0),
            or_none(m.boehm_longest_pause, 1),
            format!("{:.1}", m.longest_pause),
        ]);
    }
    table.rule();
    let mut mean = vec![String::new(); 13];
    (mean[0], mean[3], mean[8]) = ("geometric mean".into(), format!("{time:.3}"), format!("{memory:.3}"));
    table.row(mean);
    table
}

/// # Errors
/// When something does not build or run, or the programs of one name print different things.
pub fn run(args: &[String]) -> Result<()> {
    let options = Options::parse_from(std::iter::once("heap").chain(args.iter().map(String::as_str)));
    let root = root()?;
    let all = measure(&root, &options)?;
    let times: Vec<f64> = all.iter().map(|m| m.time_ratio).collect();
    let memories: Vec<f64> = all.iter().map(|m| m.memory_ratio).collect();
    let (time, memory) = (geometric_mean(&times).unwrap_or(f64::NAN), geometric_mean(&memories).unwrap_or(f64::NAN));
    let table = table(&all, time, memory);
    println!("{table}");
    for (what, got) in [("mean time", time), ("mean memory", memory)] {
        println!("{}", verdict(what, got, GOAL));
    }
    if !options.common.keeps() {
        return Ok(());
    }
    let report =
        serde_json::json!({ "machine": Machine::this(), "programs": all, "mean_time": time, "mean_memory": memory });
    let comparison = Comparison {
        name: "heap",
        title: "Cyclone on the traced heap: time and peak memory, C on the Boehm collector = 1",
        y_label: "ratio",
        programs: all.iter().map(|m| m.name.to_string()).collect(),
        times: &times,
        memories: &memories,
    };
    comparison.keep(&table, &report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_read() {
        assert_eq!(our_pause("       1  threads\n  2500000  pause_longest_ns\n"), Some(2.5));
        assert_eq!(our_pause("nothing"), None);
        let told =
            "World-stopped marking took 1 ms 500000 ns (1 ms in average)\nWorld-stopped marking took 3 ms 0 ns\n";
        assert_eq!(boehm_pause(told), Some(3.0));
    }
}

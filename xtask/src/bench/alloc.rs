//! `cargo xtask bench alloc`: the classic allocator programs (`bench/alloc/`) under
//! glibc, jemalloc, mimalloc, tcmalloc and liblowfat, each preloaded into the same
//! executable. Time and peak resident memory as ratios to glibc and mimalloc.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use serde::Serialize;

use super::measure::{Bench, Figures, Machine, Outcome, Sample, Variant, write_whole};
use super::svg::{BarChart, Bars, bar_chart};
use super::table::{Row, column_means, ratio_rows, ratios};
use super::{Progress, make, root};

/// Allocators against each other on the classic allocator programs.
#[derive(Parser, Debug)]
#[command(bin_name = "cargo xtask bench alloc")]
struct Options {
    /// Runs of every program under every allocator; the median counts.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Only these programs, separated by commas.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only these allocators (glibc and mimalloc, the baselines, stay).
    #[arg(long, value_delimiter = ',')]
    allocators: Vec<String>,
    /// Work of each program, percent of the usual.
    #[arg(long, default_value_t = 100)]
    work: u32,
    /// The liblowfat.so to measure instead of the one of this tree, which is built.
    #[arg(long)]
    lowfat: Option<PathBuf>,
    /// Where to leave alloc.json and the plots.
    #[arg(long)]
    results: Option<PathBuf>,
}

/// An allocator that `LD_PRELOAD` puts under a program.
struct Allocator {
    name: &'static str,
    /// Shared library, empty for the C library's own.
    library: &'static str,
    /// Debian package, for the message when the library is missing.
    package: &'static str,
}

const GLIBC: &str = "glibc";
const MIMALLOC: &str = "mimalloc";
const LOWFAT: &str = "lowfat";

const OTHERS: [Allocator; 3] = [
    Allocator { name: "jemalloc", library: "libjemalloc.so.2", package: "libjemalloc2" },
    Allocator { name: MIMALLOC, library: "libmimalloc.so.2.0", package: "libmimalloc2.0" },
    Allocator { name: "tcmalloc", library: "libtcmalloc_minimal.so.4", package: "libtcmalloc-minimal4" },
];

/// `alloc.json`.
#[derive(Serialize)]
struct Results<'a> {
    machine: Machine,
    runs: usize,
    work_percent: u32,
    programs: Vec<ProgramResults<'a>>,
}

#[derive(Serialize)]
struct ProgramResults<'a> {
    program: &'a str,
    allocators: Vec<AllocatorResults<'a>>,
}

#[derive(Serialize)]
struct AllocatorResults<'a> {
    allocator: &'a str,
    median: Option<Figures>,
    samples: &'a [Sample],
    error: Option<&'a str>,
}

/// One figure of a variant in a case, for instance its wall-clock time.
type Figure = fn(&Figures) -> f64;

/// Everything that was measured: `outcomes[program][allocator]`.
struct Measured {
    programs: Vec<String>,
    allocators: Vec<String>,
    outcomes: Vec<Vec<Outcome>>,
}

impl Measured {
    fn rows(&self, figure: Figure) -> Vec<Row> {
        let row = |(program, outcomes): (&String, &Vec<Outcome>)| Row {
            case: program.clone(),
            figures: outcomes.iter().map(|o| o.figures().map(|f| figure(&f))).collect(),
        };
        self.programs.iter().zip(&self.outcomes).map(row).collect()
    }

    fn position(&self, allocator: &str) -> Option<usize> {
        self.allocators.iter().position(|a| a == allocator)
    }
}

/// Entry point; `args` are the words after `bench alloc`. An error when something
/// cannot be built or any program failed under any allocator; the tables and files
/// are written all the same.
pub fn run(args: &[String]) -> Result<()> {
    let words = std::iter::once("bench alloc").chain(args.iter().map(String::as_str));
    let options = Options::try_parse_from(words).unwrap_or_else(|usage| usage.exit());
    ensure!(options.runs > 0, "--runs must be at least 1");
    let scratch = root()?.join("target/bench");
    let programs = build_programs(&options, &scratch)?;
    let preloads = find_allocators(&options)?;
    let measured = measure(&options, &scratch, &programs, &preloads)?;
    print_tables(&measured);
    write_results(&options, &measured)?;
    report_failures(&measured)
}

/// Builds `bench/alloc`; the paths of the programs asked for.
fn build_programs(options: &Options, scratch: &Path) -> Result<Vec<PathBuf>> {
    let source = root()?.join("bench/alloc");
    let build = scratch.join("alloc");
    make(&source, &["-j2", &format!("BUILD={}", build.display())])?;
    let listed = Command::new("make").args(["-s", "list", "-C"]).arg(&source).output()?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: Vec<&str> = listed.split_whitespace().collect();
    if let Some(unknown) = options.only.iter().find(|n| !names.contains(&n.as_str())) {
        bail!("no allocator program is called {unknown}; there are {}", names.join(", "));
    }
    let wanted = |name: &&str| options.only.is_empty() || options.only.iter().any(|n| n == name);
    Ok(names.into_iter().filter(wanted).map(|n| build.join(n)).collect())
}

/// The allocators that are there, with what to preload. Missing ones are reported and
/// left out, except liblowfat, which must build.
fn find_allocators(options: &Options) -> Result<Vec<(&'static str, Option<PathBuf>)>> {
    let wanted =
        |name: &str| options.allocators.is_empty() || name == MIMALLOC || options.allocators.iter().any(|a| a == name);
    let known = |a: &str| a == GLIBC || a == LOWFAT || OTHERS.iter().any(|o| o.name == a);
    if let Some(unknown) = options.allocators.iter().find(|a| !known(a)) {
        bail!("no allocator is called {unknown}");
    }
    let mut found = vec![(GLIBC, None)];
    for other in OTHERS.iter().filter(|o| wanted(o.name)) {
        let answer = Command::new("cc").arg(format!("-print-file-name={}", other.library)).output()?;
        let path = PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim());
        if path.is_absolute() {
            check_preload(&path)?;
            found.push((other.name, Some(path)));
        } else {
            eprintln!("{} is left out: {} not found (Debian: {})", other.name, other.library, other.package);
        }
    }
    if wanted(LOWFAT) {
        let path = match &options.lowfat {
            Some(path) => path.canonicalize().with_context(|| format!("no {}", path.display()))?,
            None => super::build_liblowfat()?.join("liblowfat.so"),
        };
        check_preload(&path)?;
        found.push((LOWFAT, Some(path)));
    }
    Ok(found)
}

/// The dynamic linker only warns about a library it cannot preload, and glibc would
/// be measured in its name.
fn check_preload(library: &Path) -> Result<()> {
    let output = Command::new("true").env("LD_PRELOAD", library).output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && complaint.is_empty(), "cannot preload {}: {complaint}", library.display());
    Ok(())
}

fn measure(
    options: &Options,
    scratch: &Path,
    programs: &[PathBuf],
    preloads: &[(&'static str, Option<PathBuf>)],
) -> Result<Measured> {
    let mut bench = Bench::new(scratch)?;
    bench.runs = options.runs;
    let mut measured = Measured {
        programs: Vec::new(),
        allocators: preloads.iter().map(|(name, _)| name.to_string()).collect(),
        outcomes: Vec::new(),
    };
    let mut progress = Progress::new(programs.len() * preloads.len() * options.runs);
    for program in programs {
        let variant = |(name, library): &(&'static str, Option<PathBuf>)| {
            let variant = Variant::new(*name, program).arg(options.work.to_string());
            match library {
                Some(library) => variant.env("LD_PRELOAD", library),
                None => variant,
            }
        };
        let variants: Vec<Variant> = preloads.iter().map(variant).collect();
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        measured.outcomes.push(bench.case(&name, &variants, &mut |line| progress.step(line)));
        measured.programs.push(name);
    }
    progress.end();
    Ok(measured)
}

fn print_tables(measured: &Measured) {
    let seconds = |s: f64| format!("{s:.3} s");
    let mebibytes = |kib: f64| format!("{:.1} MiB", kib / 1024.0);
    /// A title, the figure it is about, and how one is written.
    type Shown<'a> = (&'a str, Figure, &'a dyn Fn(f64) -> String);
    let tables: [Shown; 3] = [
        ("time", |f| f.wall, &seconds),
        ("processor time", |f| f.cpu, &seconds),
        ("peak resident memory", |f| f.peak_rss_kib, &mebibytes),
    ];
    for baseline in [GLIBC, MIMALLOC] {
        let Some(at) = measured.position(baseline) else { continue };
        for (what, figure, absolute) in tables {
            let title = format!("{what}, ratio to {baseline}");
            println!("{}", ratios(&title, &measured.allocators, &measured.rows(figure), at, absolute));
        }
    }
    print_goals(measured);
}

/// The three goals the project set itself for liblowfat.
fn print_goals(measured: &Measured) {
    let Some(lowfat) = measured.position(LOWFAT) else { return };
    let against = |baseline: &str, figure: Figure| {
        let rows = measured.rows(figure);
        measured.position(baseline).map(|at| ratio_rows(&rows, at)).unwrap_or_default()
    };
    let mean = |rows: &[Row]| column_means(rows).get(lowfat).and_then(|(mean, _)| *mean);
    let verdict = |value: f64| if value <= 1.0 { "met" } else { "missed" };
    if let Some(mean) = mean(&against(MIMALLOC, |f| f.wall)) {
        println!("goal: time at most 1.00 of mimalloc's in the geometric mean: {mean:.3}, {}", verdict(mean));
    }
    if let Some(mean) = mean(&against(GLIBC, |f| f.peak_rss_kib)) {
        println!("goal: memory at most 1.00 of glibc's in the geometric mean: {mean:.3}, {}", verdict(mean));
    }
    let slower: Vec<String> = against(GLIBC, |f| f.wall)
        .iter()
        .filter_map(|row| row.figures[lowfat].filter(|r| *r > 1.0).map(|r| format!("{} {r:.2}", row.case)))
        .collect();
    let list = if slower.is_empty() { "met".to_string() } else { format!("missed by {}", slower.join(", ")) };
    println!("goal: no program slower than under glibc: {list}");
}

fn write_results(options: &Options, measured: &Measured) -> Result<()> {
    let dir = options.results.clone().map_or_else(|| root().map(|r| r.join("bench/results")), Ok)?;
    let programs = measured.programs.iter().zip(&measured.outcomes).map(|(program, outcomes)| ProgramResults {
        program,
        allocators: measured.allocators.iter().zip(outcomes).map(of_allocator).collect(),
    });
    let results = Results {
        machine: Machine::this(),
        runs: options.runs,
        work_percent: options.work,
        programs: programs.collect(),
    };
    write_whole(&dir.join("alloc.json"), &(serde_json::to_string_pretty(&results)? + "\n"))?;
    write_whole(&dir.join("alloc-time.svg"), &plot(measured, "Time, ratio to glibc", |f| f.wall)?)?;
    let memory = plot(measured, "Peak resident memory, ratio to glibc", |f| f.peak_rss_kib)?;
    write_whole(&dir.join("alloc-memory.svg"), &memory)?;
    println!("wrote alloc.json, alloc-time.svg and alloc-memory.svg to {}", dir.display());
    Ok(())
}

fn of_allocator<'a>((allocator, outcome): (&'a String, &'a Outcome)) -> AllocatorResults<'a> {
    AllocatorResults { allocator, median: outcome.figures(), samples: outcome.samples(), error: outcome.error() }
}

fn plot(measured: &Measured, title: &str, figure: Figure) -> Result<String> {
    let rows = measured.rows(figure);
    let divided = ratio_rows(&rows, 0);
    let means = column_means(&divided);
    let values = |c: usize| {
        let mean = means.get(c).and_then(|(mean, _)| *mean);
        divided.iter().map(|r| r.figures[c]).chain([mean]).collect()
    };
    let label = "geometric mean".to_string();
    bar_chart(&BarChart {
        title: title.into(),
        y_label: "ratio to glibc".into(),
        categories: measured.programs.iter().cloned().chain([label]).collect(),
        series: measured
            .allocators
            .iter()
            .enumerate()
            .skip(1)
            .map(|(c, name)| Bars { label: name.clone(), values: values(c) })
            .collect(),
        reference: Some(1.0),
        cut: 2.5,
    })
}

fn report_failures(measured: &Measured) -> Result<()> {
    let mut failures = Vec::new();
    for (program, outcomes) in measured.programs.iter().zip(&measured.outcomes) {
        for (allocator, outcome) in measured.allocators.iter().zip(outcomes) {
            failures.extend(outcome.error().map(|why| format!("{program} under {allocator}: {why}")));
        }
    }
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

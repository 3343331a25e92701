//! `cargo xtask bench memory`: how objects live and die, each way against C and Rust.
//!
//! Each folder `bench/memory/NAME` holds a workload: `NAME.c` with malloc and free, and a program in Cyclone for each idiom
//! that fits it; `bench/memory/rust` has the same in Rust. C runs on three allocators: the C library's, mimalloc, and
//! liblowfat, which is under Cyclone's heap. All must print the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use serde::Serialize;

use super::comparison::{Common, verdict};
use super::measure::{Bench, Figures, Machine, Variant, geometric_mean, write_whole};
use super::svg::{BarChart, Bars, bar_chart};
use super::table::Table;
use super::{build, cyc, make, root};

#[derive(Parser)]
#[command(name = "cargo xtask bench memory", about = "Idioms of memory management against C and Rust")]
struct Options {
    #[command(flatten)]
    common: Common,
    /// The C compiler of C and Cyclone.
    #[arg(long, default_value = "gcc")]
    cc: String,
}

struct Workload {
    name: &'static str,
    /// The argument of all its programs.
    size: &'static str,
    /// Idioms of Rust.
    rust: &'static [&'static str],
}

const WORKLOADS: [Workload; 5] = [
    Workload { name: "trees", size: "16", rust: &["box", "rc", "bumpalo"] },
    Workload { name: "lists", size: "100", rust: &["box", "rc", "bumpalo"] },
    Workload { name: "requests", size: "200000", rust: &["box", "rc", "bumpalo"] },
    Workload { name: "events", size: "2000000", rust: &["box", "rc"] },
    Workload { name: "lru", size: "5000000", rust: &["box", "rc"] },
];

const MIMALLOC: &str = "libmimalloc.so.2.0";

/// What is to be at most so many times what, in time; and in peak memory no worse.
const GOALS: [(&str, &str, f64); 4] = [
    ("region", "C glibc", 0.5),
    ("dynamic", "C glibc", 0.5),
    ("unique", "C lowfat", 1.02),
    ("counted", "Rust rc", 1.0),
];
/// Peak memory has a floor, the C library and the run time itself, that is of no matter here: kibibytes.
const FLOOR: f64 = 512.0;

/// What is plotted; the reference is the first.
const PLOTTED: [&str; 8] = ["C mimalloc", "C lowfat", "region", "unique", "reap", "counted", "Rust rc", "Rust bumpalo"];
const REFERENCE: &str = "C glibc";

#[derive(Serialize)]
struct Measured {
    workload: String,
    size: String,
    variants: Vec<(String, Figures)>,
}

impl Measured {
    fn figure(&self, variant: &str, figure: fn(&Figures) -> f64) -> Option<f64> {
        self.variants.iter().find(|(name, _)| name == variant).map(|(_, figures)| figure(figures))
    }

    fn ratio(&self, variant: &str, to: &str, figure: fn(&Figures) -> f64) -> Option<f64> {
        Some(self.figure(variant, figure)? / self.figure(to, figure)?)
    }
}

/// Where things are that the variants need.
struct Place {
    folder: PathBuf,
    scratch: PathBuf,
    cyc: PathBuf,
    cc: String,
    rust: PathBuf,
    /// `liblowfat-api.a`.
    lowfat: PathBuf,
}

impl Place {
    fn new(options: &Options) -> Result<Place> {
        let root = root()?;
        let (folder, scratch) = (root.join("bench/memory"), root.join("target/bench/memory"));
        fs::create_dir_all(&scratch)?;
        let library = root.join("target/bench/lowfat-library");
        let archive = library.join("liblowfat-api.a");
        let arguments = ["-j2".to_string(), format!("B={}", library.display()), archive.display().to_string()];
        make(&root.join("runtime/lowfat"), &arguments.each_ref().map(String::as_str))?;
        let manifest = folder.join("rust/Cargo.toml");
        let target = scratch.join("rust");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let rust = ["build", "--release", "--quiet", "--manifest-path"];
        build(Command::new(cargo).args(rust).arg(manifest).arg("--target-dir").arg(&target))?;
        Ok(Place {
            folder,
            cyc: cyc(&root)?,
            cc: options.cc.clone(),
            rust: target.join("release/memory"),
            lowfat: archive,
            scratch,
        })
    }

    /// All programs of a workload.
    fn variants(&self, workload: &Workload) -> Result<Vec<Variant>> {
        let (folder, mut all) = (self.folder.join(workload.name), vec![]);
        let program = |side: &str| self.scratch.join(format!("{}-{side}", workload.name));
        let [plain, lowfat] = ["c", "c-lowfat"].map(program);
        let source = folder.join(format!("{}.c", workload.name));
        build(Command::new(&self.cc).args(["-O2", "-o"]).arg(&plain).arg(&source))?;
        let archive = &self.lowfat;
        let renamed = ["-O2", "-Dmalloc=lowfat_malloc", "-Dfree=lowfat_free"];
        let mut with_lowfat = Command::new(&self.cc);
        with_lowfat.args(renamed).arg(&source).arg(archive).args(["-lpthread", "-o"]).arg(&lowfat);
        build(&mut with_lowfat)?;
        all.push(Variant::new(REFERENCE, &plain));
        all.push(Variant::new("C mimalloc", &plain).env("LD_PRELOAD", MIMALLOC));
        all.push(Variant::new("C lowfat", &lowfat));
        for idiom in idioms(&folder)? {
            let to = program(&idiom);
            let source = folder.join(format!("{idiom}.cyc"));
            build(Command::new(&self.cyc).args(["build", "-O2", "-o"]).arg(&to).arg(source).env("CC", &self.cc))?;
            all.push(Variant::new(idiom, to));
        }
        for idiom in workload.rust {
            all.push(Variant::new(format!("Rust {idiom}"), &self.rust).args([workload.name, idiom]));
        }
        Ok(all.into_iter().map(|variant| variant.arg(workload.size)).collect())
    }
}

/// The names of the programs in Cyclone, sorted.
fn idioms(folder: &Path) -> Result<Vec<String>> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "cyc") {
            found.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    found.sort();
    Ok(found)
}

/// Is mimalloc there to be preloaded? A library that is not is passed over with a warning only.
fn need_mimalloc() -> Result<()> {
    let found = Command::new("true").env("LD_PRELOAD", MIMALLOC).output().context("cannot run true")?;
    ensure!(found.stderr.is_empty(), "{MIMALLOC} is not installed: apt-get install libmimalloc2.0");
    Ok(())
}

fn measure(options: &Options) -> Result<Vec<Measured>> {
    need_mimalloc()?;
    let place = Place::new(options)?;
    let mut bench = Bench::new(&place.scratch)?;
    (bench.runs, bench.warm_up) = (options.common.runs, true);
    let mut all = vec![];
    for workload in WORKLOADS.iter().filter(|w| options.common.chooses(w.name)) {
        let variants = place.variants(workload).context(workload.name)?;
        let outcomes = bench.case(workload.name, &variants, &mut |line| eprintln!("{line}"));
        let mut figures = vec![];
        for (variant, outcome) in variants.iter().zip(&outcomes) {
            match outcome.figures() {
                Some(found) => figures.push((variant.name.clone(), found)),
                None => bail!("{}, {}: {}", workload.name, variant.name, outcome.error().unwrap_or("no runs")),
            }
        }
        all.push(Measured { workload: workload.name.into(), size: workload.size.into(), variants: figures });
    }
    ensure!(!all.is_empty(), "no workload matches");
    Ok(all)
}

fn cpu(figures: &Figures) -> f64 {
    figures.cpu
}

fn peak(figures: &Figures) -> f64 {
    figures.peak_rss_kib
}

fn table(all: &[Measured]) -> Table {
    let title = "Memory management: median processor time and peak memory (gcc -O2; Rust --release)";
    let head = ["workload", "variant", "s", "to C glibc", "to C lowfat", "KiB", "to C glibc"];
    let mut table = Table::new(title, head);
    let shown = |ratio: Option<f64>| ratio.map_or(String::new(), |r| format!("{r:.2}"));
    for measured in all {
        for (name, figures) in &measured.variants {
            table.row([
                measured.workload.clone(),
                name.clone(),
                format!("{:.3}", figures.cpu),
                shown(measured.ratio(name, REFERENCE, cpu)),
                shown(measured.ratio(name, "C lowfat", cpu)),
                format!("{:.0}", figures.peak_rss_kib),
                shown(measured.ratio(name, REFERENCE, peak)),
            ]);
        }
    }
    table
}

/// A line for each goal: the mean over the workloads that have the idiom, and each of them.
fn verdicts(all: &[Measured]) -> String {
    let mut text = String::new();
    for (variant, to, most) in GOALS {
        let of = |m: &Measured| m.ratio(variant, to, cpu).map(|r| (m.workload.clone(), r));
        let ratios: Vec<(String, f64)> = all.iter().filter_map(of).collect();
        let Some(mean) = geometric_mean(&ratios.iter().map(|(_, r)| *r).collect::<Vec<_>>()) else { continue };
        let each: Vec<String> = ratios.iter().map(|(name, r)| format!("{name} {r:.2}")).collect();
        let time = verdict(&format!("{variant} to {to}: time"), mean, most);
        text.push_str(&format!("{time} ({})\n", each.join(", ")));
        let larger = |m: &&Measured| m.figure(variant, peak) > m.figure(to, peak).map(|kib| kib + FLOOR);
        let larger: Vec<&str> = all.iter().filter(larger).map(|m| m.workload.as_str()).collect();
        let verdict = if larger.is_empty() { "reached".into() } else { format!("MISSED in {}", larger.join(", ")) };
        text.push_str(&format!("{variant} to {to}: peak memory no worse: {verdict}\n"));
    }
    text
}

fn chart(all: &[Measured], title: &str, figure: fn(&Figures) -> f64) -> Result<String> {
    let bars = |name: &&str| Bars {
        label: name.to_string(),
        values: all.iter().map(|m| m.ratio(name, REFERENCE, figure)).collect(),
    };
    bar_chart(&BarChart {
        title: title.into(),
        y_label: "ratio to C on glibc".into(),
        categories: all.iter().map(|m| m.workload.clone()).collect(),
        series: PLOTTED.iter().map(bars).collect(),
        reference: Some(1.0),
        cut: 3.0,
    })
}

/// # Errors
/// When something does not build or run, or two programs of a workload print different things.
pub fn run(args: &[String]) -> Result<()> {
    let options = Options::parse_from(std::iter::once("memory").chain(args.iter().map(String::as_str)));
    let all = measure(&options)?;
    let (table, verdicts) = (table(&all), verdicts(&all));
    print!("{table}\n{verdicts}");
    if !options.common.keeps() {
        return Ok(());
    }
    let results = root()?.join("bench/results");
    write_whole(&results.join("memory.txt"), &format!("{table}\n{verdicts}"))?;
    write_whole(&results.join("memory-time.svg"), &chart(&all, "Ways of managing memory: time, C on glibc = 1", cpu)?)?;
    write_whole(
        &results.join("memory-peak.svg"),
        &chart(&all, "Ways of managing memory: peak memory, C on glibc = 1", peak)?,
    )?;
    let report = serde_json::json!({ "machine": Machine::this(), "runs": options.common.runs, "workloads": all });
    write_whole(&results.join("memory.json"), &serde_json::to_string_pretty(&report)?)
}

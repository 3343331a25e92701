//! `cargo xtask bench lib`: the library against the standard libraries of C++ and Rust, on the same operations.
//!
//! `bench/lib/README.md` says what stands for what. All three programs of an operation must print the same.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail, ensure};
use clap::Parser;
use serde::Serialize;

use super::comparison::{Common, Comparison, verdict};
use super::measure::{Bench, Figures, Machine, Variant, geometric_mean};
use super::table::Table;
use super::{build, cyc, root};

#[derive(Parser)]
#[command(name = "cargo xtask bench lib", about = "The library against the standard libraries of C++ and Rust")]
struct Options {
    #[command(flatten)]
    common: Common,
    /// The C compiler of Cyclone, and the one of C++.
    #[arg(long, default_value = "gcc")]
    cc: String,
    #[arg(long, default_value = "g++")]
    cxx: String,
}

/// Operations and how many elements they have.
const OPERATIONS: [(&str, &str); 7] = [
    ("hash", "1000000"),
    ("dict", "400000"),
    ("list", "700000"),
    ("array", "2000000"),
    ("build", "10000000"),
    ("search", "2000000"),
    ("print", "1000000"),
];
const GOAL: f64 = 1.2;

#[derive(Serialize)]
struct Measured {
    operation: &'static str,
    size: &'static str,
    cyclone: Figures,
    cpp: Figures,
    rust: Figures,
}

impl Measured {
    /// Processor time, and peak memory, to the better of the others.
    fn time(&self) -> f64 {
        self.cyclone.cpu / self.cpp.cpu.min(self.rust.cpu)
    }
    fn memory(&self) -> f64 {
        self.cyclone.peak_rss_kib / self.cpp.peak_rss_kib.min(self.rust.peak_rss_kib)
    }
}

/// Builds the programs: Cyclone, C++, Rust.
fn programs(options: &Options) -> Result<[PathBuf; 3]> {
    let root = root()?;
    let (folder, scratch) = (root.join("bench/lib"), root.join("target/bench/lib"));
    fs::create_dir_all(&scratch)?;
    let [cyclone, cpp] = ["cyclone", "cpp"].map(|name| scratch.join(name));
    let mut compiler = Command::new(cyc(&root)?);
    build(compiler.args(["build", "-O2", "-o"]).arg(&cyclone).arg(folder.join("lib.cyc")).env("CC", &options.cc))?;
    build(Command::new(&options.cxx).args(["-O2", "-std=c++17", "-o"]).arg(&cpp).arg(folder.join("lib.cc")))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut rust = Command::new(cargo);
    rust.args(["build", "--release", "--quiet", "--manifest-path"]).arg(folder.join("rust/Cargo.toml"));
    build(rust.arg("--target-dir").arg(scratch.join("rust")))?;
    Ok([cyclone, cpp, scratch.join("rust/release/library")])
}

fn measure(options: &Options) -> Result<Vec<Measured>> {
    let programs = programs(options)?;
    let mut bench = Bench::new(&root()?.join("target/bench/lib"))?;
    (bench.runs, bench.warm_up) = (options.common.runs, true);
    let mut all = vec![];
    for (operation, size) in OPERATIONS.into_iter().filter(|(name, _)| options.common.chooses(name)) {
        let variant = |(name, program): (&str, &PathBuf)| Variant::new(name, program).args([operation, size]);
        let variants: Vec<Variant> = ["Cyclone", "C++", "Rust"].into_iter().zip(&programs).map(variant).collect();
        let outcomes = bench.case(operation, &variants, &mut |line| eprintln!("{line}"));
        let figures: Vec<Figures> = outcomes.iter().filter_map(|outcome| outcome.figures()).collect();
        let Ok([cyclone, cpp, rust]) = <[Figures; 3]>::try_from(figures) else {
            bail!("{operation}: {}", outcomes.iter().find_map(|o| o.error()).unwrap_or("no runs"));
        };
        all.push(Measured { operation, size, cyclone, cpp, rust });
    }
    ensure!(!all.is_empty(), "no operation matches");
    Ok(all)
}

fn table(all: &[Measured]) -> Table {
    let title = "The library: median processor time and peak memory (gcc -O2, g++ -O2, Rust --release)";
    let mut table =
        Table::new(title, ["operation", "size", "Cyclone s", "C++ s", "Rust s", "to the better", "KiB to the better"]);
    for m in all {
        table.row([
            m.operation.to_string(),
            m.size.to_string(),
            format!("{:.3}", m.cyclone.cpu),
            format!("{:.3}", m.cpp.cpu),
            format!("{:.3}", m.rust.cpu),
            format!("{:.2}", m.time()),
            format!("{:.2}", m.memory()),
        ]);
    }
    table
}

/// # Errors
/// When something does not build or run, or the programs of an operation print different things.
pub fn run(args: &[String]) -> Result<()> {
    let options = Options::parse_from(std::iter::once("lib").chain(args.iter().map(String::as_str)));
    let all = measure(&options)?;
    let table = table(&all);
    let (times, memories): (Vec<f64>, Vec<f64>) = all.iter().map(|m| (m.time(), m.memory())).unzip();
    let mean = geometric_mean(&times).unwrap_or(f64::NAN);
    println!("{table}\n{}", verdict("time to the better of C++ and Rust", mean, GOAL));
    if !options.common.keeps() {
        return Ok(());
    }
    let report =
        serde_json::json!({ "machine": Machine::this(), "runs": options.common.runs, "mean": mean, "operations": all });
    let comparison = Comparison {
        name: "lib",
        title: "The library: the better of C++ and Rust = 1",
        y_label: "ratio to the better of C++ and Rust",
        programs: all.iter().map(|m| m.operation.into()).collect(),
        times: &times,
        memories: &memories,
    };
    comparison.keep(&table, &report)
}

//! `cargo xtask bench pool`: the table of "malloc() & free() in Scoped Memory" (2015), on C's malloc, the traced heap and a
//! scoped pool (`bench/pool/`), with the paper's figures beside ours.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use serde::Serialize;

use super::measure::{Bench, Machine, Variant, median, write_whole};
use super::svg::{BarChart, Bars, bar_chart};
use super::table::{Row, Table, ratio_rows, ratios};
use super::{Progress, make, root};

/// Scoped pools against C's malloc and the traced heap.
#[derive(Parser)]
#[command(bin_name = "cargo xtask bench pool")]
struct Options {
    /// Runs of the program for each size of the matrices; medians of its medians count.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Rows and columns of the matrices, with the rounds that a run interleaves.
    #[arg(long = "size", value_name = "N:ROUNDS", default_values = ["100:31", "500:3"])]
    sizes: Vec<String>,
    /// Where to leave pool.json and pool.svg.
    #[arg(long)]
    results: Option<PathBuf>,
}

/// The paper's table: nanoseconds on its two heaps and in unmanaged memory.
const PAPER: [(&str, [f64; 3]); 3] = [
    ("array allocation", [150_656.0, 370_068.0, 38_900.0]),
    ("array element mutation", [7_003_764.0, 6_252_790.0, 7_786_323.0]),
    ("matrix multiplication", [62_008_351.0, 100_253_641.0, 370_922_406.0]),
];

/// What has to hold of the column `pool`: at most so many times another column's time.
const GOALS: [(&str, &str, f64); 7] = [
    ("allocation", "traced", 1.0),
    ("allocation", "C malloc", 1.0),
    ("mutation by element", "C malloc", 1.05),
    ("mutation by spans", "C malloc", 1.05),
    ("product by element", "C malloc", 1.05),
    ("product by strides", "C malloc", 1.05),
    ("product by rows", "C malloc", 1.05),
];

/// Medians for one size of the matrices.
#[derive(Serialize)]
struct Measured {
    n: u32,
    columns: Vec<String>,
    /// Nanoseconds, in the order of the columns.
    cases: Vec<Case>,
}

#[derive(Serialize)]
struct Case {
    case: String,
    ns: Vec<f64>,
}

/// `pool.json`.
#[derive(Serialize)]
struct Results<'a> {
    machine: Machine,
    runs: usize,
    measured: &'a [Measured],
    /// The greatest numbers of steps that were counted, by size of the pool.
    steps: Vec<&'a str>,
    paper_columns: [&'a str; 3],
    paper: Vec<(&'a str, [f64; 3])>,
}

/// Nanoseconds by column.
type Samples = Vec<(String, Vec<f64>)>;

/// The lines `CASE<tab>COLUMN<tab>nanoseconds` of all runs, to medians.
fn medians(n: u32, outputs: &[String]) -> Result<Measured> {
    /// The entry of a name, new at the end.
    fn entry<'a, T: Default>(list: &'a mut Vec<(String, T)>, name: &str) -> &'a mut T {
        let known = list.iter().position(|(known, _)| known == name);
        let at = known.unwrap_or_else(|| {
            list.push((name.to_string(), T::default()));
            list.len() - 1
        });
        &mut list[at].1
    }
    let mut samples: Vec<(String, Samples)> = vec![];
    for line in outputs.iter().flat_map(|output| output.lines()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [case, column, ns] = cells[..] else { anyhow::bail!("unreadable line {line:?}") };
        let ns = ns.parse().with_context(|| format!("unreadable line {line:?}"))?;
        entry(entry(&mut samples, case), column).push(ns);
    }
    let columns = samples.first().map(|(_, columns)| columns.iter().map(|(name, _)| name.clone()).collect());
    let of = |columns: Samples| columns.iter().filter_map(|(_, ns)| median(ns)).collect();
    let cases = samples.into_iter().map(|(case, columns)| Case { case, ns: of(columns) });
    Ok(Measured { n, columns: columns.unwrap_or_default(), cases: cases.collect() })
}

fn measure(options: &Options, build: &std::path::Path) -> Result<Vec<Measured>> {
    let mut bench = Bench::new(&root()?.join("target/bench"))?;
    bench.timeout = Duration::from_secs(600);
    let mut progress = Progress::new(options.runs * options.sizes.len());
    let mut measured = vec![];
    for size in &options.sizes {
        let (n, rounds) = size.split_once(':').context("--size is N:ROUNDS")?;
        let variant = Variant::new(n, build.join("pool")).args([n, rounds]);
        let mut outputs = vec![];
        for run in 0..options.runs {
            progress.step(&format!("{n} x {n}, run {}", run + 1));
            outputs.push(bench.run(&variant)?.stdout);
        }
        measured.push(medians(n.parse().context("--size is N:ROUNDS")?, &outputs)?);
    }
    progress.end();
    Ok(measured)
}

fn rows(data: &Measured) -> Vec<Row> {
    let row = |c: &Case| Row { case: c.case.clone(), figures: c.ns.iter().map(|ns| Some(*ns)).collect() };
    data.cases.iter().map(row).collect()
}

fn nanoseconds(ns: f64) -> String {
    if ns < 10_000.0 { format!("{ns:.0} ns") } else { format!("{:.0} us", ns / 1000.0) }
}

fn print(data: &Measured) {
    let title = format!("Matrices of {0} x {0}: medians on C malloc, and the others' ratios to it", data.n);
    println!("{}", ratios(&title, &data.columns, &rows(data), 0, &nanoseconds));
    for (case, against, most) in GOALS {
        let ns = data.cases.iter().find(|c| c.case == case).map(|c| &c.ns);
        let figure = |column: &str| ns?.get(data.columns.iter().position(|c| c == column)?).copied();
        if let Some(ratio) = figure("pool").zip(figure(against)).map(|(pool, other)| pool / other) {
            let verdict = if ratio <= most { "reached" } else { "MISSED" };
            println!("goal: {case}, pool / {against} at most {most}: {ratio:.2} {verdict}");
        }
    }
    println!();
}

fn print_paper() {
    let mut table = Table::new("The paper's figures, microseconds", ["", "heap (CMR)", "heap (HF)", "unmanaged"]);
    for (case, ns) in PAPER {
        table.row(std::iter::once(case.to_string()).chain(ns.map(|ns| format!("{:.1}", ns / 1000.0))));
    }
    println!("{table}");
}

/// The cases that the paper has, ours and the paper's, as ratios to a heap.
fn chart(data: &Measured) -> Result<String> {
    let wanted = ["allocation", "zeroed allocation", "mutation by element", "mutation by spans", "access by spans"];
    let wanted = [&wanted[..], &["product by element", "product by strides", "product by rows"]].concat();
    let all = ratio_rows(&rows(data), 0);
    let chosen: Vec<&Row> = wanted.iter().filter_map(|case| all.iter().find(|row| row.case == *case)).collect();
    let series =
        data.columns.iter().enumerate().skip(1).map(|(at, label)| Bars {
            label: label.clone(),
            values: chosen.iter().map(|row| row.figures[at]).collect(),
        });
    bar_chart(&BarChart {
        title: format!("Scoped pools, matrices of {0} x {0}", data.n),
        y_label: "time / time on C malloc".into(),
        categories: chosen.iter().map(|row| row.case.clone()).collect(),
        series: series.collect(),
        reference: Some(1.0),
        cut: 6.0,
    })
}

/// # Errors
/// When something does not build or run, or the results cannot be written.
pub fn run(args: &[String]) -> Result<()> {
    let words = std::iter::once("bench pool").chain(args.iter().map(String::as_str));
    let options = Options::try_parse_from(words).unwrap_or_else(|usage| usage.exit());
    ensure!(options.runs > 0, "--runs must be at least 1");
    let build = root()?.join("target/bench/pool");
    make(&root()?.join("bench/pool"), &["-j2", &format!("BUILD={}", build.display()), "all"])?;
    let measured = measure(&options, &build)?;
    measured.iter().for_each(print);
    print_paper();
    let counted = Command::new(build.join("steps")).arg("print").output().context("cannot run the count of steps")?;
    ensure!(counted.status.success(), "the count of steps failed: {}", String::from_utf8_lossy(&counted.stderr));
    let steps = String::from_utf8_lossy(&counted.stdout);
    println!("Most steps of one operation:\n{steps}");
    let results = Results {
        machine: Machine::this(),
        runs: options.runs,
        measured: &measured,
        steps: steps.lines().map(str::trim).collect(),
        paper_columns: ["heap (CMR)", "heap (HF)", "unmanaged"],
        paper: PAPER.to_vec(),
    };
    let folder = options.results.map_or_else(|| root().map(|r| r.join("bench/results")), Ok)?;
    write_whole(&folder.join("pool.json"), &(serde_json::to_string_pretty(&results)? + "\n"))?;
    if let Some(first) = measured.first() {
        write_whole(&folder.join("pool.svg"), &chart(first)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_medians() {
        let runs = ["a\tx\t1\na\ty\t4\n".to_string(), "a\tx\t3\na\ty\t5\n".to_string()];
        let data = medians(7, &runs).unwrap();
        assert_eq!(data.columns, ["x", "y"]);
        assert_eq!((data.cases[0].case.as_str(), &data.cases[0].ns[..]), ("a", &[2.0, 4.5][..]));
        assert!(medians(7, &["a b 1\n".to_string()]).is_err());
    }

    #[test]
    fn the_program_checks_its_own_results() {
        let build = root().unwrap().join("target/bench/pool");
        make(&root().unwrap().join("bench/pool"), &[&format!("BUILD={}", build.display()), "check"]).unwrap();
    }
}

//! `cargo xtask bench lowfat`: figures 8 and 9 of Duck and Yap, "An Extended Low Fat
//! Allocator API and Applications" (2018): typed pointers in 2-3-4 trees and low-fat
//! vectors (`bench/lowfat/`), with the ratios the paper states beside ours.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Parser, ValueEnum};
use serde::Serialize;
use serde_json::Value;

use super::measure::{Bench, Machine, Outcome, Variant, geometric_mean, median, write_whole};
use super::svg::{Curve, LineChart, line_chart};
use super::table::Table;
use super::{Progress, make, root};

/// The figures of the low-fat allocator paper, regenerated.
#[derive(Parser, Debug)]
#[command(bin_name = "cargo xtask bench lowfat")]
struct Options {
    /// Keys in the largest tree.  (The paper: 100 million, which takes 4 GB and some minutes for each run.)
    #[arg(long, default_value_t = 10_000_000)]
    max_keys: u64,
    /// Items of the longest vector.  (The collector's vector of 100 million takes many minutes.)
    #[arg(long, default_value_t = 20_000_000)]
    max_items: u64,
    /// Points of each curve.
    #[arg(long, default_value_t = 5)]
    points: u64,
    /// Runs of every program; the median counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Order in which keys are inserted into the trees; they are searched in ascending order.
    #[arg(long, value_enum, default_value_t = Order::Shuffled)]
    order: Order,
    /// Only this figure; what lowfat.json has of the other stays.
    #[arg(long, value_parser = clap::value_parser!(u8).range(8..=9))]
    figure: Option<u8>,
    /// Where to leave lowfat.json and the plots.
    #[arg(long)]
    results: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    Ascending,
    Shuffled,
}

/// What one program of a figure prints, line by line: a count and then these times.
struct Figure {
    number: u8,
    /// Target of the Makefile that lists the variants.
    list: &'static str,
    x_label: &'static str,
    plots: &'static [Plot],
}

/// One plot of a figure.
struct Plot {
    /// File name without extension; `figure8` in `paper.json` and `figure8.svg`.
    name: &'static str,
    title: &'static str,
    /// Ratios are to this variant, as the paper's are.
    baseline: &'static str,
}

const FIGURES: [Figure; 2] = [
    Figure {
        number: 8,
        list: "list8",
        x_label: "keys, millions",
        plots: &[Plot { name: "figure8", title: "2-3-4 tree search (figure 8)", baseline: "lowfat-tag" }],
    },
    Figure {
        number: 9,
        list: "list9",
        x_label: "items, millions",
        plots: &[
            Plot { name: "figure9-construct", title: "vector construction (figure 9)", baseline: "fat" },
            Plot { name: "figure9-sum", title: "vector access (figure 9)", baseline: "fat" },
        ],
    },
];

/// Seconds of one variant in one plot: a point for each count.
#[derive(Serialize)]
struct Series {
    variant: String,
    /// Count of keys or items, median seconds.
    points: Vec<(u64, f64)>,
    /// Geometric mean over the points of the ratio to the baseline.
    ratio: Option<f64>,
    /// What the paper says of that ratio.
    paper: Option<String>,
}

/// One plot as measured.
#[derive(Serialize)]
struct Measured {
    plot: &'static str,
    baseline: &'static str,
    runs: usize,
    /// How the keys were inserted, of a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<String>,
    series: Vec<Series>,
}

/// `lowfat.json`.
#[derive(Serialize)]
struct Results<'a> {
    machine: Machine,
    /// Each a [`Measured`].
    measured: Vec<Value>,
    paper: &'a Value,
}

/// Entry point; `args` are the words after `bench lowfat`. An error when a program cannot be
/// built or fails; what was measured is written all the same.
pub fn run(args: &[String]) -> Result<()> {
    let words = std::iter::once("bench lowfat").chain(args.iter().map(String::as_str));
    let options = Options::try_parse_from(words).unwrap_or_else(|usage| usage.exit());
    ensure!(options.runs > 0 && options.points > 0, "--runs and --points must be at least 1");
    ensure!(options.max_keys >= options.points, "--max-keys must be at least --points");
    ensure!(options.max_items >= options.points, "--max-items must be at least --points");
    let source = root()?.join("bench/lowfat");
    let build = root()?.join("target/bench/lowfat");
    let library = super::build_liblowfat()?;
    make(&source, &["-j2", &format!("BUILD={}", build.display()), &format!("LOWFAT_BUILD={}", library.display())])?;
    let paper = std::fs::read_to_string(source.join("paper.json")).context("cannot read bench/lowfat/paper.json")?;
    let paper: Value = serde_json::from_str(&paper).context("bench/lowfat/paper.json")?;

    let mut measured = Vec::new();
    let mut failures = Vec::new();
    let dir = options.results.clone().map_or_else(|| root().map(|r| r.join("bench/results")), Ok)?;
    for figure in FIGURES.iter().filter(|f| options.figure.is_none_or(|n| n == f.number)) {
        let from = measured.len();
        measure(&options, figure, &source, &build, &paper, &mut measured, &mut failures)?;
        for (plot, data) in figure.plots.iter().zip(&measured[from..]) {
            println!("{}", table(plot, data));
            write_whole(&dir.join(format!("{}.svg", plot.name)), &draw(figure, plot, data)?)?;
        }
    }
    let file = dir.join("lowfat.json");
    let results = Results { machine: Machine::this(), measured: with_others(&measured, &file)?, paper: &paper };
    write_whole(&file, &(serde_json::to_string_pretty(&results)? + "\n"))?;
    println!("wrote lowfat.json and the plots to {}", dir.display());
    if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    Ok(())
}

/// What was measured now, and what the file has of other plots.
fn with_others(measured: &[Measured], file: &Path) -> Result<Vec<Value>> {
    let mut all = measured.iter().map(serde_json::to_value).collect::<Result<Vec<Value>, _>>()?;
    let before: Value =
        std::fs::read_to_string(file).ok().and_then(|t| serde_json::from_str(&t).ok()).unwrap_or_default();
    let others = before["measured"].as_array().into_iter().flatten();
    all.extend(others.filter(|o| measured.iter().all(|m| o["plot"] != m.plot)).cloned());
    all.sort_by_key(|plot| plot["plot"].as_str().map(str::to_string));
    Ok(all)
}

/// Runs all variants of a figure, interleaved, and appends its plots to `measured`.
fn measure(
    options: &Options,
    figure: &Figure,
    source: &Path,
    build: &Path,
    paper: &Value,
    measured: &mut Vec<Measured>,
    failures: &mut Vec<String>,
) -> Result<()> {
    let listed = Command::new("make").args(["-s", figure.list, "-C"]).arg(source).output()?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let order = (figure.number == 8).then(|| format!("{:?}", options.order).to_lowercase());
    let variant = |name: &str| {
        let program = build.join(format!("figure{}-{name}", figure.number));
        let variant = Variant::new(name, program);
        let points = options.points.to_string();
        match &order {
            Some(order) => variant.args([options.max_keys.to_string(), points, order.clone()]),
            None => variant.args([options.max_items.to_string(), points]),
        }
    };
    let variants: Vec<Variant> = listed.split_whitespace().map(variant).collect();
    let mut bench = Bench::new(&root()?.join("target/bench"))?;
    bench.runs = options.runs;
    bench.timeout = Duration::from_secs(1800);
    bench.same_output = false; // they print their times
    let mut progress = Progress::new(variants.len() * options.runs);
    let outcomes = bench.case(&format!("figure {}", figure.number), &variants, &mut |line| progress.step(line));
    progress.end();
    for (variant, outcome) in variants.iter().zip(&outcomes) {
        failures.extend(outcome.error().map(|why| format!("figure {}, {}: {why}", figure.number, variant.name)));
    }
    for (column, plot) in figure.plots.iter().enumerate() {
        let mut series = Vec::new();
        for (variant, outcome) in variants.iter().zip(&outcomes) {
            let points = points(outcome, column).with_context(|| format!("output of {}", variant.name))?;
            let says = paper[plot.name][&variant.name]["says"].as_str().map(str::to_string);
            series.push(Series { variant: variant.name.clone(), points, ratio: None, paper: says });
        }
        add_ratios(&mut series, plot.baseline);
        let (runs, order) = (options.runs, order.clone());
        measured.push(Measured { plot: plot.name, baseline: plot.baseline, runs, order, series });
    }
    Ok(())
}

/// Median over the runs of time number `column` of each line; empty for a failed variant.
fn points(outcome: &Outcome, column: usize) -> Result<Vec<(u64, f64)>> {
    let mut runs: Vec<Vec<(u64, f64)>> = Vec::new();
    for sample in outcome.samples() {
        let line = |line: &str| -> Result<(u64, f64)> {
            let mut words = line.split_whitespace();
            let count = words.next().context("an empty line")?.parse()?;
            Ok((count, words.nth(column).context("too few numbers in a line")?.parse()?))
        };
        runs.push(sample.stdout.lines().map(line).collect::<Result<_>>()?);
    }
    let Some(first) = runs.first() else { return Ok(Vec::new()) };
    let at = |i: usize| {
        let seconds: Vec<f64> = runs.iter().filter_map(|r| r.get(i)).map(|p| p.1).collect();
        (first[i].0, median(&seconds).unwrap_or(f64::NAN))
    };
    Ok((0..first.len()).map(at).collect())
}

fn add_ratios(series: &mut [Series], baseline: &str) {
    let base = series.iter().find(|s| s.variant == baseline).map(|s| s.points.clone()).unwrap_or_default();
    for one in series {
        let ratios: Vec<f64> = one.points.iter().zip(&base).map(|(p, b)| p.1 / b.1).collect();
        one.ratio = geometric_mean(&ratios);
    }
}

/// Counts down, variants across, seconds; below the ratios, ours and the paper's.
fn table(plot: &Plot, data: &Measured) -> Table {
    let names = data.series.iter().map(|s| s.variant.as_str());
    let mut table = Table::new(format!("{}, processor seconds", plot.title), std::iter::once("").chain(names));
    let rows = data.series.iter().map(|s| s.points.len()).max().unwrap_or(0);
    for i in 0..rows {
        let count = data.series.iter().find_map(|s| s.points.get(i)).map_or(0, |p| p.0);
        let seconds = |s: &Series| s.points.get(i).map_or("FAIL".to_string(), |p| format!("{:.3}", p.1));
        table.row(std::iter::once(millions(count)).chain(data.series.iter().map(seconds)));
    }
    table.rule();
    let ours = data.series.iter().map(|s| s.ratio.map_or("FAIL".to_string(), |r| format!("{r:.2}")));
    table.row(std::iter::once(format!("ratio to {}", data.baseline)).chain(ours));
    let theirs = data.series.iter().map(|s| s.paper.clone().unwrap_or_else(|| "-".to_string()));
    table.row(std::iter::once("the paper's".to_string()).chain(theirs));
    table
}

fn millions(count: u64) -> String {
    format!("{} million", count as f64 / 1e6)
}

/// Same encoding, same colour; the Boehm collector's curves are dashed.
fn draw(figure: &Figure, plot: &Plot, data: &Measured) -> Result<String> {
    let mut kinds: Vec<&str> = Vec::new();
    let mut curves = Vec::new();
    for series in &data.series {
        let dashed = series.variant.starts_with("boehm");
        let kind = match figure.number {
            8 => series.variant.split_once('-').map_or("", |(_, kind)| kind),
            _ => &series.variant,
        };
        let group = kinds.iter().position(|k| *k == kind).unwrap_or(kinds.len());
        if group == kinds.len() {
            kinds.push(kind);
        }
        let ratio = series.ratio.map_or(String::new(), |r| format!(": {r:.2}"));
        let paper = series.paper.as_ref().map_or(String::new(), |p| format!(" (paper {p})"));
        curves.push(Curve {
            label: format!("{}{ratio}{paper}", series.variant),
            points: series.points.iter().map(|p| (p.0 as f64 / 1e6, p.1)).collect(),
            group,
            dashed,
        });
    }
    line_chart(&LineChart {
        title: plot.title.into(),
        x_label: figure.x_label.into(),
        y_label: format!("processor seconds; ratio to {}", data.baseline),
        curves,
    })
}

#[cfg(test)]
mod tests {
    use super::super::measure::Sample;
    use super::*;

    fn outcome(outputs: &[&str]) -> Outcome {
        let sample = |s: &&str| Sample {
            wall: 1.0,
            user: 1.0,
            system: 0.0,
            peak_rss_kib: 1,
            minor_faults: 0,
            stdout: s.to_string(),
        };
        Outcome::Done(outputs.iter().map(sample).collect())
    }

    #[test]
    fn medians_by_point_and_column() {
        let runs = outcome(&["10 1.0 5\n20 2.0 6\n", "10 3.0 7\n20 2.5 6\n", "10 2.0 9\n20 9.0 6\n"]);
        assert_eq!(points(&runs, 0).unwrap(), [(10, 2.0), (20, 2.5)]);
        assert_eq!(points(&runs, 1).unwrap(), [(10, 7.0), (20, 6.0)]);
        assert!(points(&runs, 2).is_err());
        assert!(points(&outcome(&["ten 1\n"]), 0).is_err());
        assert_eq!(points(&Outcome::Failed("why".into()), 0).unwrap(), []);
    }

    #[test]
    fn ratios_are_geometric_means_over_the_points() {
        let series = |variant: &str, points: &[(u64, f64)]| Series {
            variant: variant.into(),
            points: points.to_vec(),
            ratio: None,
            paper: None,
        };
        let mut all = [series("a", &[(1, 1.0), (2, 2.0)]), series("b", &[(1, 4.0), (2, 2.0)]), series("c", &[])];
        add_ratios(&mut all, "a");
        assert_eq!(all[0].ratio, Some(1.0));
        assert!((all[1].ratio.unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(all[2].ratio, None);
    }

    #[test]
    fn the_plots_of_the_other_figure_stay_in_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lowfat.json");
        let plot = |name: &'static str, runs: usize| Measured {
            plot: name,
            baseline: "a",
            runs,
            order: None,
            series: Vec::new(),
        };
        let runs = |all: &[Value]| -> Vec<(String, u64)> {
            all.iter().map(|m| (m["plot"].as_str().unwrap().to_string(), m["runs"].as_u64().unwrap())).collect()
        };
        let first = with_others(&[plot("figure8", 1), plot("figure9-sum", 2)], &file).unwrap();
        assert_eq!(runs(&first), [("figure8".to_string(), 1), ("figure9-sum".to_string(), 2)]);
        std::fs::write(&file, serde_json::json!({ "measured": first }).to_string()).unwrap();
        let second = with_others(&[plot("figure8", 3)], &file).unwrap();
        assert_eq!(runs(&second), [("figure8".to_string(), 3), ("figure9-sum".to_string(), 2)]);
    }

    #[test]
    fn the_paper_file_names_only_what_is_measured() {
        let source = root().unwrap().join("bench/lowfat");
        let paper: Value = serde_json::from_str(&std::fs::read_to_string(source.join("paper.json")).unwrap()).unwrap();
        let makefile = std::fs::read_to_string(source.join("Makefile")).unwrap();
        for plot in FIGURES.iter().flat_map(|f| f.plots) {
            let entries = paper[plot.name].as_object().unwrap();
            assert!(entries.contains_key(plot.baseline));
            for name in entries.keys().filter(|k| entries[*k].is_object()) {
                assert!(makefile.contains(&format!(" {name}")), "{name} is not built");
            }
        }
    }
}

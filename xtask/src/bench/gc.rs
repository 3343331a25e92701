//! `cargo xtask bench gc`: the traced heap against the Boehm collector, on three C programs (`bench/gc/`) that are written to
//! the interface of the latter.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Parser;

use super::measure::{Bench, Figures, Variant};
use super::table::Table;
use super::{make, root};

/// The traced heap and libgc on the same programs.
#[derive(Parser)]
#[command(name = "cargo xtask bench gc")]
struct Options {
    /// Measured runs of each; the median counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// How much work: 1 is small; each more doubles it.
    #[arg(long, default_value_t = 1)]
    size: u32,
}

const COLLECTORS: [&str; 2] = ["boehm", "lowfat"];

/// A program's argument for a size.
type Argument = fn(u32) -> u32;

const PROGRAMS: [(&str, Argument); 3] =
    [("trees", |size| 14 + size), ("lisp", |size| 10 << size), ("words", |size| 40 << size)];

/// The programs' folder once they are built.
fn build() -> Result<PathBuf> {
    let folder = root()?.join("target/bench/gc");
    make(&root()?.join("bench/gc"), &["-j2", &format!("BUILD={}", folder.display()), "all"])?;
    Ok(folder)
}

/// # Errors
/// When something does not build or run, or the two collectors' programs print different things.
pub fn run(args: &[String]) -> Result<()> {
    let name = ["cargo xtask bench gc".to_string()];
    let options = Options::parse_from(name.iter().chain(args));
    ensure!((1..=8).contains(&options.size), "--size must be 1 to 8");
    let folder = build()?;
    let mut bench = Bench::new(&root()?.join("target/bench"))?;
    (bench.runs, bench.same_output) = (options.runs, true);
    let header = ["program", "boehm s", "lowfat s", "ratio", "boehm MiB", "lowfat MiB", "ratio"];
    let mut table =
        Table::new(format!("Traced heap: median processor time and peak memory of {} runs", bench.runs), header);
    for (program, argument) in PROGRAMS {
        let variant = |collector: &&str| {
            Variant::new(*collector, folder.join(format!("{program}-{collector}")))
                .arg(argument(options.size).to_string())
        };
        let outcomes = bench.case(program, &COLLECTORS.iter().map(variant).collect::<Vec<_>>(), &mut |_| {});
        let figures: Vec<Figures> = outcomes
            .iter()
            .map(|o| o.figures().with_context(|| format!("{program}: {}", o.error().unwrap_or("no runs"))))
            .collect::<Result<_>>()?;
        let pair = |figure: fn(&Figures) -> f64| {
            let (boehm, ours) = (figure(&figures[0]), figure(&figures[1]));
            [format!("{boehm:.2}"), format!("{ours:.2}"), format!("{:.2}", ours / boehm)]
        };
        let cells = [pair(|f| f.cpu), pair(|f| f.peak_rss_kib / 1024.0)].concat();
        table.row(std::iter::once(program.to_string()).chain(cells));
    }
    print!("{table}");
    Ok(())
}

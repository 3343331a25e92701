//! `cargo xtask bench latency`: how long `cyc run` takes beyond what the C compiler takes, on a small program.
//!
//! `bench/latency/small.c` is a program in both languages. Its C side is compiled, linked and run by the C compiler
//! with the flags that `cyc run` uses; both run interleaved, with warm caches, and medians count.

use std::fs;

use anyhow::{Context, Result};
use clap::Parser;

use super::measure::{Bench, Variant};

/// Seconds.
const GOAL: f64 = 0.3;

#[derive(Parser)]
#[command(name = "cargo xtask bench latency", about = "cyc run beside the C compiler, on a program of 50 lines")]
struct Options {
    /// Measured runs of each; the median counts.
    #[arg(long, default_value_t = 15)]
    runs: usize,
    /// The C compiler of both sides.
    #[arg(long, default_value = "gcc")]
    cc: String,
}

pub fn run(args: &[String]) -> Result<()> {
    let name = ["cargo xtask bench latency".to_string()];
    let options = Options::parse_from(name.iter().chain(args));
    let root = super::root()?;
    let scratch = root.join("target/bench/latency");
    let mut bench = Bench::new(&scratch)?;
    (bench.runs, bench.warm_up) = (options.runs, true);
    let cyc = super::cyc(&root)?;
    let text = fs::read_to_string(root.join("bench/latency/small.c")).context("bench/latency/small.c")?;
    fs::write(scratch.join("small.c"), &text)?;
    fs::write(scratch.join("small.cyc"), &text)?;
    let by_cc = format!("{} -O2 -g1 small.c -o small && ./small", options.cc);
    let variants = [
        Variant::new("C compiler", "sh").args(["-c", &by_cc]).cwd(&scratch),
        Variant::new("cyc run", &cyc).args(["run", "small.cyc"]).env("CC", &options.cc).cwd(&scratch),
    ];
    let outcomes = bench.case("small", &variants, &mut |_| {});
    let mut medians = vec![];
    println!("{} lines, {} runs, {}", text.lines().count(), options.runs, options.cc);
    for (variant, outcome) in variants.iter().zip(&outcomes) {
        let figures = outcome.figures().with_context(|| outcome.error().unwrap_or("no runs").to_string())?;
        println!("{:12} {:7.3} s  ({:.3} to {:.3})", variant.name, figures.wall, figures.wall_min, figures.wall_max);
        medians.push(figures.wall);
    }
    let beyond = medians[1] - medians[0];
    println!("beyond it    {beyond:7.3} s  goal {GOAL}: {}", if beyond <= GOAL { "reached" } else { "MISSED" });
    Ok(())
}

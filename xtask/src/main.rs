//! The project's chores, run as `cargo xtask <chore>`.

use anyhow::{Context, Result};
use clap::{Parser, Subcommand, ValueEnum};

mod bench;
mod chores;
mod gate;
mod setup;
mod tidy;
mod trusted;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's chores")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Install what the tests need, then run all of them, and tidy.
    Test {
        /// Only these suites, by the names that the table at the end shows.
        suites: Vec<String>,
    },
    /// The long forms: all compilers and levels, many seeds, fuzzers, models; hours.
    Nightly,
    /// Install the Debian packages that the tests need.
    Setup,
    /// Check format, lints, sizes, words, the crates' arrows, and what the documentation says.
    Tidy {
        /// Leave out the last two, which are suites.
        #[arg(long)]
        no_suites: bool,
    },
    /// List what the checker cannot verify: files and lines of C, and of what is declared about C.
    Trusted {
        /// Every file, with the reason why it is trusted.
        #[arg(long)]
        files: bool,
    },
    /// Write the expected texts of tests/ui anew.
    Bless {
        /// Only cases whose name contains this.
        filter: Option<String>,
    },
    /// Compare random programs compiled by cyc and by gcc.
    Csmith {
        /// A range of csmith's seeds, A..B.
        #[arg(long, default_value = "0..3000")]
        seeds: String,
    },
    /// Judge many random programs.
    Fuzz {
        which: FuzzName,
        /// A range of seeds, A..B.
        #[arg(long, default_value = "0..20000")]
        seeds: String,
        /// Mutants of each program.
        #[arg(long, default_value_t = 3)]
        mutants: u64,
        /// Batches at a time; as many as there are processors if it is not said.
        #[arg(long)]
        jobs: Option<u64>,
    },
    /// Measure and plot; results go to bench/results/.
    #[command(disable_help_flag = true)]
    Bench {
        which: BenchName,
        /// Options of the benchmark; --help lists them.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

#[derive(Clone, ValueEnum)]
enum FuzzName {
    /// Regions, unique and counted pointers: what is accepted touches no dead object.
    Soundness,
}

#[derive(Clone, ValueEnum)]
enum BenchName {
    /// Compiled Cyclone against the same programs in C.
    Core,
    /// Lines a second through the front end.
    Frontend,
    /// `cyc run` beside the C compiler, on a small program.
    Latency,
    /// The web server in Cyclone beside nginx.
    Httpd,
    /// Allocators on the classic allocator programs.
    Alloc,
    /// The figures of the low-fat allocator paper.
    Lowfat,
    /// The traced heap against the Boehm collector.
    Gc,
    /// Cyclone on the traced heap against C on the Boehm collector.
    Heap,
    /// Regions, unique and counted pointers against malloc and free in C, and Rust.
    Memory,
    /// The library against the standard libraries of C++ and Rust.
    Lib,
    /// Scoped pools against C's malloc and the traced heap: the paper's table.
    Pool,
    /// Every benchmark with little work, to see that it runs.
    Quick,
}

/// What `cargo xtask bench` can measure.
#[cfg(test)]
fn benchmarks() -> Vec<String> {
    let names = BenchName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    names.map(|value| value.get_name().to_string()).collect()
}

fn main() -> Result<()> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the repository")?;
    match Cli::parse().chore {
        Chore::Test { suites } => gate::test(root, &suites),
        Chore::Nightly => gate::nightly(root),
        Chore::Setup => setup::run(root),
        Chore::Tidy { no_suites } => tidy::run(root, !no_suites),
        Chore::Trusted { files } => trusted::run(root, files),
        Chore::Bless { filter } => chores::bless(root, filter.as_deref()),
        Chore::Csmith { seeds } => chores::csmith(root, &seeds),
        Chore::Fuzz { which: FuzzName::Soundness, seeds, mutants, jobs } => {
            chores::soundness(root, &seeds, mutants, jobs)
        }
        Chore::Bench { which: BenchName::Core, args } => bench::core::run(&args),
        Chore::Bench { which: BenchName::Frontend, args } => bench::frontend::run(root, &args),
        Chore::Bench { which: BenchName::Latency, args } => bench::latency::run(&args),
        Chore::Bench { which: BenchName::Httpd, args } => bench::httpd::run(&args),
        Chore::Bench { which: BenchName::Alloc, args } => bench::alloc::run(&args),
        Chore::Bench { which: BenchName::Lowfat, args } => bench::lowfat::run(&args),
        Chore::Bench { which: BenchName::Gc, args } => bench::gc::run(&args),
        Chore::Bench { which: BenchName::Heap, args } => bench::heap::run(&args),
        Chore::Bench { which: BenchName::Memory, args } => bench::memory::run(&args),
        Chore::Bench { which: BenchName::Lib, args } => bench::lib::run(&args),
        Chore::Bench { which: BenchName::Pool, args } => bench::pool::run(&args),
        Chore::Bench { which: BenchName::Quick, args } => bench::quick::run(root, &args),
    }
}

//! `cargo xtask csmith --seeds A..B`: the suite `csmith` over any seeds, with every finding as it comes.

use eyewall_tests::csmith::{Outcome, run_seeds};

fn seeds(text: &str) -> Option<(u64, u64)> {
    let (from, to) = text.split_once("..")?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let range = match args.as_slice() {
        [flag, range] if flag == "--seeds" => seeds(range),
        [range] => seeds(range.strip_prefix("--seeds=").unwrap_or(range)),
        _ => None,
    };
    let Some((from, to)) = range else {
        eprintln!("usage: cargo xtask csmith --seeds A..B");
        std::process::exit(2);
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let progress = |seed: u64, outcome: &Outcome| match outcome {
        Outcome::Same | Outcome::Unfit(_) if !seed.is_multiple_of(25) => {}
        outcome => eprintln!("{seed}: {outcome:?}"),
    };
    match run_seeds(from, to, threads, &progress) {
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(2);
        }
        Ok(tally) => {
            println!("{tally}");
            std::process::exit(i32::from(!tally.wrong.is_empty()));
        }
    }
}

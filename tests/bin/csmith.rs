//! `cargo xtask csmith --seeds A..B`: the suite `csmith` over any seeds, with every finding as it comes.

use eyewall_tests::csmith::{Outcome, run_seeds};
use eyewall_tests::parallel::range;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let seeds = match args.as_slice() {
        [flag, seeds] if flag == "--seeds" => range(seeds),
        [seeds] => range(seeds.strip_prefix("--seeds=").unwrap_or(seeds)),
        _ => None,
    };
    let Some(seeds) = seeds else {
        eprintln!("usage: cargo xtask csmith --seeds A..B");
        std::process::exit(2);
    };
    let progress = |seed: u64, outcome: &Outcome| match outcome {
        Outcome::Same | Outcome::Unfit(_) if !seed.is_multiple_of(25) => {}
        outcome => eprintln!("{seed}: {outcome:?}"),
    };
    match run_seeds(seeds, &progress) {
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

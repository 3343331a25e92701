//! Random C programs print the same compiled by `cyc` and by gcc. More seeds: `cargo xtask csmith --seeds 0..3000`.

use eyewall_tests::csmith::run_seeds;
use std::io::Write;

/// The seeds of every run: fixed, so that a failure can be repeated.
const SEEDS: std::ops::Range<u64> = 0..360;
/// At least this many programs must be compared.
const COMPARED: usize = 300;
/// At least this share of the programs must be accepted: what is rejected is not tested. csmith's option
/// against pointers to locals means whole variables only: in about one program of a hundred the address of
/// a local's *member* goes into a global or an outer block (seeds 63, 284, 290, 336), and Cyclone rejects that.
const ACCEPTED: f64 = 0.98;

#[test]
fn random_programs_print_the_same() {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let progress = |seed: u64, _: &_| {
        if seed.is_multiple_of(50) {
            // Straight to the terminal: the test's own output is shown only when it fails.
            let _ = writeln!(std::io::stderr(), "csmith: seed {seed} of {}", SEEDS.end);
        }
    };
    let tally = run_seeds(SEEDS.start, SEEDS.end, threads, &progress).unwrap();
    println!("{tally}");
    assert!(tally.wrong.is_empty(), "programs are compiled wrongly:\n{tally}");
    assert!(tally.same >= COMPARED, "fewer than {COMPARED} programs were compared:\n{tally}");
    assert!(tally.accepted() >= ACCEPTED, "too many programs are rejected:\n{tally}");
}

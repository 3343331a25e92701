//! Random C programs print the same compiled by `cyc` and by gcc. `EYEWALL_CSMITH_SEEDS=A..B` runs
//! other seeds than the usual ones; many: `cargo xtask csmith --seeds 0..3000`.

use eyewall_tests::csmith::run_seeds;
use eyewall_tests::parallel::range_of;
use std::io::Write;

/// The seeds of every run: fixed, so that a failure can be repeated.
const SEEDS: std::ops::Range<u64> = 0..90;
/// At least this share of the programs must be compared.
const COMPARED: f64 = 0.8;
/// At least this share of the programs must be accepted: what is rejected is not tested.
const ACCEPTED: f64 = 0.995;
/// At most this share of the seeds may be passed over because they hand on the address of a part of a local: about
/// one program in seven takes such an address, and hardly any lets it escape.
const PARTS_OF_LOCALS: f64 = 0.02;

#[test]
fn random_programs_print_the_same() {
    let seeds = range_of("EYEWALL_CSMITH_SEEDS", SEEDS);
    let (end, count) = (seeds.end, seeds.clone().count() as f64);
    let progress = |seed: u64, _: &_| {
        if seed.is_multiple_of(50) {
            // Straight to the terminal: the test's own output is shown only when it fails.
            let _ = writeln!(std::io::stderr(), "csmith: seed {seed} of {}", end);
        }
    };
    let tally = run_seeds(seeds, &progress).unwrap();
    println!("{tally}");
    assert!(tally.wrong.is_empty(), "programs are compiled wrongly:\n{tally}");
    assert!(tally.same as f64 >= COMPARED * count, "fewer than {COMPARED} of {count} programs were compared:\n{tally}");
    assert!(tally.accepted() >= ACCEPTED, "too many programs are rejected:\n{tally}");
    let escaping = tally.parts_of_locals() as f64 / count;
    assert!(escaping <= PARTS_OF_LOCALS, "too many programs let a part of a local escape:\n{tally}");
}

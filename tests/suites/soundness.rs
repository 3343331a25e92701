//! Random programs about the lives of objects: well-typed ones are accepted, and nothing that is accepted touches a dead
//! object. `EYEWALL_SOUNDNESS_SEEDS=A..B` runs other seeds than the usual ones; `cargo xtask fuzz soundness` runs many.

use eyewall_tests::soundness::run_seeds;
use eyewall_tests::tools::need;

/// The seeds of every run, and how many mutants of each are judged.
const SEEDS: std::ops::Range<u64> = 0..24;
const MUTANTS: u64 = 6;

fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("EYEWALL_SOUNDNESS_SEEDS") else { return SEEDS };
    let parsed = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    parsed.expect("EYEWALL_SOUNDNESS_SEEDS is A..B")
}

#[test]
fn what_is_accepted_is_sound() {
    need("gcc", "gcc").unwrap();
    let (tally, findings) = run_seeds(seeds(), MUTANTS);
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n\n"));
    // Mutants that are never rejected would show nothing.
    assert!(tally.rejected > tally.accepted / 2, "mutants are hardly ever rejected: {tally:?}");
}

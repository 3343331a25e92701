//! Random programs about the lives of objects: well-typed ones are accepted, and nothing that is accepted touches a dead
//! object. `EYEWALL_SOUNDNESS_SEEDS=A..B` runs other seeds than the usual ones; `cargo xtask fuzz soundness` runs many.

use eyewall_tests::parallel::{processors, range_of};
use eyewall_tests::soundness::{Plan, misjudged, mutant_kinds, run};
use eyewall_tests::tools::{Job, need};

/// The seeds of every run, and how many mutants of each are judged.
const SEEDS: std::ops::Range<u64> = 0..60;
const MUTANTS: u64 = 7;

#[test]
fn what_is_accepted_is_sound() {
    need("gcc", "gcc").unwrap();
    let seeds = range_of("EYEWALL_SOUNDNESS_SEEDS", SEEDS);
    let many = seeds.end - seeds.start >= mutant_kinds();
    let plan = Plan { seeds, mutants: MUTANTS, jobs: processors() };
    let (tally, findings) = run(&plan, &|_, _| {}).unwrap();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n\n"));
    // Mutants that are never rejected would show nothing.
    assert!(tally.rejected() > tally.accepted() / 2, "mutants are hardly ever rejected:\n{tally}");
    let idle: Vec<_> = tally.kinds.iter().filter(|(_, kind)| kind.rejected == 0).map(|(name, _)| name).collect();
    assert!(!many || idle.is_empty(), "kinds of mutants that were never rejected: {idle:?}\n{tally}");
}

#[test]
fn each_rule_and_each_operand_is_judged_both_ways() {
    let wrong = misjudged().unwrap();
    assert!(wrong.is_empty(), "{} misjudged:\n{}", wrong.len(), wrong.join("\n"));
}

/// The hostile run time overwrites all of an object's cell in a pool, of which a sanitizer knows only what was asked for.
#[test]
fn the_hostile_run_time_and_the_sanitizer_agree_about_pools() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("pool.cyc");
    std::fs::write(&file, POOL).unwrap();
    let ran = Job::cyc().args(["run", "-fsanitize=address"]).arg(&file).env("CYC_HOSTILE", "1").run();
    assert_eq!((ran.status, ran.err()), (0, String::new()));
}

const POOL: &str = r"#include <core.h>
#include <pool.h>
using Core;
int main() {
  let NewDynamicRegion{<`r> key} = Pool::new_pool(4096, 0);
  { region h = open(key); int *\U `r p = rnew(h, unique_qual) 3; rufree(h, p); }
  free_ukey(key);
  return 0;
}
";

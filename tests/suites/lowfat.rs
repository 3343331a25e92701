//! liblowfat's own tests, which need no Cyclone: `make -C runtime/lowfat check`, its random test for some seconds in
//! each of three builds. `EYEWALL_STRESS_SECONDS=N` says for how many.

use eyewall_tests::tools::{Job, need, root};
use std::sync::OnceLock;

/// Seconds of random operations in each of the plain, ThreadSanitizer and UndefinedBehaviorSanitizer builds.
const STRESS_SECONDS: u32 = 10;

fn stress_seconds() -> u32 {
    let told = std::env::var("EYEWALL_STRESS_SECONDS");
    told.map_or(STRESS_SECONDS, |text| text.parse().expect("EYEWALL_STRESS_SECONDS is a number"))
}

fn make(targets: &[&str]) {
    let folder = root().join("target/lowfat-check");
    let ran = Job::new("make")
        .args(["-s", "-C"])
        .arg(root().join("runtime/lowfat"))
        .arg(format!("B={}", folder.display()))
        .arg(format!("STRESS_SECONDS={}", 3 * stress_seconds()))
        .args(targets)
        .seconds(900)
        .run();
    assert_eq!(ran.status, 0, "make {}:\n{}\n{}", targets.join(" "), ran.out(), ran.err());
}

/// Library and test programs are built once, before tests run side by side.
fn built() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        need("make", "make").and(need("valgrind", "valgrind")).unwrap();
        make(&["-j2", "all", "test-programs", "gc-test-programs", "pool-test-programs"]);
    });
}

#[test]
fn interface_options_globals_limits_and_instructions() {
    built();
    make(&["check-core", "check-options", "check-globals", "check-limits", "check-links", "check-instructions"]);
}

#[test]
fn real_programs_run_unchanged() {
    built();
    make(&["check-programs"]);
}

#[test]
fn random_operations() {
    built();
    make(&["check-stress-plain"]);
}

#[test]
fn random_operations_under_the_thread_sanitizer() {
    built();
    make(&["check-stress-tsan"]);
}

#[test]
fn random_operations_under_the_undefined_behaviour_sanitizer() {
    built();
    make(&["check-stress-ubsan"]);
}

#[test]
fn scoped_pools() {
    built();
    make(&["check-pool"]);
}

#[test]
fn the_traced_heap() {
    built();
    make(&["check-gc-core", "check-gc-options"]);
}

#[test]
fn the_traced_heap_when_every_allocation_collects() {
    built();
    make(&["check-gc-hostile"]);
}

#[test]
fn the_traced_heap_under_sanitizers() {
    built();
    make(&["check-gc-sanitizers"]);
}

#[test]
fn every_schedule_of_stopping_threads() {
    built();
    make(&["model"]);
}

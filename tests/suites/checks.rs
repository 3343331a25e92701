//! The examples against standard tools and their twins in C: `examples/checks.toml`.

use eyewall_tests::builds::{BUILDS, Build};
use eyewall_tests::checks::{Check, load};
use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::Arc;

/// The ways to build an example: as users do, and under the sanitizers of both compilers, of which clang's run at night.
fn builds() -> impl Iterator<Item = &'static Build> {
    BUILDS.iter().filter(|b| b.name != "gcc -O0" && b.name != "clang -O0 --assert-removed")
}

fn trials(check: Check) -> Vec<Trial> {
    let check = Arc::new(check);
    let trial = |build: &'static Build| {
        let check = check.clone();
        let name = format!("{} ({})", check.name, build.name);
        Trial::test(name, move || check.judge(build).map_err(Failed::from))
            .with_kind("example")
            .with_ignored_flag(build.name == "clang sanitizers")
    };
    builds().map(trial).collect()
}

fn main() {
    let trials = match load() {
        Err(why) => vec![Trial::test("checks.toml", move || Err(why.into()))],
        Ok(checks) => checks.into_iter().flat_map(trials).collect(),
    };
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

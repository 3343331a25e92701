//! Programs with verdicts, `tests/conformance` (and the folder beside the repository that quotes the papers, if it is there).
//!
//! A program of `gaps.txt` must fail, and the day it passes its line must go: `EYEWALL_BLESS=1` writes the list anew.

use eyewall_tests::conformance::{Case, Kinds, cases, folder, gaps};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fmt::Write;
use std::sync::Arc;

fn judge(case: &Case, kinds: &Kinds, gap: Option<&String>) -> Result<(), Failed> {
    match (gap, case.judge(kinds)) {
        (None, verdict) => verdict.map_err(Failed::from),
        (Some(_), Err(_)) => Ok(()),
        (Some(why), Ok(())) => Err(format!("passes now: remove the line `{} {why}` of gaps.txt", case.id).into()),
    }
}

/// Writes down which programs fail today, with the first line of the reason.
fn bless(cases: &[Case], kinds: &Kinds) {
    let mut text = String::from("# Programs whose verdict is not met yet: ID, and what happens instead.\n");
    let mut met = 0;
    for case in cases {
        match case.judge(kinds) {
            Ok(()) => met += 1,
            Err(why) => {
                let why = why.lines().next().unwrap_or_default();
                let _ = writeln!(text, "{} {}", case.id, why.chars().take(160).collect::<String>());
            }
        }
    }
    std::fs::write(folder().join("gaps.txt"), text).expect("gaps.txt is written");
    println!("{met} of {} programs meet their verdict", cases.len());
}

fn main() {
    let args = Arguments::from_args();
    let (cases, kinds) = match (cases(), Kinds::load()) {
        (Ok(cases), Ok(kinds)) => (cases, Arc::new(kinds)),
        (Err(why), _) | (_, Err(why)) => {
            let trial = Trial::test("programs", move || Err(why.into()));
            libtest_mimic::run(&args, vec![trial]).exit();
        }
    };
    if std::env::var_os("EYEWALL_BLESS").is_some() {
        return bless(&cases, &kinds);
    }
    let gaps = gaps();
    let trials = cases.into_iter().map(|case| {
        let (kinds, gap) = (kinds.clone(), gaps.get(&case.id).cloned());
        Trial::test(case.id.clone(), move || judge(&case, &kinds, gap.as_ref())).with_kind("conformance")
    });
    libtest_mimic::run(&args, trials.collect()).exit();
}

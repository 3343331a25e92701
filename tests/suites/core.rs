//! The core reference, subsection by subsection: `tests/core`.

use eyewall_tests::Verdict;
use eyewall_tests::sections::{Program, Section, sections};
use libtest_mimic::{Arguments, Failed, Trial};

/// The sections of the reference from the types on, and how many subsections each has.
const SUBSECTIONS: &[(u32, u32)] =
    &[(3, 18), (4, 3), (5, 18), (6, 6), (7, 6), (8, 3), (9, 8), (10, 3), (11, 2), (12, 5), (13, 7)];

/// The fewest accepted and the fewest rejected programs that show a subsection.
const FEWEST: usize = 3;

/// Every subsection has its programs.
fn complete(sections: &[Section]) -> Result<(), Failed> {
    let mut lacking = vec![];
    for number in SUBSECTIONS.iter().flat_map(|(section, count)| (1..=*count).map(move |n| format!("{section}.{n}"))) {
        let Some(section) = sections.iter().find(|s| s.number == number) else {
            lacking.push(format!("{number} has no file"));
            continue;
        };
        let (accepted, rejected) = section.counts();
        if let Some(why) = &section.unrejected {
            println!("{number} {}: {accepted} accepted, {rejected} rejected: {why}", section.title);
        }
        if accepted < FEWEST || rejected < FEWEST && section.unrejected.is_none() {
            lacking.push(format!("{number} {}: {accepted} accepted, {rejected} rejected", section.title));
        }
    }
    if lacking.is_empty() { Ok(()) } else { Err(lacking.join("\n").into()) }
}

fn judge(program: &Program, verdict: Verdict) -> Result<(), Failed> {
    match (&program.gap, verdict) {
        (None, verdict) => verdict.map_err(Failed::from),
        (Some(_), Err(_)) => Ok(()),
        (Some(why), Ok(())) => Err(format!("passes now: remove `, gap: {why}`").into()),
    }
}

/// One for what is done every day, and one for each way to build that is left to the night.
fn trials_of(section: &Section, program: &Program) -> Vec<Trial> {
    let name = format!("{} {}: {}", section.number, section.title, program.name);
    let kind = if program.gap.is_some() { "gap" } else { "core" };
    let at_night = program.ways().filter(|build| build.nightly && program.gap.is_none()).map(|build| {
        let run = program.clone();
        Trial::test(format!("{name} ({})", build.name), move || run.run(build).map_err(Failed::from))
            .with_ignored_flag(true)
    });
    let mut trials: Vec<Trial> = at_night.collect();
    let program = program.clone();
    trials.push(Trial::test(name, move || judge(&program, program.judge())));
    trials.into_iter().map(|trial| trial.with_kind(kind)).collect()
}

fn main() {
    let args = Arguments::from_args();
    let sections = match sections() {
        Ok(sections) => sections,
        Err(why) => libtest_mimic::run(&args, vec![Trial::test("programs", move || Err(why.into()))]).exit(),
    };
    let programs = sections.iter().flat_map(|s| s.programs.iter().map(move |p| (s, p)));
    let mut trials: Vec<Trial> = programs.flat_map(|(section, program)| trials_of(section, program)).collect();
    trials.push(Trial::test("every subsection has its programs", move || complete(&sections)));
    libtest_mimic::run(&args, trials).exit();
}

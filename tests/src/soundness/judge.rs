//! The judgement of many seeds: their programs, and mutants of these.

use super::batch::{Item, Outcome, Workshop};
use super::{Mutant, Program, Tally};
use crate::front_end::{self, Fate};
use crate::parallel;
use cyc_driver::pipeline::with_deep_stack;
use std::ops::Range;
use std::sync::Mutex;

/// Seeds whose programs make a batch, with the mutants of them that are accepted.
const BATCH: u64 = 40;

/// What is to be judged.
pub struct Plan {
    pub seeds: Range<u64>,
    /// Mutants of each.
    pub mutants: u64,
    pub jobs: usize,
}

/// Judges the seeds of a plan; `progress` hears the tally and what was found after each batch. The findings: each says what is wrong, and ends
/// with the program, which is well-typed and rejected, or breaks a rule and is accepted, or is accepted and touches a dead
/// object.
///
/// # Errors
/// When the prelude cannot be preprocessed or compiled.
pub fn run(plan: &Plan, progress: &(dyn Fn(&Tally, &[String]) + Sync)) -> Result<(Tally, Vec<String>), String> {
    let header = super::header()?;
    let sum = Mutex::new(Tally::default());
    let findings = parallel::pieces(plan.seeds.clone(), BATCH, plan.jobs, |seeds| {
        let (tally, findings) = batch(seeds, plan.mutants, &header);
        let mut sum = sum.lock().expect("no worker panics");
        sum.add(&tally);
        progress(&sum, &findings);
        findings
    });
    Ok((sum.into_inner().expect("no worker panics"), findings))
}

fn batch(seeds: Range<u64>, mutants: u64, header: &str) -> (Tally, Vec<String>) {
    let (mut tally, items, mut findings) = with_deep_stack(|| checked(seeds, mutants, header));
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let judged = Workshop::new(scratch.path()).map(|workshop| workshop.judge(&items));
    let Outcome { findings: unsound, endless } =
        judged.unwrap_or_else(|why| Outcome { findings: vec![why], endless: 0 });
    tally.endless += endless;
    findings.extend(unsound);
    (tally, findings)
}

/// Asks the front end about the programs and their mutants: which are accepted, and what is wrong already.
fn checked(seeds: Range<u64>, mutants: u64, header: &str) -> (Tally, Vec<Item>, Vec<String>) {
    let (mut tally, mut items, mut findings) = (Tally::default(), vec![], vec![]);
    for seed in seeds {
        let program = Program::of_seed(seed);
        tally.programs += 1;
        match accepts(&program, header) {
            Err(why) => findings.push(format!("seed {seed}: {why}\n{}", program.listing())),
            Ok(Some(why)) => {
                findings.push(format!("seed {seed}: well-typed, but rejected: {why}\n{}", program.listing()))
            }
            Ok(None) => items.push(Item { label: format!("seed {seed}"), program: program.clone() }),
        }
        for number in 0..mutants {
            let Mutant { kind: name, ill_typed, program: mutant } = program.mutant(seed, number);
            let kind = tally.kinds.entry(name).or_default();
            let Some(mutant) = mutant else {
                kind.impossible += 1;
                continue;
            };
            let label = format!("seed {seed}, mutant {number} ({name})");
            match accepts(&mutant, header) {
                Err(why) => findings.push(format!("{label}: {why}\n{}", mutant.listing())),
                Ok(Some(_)) => kind.rejected += 1,
                Ok(None) if ill_typed => {
                    findings.push(format!("{label}: breaks a rule, but is accepted\n{}", mutant.listing()));
                }
                Ok(None) => {
                    kind.accepted += 1;
                    items.push(Item { label, program: mutant });
                }
            }
        }
    }
    (tally, items, findings)
}

/// Does the front end accept the program? If not, what it says first.
///
/// # Errors
/// What it did that it must never do.
pub(super) fn accepts(program: &Program, header: &str) -> Result<Option<String>, String> {
    let text = format!("{header}{}int main() {{ P::run(); return 0; }}\n", program.preprocessed("P"));
    match front_end::judge(text)? {
        Fate::Rejected(why) => Ok(Some(why)),
        Fate::Compiled(_) => Ok(None),
    }
}

//! Random programs about the lives of objects: regions, unique and counted pointers, aliases, swaps, keys, sequences, reaps,
//! autorelease pools, scoped pools, exceptions, polymorphism, hidden types, captured variables, calls in subscripts. A
//! well-typed one must be accepted, and never touches a dead object; a mutant of it is rejected, or does not either. What
//! programs print is of no matter here: AddressSanitizer judges, and under it the run time takes away the pages of dead
//! regions.
//!
//! Mutants are of two sorts: in one a statement is planted that breaks a known rule (`write/plant.rs`), in the other lines are
//! edited at random (`mutate.rs`). What is accepted runs in batches (`batch.rs`), each program in a namespace of its own.

mod batch;
mod judge;
mod mutate;
mod state;
mod tally;
mod write;

use crate::tools::{Job, root};
use write::{PLANTS, Plant, RULES, Version};

pub use judge::{Plan, run};
pub use tally::Tally;

/// What every program is built from: types and prototypes, and the unit of their bodies.
const PRELUDE_H: &str = include_str!("prelude.h");
const PRELUDE: &str = include_str!("prelude.cyc");

/// A program: the functions of a seed, a statement a line, after [`PRELUDE_H`].
#[derive(Clone)]
pub struct Program {
    lines: Vec<String>,
}

/// A changed program.
pub struct Mutant {
    pub kind: &'static str,
    /// It certainly breaks a rule.
    pub ill_typed: bool,
    /// None where the program has no place for a change of this kind.
    pub program: Option<Program>,
}

/// How many kinds of mutants there are.
pub fn mutant_kinds() -> u64 {
    (write::PLANTS.len() + RULES.len() + mutate::EDITS.len()) as u64
}

impl Program {
    /// The well-typed program of a seed.
    pub fn of_seed(seed: u64) -> Program {
        Program { lines: write::functions(seed) }
    }

    /// A mutant of it: the kinds take turns.
    pub fn mutant(&self, seed: u64, number: u64) -> Mutant {
        let mutation = seed.wrapping_mul(1 << 20).wrapping_add(number);
        let kind = (seed.wrapping_mul(5).wrapping_add(number) % mutant_kinds()) as usize;
        let planted = |plant| write::planted(seed, plant, mutation).map(|lines| Program { lines });
        if let Some((kind, ill_typed, plant)) = PLANTS.get(kind) {
            return Mutant { kind, ill_typed: *ill_typed, program: planted(Plant::Written(*plant)) };
        }
        let kind = kind - PLANTS.len();
        if let Some(rule) = RULES.get(kind) {
            return Mutant { kind: &rule.kind, ill_typed: true, program: planted(Plant::Fragment(rule)) };
        }
        let (kind, edit) = mutate::EDITS[kind - RULES.len()];
        let program = mutate::mutant(&self.lines, edit, mutation).map(|lines| Program { lines });
        Mutant { kind, ill_typed: false, program }
    }

    /// The program in a namespace.
    fn within(&self, namespace: &str) -> String {
        format!("namespace {namespace} {{\n{}\n}}\n", self.lines.join("\n"))
    }

    /// The same with what the preprocessor would make of the two macros that programs use.
    fn preprocessed(&self, namespace: &str) -> String {
        self.within(namespace).replace("rcnew ", "qnew(refcnt_qual) ").replace("unew ", "qnew(unique_qual) ")
    }

    /// The program's own lines, to show it.
    fn listing(&self) -> String {
        self.lines.iter().map(|line| format!("  {line}\n")).collect()
    }

    /// The whole program, by itself.
    pub fn text(&self) -> String {
        let main = "int main() {\n  guarded(0, P::run);\n  return 0;\n}\n";
        format!("{PRELUDE_H}{PRELUDE}{}{main}", self.within("P"))
    }
}

/// What the front end misjudges: of each rule's fragment, and of each place that an operand may have, the version that keeps
/// the rules is accepted, and the other refused.
///
/// # Errors
/// What the preprocessor says.
pub fn misjudged() -> Result<Vec<String>, String> {
    let header = header()?;
    let fragments = RULES.iter().map(|rule| {
        let versions = [Version::Keeps, Version::Breaks].map(|version| write::alone(rule, version));
        (rule.kind.as_str(), versions)
    });
    let operands = write::operand_programs().into_iter().map(|versions| ("4.3  operand", versions));
    let judged = |(kind, [keeps, breaks]): (&str, [Vec<String>; 2])| {
        let (keeps, breaks) = (Program { lines: keeps }, Program { lines: breaks });
        let kept = match judge::accepts(&keeps, &header) {
            Err(why) => Some(why),
            Ok(Some(why)) => Some(format!("keeps the rule, but is rejected: {why}")),
            Ok(None) => None,
        };
        let broken = match judge::accepts(&breaks, &header) {
            Err(why) => Some(why),
            Ok(None) => Some("breaks the rule, but is accepted".to_string()),
            Ok(Some(_)) => None,
        };
        let found = [(kept, keeps), (broken, breaks)].into_iter();
        found.filter_map(|(why, program)| Some(format!("{kind}: {}\n{}", why?, program.listing()))).collect::<Vec<_>>()
    };
    Ok(fragments.chain(operands).flat_map(judged).collect())
}

/// The prelude's header as the front end reads it.
///
/// # Errors
/// What the preprocessor says.
fn header() -> Result<String, String> {
    let include = root().join("lib/include");
    let ran = Job::new("cc").args(["-E", "-xc", "-D__CYCLONE__", "-I"]).arg(include).arg("-").stdin(PRELUDE_H).run();
    if ran.status == 0 { Ok(ran.out()) } else { Err(ran.err()) }
}

/// A well-typed unit of at least `lines` lines about nothing but the lives of objects, preprocessed, for measuring.
///
/// # Errors
/// What the preprocessor says.
pub fn large(lines: usize) -> Result<String, String> {
    let (mut text, mut count, mut seed) = (header()?, 0, 0);
    while count < lines {
        let more = Program::of_seed(seed).preprocessed(&format!("P{seed}"));
        count += more.lines().count();
        text.push_str(&more);
        seed += 1;
    }
    Ok(text + "int main() { P0::run(); return 0; }\n")
}

//! Many accepted programs as one: each in a namespace of its own, one translation unit, one process.
//!
//! The process says which program comes, so that the one at which it ends is known; the rest runs in a new process. A batch
//! that is not built is halved until one program remains.

use super::{PRELUDE, PRELUDE_H, Program};
use crate::builds::sanitizer_report;
use crate::tools::{Job, Ran};
use std::path::{Path, PathBuf};

/// A program of a batch.
pub struct Item {
    /// Its seed, and which mutant it is.
    pub label: String,
    pub program: Program,
}

/// What a batch showed.
#[derive(Default)]
pub struct Outcome {
    /// What is wrong, with the program.
    pub findings: Vec<String>,
    /// Programs that ran too long, or mutants too deep.
    pub endless: u64,
}

/// The cheapest level: every access is checked, none is optimised away, and the checks are calls, which compile fast. Checks
/// that were proved needless are made too, and end the program where one fails.
const GCC: &[&str] = &["-O0", "-fsanitize=address", "--assert-removed"];

/// Objects that are never used again in place, of the heap, of regions, and of frames. Mutants may allocate without end.
const ASAN: &str = "detect_leaks=0:detect_stack_use_after_return=1:abort_on_error=0:exitcode=99:hard_rss_limit_mb=1500";

/// What a mutant that calls itself without end comes to; nothing promises that it does not.
const STACK_EXHAUSTED: &str = "AddressSanitizer: stack-overflow";

/// Seconds that one process may take; a batch takes a fraction of one.
const PATIENCE: u32 = 20;

/// A folder to work in, with the prelude compiled.
pub struct Workshop {
    folder: PathBuf,
}

impl Workshop {
    /// # Errors
    /// When the prelude cannot be compiled.
    pub fn new(folder: &Path) -> Result<Workshop, String> {
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).map_err(|e| e.to_string());
        write("prelude.h", PRELUDE_H)?;
        write("prelude.cyc", &format!("#include \"prelude.h\"\n{PRELUDE}"))?;
        let workshop = Workshop { folder: folder.to_path_buf() };
        let built = workshop.build(&["-c", "prelude.cyc", "-o", "prelude.o"]);
        if built.status == 0 { Ok(workshop) } else { Err(format!("the prelude is not compiled:\n{}", built.err())) }
    }

    fn build(&self, args: &[&str]) -> Ran {
        Job::cyc().arg("build").args(GCC).args(args).env("CC", "gcc").dir(&self.folder).seconds(600).run()
    }

    /// Builds and runs programs, each of which the checker accepts by itself.
    pub fn judge(&self, items: &[Item]) -> Outcome {
        let text = text(items);
        if let Err(e) = std::fs::write(self.folder.join("batch.cyc"), text) {
            return Outcome { findings: vec![e.to_string()], endless: 0 };
        }
        let built = self.build(&["batch.cyc", "prelude.o", "-o", "batch"]);
        match (built.status, items) {
            (0, _) => self.run(items),
            (_, [item]) => {
                let why =
                    format!("{}: accepted, but not built:\n{}\n{}", item.label, built.err(), item.program.listing());
                Outcome { findings: vec![why], endless: 0 }
            }
            _ => self.halved(items, &built.err()),
        }
    }

    fn halved(&self, items: &[Item], why: &str) -> Outcome {
        let (one, other) = items.split_at(items.len() / 2);
        let mut outcome = self.judge(one);
        let rest = self.judge(other);
        outcome.findings.extend(rest.findings);
        outcome.endless += rest.endless;
        if outcome.findings.is_empty() {
            let labels: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
            outcome.findings.push(format!("built only apart: {}:\n{why}", labels.join(", ")));
        }
        outcome
    }

    fn run(&self, items: &[Item]) -> Outcome {
        let mut outcome = Outcome::default();
        let mut from = 0;
        while from < items.len() {
            let job = Job::new(self.folder.join("batch")).arg(from.to_string()).dir(&self.folder);
            let ran = job.env("ASAN_OPTIONS", ASAN).env("CYC_HOSTILE", "1").seconds(PATIENCE).run();
            let out = ran.out();
            let last = out.lines().last().unwrap_or_default();
            if last == "end" && ran.status == 0 {
                break;
            }
            let at = last.parse().unwrap_or(from);
            let item = &items[at];
            let wrong = match sanitizer_report(&ran) {
                _ if ran.timed_out || ran.err().contains("rss limit exhausted") => None,
                _ if item.label.contains("mutant") && ran.err().contains(STACK_EXHAUSTED) => None,
                Some(report) => Some(format!("accepted, but not sound: {report}")),
                None => Some(format!("accepted, but ends with status {}: {}", ran.status, ran.err())),
            };
            match wrong {
                None => outcome.endless += 1,
                Some(why) => outcome.findings.push(format!("{}: {why}\n{}", item.label, item.program.listing())),
            }
            from = at + 1;
        }
        outcome
    }
}

fn text(items: &[Item]) -> String {
    let mut text = "#include \"prelude.h\"\n".to_string();
    let mut calls = String::new();
    for (number, item) in items.iter().enumerate() {
        text.push_str(&item.program.within(&format!("P{number}")));
        calls.push_str(&format!("  if (from <= {number}) guarded({number}, P{number}::run);\n"));
    }
    let main = "int main(int argc, char ??argv) {\n  int from = argc > 1 ? atoi((const char @)argv[1]) : 0;\n";
    format!("{text}{main}{calls}  printf(\"end\\n\");\n  return 0;\n}}\n")
}

//! One worker of the suite `mutate`: judges cases A..B over a folder of preprocessed programs. Prints a line for each
//! finding, and C of some accepted programs into the folder given last.
//!
//!     eyewall-mutate CORPUS A..B [--trace] [--keep FOLDER]

use eyewall_tests::front_end::{Fate, judge};
use eyewall_tests::mutate::{case, corpus};
use eyewall_tests::parallel::range;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Of so many accepted programs one is kept for the C compiler to look at.
const KEPT: u64 = 8;

struct Work {
    corpus: PathBuf,
    cases: Range<u64>,
    /// Say which case comes, so that the one that ends the process is known.
    trace: bool,
    keep: Option<PathBuf>,
}

fn arguments() -> Option<Work> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let keep = args.iter().position(|a| a == "--keep").and_then(|at| args.get(at + 1)).map(PathBuf::from);
    Some(Work {
        corpus: args.first()?.into(),
        cases: range(args.get(1)?)?,
        trace: args.iter().any(|a| a == "--trace"),
        keep,
    })
}

fn work(work: &Work) -> Result<bool, String> {
    let bases = corpus(&work.corpus)?;
    let mut clean = true;
    let mut accepted = 0;
    for number in work.cases.clone() {
        if work.trace {
            eprintln!("case {number}");
        }
        match judge(case(&bases, number)) {
            Ok(Fate::Rejected(_)) => {}
            Ok(Fate::Compiled(c)) => {
                accepted += 1;
                keep(work.keep.as_deref().filter(|_| accepted % KEPT == 1), number, &c)?;
            }
            Err(why) => {
                clean = false;
                println!("case {number}: {why}");
            }
        }
    }
    println!("accepted {accepted}");
    Ok(clean)
}

fn keep(folder: Option<&Path>, number: u64, c: &str) -> Result<(), String> {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::write(folder.join(format!("case{number}.c")), c).map_err(|e| e.to_string())
}

fn main() {
    let Some(todo) = arguments() else {
        eprintln!("usage: eyewall-mutate CORPUS A..B [--trace] [--keep FOLDER]; or CORPUS A..B --print for one case");
        std::process::exit(2);
    };
    if std::env::args().any(|a| a == "--print") {
        match corpus(&todo.corpus) {
            Ok(bases) => print!("{}", case(&bases, todo.cases.start)),
            Err(why) => eprintln!("{why}"),
        }
        return;
    }
    // Panics are findings with a line of their own.
    std::panic::set_hook(Box::new(|info| {
        if let Some(place) = info.location() {
            println!("panic at {}:{}", place.file(), place.line());
        }
    }));
    let clean = cyc_driver::pipeline::with_deep_stack(|| work(&todo));
    match clean {
        Ok(clean) => std::process::exit(i32::from(!clean)),
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(2);
        }
    }
}

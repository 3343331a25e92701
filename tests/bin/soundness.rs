//! `eyewall-soundness --seeds A..B [--mutants N] [--jobs N]`: judges the programs of many seeds; `eyewall-soundness SEED
//! [NUMBER]` prints the program of one, or a mutant of it.

use eyewall_tests::parallel::{processors, range};
use eyewall_tests::soundness::{Mutant, Plan, Program, run};
use std::time::Instant;

fn number(text: Option<&String>) -> Option<u64> {
    text.and_then(|n| n.parse().ok())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    if let Some(seeds) = option("--seeds") {
        let seeds = range(seeds).expect("--seeds is A..B");
        let mutants = number(option("--mutants")).unwrap_or(3);
        let jobs = number(option("--jobs")).map_or_else(processors, |n| n as usize);
        std::process::exit(judge(&Plan { seeds, mutants, jobs }));
    }
    let seed =
        number(args.first()).expect("usage: eyewall-soundness SEED [NUMBER] | --seeds A..B [--mutants N] [--jobs N]");
    let program = Program::of_seed(seed);
    match number(args.get(1)).map(|number| program.mutant(seed, number)) {
        None => print!("{}", program.text()),
        Some(Mutant { program: Some(mutant), .. }) => print!("{}", mutant.text()),
        Some(Mutant { kind, .. }) => println!("// no place for a mutant: {kind}"),
    }
}

/// Judges, and prints what came of it; the exit status.
fn judge(plan: &Plan) -> i32 {
    // Panics are findings with a text of their own.
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let judged = run(plan, &|tally, findings| {
        let seconds = start.elapsed().as_secs_f64();
        let (programs, rejected, accepted) = (tally.programs, tally.rejected(), tally.accepted());
        findings.iter().for_each(|finding| println!("{finding}\n"));
        eprintln!("{seconds:6.0} s: {programs} programs, mutants: {rejected} rejected, {accepted} accepted");
    });
    let (tally, findings) = match judged {
        Ok(judged) => judged,
        Err(why) => {
            eprintln!("{why}");
            return 2;
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    println!("{tally}");
    println!("{} findings; {seconds:.0} s, {:.1} programs/s", findings.len(), tally.programs as f64 / seconds);
    i32::from(!findings.is_empty())
}

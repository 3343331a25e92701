//! `eyewall-soundness --seeds A..B [--mutants N]`: judges the programs of many seeds; `eyewall-soundness SEED [NUMBER]`
//! prints the program of one, or a mutant of it.

use eyewall_tests::soundness::{Program, Tally, run_seeds};

fn number(text: Option<&String>) -> Option<u64> {
    text.and_then(|n| n.parse().ok())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    if let Some(seeds) = option("--seeds") {
        let range = seeds.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
        let range = range.expect("--seeds is A..B");
        let mutants = number(option("--mutants")).unwrap_or(6);
        let (Tally { programs, rejected, accepted }, findings) = run_seeds(range, mutants);
        for finding in &findings {
            println!("{finding}\n");
        }
        println!("{programs} well-typed programs, {rejected} mutants rejected, {accepted} accepted and clean");
        println!("{} findings", findings.len());
        std::process::exit(i32::from(!findings.is_empty()));
    }
    let seed = number(args.first()).expect("usage: eyewall-soundness SEED [NUMBER] | --seeds A..B [--mutants N]");
    let program = Program::of_seed(seed);
    print!("{}", number(args.get(1)).map_or(program.text(), |n| program.mutant(seed, n).text()));
}

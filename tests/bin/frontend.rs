//! `cargo xtask bench frontend`: lines a second from preprocessed text to C, on one core. With `--lives` the program is about
//! nothing but regions, unique and counted pointers, or one function of everyday statements, and is checked at three
//! sizes: time is linear.

use cyc_driver::options::{Emit, Goal, Options};
use cyc_driver::pipeline::{compile, with_deep_stack};
use eyewall_tests::generate::{one_function, program};
use eyewall_tests::tools::thread_seconds;

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Lines of the program; `--lines N` says other ones.
const LINES: usize = 100_000;

fn lines() -> usize {
    let mut words = std::env::args().skip_while(|word| word != "--lines").skip(1);
    words.next().map_or(LINES, |word| word.parse().expect("--lines is followed by a number"))
}

const RUNS: usize = 7;
/// Lines a second.
const GOAL: f64 = 200_000.0;

/// Median processor seconds of `RUNS` runs as far as `goal`.
fn measure(text: &str, goal: Goal) -> f64 {
    let mut times: Vec<f64> = (0..RUNS).map(|_| once(text, goal)).collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

fn once(text: &str, goal: Goal) -> f64 {
    let text = text.to_string();
    let start = thread_seconds();
    let compiled = compile("generated.cyc", text, &Options::default(), goal);
    let took = thread_seconds() - start;
    let first = compiled.diagnostics.iter().find(|d| d.is_error());
    assert!(first.is_none(), "the generated program is rejected: {first:?}");
    took
}

/// Seconds that checking [`LINES`] lines about the lives of objects may take.
const LIVES_GOAL: f64 = 1.0;
/// How much more a line of the largest unit may cost than one of the smallest.
const LINEAR: f64 = 1.3;

/// Checks units of a quarter, half and all of the lines; the seconds for all.
fn linear(lines: usize, unit: impl Fn(usize) -> String) -> f64 {
    let costs = [4, 2, 1].map(|part| {
        let text = unit(lines / part);
        let lines = text.lines().count();
        let seconds = with_deep_stack(|| measure(&text, Goal::Check));
        println!("{lines:8} lines {seconds:8.3} s  {:.2} us/line", 1e6 * seconds / lines as f64);
        (seconds, seconds / lines as f64)
    });
    println!("linear: {}", verdict(costs[2].1 <= LINEAR * costs[0].1));
    costs[2].0
}

fn verdict(reached: bool) -> &'static str {
    if reached { "reached" } else { "MISSED" }
}

fn lives() {
    println!("regions, unique and counted pointers: checked, median of {RUNS}, one core");
    let seconds = linear(lines(), |lines| eyewall_tests::soundness::large(lines).expect("the preprocessor runs"));
    println!("goal {LIVES_GOAL} s: {}", verdict(seconds <= LIVES_GOAL));
    println!("one function");
    linear(lines(), one_function);
}

fn main() {
    if std::env::args().any(|a| a == "--lives") {
        return lives();
    }
    let text = program(lines());
    let lines = text.lines().count() as f64;
    if std::env::args().any(|a| a == "--print") {
        print!("{text}");
        return;
    }
    println!("{lines:.0} lines, {} bytes, median of {RUNS}, one core", text.len());
    let whole = with_deep_stack(|| {
        // The printed forms cost something by themselves, so the parts are a rough guide only.
        for (name, stop) in
            [("tokens, printed", Emit::Tokens), ("syntax, printed", Emit::Ast), ("types, printed", Emit::Typed)]
        {
            println!("{name:18} {:8.3} s", measure(&text, Goal::Print(stop)));
        }
        measure(&text, Goal::C)
    });
    let speed = lines / whole;
    println!("{:18} {whole:8.3} s  {speed:.0} lines/s, goal {GOAL:.0}: {}", "through emit", verdict(speed >= GOAL));
}

//! Prints the program of a seed of the suite `elim`.

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok());
    print!("{}", eyewall_tests::loops::program(seed.expect("usage: eyewall-loops SEED")));
}

//! Mutants: statements are dropped, repeated, moved, also across the ends of blocks, and variables exchanged for others.

use super::Program;
use fastrand::Rng;

pub fn mutant(program: &Program, seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed);
    let mut lines = program.lines.clone();
    for _ in 0..rng.usize(1..=2) {
        // A change that cannot be made here is tried elsewhere.
        (0..20).any(|_| change(&mut lines, &mut rng));
    }
    Program { lines }
}

fn change(lines: &mut Vec<String>, rng: &mut Rng) -> bool {
    let at = rng.usize(..lines.len());
    let statement = lines[at].ends_with(';');
    match rng.u32(..10) {
        0 if statement => drop(lines.remove(at)),
        1 if statement => {
            let (copy, to) = (lines[at].clone(), near(at, lines.len(), rng));
            lines.insert(to, copy);
        }
        2..=4 if statement => {
            let line = lines.remove(at);
            let to = near(at, lines.len(), rng);
            lines.insert(to, line);
        }
        5..=7 => return exchange(lines, at, rng),
        8 => return other_type(lines, at, rng),
        9 if lines[at].contains("__attribute__") => {
            let line = &mut lines[at];
            let (cut, end) = (line.find(" __attribute__"), line.rfind(" {").unwrap_or(line.len()));
            line.replace_range(cut.unwrap_or(end)..end, "");
        }
        _ => return false,
    }
    true
}

/// A place a few lines away.
fn near(at: usize, len: usize, rng: &mut Rng) -> usize {
    (at + rng.usize(..12)).saturating_sub(6).min(len)
}

/// A variable, by its span: a letter that says its kind, and a number.
fn variables(line: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = line.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'`';
    let mut found = vec![];
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|b| word(**b)).count();
        let text = &line[at..end];
        let numbered = text.len() > 1 && text[1..].bytes().all(|b| b.is_ascii_digit());
        if numbered && text.as_bytes()[0].is_ascii_lowercase() && !text.starts_with('f') {
            found.push(at..end);
        }
        at = end.max(at + 1);
    }
    found
}

/// One variable of a line becomes another one, mostly of the same kind, that occurs nearby.
fn exchange(lines: &mut [String], at: usize, rng: &mut Rng) -> bool {
    let here = variables(&lines[at]);
    if here.is_empty() {
        return false;
    }
    let place = here[rng.usize(..here.len())].clone();
    let (letter, same_kind) = (lines[at].as_bytes()[place.start], rng.u32(..6) > 0);
    let around = at.saturating_sub(25)..(at + 10).min(lines.len());
    let mut others = vec![];
    for line in &lines[around] {
        for other in variables(line) {
            let text = &line[other];
            if text != &lines[at][place.clone()] && (!same_kind || text.as_bytes()[0] == letter) {
                others.push(text.to_string());
            }
        }
    }
    if others.is_empty() {
        return false;
    }
    let other = others.swap_remove(rng.usize(..others.len()));
    lines[at].replace_range(place, &other);
    true
}

/// A qualifier or region in a line becomes another one.
fn other_type(lines: &mut [String], at: usize, rng: &mut Rng) -> bool {
    const PAIRS: &[(&str, &str)] = &[
        ("`U", "`H"),
        ("`H", "`U"),
        ("`U", "\\T `H"),
        ("`RC", "`U"),
        ("struct View<", "struct Cell<"),
        ("*`", "*_"),
        ("unew ", "new "),
        ("rcnew ", "unew "),
        ("consume(", "noliveunique("),
    ];
    let (from, to) = PAIRS[rng.usize(..PAIRS.len())];
    if !lines[at].contains(from) {
        return false;
    }
    lines[at] = match from {
        // The region is inferred.
        "*`" => {
            let start = lines[at].find(from).unwrap_or_default();
            let name = lines[at][start + 2..].find(' ').map_or(lines[at].len(), |n| start + 2 + n);
            format!("{}*_{}", &lines[at][..start], &lines[at][name..])
        }
        _ => lines[at].replacen(from, to, 1),
    };
    true
}

//! Random edits: a statement is dropped, repeated, moved, also across the ends of blocks; a variable, qualifier or attribute
//! becomes another.

use fastrand::Rng;

/// Changes a random line in one way; false where that cannot be done to it.
pub type Edit = fn(&mut Vec<String>, usize, &mut Rng) -> bool;

pub const EDITS: &[(&str, Edit)] = &[
    ("statement dropped", dropped),
    ("statement repeated", repeated),
    ("statement moved", moved),
    ("statements exchanged", |lines, at, rng| exchanged(lines, at, rng)),
    ("variable exchanged", |lines, at, rng| variable(lines, at, rng)),
    ("variable of another kind", |lines, at, rng| other_kind(lines, at, rng)),
    ("type changed", |lines, at, rng| retyped(lines, at, rng)),
    ("attribute dropped", |lines, at, rng| unattributed(lines, at, rng)),
];

/// The lines after one or two edits of that sort; None if there is no place for one.
pub fn mutant(lines: &[String], edit: Edit, seed: u64) -> Option<Vec<String>> {
    const TRIES: usize = 60;
    let mut rng = Rng::with_seed(seed);
    let mut changed = lines.to_vec();
    for _ in 0..rng.usize(1..=2) {
        (0..TRIES).any(|_| {
            let at = rng.usize(..changed.len());
            edit(&mut changed, at, &mut rng)
        });
    }
    (changed != lines).then_some(changed)
}

fn is_statement(line: &str) -> bool {
    line.ends_with(';')
}

/// A place a few lines away.
fn near(at: usize, len: usize, rng: &mut Rng) -> usize {
    (at + rng.usize(..12)).saturating_sub(6).min(len)
}

fn dropped(lines: &mut Vec<String>, at: usize, _: &mut Rng) -> bool {
    let fits = is_statement(&lines[at]);
    if fits {
        lines.remove(at);
    }
    fits
}

fn repeated(lines: &mut Vec<String>, at: usize, rng: &mut Rng) -> bool {
    let fits = is_statement(&lines[at]);
    if fits {
        let (copy, to) = (lines[at].clone(), near(at, lines.len(), rng));
        lines.insert(to, copy);
    }
    fits
}

fn moved(lines: &mut Vec<String>, at: usize, rng: &mut Rng) -> bool {
    let fits = is_statement(&lines[at]);
    if fits {
        let line = lines.remove(at);
        let to = near(at, lines.len(), rng);
        lines.insert(to, line);
    }
    fits
}

fn exchanged(lines: &mut [String], at: usize, rng: &mut Rng) -> bool {
    let other = near(at, lines.len() - 1, rng);
    let fits = other != at && is_statement(&lines[at]) && is_statement(&lines[other]);
    if fits {
        lines.swap(at, other);
    }
    fits
}

fn unattributed(lines: &mut [String], at: usize, _: &mut Rng) -> bool {
    let Some(cut) = lines[at].find(" __attribute__") else { return false };
    let end = lines[at].rfind(" {").unwrap_or(lines[at].len());
    lines[at].replace_range(cut..end, "");
    true
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

/// One variable of a line becomes another one, of the same kind, that occurs nearby.
fn variable(lines: &mut [String], at: usize, rng: &mut Rng) -> bool {
    replaced(lines, at, rng, |old, new| old[..1] == new[..1])
}

fn other_kind(lines: &mut [String], at: usize, rng: &mut Rng) -> bool {
    replaced(lines, at, rng, |old, new| old[..1] != new[..1])
}

fn replaced(lines: &mut [String], at: usize, rng: &mut Rng, fits: fn(&str, &str) -> bool) -> bool {
    let here = variables(&lines[at]);
    if here.is_empty() {
        return false;
    }
    let place = here[rng.usize(..here.len())].clone();
    let old = &lines[at][place.clone()];
    let around = &lines[at.saturating_sub(25)..(at + 10).min(lines.len())];
    let names = around.iter().flat_map(|line| variables(line).into_iter().map(|span| &line[span]));
    let others: Vec<String> = names.filter(|new| *new != old && fits(old, new)).map(String::from).collect();
    if others.is_empty() {
        return false;
    }
    let other = &others[rng.usize(..others.len())];
    lines[at].replace_range(place, other);
    true
}

/// A qualifier or region in a line becomes another one.
fn retyped(lines: &mut [String], at: usize, rng: &mut Rng) -> bool {
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
        ("unique_in<", "counted_in<"),
        ("unique_in<", "into<"),
        ("pooled_in<", "counted_in<"),
        ("unique_qual", "aliasable_qual"),
        ("rckey", "ukey"),
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

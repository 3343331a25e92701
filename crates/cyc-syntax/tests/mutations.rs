//! Mutated programs never make the parser panic, every span lies inside the text and on character
//! boundaries, and what still parses prints and parses again as itself.
//!
//! `CYC_MUTATIONS` sets the number of cases: by default 100,000 in release builds (about a minute), 3,000 in debug builds.

mod common;

use common::twins::TWINS;
use common::{programs, repository, unpreprocessed};
use cyc_base::{Diagnostics, Span};
use cyc_syntax::{Mode, Options, lex, parse, print};

/// xorshift64*: the cases are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n.max(1)
    }
}

fn sources() -> Vec<String> {
    let mut sources: Vec<String> = TWINS.iter().flat_map(|t| [t.accepted.into(), t.rejected.into()]).collect();
    let examples = programs(&repository().join("examples"));
    sources.extend(examples.iter().map(|(_, text)| unpreprocessed(text)));
    sources.extend(programs(&repository().join("../shared/conformance")).iter().map(|(_, text)| unpreprocessed(text)));
    sources
}

/// Changes a few bytes; what is no UTF-8 any more becomes replacement characters, as the driver would refuse it.
fn mutate_bytes(text: &str, random: &mut Random) -> String {
    const BYTES: &[u8] = b"(){}[]<>;:,.?@*&`'\"\\#$_=+-|~ \n\0aU0x/\xc3\xa9";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(5) {
            0 if !bytes.is_empty() => bytes[at] = BYTES[random.below(BYTES.len())],
            1 => bytes.insert(at, BYTES[random.below(BYTES.len())]),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => bytes.truncate(if random.below(20) == 0 { at } else { bytes.len() }),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Removes, doubles, swaps and imports tokens.
fn mutate_tokens(text: &str, other: &str, random: &mut Random) -> String {
    let words = |text: &str| -> Vec<String> {
        let tokens = lex(text).0;
        tokens.iter().map(|t| text[t.span.lo as usize..t.span.hi as usize].to_string()).collect()
    };
    let (mut tokens, foreign) = (words(text), words(other));
    for _ in 0..=random.below(4) {
        let at = random.below(tokens.len());
        match random.below(5) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => {
                let to = random.below(tokens.len());
                tokens.swap(at, to);
            }
            3 => tokens[at] = foreign[random.below(foreign.len())].clone(),
            _ => {
                let from = random.below(foreign.len());
                let piece = foreign[from..(from + random.below(8)).min(foreign.len())].to_vec();
                tokens.splice(at..at, piece);
            }
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.join(" ")
}

fn check_span(text: &str, span: Span) {
    let (lo, hi) = (span.lo as usize, span.hi as usize);
    assert!(lo <= hi && hi <= text.len(), "span {span:?} of {} bytes", text.len());
    assert!(text.is_char_boundary(lo) && text.is_char_boundary(hi), "span {span:?} cuts a character");
}

fn check_diagnostics(text: &str, diags: &Diagnostics) {
    for d in diags.iter() {
        d.labels.iter().for_each(|l| check_span(text, l.span));
        d.edits.iter().for_each(|e| check_span(text, e.span));
    }
}

/// All spans of a tree, found in its debug text.
fn check_tree(text: &str, debug: &str) {
    for (at, _) in debug.match_indices("..") {
        let digits = |s: &str| s.parse::<u32>().ok();
        let left = debug[..at].rsplit(|c: char| !c.is_ascii_digit()).next().and_then(digits);
        let right = debug[at + 2..].split(|c: char| !c.is_ascii_digit()).next().and_then(digits);
        if let (Some(lo), Some(hi)) = (left, right) {
            check_span(text, Span { lo, hi });
        }
    }
}

fn check(text: &str, mode: Mode, thorough: bool) {
    let (tokens, diags) = lex(text);
    tokens.iter().for_each(|t| check_span(text, t.span));
    check_diagnostics(text, &diags);
    let options = Options { mode };
    let (unit, diags) = parse(text, &options);
    check_diagnostics(text, &diags);
    if thorough {
        // String literals may hold something like a span: they are left out.
        let debug = format!("{unit:?}");
        if !text.contains("..") {
            check_tree(text, &debug);
        }
    }
    if !diags.has_errors() {
        let printed = print::unit(&unit);
        let (again, diags) = parse(&printed, &options);
        assert!(!diags.has_errors(), "printed:\n{printed}\n{:?}", common::errors(&printed, &diags));
        assert_eq!(print::unit(&again), printed);
    }
}

#[test]
fn mutants_are_harmless() {
    let default = if cfg!(debug_assertions) { 3_000 } else { 100_000 };
    let cases = std::env::var("CYC_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let sources = sources();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for case in 0..cases {
        let source = &sources[random.below(sources.len())];
        let mutant = match random.below(2) {
            0 => mutate_bytes(source, &mut random),
            _ => mutate_tokens(source, &sources[random.below(sources.len())], &mut random),
        };
        let mode = if random.below(8) == 0 { Mode::C } else { Mode::Cyclone };
        let result = std::panic::catch_unwind(|| check(&mutant, mode, case % 8 == 0));
        assert!(result.is_ok(), "case {case} fails:\n{mutant}");
    }
}

//! Fragments that keep or break a rule of the language's memory reference (`../rules.txt`). The version that keeps it goes
//! into well-typed programs and runs there; the other is planted.

use super::Writer;
use std::sync::LazyLock;

/// A rule with the fragment that keeps or breaks it.
pub(in crate::soundness) struct Rule {
    /// Where the rule stands in the reference, and what the version that breaks it does.
    pub kind: String,
    /// Declarations in front of the program's functions.
    top: String,
    /// Statements.
    body: String,
}

/// Which version of a fragment is meant.
#[derive(Clone, Copy)]
pub(in crate::soundness) enum Version {
    Keeps,
    Breaks,
}

pub(in crate::soundness) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| parse(include_str!("../rules.txt")));

/// The fragments of a text in the format that the head of `rules.txt` describes.
fn parse(text: &str) -> Vec<Rule> {
    let mut rules: Vec<Rule> = vec![];
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        if let Some(head) = line.strip_prefix("== ") {
            rules.push(Rule { kind: head.to_string(), top: String::new(), body: String::new() });
        } else if let Some(rule) = rules.last_mut() {
            let (text, line) = match line.strip_prefix("| ") {
                Some(declaration) => (&mut rule.top, declaration),
                None => (&mut rule.body, line),
            };
            *text += line.trim();
            text.push('\n');
        }
    }
    rules
}

/// One version of a text with differences in it.
fn chosen(text: &str, version: Version) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[[") {
        let (choice, after) = after.split_once("]]").expect("a difference ends with ]]");
        let (keeps, breaks) = choice.split_once("||").expect("a difference has two versions");
        out += before;
        out += match version {
            Version::Keeps => keeps,
            Version::Breaks => breaks,
        };
        rest = after;
    }
    out + rest
}

impl Rule {
    /// The lines of declarations, and those of statements.
    fn lines(&self, version: Version, number: usize) -> [Vec<String>; 2] {
        [&self.top, &self.body].map(|text| {
            let text = chosen(text, version).replace('#', &number.to_string());
            text.lines().filter(|line| !line.is_empty()).map(String::from).collect()
        })
    }

    /// Nested functions and sequences make a call move what it would borrow otherwise.
    fn disturbs_borrowing(&self) -> bool {
        self.body.contains("inner#") || self.body.contains("next_drseq")
    }
}

impl Writer {
    /// A fragment in one of its versions, in a block of its own.
    pub(super) fn fragment(&mut self, rule: &Rule, version: Version) -> Option<()> {
        if self.results && rule.disturbs_borrowing() {
            return None;
        }
        self.next += 1;
        let [top, body] = rule.lines(version, self.next);
        self.top.extend(top);
        self.line("{");
        body.into_iter().for_each(|line| self.line(line));
        self.line("}");
        Some(())
    }

    /// Some fragment, with its rule kept.
    pub(super) fn kept_rule(&mut self) -> Option<()> {
        let rule = &RULES[self.rng.usize(..RULES.len())];
        self.fragment(rule, Version::Keeps)
    }
}

/// A program of nothing but one fragment.
pub(in crate::soundness) fn alone(rule: &Rule, version: Version) -> Vec<String> {
    let [top, body] = rule.lines(version, 1);
    let run = ["void run() {".to_string()].into_iter().chain(body).chain(["}".to_string()]);
    top.into_iter().chain(run).collect()
}

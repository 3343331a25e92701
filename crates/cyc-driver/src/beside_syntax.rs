//! Which type errors are shown beside syntax errors: those that cannot come of what the parser dropped.
//!
//! A declaration with a syntax error is not in the tree, or is without some of its parts. What is found in it, and in
//! whatever mentions a name of it, may be a consequence and stays unsaid until the syntax is mended.

use cyc_base::{Diagnostic, Diagnostics, Span};
use cyc_syntax::TokenKind::{self, *};
use cyc_syntax::ast::{Item, ItemKind, Unit};
use cyc_syntax::{Token, lex};
use std::collections::HashSet;

/// The errors of `found` that do not depend on where the syntax is wrong.
pub(crate) fn independent(text: &str, unit: &Unit, syntax: &Diagnostics, found: Diagnostics) -> Vec<Diagnostic> {
    let mut leaves = vec![];
    collect(&unit.items, &mut leaves);
    let tokens = lex(text).0;
    let within = |span: Span| {
        let first = tokens.partition_point(|token| token.span.lo < span.lo);
        let last = tokens.partition_point(|token| token.span.lo < span.hi);
        &tokens[first..last.max(first)]
    };
    let errors: Vec<u32> = syntax.iter().filter(|error| error.is_error()).map(|error| error.span().lo).collect();
    let mut dropped = HashSet::new();
    for at in &errors {
        dropped.extend(names(text, within(gap(&leaves, *at, text.len() as u32))));
    }
    let mut sound = vec![];
    for leaf in leaves {
        let broken = errors.iter().any(|at| holds(leaf.span, *at));
        let tokens = within(leaf.span);
        let depends = identifiers(text, tokens).any(|name| dropped.contains(name));
        match leaf.kind {
            _ if !broken && !depends => sound.push(leaf.span),
            ItemKind::Function(_) => {}
            _ => dropped.extend(names(text, tokens)),
        }
    }
    let shown = |error: &Diagnostic| error.is_error() && sound.iter().any(|item| holds(*item, error.span().lo));
    found.into_iter().filter(shown).collect()
}

/// The declarations, those in namespaces and the like too, in the order of the text.
fn collect<'a>(items: &'a [Item], leaves: &mut Vec<&'a Item>) {
    for item in items {
        match &item.kind {
            ItemKind::Using { items, .. }
            | ItemKind::Namespace { items, .. }
            | ItemKind::NoInference(items)
            | ItemKind::ExternC(items) => collect(items, leaves),
            ItemKind::Function(_)
            | ItemKind::Decl(_)
            | ItemKind::ExternCInclude(_)
            | ItemKind::Tempest { .. }
            | ItemKind::Port { .. }
            | ItemKind::Asm(_)
            | ItemKind::StaticAssert { .. } => leaves.push(item),
        }
    }
}

fn holds(span: Span, at: u32) -> bool {
    span.lo <= at && at <= span.hi
}

/// The text around `at` that belongs to no declaration; empty in one.
fn gap(leaves: &[&Item], at: u32, end: u32) -> Span {
    if leaves.iter().any(|leaf| holds(leaf.span, at)) {
        return Span::new(at, at);
    }
    let before = leaves.iter().map(|leaf| leaf.span.hi).filter(|hi| *hi <= at).max();
    let behind = leaves.iter().map(|leaf| leaf.span.lo).filter(|lo| *lo >= at).min();
    Span::new(before.unwrap_or(0), behind.unwrap_or(end))
}

fn identifiers<'a>(text: &'a str, tokens: &'a [Token]) -> impl Iterator<Item = &'a str> {
    let words = tokens.iter().filter(|token| token.kind == Identifier);
    words.map(move |token| &text[token.span.lo as usize..token.span.hi as usize])
}

/// What a declaration may declare: its identifiers, but those of parameter lists and of functions' bodies.
fn names<'a>(text: &'a str, tokens: &'a [Token]) -> Vec<&'a str> {
    let (mut found, mut at) = (vec![], 0);
    let mut before = Semi;
    while let Some(token) = tokens.get(at) {
        match (before, token.kind) {
            (Identifier | RParen, LParen) => at = behind(tokens, at, RParen),
            (RParen, LBrace) => at = behind(tokens, at, RBrace),
            _ => {
                found.extend(identifiers(text, &tokens[at..=at]));
                at += 1;
            }
        }
        before = tokens[at - 1].kind;
    }
    found
}

/// The place behind the partner of the opener at `at`; a parenthesis ends where a brace begins or a declaration ends.
fn behind(tokens: &[Token], at: usize, closer: TokenKind) -> usize {
    let opener = tokens[at].kind;
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        match token.kind {
            LBrace | Semi if closer == RParen => return i,
            kind if kind == opener => depth += 1,
            kind if kind == closer && depth == 1 => return i + 1,
            kind if kind == closer => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

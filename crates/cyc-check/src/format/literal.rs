//! From the bytes of a string literal's value back to where they stand in the source.

use cyc_base::{SourceMap, Span};
use cyc_syntax::ast;

/// For each byte of a literal's value, the offset of its spelling.
pub struct LiteralMap {
    whole: Span,
    /// One more than there are bytes: the last is the end. Empty when the spelling is not a plain literal.
    offsets: Vec<u32>,
    /// For each of them: does it stand inside a UTF-8 sequence?
    inside: Vec<bool>,
}

impl LiteralMap {
    pub fn new(source: &SourceMap, literal: &ast::Expr) -> LiteralMap {
        let whole = literal.span;
        let ast::ExprKind::Str(bytes) = &literal.kind else {
            return LiteralMap { whole, offsets: vec![], inside: vec![] };
        };
        let text = source.text().as_bytes().get(whole.lo as usize..whole.hi as usize).unwrap_or_default();
        let offsets = spellings(text).into_iter().map(|o| whole.lo + o).collect::<Vec<_>>();
        // Where the spelling is understood, it has as many bytes as the value.
        let good = offsets.len() == bytes.len() + 1;
        let offsets = if good { offsets } else { vec![] };
        let source = source.text();
        let inside = offsets.iter().map(|o| !source.is_char_boundary(*o as usize)).collect();
        LiteralMap { whole, offsets, inside }
    }

    /// The place of bytes `from..to` of the value; widened to whole characters.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let cut = |at: usize| self.inside.get(at).copied().unwrap_or(false);
        let from = (0..=from).rev().find(|at| !cut(*at)).unwrap_or(from);
        let to = (to..self.inside.len()).find(|at| !cut(*at)).unwrap_or(to);
        match (self.offsets.get(from), self.offsets.get(to)) {
            (Some(lo), Some(hi)) => Span::new(*lo, (*hi).max(*lo)),
            _ => self.whole,
        }
    }

    pub fn whole(&self) -> Span {
        self.whole
    }
}

/// The offset of each byte of the value of adjacent literals, and the end of the last.
fn spellings(text: &[u8]) -> Vec<u32> {
    let mut out = vec![];
    let mut end = 0;
    let mut i = 0;
    while i < text.len() {
        if text[i] != b'"' {
            i += 1;
            continue;
        }
        i += 1;
        while i < text.len() && text[i] != b'"' {
            let start = i;
            i += match text[i] {
                b'\\' => escape_length(&text[i..]),
                _ => 1,
            };
            if text.get(start..start + 2) != Some(b"\\\n") {
                out.push(start as u32);
            }
            end = i;
        }
        i += 1;
    }
    out.push(end as u32);
    out
}

/// The length of the escape sequence at the start.
fn escape_length(text: &[u8]) -> usize {
    let octal = text[1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
    match text.get(1) {
        Some(b'x') => 2 + text[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count(),
        _ if octal > 0 => 1 + octal,
        _ => 2.min(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_adjacent_literals_keep_their_places() {
        assert_eq!(spellings(br#""a\n%d""#), [1, 2, 4, 5, 6]);
        assert_eq!(spellings(br#""\x41\0" "b""#), [1, 5, 10, 11]);
    }
}

//! From text to tokens (section 1 of the reference). Longest match; comments, line markers and
//! pragmas vanish. The lexer never fails: what it cannot read becomes an error and is left out.

use crate::errors;
use crate::literal::{self, LiteralError};
use crate::token::{AT_WORDS, KEYWORDS, Token, TokenKind, TokenKind::*};
use cyc_base::{Diagnostics, Span, Symbol};
use rustc_hash::FxHashMap;

/// After so many errors the rest of the text is not looked at: it is hardly a program.
const MOST_ERRORS: usize = 100;

/// The tokens of a text, the last of them [`Eof`].
pub(crate) struct Lexed {
    pub tokens: Vec<Token>,
    /// What the `name` of a word token stands for.
    pub names: Vec<Symbol>,
    pub diags: Diagnostics,
    /// Too many errors: the tokens do not go to the end of the text.
    pub gave_up: bool,
    /// A literal or comment without end has swallowed text: closers may be missing.
    pub swallowed: bool,
}

pub(crate) fn run(text: &str) -> Lexed {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        pos: 0,
        tokens: Vec::with_capacity(text.len() / 5 + 1),
        names: vec![],
        table: FxHashMap::default(),
        diags: Diagnostics::default(),
        errors: 0,
        last_error_end: 0,
        swallowed: false,
    };
    for (word, _) in KEYWORDS {
        lexer.name(word);
    }
    if text.len() < u32::MAX as usize {
        lexer.all();
    } else {
        lexer.diags.push(errors::text_too_long());
        lexer.pos = 0;
        lexer.errors = MOST_ERRORS;
    }
    let end = lexer.pos as u32;
    lexer.tokens.push(Token { kind: Eof, name: 0, span: Span::new(end, end) });
    let gave_up = lexer.errors >= MOST_ERRORS;
    let Lexer { tokens, names, diags, swallowed, .. } = lexer;
    Lexed { tokens, names, diags, gave_up, swallowed }
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    tokens: Vec<Token>,
    names: Vec<Symbol>,
    table: FxHashMap<&'t str, u32>,
    diags: Diagnostics,
    errors: usize,
    /// End of the last unreadable stretch: a run of junk is one error.
    last_error_end: usize,
    swallowed: bool,
}

/// Can the byte continue an identifier?
fn is_word(b: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut b = 0;
        while b < 256 {
            table[b] = (b as u8).is_ascii_alphanumeric() || b as u8 == b'_';
            b += 1;
        }
        table
    };
    WORD[b as usize]
}

impl<'t> Lexer<'t> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn span(&self, start: usize) -> Span {
        Span::new(start as u32, self.pos as u32)
    }

    fn report(&mut self, diagnostic: cyc_base::Diagnostic) {
        self.errors += 1;
        self.diags.push(diagnostic);
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = self.span(start);
        self.tokens.push(Token { kind, name: 0, span });
    }

    fn name(&mut self, text: &'t str) -> u32 {
        if let Some(known) = self.table.get(text) {
            return *known;
        }
        let number = self.names.len() as u32;
        self.names.push(Symbol::new(text));
        self.table.insert(text, number);
        number
    }

    fn all(&mut self) {
        while let Some(&b) = self.bytes.get(self.pos) {
            let start = self.pos;
            match b {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start),
                b'0'..=b'9' => self.number(start),
                b'.' if self.byte(1).is_ascii_digit() => self.number(start),
                b'"' => self.string(start),
                b'\'' => self.quote(start),
                b'`' => self.type_var(start),
                b'@' => self.at(start),
                b'#' => self.directive(start),
                b'/' if self.byte(1) == b'/' => self.skip_line(),
                b'/' if self.byte(1) == b'*' => self.comment(start),
                b'\\' => self.backslash(start),
                _ => self.punctuation(b, start),
            }
            if self.errors >= MOST_ERRORS {
                break;
            }
        }
    }

    fn skip_word(&mut self) {
        while self.bytes.get(self.pos).is_some_and(|b| is_word(*b)) {
            self.pos += 1;
        }
    }

    /// identifier ::= letter { letter | digit }
    fn word(&mut self, start: usize) {
        self.skip_word();
        let text = &self.text[start..self.pos];
        match self.byte(0) {
            b'"' | b'\'' if matches!(text, "L" | "u8" | "u" | "U") => return self.prefixed(text, start),
            _ => {}
        }
        let name = self.name(text);
        let kind = match KEYWORDS.get(name as usize) {
            Some((_, kind)) => *kind,
            None if text == "_" => Underscore,
            None => Identifier,
        };
        let span = self.span(start);
        self.tokens.push(Token { kind, name, span });
    }

    /// `L"…"`, `L'x'`, `u8"…"`; the other prefixes of C11 have no type in Cyclone.
    fn prefixed(&mut self, prefix: &str, start: usize) {
        if matches!(prefix, "u" | "U") {
            let span = self.span(start);
            self.report(errors::unicode_literal(span, prefix));
        }
        if self.byte(0) == b'"' {
            self.string(start);
        } else {
            self.character(start);
        }
    }

    /// Where a number ends: letters and digits, dots, and signs after an exponent mark.
    fn number(&mut self, start: usize) {
        let hex = matches!(self.byte(1), b'x' | b'X') && self.byte(0) == b'0';
        let mut floating = false;
        while let Some(&b) = self.bytes.get(self.pos) {
            match b {
                b'.' => floating = true,
                b'e' | b'E' if !hex => floating = true,
                b'p' | b'P' if hex => floating = true,
                b'+' | b'-' => {
                    let mark = self.bytes[self.pos - 1];
                    if !(floating && matches!((hex, mark), (false, b'e' | b'E') | (true, b'p' | b'P'))) {
                        break;
                    }
                }
                b if is_word(b) => {}
                _ => break,
            }
            self.pos += 1;
        }
        let text = &self.text[start..self.pos];
        let wrong = if floating { literal::float(text).err() } else { literal::integer(text).err() };
        let kind = if floating { FloatLit } else { IntLit };
        self.literal(kind, start, wrong.into_iter().collect());
    }

    /// A literal's token; what is wrong in it is reported, and the parser sees [`Error`].
    fn literal(&mut self, kind: TokenKind, start: usize, wrong: Vec<LiteralError>) {
        let kind = if wrong.is_empty() { kind } else { Error };
        wrong.into_iter().for_each(|e| self.literal_error(start, e));
        self.push(kind, start);
    }

    fn literal_error(&mut self, start: usize, wrong: LiteralError) {
        let at = Span::new((start + wrong.at.start) as u32, (start + wrong.at.end) as u32);
        let at = self.within_text(at);
        let text = &self.text[start..self.pos];
        self.report(errors::literal(wrong.kind, at, text));
    }

    /// The span moved to character boundaries inside the text.
    fn within_text(&self, span: Span) -> Span {
        let mut hi = (span.hi as usize).min(self.text.len());
        while !self.text.is_char_boundary(hi) {
            hi += 1;
        }
        let mut lo = (span.lo as usize).min(hi);
        while !self.text.is_char_boundary(lo) {
            lo -= 1;
        }
        Span::new(lo as u32, hi as u32)
    }

    /// Moves behind the closing quote; false if the line or the text ends first. A backslash at the
    /// end of a line continues the literal.
    fn skip_quoted(&mut self, quote: u8) -> bool {
        self.pos += 1;
        while let Some(&b) = self.bytes.get(self.pos) {
            match b {
                b'\n' => return false,
                b'\\' if self.byte(1) == b'\r' && self.byte(2) == b'\n' => self.pos += 3,
                b'\\' if self.pos + 1 < self.bytes.len() => self.pos += 2,
                b if b == quote => {
                    self.pos += 1;
                    return true;
                }
                0 => {
                    let at = Span::new(self.pos as u32, self.pos as u32 + 1);
                    self.report(errors::nul(at));
                    self.pos += 1;
                }
                _ => self.pos += 1,
            }
            if self.errors >= MOST_ERRORS {
                break;
            }
        }
        // An escape may have jumped into the middle of a character.
        self.pos = self.pos.min(self.bytes.len());
        while !self.text.is_char_boundary(self.pos) {
            self.pos += 1;
        }
        false
    }

    /// A string literal whose opening quote is at `pos`; a prefix may begin at `start`.
    fn string(&mut self, start: usize) {
        let open = self.pos;
        if !self.skip_quoted(b'"') {
            self.swallowed = true;
            self.push(Error, start);
            let span = Span::new(start as u32, open as u32 + 1);
            self.report(errors::unterminated_string(span, self.span(start)));
            return;
        }
        let wide = open > start && self.bytes[start] != b'u';
        let body = &self.text[open + 1..self.pos - 1];
        let mut wrong = vec![];
        if body.contains('\\') {
            match wide {
                true => drop(literal::wide(body, open + 1 - start, |e| wrong.push(e))),
                false => drop(literal::narrow(body, open + 1 - start, |e| wrong.push(e))),
            }
        }
        self.literal(if wide { WideStrLit } else { StrLit }, start, wrong);
    }

    /// A quote opens a character constant, or (notation of the 2004 papers) a type variable: when
    /// an identifier follows whose first character is not followed by a quote.
    fn quote(&mut self, start: usize) {
        if is_word(self.byte(1)) && !self.byte(1).is_ascii_digit() && self.byte(2) != b'\'' {
            let word = self.bytes[start + 1..].iter().take_while(|b| is_word(**b)).count();
            if self.bytes.get(start + 1 + word) != Some(&b'\'') {
                return self.type_var(start);
            }
        }
        self.character(start);
    }

    fn character(&mut self, start: usize) {
        let open = self.pos;
        if !self.skip_quoted(b'\'') {
            self.swallowed = true;
            self.push(Error, start);
            self.report(errors::unterminated_char(Span::new(start as u32, open as u32 + 1)));
            return;
        }
        let wide = open > start;
        let body = &self.text[open + 1..self.pos - 1];
        let mut wrong = vec![];
        literal::character(body, open + 1 - start, wide, |e| wrong.push(e));
        self.literal(if wide { WideCharLit } else { CharLit }, start, wrong);
    }

    /// type-var ::= '`' letter { letter | digit }
    fn type_var(&mut self, start: usize) {
        self.pos += 1;
        if !is_word(self.byte(0)) || self.byte(0).is_ascii_digit() {
            return self.unreadable(start, errors::lone_backquote);
        }
        self.skip_word();
        let name = match self.bytes[start] {
            b'`' => self.name(&self.text[start..self.pos]),
            _ => self.name(Symbol::new(&format!("`{}", &self.text[start + 1..self.pos])).as_str()),
        };
        let span = self.span(start);
        self.tokens.push(Token { kind: TypeVariable, name, span });
    }

    /// `@` alone, or with the qualifier word that follows it.
    fn at(&mut self, start: usize) {
        self.pos += 1;
        let word = self.bytes[self.pos..].iter().take_while(|b| is_word(**b)).count();
        let word = &self.text[self.pos..self.pos + word];
        let kind = AT_WORDS.iter().find(|(w, _)| *w == word).map(|(_, kind)| *kind);
        if kind.is_some() {
            self.pos += word.len();
        }
        self.push(kind.unwrap_or(At), start);
    }

    /// Line markers, `#line`, `#pragma` and `#ident` are skipped; no other directive survives the preprocessor.
    fn directive(&mut self, start: usize) {
        let before = self.bytes[..start].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        self.skip_line();
        let line = self.text[start + 1..self.pos].trim_start();
        let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
        let harmless = word.starts_with(|c: char| c.is_ascii_digit())
            || matches!(word, "line" | "pragma" | "ident" | "sccs")
            || line.trim().is_empty();
        if !matches!(before, None | Some(b'\n')) {
            self.pos = start;
            self.unknown_char(start);
        } else if !harmless {
            let span = Span::new(start as u32, (self.pos - (line.len() - word.len())) as u32);
            self.report(errors::directive(span, word));
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.pos..];
        self.pos += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    fn comment(&mut self, start: usize) {
        match self.text[start + 2..].find("*/") {
            Some(len) => self.pos = start + 2 + len + 2,
            None => {
                self.pos = self.bytes.len();
                self.swallowed = true;
                self.report(errors::unterminated_comment(Span::new(start as u32, start as u32 + 2)));
            }
        }
    }

    /// alias-const ::= '\' ( 'A' | 'U' | 'T' | 'RC' ); a backslash before the end of a line is white space.
    fn backslash(&mut self, start: usize) {
        self.pos += 1;
        if matches!((self.byte(0), self.byte(1)), (b'\n', _) | (b'\r', b'\n')) {
            return;
        }
        let word = self.bytes[self.pos..].iter().take_while(|b| is_word(**b)).count();
        let kind = match &self.text[self.pos..self.pos + word] {
            "A" => BackA,
            "U" => BackU,
            "T" => BackT,
            "RC" => BackRc,
            _ => {
                self.pos += word;
                return self.unreadable(start, errors::lone_backslash);
            }
        };
        self.pos += word;
        self.push(kind, start);
    }

    fn unknown_char(&mut self, start: usize) {
        let c = self.text[start..].chars().next().unwrap_or('\0');
        self.pos = start + c.len_utf8();
        if start == self.last_error_end && start > 0 {
            self.last_error_end = self.pos;
            return;
        }
        if matches!(c, '\u{201c}' | '\u{201d}') {
            let line = self.text[self.pos..].lines().next().unwrap_or("");
            if let Some(len) = line.find(['\u{201c}', '\u{201d}']) {
                self.pos += len + c.len_utf8();
                return self.unreadable(start, |span| errors::typographic_string(span, &line[..len]));
            }
        }
        self.last_error_end = self.pos;
        self.unreadable(start, |span| if c == '\0' { errors::nul(span) } else { errors::unknown_char(span, c) });
    }

    /// Reports what was read from `start` on and leaves a token that the parser will not complain about.
    fn unreadable(&mut self, start: usize, error: impl Fn(Span) -> cyc_base::Diagnostic) {
        let span = self.span(start);
        self.report(error(span));
        self.push(Error, start);
    }

    fn punctuation(&mut self, b: u8, start: usize) {
        let (kind, len) = match (b, self.byte(1), self.byte(2)) {
            (b'(', ..) => (LParen, 1),
            (b')', ..) => (RParen, 1),
            (b';', ..) => (Semi, 1),
            (b',', ..) => (Comma, 1),
            (b'{', ..) => (LBrace, 1),
            (b'}', ..) => (RBrace, 1),
            (b'[', ..) => (LBracket, 1),
            (b']', ..) => (RBracket, 1),
            (b'$', ..) => (Dollar, 1),
            (b'?', ..) => (Question, 1),
            (b'~', ..) => (Tilde, 1),
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'.', ..) => (Dot, 1),
            (b'-', b'>', _) => (Arrow, 2),
            (b'-', b'-', _) => (MinusMinus, 2),
            (b'-', b'=', _) => (MinusAssign, 2),
            (b'-', ..) => (Minus, 1),
            (b'+', b'+', _) => (PlusPlus, 2),
            (b'+', b'=', _) => (PlusAssign, 2),
            (b'+', ..) => (Plus, 1),
            // `:=` and `::=` are the swap operator as the papers print it.
            (b':', b'=', b':') => (Swap, 3),
            (b':', b'=', _) => (Swap, 2),
            (b':', b':', b'=') => (Swap, 3),
            (b':', b':', _) => (ColonColon, 2),
            (b':', ..) => (Colon, 1),
            (b'=', b'=', _) => (EqEq, 2),
            (b'=', ..) => (Assign, 1),
            (b'!', b'=', _) => (Ne, 2),
            (b'!', ..) => (Bang, 1),
            (b'<', b'<', b'=') => (ShlAssign, 3),
            (b'<', b'<', _) => (Shl, 2),
            (b'<', b'=', _) => (Le, 2),
            (b'<', ..) => (Lt, 1),
            (b'>', b'>', b'=') => (ShrAssign, 3),
            (b'>', b'>', _) => (Shr, 2),
            (b'>', b'=', _) => (Ge, 2),
            (b'>', ..) => (Gt, 1),
            (b'&', b'&', _) => (AmpAmp, 2),
            (b'&', b'=', _) => (AmpAssign, 2),
            (b'&', ..) => (Amp, 1),
            (b'|', b'|', _) => (PipePipe, 2),
            (b'|', b'=', _) => (PipeAssign, 2),
            (b'|', ..) => (Pipe, 1),
            (b'*', b'=', _) => (StarAssign, 2),
            (b'*', ..) => (Star, 1),
            (b'/', b'=', _) => (SlashAssign, 2),
            (b'/', ..) => (Slash, 1),
            (b'%', b'=', _) => (PercentAssign, 2),
            (b'%', ..) => (Percent, 1),
            (b'^', b'=', _) => (CaretAssign, 2),
            (b'^', ..) => (Caret, 1),
            _ => return self.unknown_char(start),
        };
        self.pos += len;
        self.push(kind, start);
    }
}

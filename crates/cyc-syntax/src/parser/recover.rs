//! Resynchronising after an error, so that the next message is about the next mistake.

use super::*;

/// Is `a` one edit away from `b`, or the same but for case?
pub(super) fn similar(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let left = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[left..], &b[left..]);
    let right = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - right], &b[..b.len() - right]);
    a.len() <= 1 && b.len() <= 1 || (a.len() == 2 && b.len() == 2 && a[0] == b[1] && a[1] == b[0])
}

impl Parser<'_> {
    /// Expects the `;` that ends `what`. Where it is plainly just missing, the parser goes on as if it were there.
    pub(super) fn semicolon(&mut self, what: &str) -> Parse<()> {
        if self.eat(Semi) {
            return Ok(());
        }
        if let Some(error) = self.misread_at_word() {
            return Err(self.report(error));
        }
        let behind = self.prev_span().end();
        let forgotten = self.first_on_line() || matches!(self.kind(), RBrace | Eof) || self.starts_statement_word();
        if !forgotten {
            return Err(self.expected(&format!("`;` after {what}")));
        }
        let found = self.found();
        self.report(errors::missing_semicolon(what, &found, behind));
        Ok(())
    }

    /// Does the current token begin a statement or declaration and nothing else?
    fn starts_statement_word(&self) -> bool {
        matches!(
            self.kind(),
            KwIf | KwWhile
                | KwDo
                | KwFor
                | KwSwitch
                | KwReturn
                | KwBreak
                | KwContinue
                | KwGoto
                | KwCase
                | KwDefault
                | KwTry
                | KwLet
                | KwFallthru
        )
    }

    /// Skips to the end of the statement: behind `;`, or before `}`, or before a word that begins
    /// a statement on a new line. Nested braces are skipped whole.
    pub(super) fn sync_statement(&mut self, start: usize) {
        if self.pos == start && !matches!(self.kind(), RBrace | Eof) {
            self.skip_token();
        }
        if !self.close_opened(start) {
            return;
        }
        loop {
            match self.kind() {
                Eof | RBrace => return,
                Semi => {
                    self.bump();
                    return;
                }
                _ if self.first_on_line() && (self.starts_statement_word() || self.starts_type_word()) => return,
                LBrace => {
                    self.skip_token();
                    // The block was perhaps the body of what failed to parse.
                    if !matches!(self.kind(), Semi | RParen | Comma | KwElse | KwWhile | KwCatch) {
                        return;
                    }
                }
                _ => self.skip_token(),
            }
        }
    }

    /// Skips to the next item: behind `;` or a balanced `}`, or before a token in the first column.
    pub(super) fn sync_item(&mut self, start: usize) {
        if self.pos == start && !self.at(Eof) {
            self.skip_token();
        }
        if !self.close_opened(start) {
            return;
        }
        loop {
            match self.kind() {
                Eof | RBrace => return,
                Semi => {
                    self.bump();
                    return;
                }
                _ if self.pos > start && self.in_first_column() && self.starts_item_word() => return,
                LBrace => {
                    self.skip_token();
                    if !matches!(self.kind(), Semi | Comma | Identifier | Star | At | Assign) || self.first_on_line() {
                        return;
                    }
                }
                _ => self.skip_token(),
            }
        }
    }

    /// Skips behind the closers of the braces that were opened since `start` and are still open, and
    /// of the parentheses of a `for`. False if the text of another item comes first.
    fn close_opened(&mut self, start: usize) -> bool {
        if self.at(Eof) {
            return false;
        }
        let (mut braces, mut parens) = (0usize, 0usize);
        for token in &self.tokens[start..self.pos] {
            match token.kind {
                LBrace => braces += 1,
                RBrace => braces = braces.saturating_sub(1),
                LParen => parens += 1,
                RParen => parens = parens.saturating_sub(1),
                _ => {}
            }
        }
        while braces > 0 {
            match self.kind() {
                Eof => return false,
                _ if self.in_first_column() && self.starts_item_word() => return false,
                // Blocks catch their own errors: this is an initialiser whose `}` is missing.
                Semi if !self.in_type_body(start) => return true,
                RBrace => {
                    braces -= 1;
                    self.bump();
                }
                _ => self.skip_token(),
            }
        }
        if self.tokens[start].kind == KwFor && parens > 0 {
            while !matches!(self.kind(), RParen | LBrace | RBrace | Eof) && !self.first_on_line() {
                self.skip_token();
            }
            self.eat(RParen);
        }
        true
    }

    /// The first pair of braces whose closer begins its line with an indentation that, compared with
    /// the line of the opener, is `odd`.
    pub(super) fn odd_brace(&self, odd: impl Fn(usize, usize) -> bool) -> Option<(Span, Span)> {
        let line = |at: u32| {
            let start = self.text[..at as usize].rfind('\n').map_or(0, |i| i + 1);
            let line = &self.text[start..];
            (start, line.len() - line.trim_start_matches([' ', '\t']).len())
        };
        let mut open = vec![];
        for token in &self.tokens {
            match token.kind {
                LBrace => open.push(token.span),
                RBrace => {
                    let opener = open.pop()?;
                    let ((start, indent), (_, outer)) = (line(token.span.lo), line(opener.lo));
                    if start + indent == token.span.lo as usize && odd(indent, outer) {
                        return Some((opener, token.span));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Was the error in the body of a struct, union or datatype, where a `;` ends but one member?
    fn in_type_body(&self, start: usize) -> bool {
        let opened = self.tokens[start..self.pos].iter().rposition(|t| t.kind == LBrace).unwrap_or(0);
        let before = &self.tokens[start..start + opened];
        before.iter().any(|t| matches!(t.kind, KwStruct | KwUnion | KwDatatype | KwEnum))
    }

    fn in_first_column(&self) -> bool {
        let lo = self.span().lo as usize;
        lo == 0 || self.text.as_bytes()[lo - 1] == b'\n'
    }

    fn starts_type_word(&self) -> bool {
        matches!(
            self.kind(),
            KwVoid
                | KwChar
                | KwShort
                | KwInt
                | KwLong
                | KwFloat
                | KwDouble
                | KwSigned
                | KwUnsigned
                | KwBool
                | KwStruct
                | KwUnion
                | KwEnum
                | KwConst
                | KwStatic
                | KwExtern
                | KwTypedef
        )
    }

    fn starts_item_word(&self) -> bool {
        self.starts_type_word()
            || matches!(
                self.kind(),
                Identifier
                    | KwDatatype
                    | KwUsing
                    | KwNamespace
                    | KwAbstract
                    | AtTagged
                    | AtExtensible
                    | TypeVariable
                    | Dollar
            )
    }

    /// Skips one token, or everything up to the partner of an opening brace, parenthesis or bracket
    /// (a parenthesis ends at the latest where the statement does).
    pub(super) fn skip_token(&mut self) {
        let closer = match self.bump().kind {
            LBrace => RBrace,
            LParen => RParen,
            LBracket => RBracket,
            _ => return,
        };
        let mut open = vec![closer];
        while let Some(&closer) = open.last() {
            match self.kind() {
                Eof => return,
                LBrace => open.push(RBrace),
                LParen => open.push(RParen),
                LBracket => open.push(RBracket),
                Semi if closer != RBrace && !open.contains(&RBrace) => return,
                RBrace if closer != RBrace => {
                    // Unclosed parentheses inside a block end with it.
                    match open.iter().rposition(|c| *c == RBrace) {
                        Some(at) => open.truncate(at),
                        None => return,
                    }
                }
                kind if kind == closer => {
                    open.pop();
                }
                _ => {}
            }
            self.bump();
        }
    }
}

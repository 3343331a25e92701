//! Recursive-descent parser; the grammar is section 2 of the language reference, and the rule
//! stands above each function, in its notation.
//!
//! Invariants. A function that returns [`Failed`] has reported an error (or the parser is silent
//! because it has reported one at this place already). Lists of items, statements and clauses
//! catch failures and resynchronise, so that one mistake is one error. Every loop consumes a token
//! in each round or ends.

mod aggregate;
mod asm;
mod attribute;
mod builtin;
mod declaration;
mod declarator;
mod expr;
mod initializer;
mod item;
mod parameter;
mod pattern;
mod pointer;
mod primary;
mod recover;
mod scope;
mod specifier;
mod stmt;
mod switch;
mod types;

use crate::ast::*;
use crate::errors;
use crate::lexer;
use crate::token::{Token, TokenKind, TokenKind::*};
use crate::{Mode, Options};
use cyc_base::{Diagnostic, Diagnostics, Span, Symbol};
use scope::Scopes;

/// Constructs nested inside each other: parentheses, blocks, types, initialisers, patterns.
pub const MAX_DEPTH: u32 = 1_000;
/// Height of the tree, chains such as `a + b + c + …` included; later passes recurse over it.
pub const MAX_HEIGHT: u32 = 10_000;
/// More errors than this are not worth reading.
const MOST_ERRORS: usize = 100;
/// Stack kept free for whatever a nested construct calls, and the size of a further piece of stack.
const RED_ZONE: usize = 128 * 1024;
const STACK_PIECE: usize = 2 * 1024 * 1024;

/// An error was reported (or deliberately swallowed as a consequence of an earlier one).
pub(crate) struct Failed;
type Parse<T> = Result<T, Failed>;

pub(crate) fn unit(text: &str, options: &Options) -> (Unit, Diagnostics) {
    let lexed = lexer::run(text);
    let scopes = Scopes::new(lexed.names.len());
    let mut parser = Parser {
        text,
        tokens: lexed.tokens,
        names: lexed.names,
        pos: 0,
        c_mode: options.mode == Mode::C,
        diags: lexed.diags,
        errors: 0,
        silent: lexed.gave_up,
        swallowed: lexed.swallowed,
        last_error: usize::MAX,
        scopes,
        depth: 0,
        height: 0,
        next_def: 0,
        switches: vec![],
    };
    let items = parser.unit_items();
    (Unit { items }, parser.diags)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    names: Vec<Symbol>,
    pos: usize,
    /// Inside `extern "C"` blocks: keywords that only Cyclone has are identifiers.
    c_mode: bool,
    diags: Diagnostics,
    errors: usize,
    /// Everything worth saying has been said; the rest is skipped.
    silent: bool,
    /// A literal without end has perhaps swallowed a closer: one that is missing at the end is no news.
    swallowed: bool,
    /// Index of the token at which the last error was reported: no second error there.
    last_error: usize,
    scopes: Scopes,
    depth: u32,
    /// Height of the tallest subtree completed inside the innermost `nest`.
    height: u32,
    next_def: u32,
    /// The enclosing `switch`es of the function: where, and whether a misplaced `case` was reported.
    switches: Vec<(Span, bool)>,
}

// ---------------------------------------------------------------- tokens

impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    fn token_at(&self, ahead: usize) -> Token {
        self.tokens[(self.pos + ahead).min(self.tokens.len() - 1)]
    }

    /// The kind of the token `ahead` of the current one, as this mode of the language sees it.
    fn nth(&self, ahead: usize) -> TokenKind {
        let kind = self.token_at(ahead).kind;
        if self.c_mode && kind.is_cyclone_keyword() { Identifier } else { kind }
    }

    fn kind(&self) -> TokenKind {
        let kind = self.tokens[self.pos].kind;
        if self.c_mode && kind.is_cyclone_keyword() { Identifier } else { kind }
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The span of the token before the current one.
    fn prev_span(&self) -> Span {
        match self.pos {
            0 => Span::NONE,
            pos => self.tokens[pos - 1].span,
        }
    }

    /// From `start` to the end of the last token consumed.
    fn since(&self, start: Span) -> Span {
        let end = self.prev_span().hi.max(start.lo);
        Span::new(start.lo, end)
    }

    fn bump(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if token.kind != Eof {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind) -> Parse<Span> {
        match self.at(kind) {
            true => Ok(self.bump().span),
            false => Err(self.expected(kind.describe())),
        }
    }

    /// Expects the partner of an opening token at `open`.
    fn close(&mut self, kind: TokenKind, open: Span) -> Parse<Span> {
        if self.at(kind) {
            return Ok(self.bump().span);
        }
        if self.is_mute() || self.swallowed && self.at(Eof) {
            return Err(Failed);
        }
        if let Some(error) = self.misread_at_word() {
            return Err(self.report(error));
        }
        let (opener, found, at) = (self.slice(open).to_string(), self.found(), self.span());
        let mut error = match self.at(Eof) || (self.at(RBrace) && kind != RBrace) {
            true => errors::unclosed(&opener, open, &found, at),
            false => errors::expected_closer(kind.describe(), &opener, open, &found, at),
        };
        let odd = if self.at(Eof) { self.odd_brace(|closer, opener| closer < opener) } else { None };
        if let Some((open, close)) = odd.filter(|_| kind == RBrace) {
            error = errors::odd_brace(error, open, close);
        }
        Err(self.report(error))
    }

    /// Expects `>`, which may be the first half of `>>`, `>=` or `>>=`.
    fn close_angle(&mut self, open: Span) -> Parse<Span> {
        let rest = match self.kind() {
            Shr => Gt,
            Ge => Assign,
            ShrAssign => Ge,
            _ => return self.close(Gt, open),
        };
        let whole = self.span();
        let token = &mut self.tokens[self.pos];
        token.kind = rest;
        token.span = Span::new(whole.lo + 1, whole.hi);
        Ok(Span::new(whole.lo, whole.lo + 1))
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.lo as usize..span.hi as usize]
    }

    fn symbol(&self, token: Token) -> Symbol {
        self.names[token.name as usize]
    }

    /// Is the token `ahead` the identifier `word`?
    fn is_word(&self, ahead: usize, word: &str) -> bool {
        self.nth(ahead) == Identifier && self.symbol(self.token_at(ahead)).as_str() == word
    }

    fn first_on_line(&self) -> bool {
        let (before, here) = (self.prev_span().hi, self.span().lo);
        self.text[before as usize..here.max(before) as usize].contains('\n')
    }

    fn new_def(&mut self) -> DefId {
        self.next_def += 1;
        DefId(self.next_def - 1)
    }

    // ------------------------------------------------------------ identifiers and names

    fn ident_of(&self, token: Token) -> Ident {
        Ident { name: self.symbol(token), span: token.span }
    }

    /// identifier (typedef names included: field names, tags, labels)
    fn ident(&mut self, what: &str) -> Parse<Ident> {
        if !self.at(Identifier) {
            return Err(self.expected_name(what));
        }
        let token = self.bump();
        Ok(self.ident_of(token))
    }

    /// qual-id ::= identifier { '::' identifier }      without white space
    fn name(&mut self, what: &str) -> Parse<Name> {
        let first = self.ident(what)?;
        if !self.at(ColonColon) {
            return Ok(Name { root: Root::Relative, path: vec![], name: first.name, span: first.span });
        }
        let mut parts = vec![first.name];
        let mut blank = false;
        let mut end = first.span.hi;
        while self.at(ColonColon) {
            let colons = self.bump().span;
            let part = self.ident("identifier after `::`")?;
            blank |= end != colons.lo || colons.hi != part.span.lo;
            end = part.span.hi;
            parts.push(part.name);
        }
        if blank {
            let text: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
            self.report(errors::blank_in_name(self.since(first.span), &text.join("::")));
        }
        let last = parts.pop().unwrap_or(first.name);
        let root = match first.name.as_str() {
            "Cyc" => Root::Cyclone,
            "C" => Root::C,
            _ => Root::Relative,
        };
        if root != Root::Relative {
            parts.remove(0);
        }
        Ok(Name { root, path: parts, name: last, span: self.since(first.span) })
    }

    /// How many tokens a qualified name has that starts `ahead`; 0 if none starts there.
    fn name_length(&self, ahead: usize) -> usize {
        if self.nth(ahead) != Identifier {
            return 0;
        }
        let mut end = ahead + 1;
        while self.nth(end) == ColonColon && self.nth(end + 1) == Identifier {
            end += 2;
        }
        end - ahead
    }

    /// Is a typedef name `ahead`? Qualified names are looked up in their namespace.
    fn at_typedef(&self, ahead: usize) -> bool {
        if self.nth(ahead) != Identifier {
            return false;
        }
        let token = self.token_at(ahead);
        if self.nth(ahead + 1) != ColonColon {
            return self.scopes.is_typedef(token.name);
        }
        let length = self.name_length(ahead);
        let parts: Vec<Symbol> = (0..length).step_by(2).map(|i| self.symbol(self.token_at(ahead + i))).collect();
        self.scopes.is_qualified_typedef(&parts, self.token_at(ahead + length - 1).name)
    }

    // ------------------------------------------------------------ nesting

    /// Runs a parser for a nested construct, limiting depth and height and growing the stack.
    fn nest<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            let error = errors::too_deep(self.span(), MAX_DEPTH);
            return Err(self.give_up(error));
        }
        self.depth += 1;
        let siblings = std::mem::replace(&mut self.height, 0);
        let result = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || inner(self));
        self.depth -= 1;
        self.taller()?;
        self.height = siblings.max(self.height);
        result
    }

    /// Counts one more node above what the current construct has completed.
    fn taller(&mut self) -> Parse<()> {
        self.height += 1;
        if self.height > MAX_HEIGHT {
            let error = errors::too_tall(self.span(), MAX_HEIGHT);
            return Err(self.give_up(error));
        }
        Ok(())
    }

    // ------------------------------------------------------------ reporting

    /// Would an error at the current token be swallowed?
    fn is_mute(&self) -> bool {
        let broken = self.token().kind == Error || (self.pos > 0 && self.tokens[self.pos - 1].kind == Error);
        self.silent || broken || self.last_error == self.pos
    }

    /// Reports an error at the current token, unless one was reported here before.
    fn report(&mut self, error: Diagnostic) -> Failed {
        if self.is_mute() {
            return Failed;
        }
        self.last_error = self.pos;
        self.complain(error);
        Failed
    }

    /// Reports an error that does not stop the parser.
    fn complain(&mut self, error: Diagnostic) {
        if self.silent {
            return;
        }
        self.errors += usize::from(error.is_error());
        let at = error.span();
        self.diags.push(error);
        if self.errors >= MOST_ERRORS {
            self.diags.push(errors::too_many_errors(at));
            self.silent = true;
            self.pos = self.tokens.len() - 1;
        }
    }

    /// Reports an error after which nothing sensible can follow.
    fn give_up(&mut self, error: Diagnostic) -> Failed {
        self.complain(error);
        self.silent = true;
        self.pos = self.tokens.len() - 1;
        Failed
    }

    /// The current token as messages name it.
    fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            Identifier | TypeVariable => format!("`{}`", self.symbol(token)),
            IntLit | FloatLit => format!("`{}`", self.slice(token.span)),
            kind if kind.is_keyword() => format!("keyword `{}`", self.slice(token.span)),
            kind => kind.describe().into(),
        }
    }

    /// "expected X, found Y" at the current token.
    fn expected(&mut self, what: &str) -> Failed {
        let error = self.misread_at_word().unwrap_or_else(|| errors::expected(what, &self.found(), self.span()));
        self.report(error)
    }

    /// The same where a name should stand: a keyword there is probably meant as one.
    fn expected_name(&mut self, what: &str) -> Failed {
        let token = self.token();
        if !token.kind.is_keyword() {
            return self.expected(what);
        }
        let keyword = self.slice(token.span).to_string();
        self.report(errors::keyword_as_identifier(what, &keyword, token.kind.is_cyclone_keyword(), token.span))
    }

    /// After `int @fatt p` the parser stands behind a word glued to an `@`: a misspelt qualifier.
    fn misread_at_word(&self) -> Option<Diagnostic> {
        let word = self.pos.checked_sub(1).map(|i| self.tokens[i])?;
        let at = self.pos.checked_sub(2).map(|i| self.tokens[i])?;
        if word.kind != Identifier || at.kind != At || at.span.hi != word.span.lo || matches!(self.kind(), Semi | Comma)
        {
            return None;
        }
        let text = self.symbol(word).as_str();
        let like = crate::token::AT_WORDS.iter().map(|(w, _)| *w).find(|w| recover::similar(w, text));
        if like.is_none() && !matches!(self.kind(), Identifier | At | LParen) {
            return None;
        }
        Some(errors::unknown_at_word(text, at.span.to(word.span), like))
    }
}

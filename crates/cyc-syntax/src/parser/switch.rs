//! `switch`, `try`/`catch` and their clauses (sections 2.7, 6.3 and 6.4), and `switch` in C code.

use super::expr::make;
use super::*;

impl Parser<'_> {
    /// 'switch' ( '(' expression ')' | qual-id | '$' '(' assignment-expression-list ')' ) '{' { clause } '}'
    /// The manual's `switch "C" (e)` has C's rules for fallthrough and exhaustiveness.
    pub(super) fn switch(&mut self) -> Parse<StmtKind> {
        let start = self.bump().span;
        if self.c_mode {
            let on = self.condition()?;
            let body = Box::new(self.statement()?);
            return Ok(StmtKind::CSwitch { on, body });
        }
        let c_rules = self.at(StrLit) && self.slice(self.span()) == "\"C\"";
        if c_rules {
            self.bump();
        }
        let on = self.scrutinee()?;
        let clauses = self.clauses(start, false)?;
        Ok(StmtKind::Switch { on, c_rules, clauses })
    }

    fn scrutinee(&mut self) -> Parse<Expr> {
        let start = self.span();
        match self.kind() {
            Dollar => {
                self.bump();
                let items = self.tuple_items()?;
                Ok(make(ExprKind::Tuple(items), self.since(start)))
            }
            Identifier => {
                let name = self.name("identifier")?;
                Ok(make(ExprKind::Name(name), self.since(start)))
            }
            _ => self.condition(),
        }
    }

    /// 'try' statement 'catch' '{' { clause } '}'
    pub(super) fn try_catch(&mut self) -> Parse<StmtKind> {
        self.bump();
        let body = Box::new(self.statement()?);
        let start = self.expect(KwCatch)?;
        let clauses = self.clauses(start, true)?;
        Ok(StmtKind::Try { body, clauses })
    }

    /// '{' { clause } '}'
    fn clauses(&mut self, start: Span, is_catch: bool) -> Parse<Vec<Clause>> {
        let open = self.expect(LBrace)?;
        self.switches.push((start, false));
        let mut clauses = vec![];
        let mut dropped = vec![];
        while !matches!(self.kind(), RBrace | Eof) {
            let at = self.pos;
            if !matches!(self.kind(), KwCase | KwDefault) {
                if dropped.is_empty() && clauses.is_empty() {
                    self.complain(errors::before_first_clause(self.span(), is_catch));
                }
                self.block_item_or_skip(&mut dropped);
                continue;
            }
            self.scopes.enter_local();
            let clause = self.clause();
            match clause {
                Ok(clause) => clauses.push(clause),
                Err(Failed) => self.sync_clause(at),
            }
            self.scopes.leave_local();
        }
        self.switches.pop();
        self.close(RBrace, open)?;
        Ok(clauses)
    }

    /// Skips a broken label; the statements behind it are still read, for their errors.
    fn sync_clause(&mut self, start: usize) {
        if self.pos == start {
            self.bump();
        }
        while !matches!(self.kind(), Colon | Semi | LBrace | RBrace | KwCase | KwDefault | Eof) && !self.first_on_line()
        {
            self.skip_token();
        }
        self.eat(Colon);
        let mut dropped = vec![];
        while !matches!(self.kind(), KwCase | KwDefault | RBrace | Eof) {
            self.block_item_or_skip(&mut dropped);
        }
    }

    /// clause ::= 'default' ':' block-item { block-item }
    ///          | 'case' case-label ':' { block-item } | 'case' pattern '&&' expression ':' { block-item }
    fn clause(&mut self) -> Parse<Clause> {
        let start = self.span();
        let is_default = self.bump().kind == KwDefault;
        let (pattern, guard) = match is_default {
            true => (Pattern { kind: PatternKind::Wild, span: start }, None),
            false => {
                let pattern = self.case_label()?;
                let guard = if self.eat(AmpAmp) { Some(self.expression()?) } else { None };
                (pattern, guard)
            }
        };
        if !self.at(Colon) {
            return Err(self.expected(if is_default { "`:` after `default`" } else { "`:` after the case label" }));
        }
        self.bump();
        let span = self.since(start);
        let mut items = vec![];
        let body_start = self.span();
        while !matches!(self.kind(), KwCase | KwDefault | RBrace | Eof) {
            self.block_item_or_skip(&mut items);
        }
        if is_default && items.is_empty() {
            self.complain(errors::empty_default(span));
        }
        let body_span = if items.is_empty() { span.end() } else { self.since(body_start) };
        Ok(Clause { pattern, is_default, guard, body: Block { items, span: body_span }, span })
    }

    /// A `case` that is not directly in the braces of a switch: reported once for each switch. Its
    /// label is passed over and what it labels read as an ordinary statement.
    pub(super) fn misplaced_case(&mut self) -> Parse<StmtKind> {
        let token = self.bump();
        let known = match self.switches.last_mut() {
            Some((_, known)) => std::mem::replace(known, true),
            None => false,
        };
        if !known {
            let switch = self.switches.last().map(|(span, _)| *span);
            self.complain(errors::nested_case(token.kind.text(), token.span, switch));
        }
        if token.kind == KwCase {
            let pattern = self.case_label()?;
            drop(pattern);
        }
        self.expect(Colon)?;
        if self.at(RBrace) {
            return Ok(StmtKind::Empty);
        }
        Ok(self.block_item()?.kind)
    }

    /// 'case' constant-expression ':' statement | 'default' ':' statement, in C code. GNU's range
    /// `low ... high` is a [`ExprKind::BuiltinWithTypes`] named `...`.
    pub(super) fn c_case(&mut self) -> Parse<StmtKind> {
        let value = match self.bump().kind {
            KwDefault => None,
            _ => Some(self.conditional_or_range()?),
        };
        self.expect(Colon)?;
        let body = match self.kind() {
            RBrace => Stmt { kind: StmtKind::Empty, span: self.prev_span().end() },
            _ => self.block_item()?,
        };
        Ok(StmtKind::CCase { value, body: Box::new(body) })
    }
}

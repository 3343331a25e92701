//! Statements and blocks (section 2.7); clauses are in `switch.rs`.

use super::declaration::{Declared, Place};
use super::*;

impl Parser<'_> {
    /// compound ::= '{' { block-item } '}'
    pub(super) fn block(&mut self) -> Parse<Block> {
        let open = self.expect(LBrace)?;
        self.scopes.enter_local();
        let mut items = vec![];
        while !matches!(self.kind(), RBrace | Eof) {
            self.block_item_or_skip(&mut items);
        }
        self.scopes.leave_local();
        self.close(RBrace, open)?;
        // Most blocks are short, and vectors begin with room for four.
        items.shrink_to_fit();
        Ok(Block { items, span: self.since(open) })
    }

    /// One block item; after an error, its remains are skipped.
    pub(super) fn block_item_or_skip(&mut self, items: &mut Vec<Stmt>) {
        let start = self.pos;
        match self.block_item() {
            Ok(item) => items.push(item),
            Err(Failed) => self.sync_statement(start),
        }
    }

    /// block-item ::= declaration | identifier ':' declaration | statement | nested-function
    pub(super) fn block_item(&mut self) -> Parse<Stmt> {
        if self.at_label() {
            return self.nest(|p| p.label(true));
        }
        if !self.starts_declaration() {
            return self.statement();
        }
        let start = self.span();
        let kind = match self.nest(|p| p.declaration(Place::Block))? {
            Declared::Decl(decl) => StmtKind::Decl(decl),
            Declared::Function(function) => StmtKind::NestedFunction(function),
        };
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn at_label(&self) -> bool {
        self.at(Identifier) && self.nth(1) == Colon
    }

    /// identifier ':' ( statement | declaration )
    fn label(&mut self, in_block: bool) -> Parse<Stmt> {
        let start = self.span();
        let name = self.ident("label")?;
        self.bump();
        self.attributes()?;
        if self.at(RBrace) || !self.c_mode && matches!(self.kind(), KwCase | KwDefault) {
            self.complain(errors::label_at_end(self.since(start)));
            let empty = Stmt { kind: StmtKind::Empty, span: self.prev_span().end() };
            return Ok(Stmt { kind: StmtKind::Label(name, Box::new(empty)), span: self.since(start) });
        }
        let target = if in_block { self.block_item()? } else { self.statement()? };
        Ok(Stmt { kind: StmtKind::Label(name, Box::new(target)), span: self.since(start) })
    }

    /// statement ::= identifier ':' statement | [ expression ] ';' | compound | 'if' … | 'switch' … | 'try' …
    ///             | loops | jumps
    pub(super) fn statement(&mut self) -> Parse<Stmt> {
        self.nest(|p| {
            let start = p.span();
            let kind = p.statement_kind(start)?;
            Ok(Stmt { kind, span: p.since(start) })
        })
    }

    fn statement_kind(&mut self, start: Span) -> Parse<StmtKind> {
        match self.kind() {
            Semi => {
                self.bump();
                Ok(StmtKind::Empty)
            }
            LBrace => self.block().map(StmtKind::Block),
            KwIf => self.if_chain(),
            KwWhile => {
                self.bump();
                let cond = self.condition()?;
                let body = Box::new(self.statement()?);
                Ok(StmtKind::While { cond, body })
            }
            KwDo => self.do_while(),
            KwFor => self.for_loop(),
            KwSwitch => self.switch(),
            KwTry => self.try_catch(),
            KwCase | KwDefault if self.c_mode => self.c_case(),
            KwCase | KwDefault => self.misplaced_case(),
            KwGoto => self.goto(),
            KwContinue => self.jump("continue", StmtKind::Continue),
            KwBreak => self.jump("break", StmtKind::Break),
            KwReturn => {
                self.bump();
                let value = if self.at(Semi) { None } else { Some(self.expression()?) };
                self.semicolon("`return`")?;
                Ok(StmtKind::Return(value))
            }
            KwFallthru => self.fallthru(),
            KwElse => Err(self.report(errors::else_without_if(start))),
            Identifier if self.at_label() => Ok(self.label(false)?.kind),
            _ => {
                let expr = self.expression()?;
                self.semicolon("expression")?;
                Ok(StmtKind::Expr(expr))
            }
        }
    }

    /// '(' expression ')'
    pub(super) fn condition(&mut self) -> Parse<Expr> {
        let open = self.expect(LParen)?;
        let cond = self.expression()?;
        self.close(RParen, open)?;
        Ok(cond)
    }

    /// 'if' '(' expression ')' statement [ 'else' statement ]; a chain of `else if` is read in a loop.
    fn if_chain(&mut self) -> Parse<StmtKind> {
        let mut tests = vec![];
        let mut otherwise = None;
        loop {
            let start = self.bump().span;
            let cond = self.condition()?;
            tests.push((start, cond, Box::new(self.statement()?)));
            self.taller()?;
            if !self.eat(KwElse) {
                break;
            }
            if !self.at(KwIf) {
                otherwise = Some(Box::new(self.statement()?));
                break;
            }
        }
        let end = self.prev_span().hi;
        while let Some((start, cond, then)) = tests.pop() {
            let kind = StmtKind::If { cond, then, otherwise: otherwise.take() };
            if tests.is_empty() {
                return Ok(kind);
            }
            otherwise = Some(Box::new(Stmt { kind, span: Span::new(start.lo, end) }));
        }
        Err(Failed)
    }

    /// 'do' statement 'while' '(' expression ')' ';'
    fn do_while(&mut self) -> Parse<StmtKind> {
        self.bump();
        let body = Box::new(self.statement()?);
        self.expect(KwWhile)?;
        let cond = self.condition()?;
        self.semicolon("`do … while (…)`")?;
        Ok(StmtKind::DoWhile { body, cond })
    }

    /// 'for' '(' ( [ expression ] ';' | declaration ) [ expression ] ';' [ expression ] ')' statement
    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.scopes.enter_local();
        let parsed = self.for_parts();
        self.scopes.leave_local();
        parsed
    }

    fn for_parts(&mut self) -> Parse<StmtKind> {
        let open = self.expect(LParen)?;
        let start = self.span();
        let mut init = None;
        if self.starts_declaration() {
            if let Declared::Decl(decl) = self.declaration(Place::For)? {
                init = Some(Box::new(Stmt { kind: StmtKind::Decl(decl), span: self.since(start) }));
            }
        } else if !self.eat(Semi) {
            let expr = self.expression()?;
            self.for_semicolon()?;
            init = Some(Box::new(Stmt { kind: StmtKind::Expr(expr), span: self.since(start) }));
        }
        let cond = if self.at(Semi) { None } else { Some(self.expression()?) };
        self.for_semicolon()?;
        let step = if self.at(RParen) { None } else { Some(self.expression()?) };
        self.close(RParen, open)?;
        let body = Box::new(self.statement()?);
        Ok(StmtKind::For { init, cond, step, body })
    }

    fn for_semicolon(&mut self) -> Parse<()> {
        match self.eat(Semi) {
            true => Ok(()),
            false => Err(self.expected("`;` between the parts of `for (…; …; …)`")),
        }
    }

    /// 'goto' identifier ';'
    fn goto(&mut self) -> Parse<StmtKind> {
        self.bump();
        if self.at(Star) {
            let at = self.span();
            return Err(self.report(errors::computed_goto(at)));
        }
        let label = self.ident("label")?;
        self.semicolon("`goto`")?;
        Ok(StmtKind::Goto(label))
    }

    fn jump(&mut self, word: &str, kind: StmtKind) -> Parse<StmtKind> {
        self.bump();
        self.semicolon(&format!("`{word}`"))?;
        Ok(kind)
    }

    /// 'fallthru' [ '(' [ assignment-expression-list ] ')' ] ';'
    fn fallthru(&mut self) -> Parse<StmtKind> {
        self.bump();
        let mut values = vec![];
        if self.at(LParen) {
            let open = self.bump().span;
            while !self.at(RParen) {
                values.push(self.assignment()?);
                if !self.eat(Comma) {
                    break;
                }
            }
            self.close(RParen, open)?;
        }
        self.semicolon("`fallthru`")?;
        Ok(StmtKind::Fallthru(values))
    }
}

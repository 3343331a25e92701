//! Primary expressions and literals (section 2.6).

use super::expr::make;
use super::*;
use crate::literal;

impl Parser<'_> {
    /// primary ::= qual-id | constant | string | '(' expression ')' | '$' '(' … ')' | '(' '{' block-items '}' ')'
    ///           | qual-id '{' [ type-args ] init-item-list '}' | '__cyclone_pragma__' '(' identifier ')' | keyword forms
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        let start = self.span();
        match self.kind() {
            Identifier => self.name_expr(start),
            IntLit | FloatLit | CharLit | WideCharLit => Ok(self.constant()),
            StrLit | WideStrLit => Ok(self.string()),
            LParen => self.parenthesised(start),
            KwNull => {
                self.bump();
                Ok(make(ExprKind::Null, start))
            }
            Dollar => {
                self.bump();
                let items = self.tuple_items()?;
                Ok(make(ExprKind::Tuple(items), self.since(start)))
            }
            KwPragma => {
                self.bump();
                let open = self.expect(LParen)?;
                let word = self.ident("identifier")?;
                self.close(RParen, open)?;
                Ok(make(ExprKind::Pragma(word), self.since(start)))
            }
            KwAsm => {
                self.bump();
                let asm = self.asm_body(start)?;
                Ok(make(ExprKind::Asm(Box::new(asm)), self.since(start)))
            }
            Error => {
                self.bump();
                Ok(make(ExprKind::Error, start))
            }
            LBrace => Err(self.report(errors::brace_expression(start))),
            TypeVariable => {
                // A quote that did not close was read as the papers' spelling of a type variable.
                let error = match self.slice(start).starts_with('\'') {
                    true => errors::unterminated_char(Span::new(start.lo, start.lo + 1)),
                    false => errors::type_var_as_expression(self.symbol(self.token()).as_str(), start),
                };
                Err(self.report(error))
            }
            _ => self.keyword_expr(start),
        }
    }

    /// '(' assignment-expression-list ')'
    pub(super) fn tuple_items(&mut self) -> Parse<Vec<Expr>> {
        let open = self.expect(LParen)?;
        let mut items = vec![];
        loop {
            items.push(self.assignment()?);
            if !self.eat(Comma) {
                break;
            }
        }
        self.close(RParen, open)?;
        Ok(items)
    }

    /// The span of a parenthesised expression includes its parentheses.
    fn parenthesised(&mut self, start: Span) -> Parse<Expr> {
        self.bump();
        if self.at(LBrace) {
            let outer = std::mem::take(&mut self.switches);
            let block = self.nest(|p| p.block());
            self.switches = outer;
            let block = block?;
            self.close(RParen, start)?;
            return Ok(make(ExprKind::StmtExpr(block), self.since(start)));
        }
        let mut expr = self.expression()?;
        self.close(RParen, start)?;
        expr.span = self.since(start);
        Ok(expr)
    }

    fn name_expr(&mut self, start: Span) -> Parse<Expr> {
        if self.c_mode && self.token().kind == KwValueof && self.nth(1) == LParen && self.nth(2) == TypeVariable {
            return self.valueof_in_c();
        }
        let is_type = self.at_typedef(0);
        let name = self.name("identifier")?;
        if self.at(LBrace) && !self.c_mode {
            return self.struct_value(name);
        }
        if is_type {
            self.pos -= 1;
            let text = format!("`{}`", self.slice(name.span));
            return Err(self.report(errors::type_as_expression(&text, start)));
        }
        Ok(make(ExprKind::Name(name), self.since(start)))
    }

    /// `` valueof(`n) `` is understood in C code too: bounds of C prototypes use it.
    fn valueof_in_c(&mut self) -> Parse<Expr> {
        let outer = std::mem::replace(&mut self.c_mode, false);
        let expr = self.keyword_expr(self.span());
        self.c_mode = outer;
        expr
    }

    /// qual-id '{' [ type-args ] init-item-list '}'
    fn struct_value(&mut self, name: Name) -> Parse<Expr> {
        let open = self.bump().span;
        let args = if self.at(Lt) { self.type_args()? } else { vec![] };
        let items = self.init_items()?;
        self.close(RBrace, open)?;
        let (start, items) = (name.span, InitList { items, span: self.since(open) });
        Ok(make(ExprKind::StructVal { name, args, items }, self.since(start)))
    }

    /// constant: integer, floating, character. The lexer has reported what is wrong in it.
    pub(super) fn constant(&mut self) -> Expr {
        let token = self.bump();
        let text = self.slice(token.span);
        let kind = match token.kind {
            IntLit => match literal::integer(text) {
                Ok((value, suffix)) => ExprKind::Int { value, suffix },
                Err(_) => ExprKind::Error,
            },
            FloatLit => match literal::float(text) {
                Ok(width) => ExprKind::Float { text: Symbol::new(text), width },
                Err(_) => ExprKind::Error,
            },
            kind => {
                let wide = kind == WideCharLit || text.starts_with('L');
                let open = text.find('\'').unwrap_or(0);
                let body = &text[open + 1..text.len() - 1];
                ExprKind::Char { value: literal::character(body, 0, wide, |_| {}), wide }
            }
        };
        make(kind, token.span)
    }

    /// Adjacent string literals, joined.
    fn string(&mut self) -> Expr {
        let start = self.span();
        let first = self.pos;
        while matches!(self.kind(), StrLit | WideStrLit) {
            self.bump();
        }
        let tokens = &self.tokens[first..self.pos];
        let bodies = tokens.iter().map(|t| {
            let text = self.slice(t.span);
            let open = text.find('"').unwrap_or(0);
            &text[open + 1..text.len() - 1]
        });
        let kind = match tokens.iter().any(|t| t.kind == WideStrLit) {
            true => ExprKind::WideStr(bodies.flat_map(|b| literal::wide(b, 0, |_| {})).collect()),
            false => ExprKind::Str(bodies.flat_map(|b| literal::narrow(b, 0, |_| {})).collect()),
        };
        make(kind, self.since(start))
    }

    /// A narrow string as data: the texts of `asm`, `_Static_assert`.
    pub(super) fn plain_string(&mut self) -> Parse<Vec<u8>> {
        if !self.at(StrLit) {
            return Err(self.expected("string literal"));
        }
        match self.string().kind {
            ExprKind::Str(bytes) => Ok(bytes),
            _ => Ok(vec![]),
        }
    }
}

//! Initialisers (section 2.5).

use super::*;

impl Parser<'_> {
    /// initializer ::= assignment-expression | brace-init
    pub(super) fn initializer(&mut self) -> Parse<Init> {
        match self.kind() {
            LBrace => self.brace_init(),
            _ => self.assignment().map(Init::Expr),
        }
    }

    /// brace-init ::= '{' '}' | '{' init-item-list [ ',' ] '}'
    ///              | '{' 'for' identifier '<' expression ':' ( expression | type-name ) '}'
    pub(super) fn brace_init(&mut self) -> Parse<Init> {
        let open = self.expect(LBrace)?;
        if self.at(KwFor) {
            return self.nest(|p| p.comprehension(open));
        }
        let items = self.init_items()?;
        self.close(RBrace, open)?;
        Ok(Init::List(InitList { items, span: self.since(open) }))
    }

    /// [ init-item-list [ ',' ] ]
    pub(super) fn init_items(&mut self) -> Parse<Vec<InitItem>> {
        self.nest(|p| {
            let mut items = vec![];
            while !matches!(p.kind(), RBrace | Eof) {
                let designators = p.designation()?;
                items.push(InitItem { designators, init: p.initializer()? });
                if !p.eat(Comma) {
                    break;
                }
            }
            items.shrink_to_fit();
            Ok(items)
        })
    }

    /// designation ::= designator { designator } '=' | field-name ':'
    /// designator  ::= '[' constant-expression ']' | '.' field-name
    pub(super) fn designation(&mut self) -> Parse<Vec<Designator>> {
        if self.at(Identifier) && self.nth(1) == Colon {
            let name = self.ident("field name")?;
            self.bump();
            return Ok(vec![Designator::Field(name)]);
        }
        let mut designators = vec![];
        loop {
            match self.kind() {
                Dot => {
                    self.bump();
                    designators.push(Designator::Field(self.ident("field name after `.`")?));
                }
                LBracket => {
                    let open = self.bump().span;
                    designators.push(Designator::Index(self.conditional_or_range()?));
                    self.close(RBracket, open)?;
                }
                _ => break,
            }
        }
        if !designators.is_empty() {
            self.expect(Assign)?;
        }
        Ok(designators)
    }

    /// constant-expression; in C also GNU's range `low ... high`, a [`ExprKind::BuiltinWithTypes`] named `...`.
    pub(super) fn conditional_or_range(&mut self) -> Parse<Expr> {
        let low = self.conditional()?;
        if !(self.c_mode && self.at(Ellipsis)) {
            return Ok(low);
        }
        let dots = self.bump().span;
        let high = self.conditional()?;
        let span = low.span.to(high.span);
        let name = Ident { name: Symbol::new("..."), span: dots };
        Ok(Expr { kind: ExprKind::BuiltinWithTypes { name, types: vec![], exprs: vec![low, high] }, span })
    }

    fn comprehension(&mut self, open: Span) -> Parse<Init> {
        self.bump();
        let id = self.token().name;
        let var = self.ident("name of the comprehension's variable")?;
        self.expect(Lt)?;
        let count = self.expression()?;
        self.expect(Colon)?;
        self.scopes.enter_local();
        self.scopes.declare_ordinary(id);
        let body = match self.starts_type(0) {
            true => self.type_name().map(ComprehensionBody::Type),
            false => self.expression().map(ComprehensionBody::Expr),
        };
        self.scopes.leave_local();
        let body = body?;
        self.close(RBrace, open)?;
        Ok(Init::Comprehension(Box::new(Comprehension { var, count, body, span: self.since(open) })))
    }
}

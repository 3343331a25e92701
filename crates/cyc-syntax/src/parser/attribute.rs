//! GNU attributes (section 2.2) and `_Alignas`.

use super::*;

impl Parser<'_> {
    /// attributes ::= { '__attribute__' '(' '(' attribute-list ')' ')' }
    pub(super) fn attributes(&mut self) -> Parse<Vec<Attr>> {
        let mut attrs = vec![];
        while self.eat(KwAttribute) {
            let outer = self.expect(LParen)?;
            let inner = self.expect(LParen)?;
            loop {
                // The list and each of its members may be empty.
                if !matches!(self.kind(), Comma | RParen) {
                    attrs.push(self.attribute()?);
                }
                if !self.eat(Comma) {
                    break;
                }
            }
            self.close(RParen, inner)?;
            self.close(RParen, outer)?;
        }
        Ok(attrs)
    }

    /// attribute ::= identifier | 'const' | identifier '(' … ')'; every keyword may name an attribute.
    fn attribute(&mut self) -> Parse<Attr> {
        let token = self.token();
        if token.kind != Identifier && !token.kind.is_keyword() {
            return Err(self.expected("attribute"));
        }
        self.bump();
        let text = self.slice(token.span);
        let plain = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).filter(|t| !t.is_empty());
        let name = Symbol::new(plain.unwrap_or(text));
        let mut args = vec![];
        if self.at(LParen) {
            let open = self.bump().span;
            while !self.at(RParen) {
                args.push(self.attribute_argument()?);
                if !self.eat(Comma) {
                    break;
                }
            }
            self.close(RParen, open)?;
        }
        Ok(Attr { name, args, span: self.since(token.span) })
    }

    /// An expression; also a keyword as a name (`malloc` in `malloc(free, 1)`) and, in C headers, a type.
    fn attribute_argument(&mut self) -> Parse<Expr> {
        let token = self.token();
        let alone = matches!(self.nth(1), Comma | RParen);
        if token.kind.is_cyclone_keyword() && alone {
            self.bump();
            let name = Name { root: Root::Relative, path: vec![], name: self.symbol(token), span: token.span };
            return Ok(Expr { kind: ExprKind::Name(name), span: token.span });
        }
        if self.starts_type(0) {
            let ty = self.type_name()?;
            let span = self.since(token.span);
            return Ok(Expr { kind: ExprKind::SizeofType(ty), span });
        }
        self.assignment()
    }

    /// '_Alignas' '(' ( type-name | constant-expression ) ')': the attribute `aligned`.
    pub(super) fn alignas(&mut self) -> Parse<Attr> {
        let start = self.bump().span;
        let open = self.expect(LParen)?;
        let at = self.span();
        let arg = match self.starts_type(0) {
            true => {
                let ty = self.type_name()?;
                Expr { kind: ExprKind::AlignofType(ty), span: self.since(at) }
            }
            false => self.conditional()?,
        };
        self.close(RParen, open)?;
        Ok(Attr { name: Symbol::new("aligned"), args: vec![arg], span: self.since(start) })
    }
}

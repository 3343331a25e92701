//! Translation units and what stands at file level (section 2.1).

use super::declaration::{Declared, Place};
use super::*;

impl Parser<'_> {
    /// translation-unit ::= { top-item }
    pub(super) fn unit_items(&mut self) -> Vec<Item> {
        let mut items = vec![];
        loop {
            self.items(&mut items, true);
            if self.at(Eof) {
                return items;
            }
            self.stray_brace();
        }
    }

    /// A `}` at file level.
    fn stray_brace(&mut self) {
        let mut error = errors::unmatched_closer("}", self.span());
        if let Some((open, close)) = self.odd_brace(|closer, opener| closer > opener) {
            error = errors::odd_brace(error, open, close);
        }
        self.report(error);
        self.bump();
    }

    /// Items up to the `}` or the end of the text that ends the enclosing unit. At file level a
    /// `}` is an error and passed over.
    fn items(&mut self, items: &mut Vec<Item>, file_level: bool) {
        loop {
            let start = self.pos;
            match self.kind() {
                Eof => return,
                RBrace if !file_level => return,
                RBrace => self.stray_brace(),
                Semi => {
                    self.bump();
                }
                _ => match self.item(file_level) {
                    Ok(item) => items.push(item),
                    Err(Failed) => self.sync_item(start),
                },
            }
        }
    }

    /// `{ translation-unit }`
    fn braced_items(&mut self) -> Parse<Vec<Item>> {
        let open = self.expect(LBrace)?;
        let mut items = vec![];
        self.nest(|p| {
            p.items(&mut items, false);
            Ok(())
        })?;
        self.close(RBrace, open)?;
        Ok(items)
    }

    /// `;` and the rest of the enclosing unit, or a unit of its own in braces.
    fn rest_or_braced(&mut self, file_level: bool) -> Parse<Vec<Item>> {
        if self.at(LBrace) {
            return self.braced_items();
        }
        self.semicolon("this declaration")?;
        let mut items = vec![];
        self.nest(|p| {
            p.items(&mut items, file_level);
            Ok(())
        })?;
        Ok(items)
    }

    /// top-item ::= function-definition | declaration | 'using' … | 'namespace' … | '__noinference__' …
    ///            | 'extern' '"C"' '{' … | 'extern' '"C include"' '{' … | mode switches
    fn item(&mut self, file_level: bool) -> Parse<Item> {
        let start = self.span();
        let kind = match self.kind() {
            KwUsing => self.using(file_level)?,
            KwNamespace => self.namespace(file_level)?,
            KwNoinference => {
                self.bump();
                ItemKind::NoInference(self.braced_items()?)
            }
            KwExtern if self.nth(1) == StrLit && self.nth(2) == LBrace => self.extern_block()?,
            KwTempestOn | KwTempestOff => {
                let on = self.bump().kind == KwTempestOn;
                self.semicolon("this directive")?;
                ItemKind::Tempest { on }
            }
            KwPortOn | KwPortOff => {
                let on = self.bump().kind == KwPortOn;
                self.semicolon("this directive")?;
                ItemKind::Port { on }
            }
            KwAsm => {
                self.bump();
                let asm = self.asm_body(start)?;
                self.semicolon("asm")?;
                ItemKind::Asm(asm)
            }
            KwStaticAssert => {
                let (cond, message) = self.static_assert()?;
                ItemKind::StaticAssert { cond, message }
            }
            KwLet | KwRegion => {
                let what = self.kind().text();
                return Err(self.report(errors::only_in_functions(what, start)));
            }
            KwElse => return Err(self.report(errors::else_without_if(start))),
            KwIf | KwWhile | KwFor | KwDo | KwSwitch | KwReturn | KwBreak | KwContinue | KwGoto | KwCase
            | KwDefault | KwTry | KwCatch | KwFallthru | KwThrow => {
                let found = self.found();
                return Err(self.report(errors::statement_at_top(&found, start)));
            }
            _ => match self.declaration(Place::Top)? {
                Declared::Decl(decl) => ItemKind::Decl(decl),
                Declared::Function(function) => ItemKind::Function(function),
            },
        };
        Ok(Item { kind, span: self.since(start) })
    }

    /// 'using' qual-id ( ';' | '{' translation-unit '}' )
    fn using(&mut self, file_level: bool) -> Parse<ItemKind> {
        self.bump();
        let name = self.name("name of a namespace")?;
        self.scopes.enter_using(&name);
        let items = self.rest_or_braced(file_level);
        self.scopes.leave_using();
        Ok(ItemKind::Using { name, items: items? })
    }

    /// 'namespace' identifier ( ';' | '{' translation-unit '}' )
    fn namespace(&mut self, file_level: bool) -> Parse<ItemKind> {
        self.bump();
        let name = self.ident("name of the namespace")?;
        self.scopes.enter_namespace(name.name);
        let items = self.rest_or_braced(file_level);
        self.scopes.leave_namespace();
        Ok(ItemKind::Namespace { name, items: items? })
    }

    /// 'extern' '"C"' '{' translation-unit '}' | 'extern' '"C include"' '{' c-code '}' …
    fn extern_block(&mut self) -> Parse<ItemKind> {
        self.bump();
        let language = self.span();
        match self.slice(language) {
            "\"C\"" => {
                self.bump();
                Ok(ItemKind::ExternC(self.c_items()?.1))
            }
            "\"C include\"" => {
                self.bump();
                self.extern_c_include()
            }
            _ => Err(self.expected("`\"C\"` or `\"C include\"`")),
        }
    }

    /// A braced unit in the mode where Cyclone's keywords are identifiers, and the span between its braces.
    fn c_items(&mut self) -> Parse<(Span, Vec<Item>)> {
        let open = self.span();
        let outer = std::mem::replace(&mut self.c_mode, true);
        let items = self.braced_items();
        self.c_mode = outer;
        let inside = Span::new(open.hi, self.prev_span().lo.max(open.hi));
        Ok((inside, items?))
    }

    /// … '{' c-code '}' [ 'cyclone_override' '{' translation-unit '}' ]
    ///   [ 'export' '{' [ name-list [ ';' ] | '*' ] '}' ] [ 'cyclone_hide' '{' name-list [ ';' ] '}' ]
    fn extern_c_include(&mut self) -> Parse<ItemKind> {
        let (c_text, items) = self.c_items()?;
        let overrides = if self.eat(KwOverride) { self.braced_items()? } else { vec![] };
        let export = if self.eat(KwExport) { Some(self.export_list()?) } else { None };
        let mut hide = vec![];
        if self.at(KwHide) {
            let at = self.bump().span;
            if matches!(export, Some(Export::Names(_))) {
                self.complain(errors::hide_with_names(at));
            }
            let open = self.expect(LBrace)?;
            while self.at(Identifier) {
                hide.push(self.ident("identifier")?);
                if !self.eat(Comma) {
                    break;
                }
            }
            self.eat(Semi);
            self.close(RBrace, open)?;
        }
        Ok(ItemKind::ExternCInclude(Box::new(ExternCInclude { c_text, items, overrides, export, hide })))
    }

    fn export_list(&mut self) -> Parse<Export> {
        let open = self.expect(LBrace)?;
        if self.eat(Star) {
            self.close(RBrace, open)?;
            return Ok(Export::All);
        }
        let mut names = vec![];
        while self.at(Identifier) {
            names.push(self.name("identifier")?);
            if !self.eat(Comma) {
                break;
            }
        }
        self.eat(Semi);
        self.close(RBrace, open)?;
        Ok(Export::Names(names))
    }

    /// '_Static_assert' '(' constant-expression [ ',' string ] ')' ';'
    pub(super) fn static_assert(&mut self) -> Parse<(Expr, Option<Vec<u8>>)> {
        self.bump();
        let open = self.expect(LParen)?;
        let cond = self.assignment()?;
        let message = if self.eat(Comma) { Some(self.plain_string()?) } else { None };
        self.close(RParen, open)?;
        self.semicolon("_Static_assert")?;
        Ok((cond, message))
    }
}

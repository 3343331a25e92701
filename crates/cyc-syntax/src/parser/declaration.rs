//! Declarations and function definitions, at file level and in blocks (sections 2.1 and 2.2).

use super::declarator::{Declared as Named, Rule};
use super::specifier::Specs;
use super::*;
use std::rc::Rc;

/// Where a declaration stands: decides what may be omitted and what may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Top,
    Block,
    /// The first part of a `for`.
    For,
}

pub(super) enum Declared {
    Decl(Decl),
    Function(Box<Function>),
}

impl Parser<'_> {
    /// Does a declaration begin here, in a block?
    pub(super) fn starts_declaration(&self) -> bool {
        match self.kind() {
            KwAuto | KwRegister | KwStatic | KwExtern | KwTypedef | KwAbstract | KwInline | KwNoreturn
            | KwThreadLocal | KwAlignas | KwStaticAssert | KwLet | KwRegion | KwAttribute => true,
            KwExtension => self.extension_before_declaration(),
            Identifier if self.at_alias() => true,
            Identifier if self.nth(1) == Identifier => !self.is_word(1, "as") || self.at_typedef(0),
            Identifier if self.nth(1) == Lt && self.nth(2) == TypeVariable => true,
            _ => self.starts_type(0),
        }
    }

    fn extension_before_declaration(&self) -> bool {
        let ahead = (1..).find(|i| self.nth(*i) != KwExtension).unwrap_or(1);
        self.starts_type(ahead)
            || matches!(self.nth(ahead), KwStatic | KwExtern | KwTypedef | KwInline | KwAttribute | KwRegister)
    }

    /// The papers' `` alias <`r> T x = e; ``.
    fn at_alias(&self) -> bool {
        self.is_word(0, "alias") && self.nth(1) == Lt && self.nth(2) == TypeVariable && !self.c_mode
    }

    /// declaration ::= decl-specs [ init-declarator-list ] ';' | 'let' … | 'region' …
    /// function-definition ::= [ decl-specs ] declarator [ declaration-list ] compound
    pub(super) fn declaration(&mut self, place: Place) -> Parse<Declared> {
        let start = self.span();
        match self.kind() {
            KwLet => return self.let_decl(start).map(Declared::Decl),
            KwRegion => return self.region_decl(start).map(Declared::Decl),
            Identifier if self.at_alias() => return self.let_pattern(start).map(Declared::Decl),
            KwStaticAssert => {
                let (cond, message) = self.static_assert()?;
                return Ok(Declared::Decl(Decl::StaticAssert { cond, message, span: self.since(start) }));
            }
            _ => {}
        }
        let Specs { decl: specs, ty: base, defines } = self.decl_specs(place)?;
        if self.eat(Semi) {
            return Ok(Declared::Decl(Decl::Vars { specs, base, vars: vec![] }));
        }
        // `typedef struct { … }`, and on the next line a name that is a type's already, is that type declared again.
        let renames = matches!(specs.storage, Some((Storage::Typedef, _))) && self.nth(1) == Semi;
        if defines && !renames && self.first_on_line() && (self.starts_type(0) || self.starts_declaration()) {
            self.semicolon("this type definition")?;
            return Ok(Declared::Decl(Decl::Vars { specs, base, vars: vec![] }));
        }
        let first = self.declarator(&base, Rule::Named)?;
        self.declare(&specs, &first);
        if let Some(function) = self.function_body(place, &specs, &first)? {
            return Ok(Declared::Function(function));
        }
        let vars = self.init_declarators(&specs, &base, first, start)?;
        Ok(Declared::Decl(Decl::Vars { specs, base, vars }))
    }

    fn declare(&mut self, specs: &DeclSpecs, named: &Named) {
        match specs.storage {
            Some((Storage::Typedef, _)) => self.scopes.declare_typedef(named.id),
            _ => self.scopes.declare_ordinary(named.id),
        }
    }

    /// init-declarator-list ';'
    fn init_declarators(
        &mut self,
        specs: &DeclSpecs,
        base: &Rc<Type>,
        first: Named,
        start: Span,
    ) -> Parse<Vec<Declarator>> {
        let mut vars = Vec::with_capacity(1);
        let mut leading = vec![];
        let mut next = Some(first);
        let mut at = start;
        loop {
            let named = match next.take() {
                Some(first) => first,
                None => {
                    at = self.span();
                    leading = self.attributes()?;
                    let named = self.declarator(base, Rule::Named)?;
                    self.declare(specs, &named);
                    named
                }
            };
            vars.push(self.init_declarator(named, std::mem::take(&mut leading), at)?);
            if !self.eat(Comma) {
                break;
            }
        }
        self.semicolon("declaration")?;
        Ok(vars)
    }

    /// init-declarator ::= declarator [ asm-keyword asm-body ] [ '=' initializer ]
    fn init_declarator(&mut self, named: Named, leading: Vec<Attr>, start: Span) -> Parse<Declarator> {
        if let Some((_, list)) = named.names_only.as_ref().filter(|(names, _)| !names.is_empty()) {
            self.complain(errors::untyped_parameters(*list));
        }
        let mut attrs = leading;
        attrs.extend(named.attrs);
        let mut asm_name = None;
        if self.at(KwAsm) {
            let at = self.bump().span;
            asm_name = Some(self.asm_body(at)?.template);
            attrs.extend(self.attributes()?);
        }
        let init = if self.eat(Assign) { Some(self.initializer()?) } else { None };
        let Some(name) = named.name else { return Err(self.expected("identifier")) };
        let start = if name.span.lo < start.lo { name.span } else { start };
        Ok(Declarator { name, ty: named.ty, binders: named.binders, asm_name, attrs, init, span: self.since(start) })
    }

    /// The body of a function definition, if one follows.
    fn function_body(&mut self, place: Place, specs: &DeclSpecs, named: &Named) -> Parse<Option<Box<Function>>> {
        let TypeKind::Function(function) = &named.ty.kind else {
            if self.at(LBrace) && place != Place::For && !self.first_on_line() {
                let at = self.span();
                return Err(self.report(errors::function_here(at)));
            }
            return Ok(None);
        };
        let old_style = named.names_only.as_ref().filter(|(names, _)| !names.is_empty());
        let has_list = old_style.is_some() && !self.at(LBrace) && self.starts_declaration();
        if place == Place::For || !(self.at(LBrace) || has_list) {
            return Ok(None);
        }
        let Some(name) = named.name.clone() else { return Ok(None) };
        let ty = match old_style {
            None => named.ty.clone(),
            Some((names, list)) => self.old_style_parameters(&named.ty, function, names, *list)?,
        };
        let outer_switches = std::mem::take(&mut self.switches);
        self.scopes.enter_local();
        if let TypeKind::Function(function) = &ty.kind {
            for name in function.params.iter().filter_map(|p| p.name) {
                let id = self.id_of(name);
                self.scopes.declare_ordinary(id);
            }
        }
        let body = self.nest(|p| p.block());
        self.scopes.leave_local();
        self.switches = outer_switches;
        let mut specs = specs.clone();
        specs.attrs.extend(named.attrs.iter().cloned());
        Ok(Some(Box::new(Function { specs, name, ty, body: body? })))
    }

    /// The number of the name of an identifier that was read before.
    pub(super) fn id_of(&self, ident: Ident) -> u32 {
        let at = self.tokens.partition_point(|t| t.span.lo < ident.span.lo);
        self.tokens[at.min(self.tokens.len() - 1)].name
    }

    /// declaration-list of a K&R definition: `int f(a, b) int a; char *b; { … }`
    fn old_style_parameters(
        &mut self,
        ty: &Rc<Type>,
        function: &FnType,
        names: &[Ident],
        list: Span,
    ) -> Parse<Rc<Type>> {
        let mut types: Vec<Option<Param>> = vec![None; names.len()];
        while !matches!(self.kind(), LBrace | Eof) && self.starts_declaration() {
            let Specs { decl, ty: base, .. } = self.decl_specs(Place::Block)?;
            loop {
                let named = self.declarator(&base, Rule::Named)?;
                let Some(ident) = named.name.as_ref().and_then(Name::as_ident) else { break };
                match names.iter().position(|n| n.name == ident.name) {
                    None => self.complain(errors::not_a_parameter(ident.name.as_str(), ident.span, list)),
                    Some(i) => {
                        let attrs = decl.attrs.iter().cloned().chain(named.attrs).collect();
                        types[i] = Some(Param { name: Some(ident), ty: named.ty, attrs, span: ident.span });
                    }
                }
                if !self.eat(Comma) {
                    break;
                }
            }
            self.semicolon("parameter declaration")?;
        }
        let mut params = vec![];
        for (name, declared) in names.iter().zip(types) {
            params.push(declared.unwrap_or_else(|| {
                self.complain(errors::missing_type(name.span));
                Param { name: Some(*name), ty: self.implicit_int(name.span), attrs: vec![], span: name.span }
            }));
        }
        let function = FnType { params, ..function.clone() };
        Ok(Rc::new(Type { kind: TypeKind::Function(Box::new(function)), ..Type::clone(ty) }))
    }

    pub(super) fn implicit_int(&self, span: Span) -> Rc<Type> {
        let kind = TypeKind::Int { width: IntWidth::Int, signed: Some(true) };
        Rc::new(Type { kind, quals: Quals::default(), attrs: vec![], span })
    }

    /// 'let' identifier-list ';' | 'let' pattern '=' expression ';'
    fn let_decl(&mut self, start: Span) -> Parse<Decl> {
        self.bump();
        if !(self.at(Identifier) && matches!(self.nth(1), Comma | Semi)) {
            return self.let_pattern(start);
        }
        let mut names = vec![];
        loop {
            let id = self.token().name;
            names.push(self.ident("identifier")?);
            self.scopes.declare_ordinary(id);
            if !self.eat(Comma) {
                break;
            }
        }
        self.semicolon("`let` declaration")?;
        Ok(Decl::LetVars { names, span: self.since(start) })
    }

    fn let_pattern(&mut self, start: Span) -> Parse<Decl> {
        let pattern = self.pattern()?;
        self.expect(Assign)?;
        let init = self.expression()?;
        self.semicolon("`let` declaration")?;
        Ok(Decl::Let { pattern, init, span: self.since(start) })
    }

    /// 'region' '<' type-var '>' identifier ';' | 'region' identifier [ '=' 'open' '(' expression ')' ] ';'
    fn region_decl(&mut self, start: Span) -> Parse<Decl> {
        self.bump();
        let mut var = None;
        if self.at(Lt) {
            let open = self.bump().span;
            var = Some(self.type_var()?);
            self.close_angle(open)?;
        }
        let id = self.token().name;
        let name = self.ident("name of the region handle")?;
        self.scopes.declare_ordinary(id);
        let mut open = None;
        if self.eat(Assign) {
            if !self.is_word(0, "open") {
                return Err(self.expected("`open(key)`"));
            }
            self.bump();
            let paren = self.expect(LParen)?;
            open = Some(self.expression()?);
            self.close(RParen, paren)?;
        }
        if self.at(LBrace) {
            let at = self.span();
            self.complain(errors::old_region_block(at));
        } else {
            self.semicolon("region declaration")?;
        }
        Ok(Decl::Region { var, name, open, span: self.since(start) })
    }
}

//! Parameter lists, effects and contracts of functions (section 2.4).

use super::declarator::Rule;
use super::*;

type NamesOnly = Option<(Vec<Ident>, Span)>;

impl Parser<'_> {
    /// direct-declarator '(' parameter-types ')' { contract } | direct-declarator '(' identifier-list ')'
    pub(super) fn function_suffix(&mut self, binders: Option<Vec<TypeVar>>) -> Parse<(FnType, NamesOnly)> {
        let open = self.bump().span;
        self.scopes.enter_local();
        let function = self.nest(|p| p.function_parts(open, binders));
        self.scopes.leave_local();
        function
    }

    fn function_parts(&mut self, open: Span, binders: Option<Vec<TypeVar>>) -> Parse<(FnType, NamesOnly)> {
        let mut function = FnType {
            ret: self.new_type(TypeKind::Error, open),
            binders,
            params: vec![],
            varargs: Varargs::None,
            effect: None,
            constraints: vec![],
            contracts: vec![],
            attrs: vec![],
            span: open,
        };
        let mut names_only = None;
        if self.at_identifier_list() {
            let mut names = vec![self.ident("identifier")?];
            while self.eat(Comma) {
                names.push(self.ident("identifier")?);
            }
            names_only = Some(names);
        } else {
            self.parameter_types(&mut function)?;
        }
        self.close(RParen, open)?;
        function.span = self.since(open);
        self.contracts(&mut function.contracts)?;
        let span = function.span;
        Ok((function, names_only.map(|names| (names, span))))
    }

    /// Is everything up to `)` a list of names that are not types?
    fn at_identifier_list(&self) -> bool {
        let mut ahead = 0;
        loop {
            if self.nth(ahead) != Identifier || self.starts_type(ahead) {
                return false;
            }
            match self.nth(ahead + 1) {
                Comma => ahead += 2,
                RParen => return true,
                _ => return false,
            }
        }
    }

    /// parameter-types ::= [ parameter-list ] [ [ ',' ] '...' [ [ 'inject' ] parameter ] ]
    ///                     [ ';' effect ] [ ':' constraint-list ]
    fn parameter_types(&mut self, function: &mut FnType) -> Parse<()> {
        while !matches!(self.kind(), RParen | Ellipsis | Semi | Colon | Eof) {
            function.params.push(self.parameter()?);
            if !self.eat(Comma) {
                break;
            }
            if matches!(self.kind(), RParen | Semi | Colon) {
                return Err(self.expected("parameter after `,`"));
            }
        }
        if let [only] = function.params.as_slice() {
            let is_void = matches!(only.ty.kind, TypeKind::Void) && only.ty.quals == Quals::default();
            if is_void && only.name.is_none() {
                function.params.clear();
            }
        }
        function.params.shrink_to_fit();
        if self.eat(Ellipsis) {
            function.varargs = self.varargs()?;
        }
        if self.eat(Semi) {
            function.effect = Some(self.effect()?);
        }
        if self.eat(Colon) {
            function.constraints = self.constraints()?;
        }
        Ok(())
    }

    fn varargs(&mut self) -> Parse<Varargs> {
        if matches!(self.kind(), RParen | Semi | Colon) {
            return Ok(Varargs::C);
        }
        let inject = self.is_word(0, "inject") && self.starts_type(1);
        if inject {
            self.bump();
        }
        Ok(Varargs::Typed { inject, param: Box::new(self.parameter()?) })
    }

    /// parameter ::= spec-qual-list [ declarator | abstract-declarator ]
    pub(super) fn parameter(&mut self) -> Parse<Param> {
        let start = self.span();
        let specs = self.parameter_specs()?;
        let mut attrs = specs.decl.attrs;
        if matches!(self.kind(), Comma | RParen) {
            return Ok(Param { name: None, ty: specs.ty, attrs, span: self.since(start) });
        }
        let named = self.declarator(&specs.ty, Rule::Either)?;
        if let Some((_, list)) = named.names_only.as_ref().filter(|(names, _)| !names.is_empty()) {
            self.complain(errors::untyped_parameters(*list));
        }
        attrs.extend(named.attrs);
        let name = named.name.as_ref().and_then(Name::as_ident);
        if name.is_some() {
            self.scopes.declare_ordinary(named.id);
        }
        Ok(Param { name, ty: named.ty, attrs, span: self.since(start) })
    }

    /// contract ::= ( '@checks' | '@requires' | '@ensures' | '@throws' ) '(' constant-expression ')'
    fn contracts(&mut self, contracts: &mut Vec<Contract>) -> Parse<()> {
        loop {
            let kind = match self.kind() {
                AtChecks => ContractKind::Checks,
                AtRequires => ContractKind::Requires,
                AtEnsures => ContractKind::Ensures,
                AtThrows => ContractKind::Throws,
                _ => return Ok(()),
            };
            let start = self.bump().span;
            let open = self.expect(LParen)?;
            let cond = self.expression()?;
            self.close(RParen, open)?;
            contracts.push(Contract { kind, cond, span: self.since(start) });
        }
    }
}

//! Types by name, type variables, effects, alias qualifiers and constraints (sections 2.3 and 2.4).

use super::declarator::Rule;
use super::*;
use std::rc::Rc;

impl Parser<'_> {
    pub(super) fn new_type(&self, kind: TypeKind, span: Span) -> Rc<Type> {
        Rc::new(Type { kind, quals: Quals::default(), attrs: vec![], span })
    }

    /// type-name ::= spec-qual-list [ abstract-declarator ]
    pub(super) fn type_name(&mut self) -> Parse<Rc<Type>> {
        self.nest(|p| {
            let specs = p.type_specs()?;
            if matches!(p.kind(), RParen | Gt | Comma | RBrace) {
                return Ok(specs.ty);
            }
            Ok(p.declarator(&specs.ty, Rule::Abstract)?.ty)
        })
    }

    /// type-specifier ::= '$' '(' parameter-list ')' | '_' [ '::' kind ] | type-variable | enum-spec | aggr-spec
    ///                  | datatype-spec | 'typeof' '(' … ')' | 'region_t' … | 'tag_t' … | '@subset' '(' … ')' | …
    pub(super) fn type_constructor(&mut self) -> Parse<TypeKind> {
        match self.kind() {
            TypeVariable => Ok(TypeKind::Var(self.type_var()?)),
            Underscore => {
                self.bump();
                Ok(TypeKind::Hole(self.kind_annotation()?))
            }
            Dollar => self.tuple_type(),
            KwVaList => {
                self.bump();
                Ok(TypeKind::VaList)
            }
            KwEnum => self.enum_spec(),
            KwStruct | KwUnion | AtTagged => self.aggr_spec(),
            KwDatatype | AtExtensible => self.datatype_spec(),
            KwTypeof => self.typeof_spec(),
            KwRegionT => {
                self.bump();
                Ok(TypeKind::RegionHandle(self.optional_argument()?))
            }
            KwTagT => {
                self.bump();
                Ok(TypeKind::Tag(self.optional_argument()?))
            }
            KwAqualT => {
                self.bump();
                let open = self.expect(Lt)?;
                let qual = self.any_type()?;
                self.close_angle(open)?;
                Ok(TypeKind::AqualHandle(qual))
            }
            KwValueofT => {
                self.bump();
                let open = self.expect(LParen)?;
                let value = self.expression()?;
                self.close(RParen, open)?;
                Ok(TypeKind::ValueOf(Box::new(value)))
            }
            AtSubset => self.subset_type(),
            _ => {
                let (found, at) = (self.found(), self.span());
                Err(self.report(errors::no_type(&found, at)))
            }
        }
    }

    /// [ '<' any-type '>' ]
    fn optional_argument(&mut self) -> Parse<Option<Rc<Type>>> {
        if !self.at(Lt) {
            return Ok(None);
        }
        let open = self.bump().span;
        let argument = self.any_type()?;
        self.close_angle(open)?;
        Ok(Some(argument))
    }

    /// '$' '(' parameter-list ')'
    fn tuple_type(&mut self) -> Parse<TypeKind> {
        self.bump();
        let open = self.expect(LParen)?;
        let mut components = vec![];
        self.nest(|p| {
            loop {
                components.push(p.parameter()?.ty);
                if !p.eat(Comma) {
                    return Ok(());
                }
            }
        })?;
        self.close(RParen, open)?;
        Ok(TypeKind::Tuple(components))
    }

    /// 'typeof' '(' ( expression | type-name ) ')'
    fn typeof_spec(&mut self) -> Parse<TypeKind> {
        self.bump();
        let open = self.expect(LParen)?;
        let kind = match self.starts_type(0) {
            true => TypeKind::TypeofType(self.type_name()?),
            false => TypeKind::TypeofExpr(Box::new(self.expression()?)),
        };
        self.close(RParen, open)?;
        Ok(kind)
    }

    /// '@subset' '(' spec-qual-list declarator '|' constant-expression ')'
    fn subset_type(&mut self) -> Parse<TypeKind> {
        self.bump();
        let open = self.expect(LParen)?;
        let specs = self.type_specs()?;
        let named = self.declarator(&specs.ty, Rule::Named)?;
        let Some(name) = named.name.as_ref().and_then(Name::as_ident) else {
            return Err(self.expected("unqualified identifier"));
        };
        self.expect(Pipe)?;
        let cond = self.conditional()?;
        self.close(RParen, open)?;
        Ok(TypeKind::Subset(Box::new(Subset { name, ty: named.ty, cond })))
    }

    /// type-variable ::= type-var [ '::' kind ] [ alias-const ]
    pub(super) fn type_var(&mut self) -> Parse<TypeVar> {
        let token = self.token();
        if token.kind != TypeVariable {
            return Err(self.expected("type variable, such as `` `r ``"));
        }
        self.bump();
        let kind = self.kind_annotation()?;
        let alias = match self.kind() {
            BackA | BackU | BackT | BackRc => self.aqual_const(),
            _ => None,
        };
        Ok(TypeVar { name: self.symbol(token), kind, alias, span: self.since(token.span) })
    }

    /// [ '::' kind ]
    fn kind_annotation(&mut self) -> Parse<Option<KindName>> {
        match self.eat(ColonColon) {
            true => self.ident("kind, such as `A`, `E` or `I`").map(Some),
            false => Ok(None),
        }
    }

    /// aqual-const ::= 'ALIASABLE' | 'UNIQUE' | 'REFCNT' | 'RESTRICTED' | alias-const
    pub(super) fn aqual_const(&mut self) -> Option<AqualConst> {
        let qual = match self.kind() {
            BackA | KwAliasable => AqualConst::Aliasable,
            BackU | KwUnique => AqualConst::Unique,
            BackRc | KwRefcnt => AqualConst::Refcnt,
            BackT | KwRestricted => AqualConst::Restricted,
            _ => return None,
        };
        self.bump();
        Some(qual)
    }

    /// type-args ::= '<' any-type-list '>'
    pub(super) fn type_args(&mut self) -> Parse<Vec<Rc<Type>>> {
        let open = self.expect(Lt)?;
        let mut args = vec![];
        loop {
            args.push(self.any_type()?);
            if !self.eat(Comma) {
                break;
            }
        }
        self.close_angle(open)?;
        Ok(args)
    }

    /// Type arguments that bind: distinct type variables.
    pub(super) fn binders(&mut self) -> Parse<Vec<TypeVar>> {
        Ok(self.type_args()?.into_iter().filter_map(|ty| self.binder(&ty)).collect())
    }

    pub(super) fn binder(&mut self, ty: &Type) -> Option<TypeVar> {
        match &ty.kind {
            TypeKind::Var(var) => Some(var.clone()),
            _ => {
                self.complain(errors::binder_expected(ty.span));
                None
            }
        }
    }

    /// any-type ::= type-name | '{' '}' | '{' type-name-list '}' | 'regions' '(' any-type ')'
    ///            | any-type '+' atomic-effect | aqual-const | 'aquals' '(' any-type ')'
    pub(super) fn any_type(&mut self) -> Parse<Rc<Type>> {
        self.nest(|p| {
            let start = p.span();
            let first = match p.kind() {
                LBrace | KwRegions => p.atomic_effect()?,
                KwAliasable | KwUnique | KwRefcnt | KwRestricted | BackA | BackU | BackT | BackRc | KwAquals => {
                    p.aqual()?
                }
                _ => p.type_name()?,
            };
            p.effect_rest(first, start)
        })
    }

    /// effect ::= atomic-effect { '+' atomic-effect }
    pub(super) fn effect(&mut self) -> Parse<Rc<Type>> {
        let start = self.span();
        let first = self.atomic_effect()?;
        self.effect_rest(first, start)
    }

    fn effect_rest(&mut self, first: Rc<Type>, start: Span) -> Parse<Rc<Type>> {
        if !self.at(Plus) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(Plus) {
            parts.push(self.atomic_effect()?);
        }
        Ok(self.new_type(TypeKind::EffectJoin(parts), self.since(start)))
    }

    /// atomic-effect ::= '{' '}' | '{' type-name-list '}' | 'regions' '(' any-type ')' | type-variable
    pub(super) fn atomic_effect(&mut self) -> Parse<Rc<Type>> {
        let start = self.span();
        let kind = match self.kind() {
            LBrace => {
                self.bump();
                let mut members = vec![];
                while !matches!(self.kind(), RBrace | Eof) {
                    members.push(self.any_type()?);
                    if !self.eat(Comma) {
                        break;
                    }
                }
                self.close(RBrace, start)?;
                TypeKind::EffectSet(members)
            }
            Identifier | KwRegions if self.token().kind == KwRegions => {
                self.bump();
                let open = self.expect(LParen)?;
                let of = self.any_type()?;
                self.close(RParen, open)?;
                TypeKind::RegionsOf(of)
            }
            TypeVariable => TypeKind::Var(self.type_var()?),
            Underscore => {
                self.bump();
                TypeKind::Hole(self.kind_annotation()?)
            }
            _ => return Err(self.expected("effect: type variable, `{…}` or `regions(…)`")),
        };
        Ok(self.new_type(kind, self.since(start)))
    }

    /// aqual ::= aqual-const | type-variable | 'aquals' '(' any-type ')'
    pub(super) fn aqual(&mut self) -> Parse<Rc<Type>> {
        let start = self.span();
        let kind = match self.kind() {
            TypeVariable => TypeKind::Var(self.type_var()?),
            Underscore => {
                self.bump();
                TypeKind::Hole(self.kind_annotation()?)
            }
            KwAquals => {
                self.bump();
                let open = self.expect(LParen)?;
                let of = self.any_type()?;
                self.close(RParen, open)?;
                TypeKind::AqualsOf(of)
            }
            _ => match self.aqual_const() {
                Some(qual) => TypeKind::Aqual(qual),
                None => return Err(self.expected("alias qualifier: `ALIASABLE`, `UNIQUE`, `REFCNT`, `RESTRICTED`")),
            },
        };
        Ok(self.new_type(kind, self.since(start)))
    }

    /// constraint-list ::= constraint { ',' constraint }
    pub(super) fn constraints(&mut self) -> Parse<Vec<Constraint>> {
        let mut list = vec![];
        loop {
            list.push(self.constraint()?);
            if !self.eat(Comma) {
                return Ok(list);
            }
        }
    }

    /// constraint ::= atomic-effect '<=' type-var | atomic-effect '|' atomic-effect | 'single' '(' atomic-effect ')'
    ///              | ( aqual-const | 'aquals' '(' any-type ')' ) '>=' ( type-var | 'aquals' '(' any-type ')' )
    /// The 2004 papers write "outlives" `>`, with the operands in the same order.
    fn constraint(&mut self) -> Parse<Constraint> {
        if self.is_word(0, "single") && self.nth(1) == LParen {
            self.bump();
            let open = self.bump().span;
            let effect = self.atomic_effect()?;
            self.close(RParen, open)?;
            return Ok(Constraint::Single(effect));
        }
        let is_aqual = matches!(
            self.kind(),
            KwAliasable | KwUnique | KwRefcnt | KwRestricted | BackA | BackU | BackT | BackRc | KwAquals
        );
        let left = if is_aqual { self.aqual()? } else { self.atomic_effect()? };
        match self.kind() {
            Ge => {
                self.bump();
                Ok(Constraint::AqualBound(left, self.aqual()?))
            }
            Le | Gt if !is_aqual => {
                self.bump();
                Ok(Constraint::Outlives(left, self.atomic_effect()?))
            }
            Pipe if !is_aqual => {
                self.bump();
                Ok(Constraint::Disjoint(left, self.atomic_effect()?))
            }
            _ => Err(self.expected("`<=` (outlives), `|` (disjoint) or `>=` (qualifier bound)")),
        }
    }
}

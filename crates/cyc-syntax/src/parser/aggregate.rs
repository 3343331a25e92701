//! Structs, unions, enumerations and datatypes (section 2.3).

use super::declarator::Rule;
use super::*;
use std::rc::Rc;

impl Parser<'_> {
    /// aggr-spec ::= [ '@tagged' ] ( 'struct' | 'union' ) [ tag ] [ type-args ] [ '{' … '}' ]
    pub(super) fn aggr_spec(&mut self) -> Parse<TypeKind> {
        let start = self.span();
        let tagged = self.eat(AtTagged);
        let is_union = match self.kind() {
            KwStruct => false,
            KwUnion => true,
            _ => return Err(self.expected("`union` or `struct` after `@tagged`")),
        };
        self.bump();
        let mut attrs = self.attributes()?;
        let name = if self.at(LBrace) { None } else { Some(self.name("tag or `{`")?) };
        let args = if self.at(Lt) { self.type_args()? } else { vec![] };
        if !self.at(LBrace) {
            let Some(name) = name else { return Err(self.expected("`{`")) };
            return Ok(TypeKind::Aggr { is_union, tagged, name, args });
        }
        let params = args.iter().filter_map(|ty| self.binder(ty)).collect();
        let id = self.new_def();
        let open = self.bump().span;
        let (existentials, constraints, fields) = self.nest(|p| p.aggr_body())?;
        self.close(RBrace, open)?;
        attrs.extend(self.attributes()?);
        let span = self.since(start);
        let def = AggrDef { id, is_union, tagged, name, params, existentials, constraints, fields, attrs, span };
        Ok(TypeKind::AggrDef(Rc::new(def)))
    }

    /// [ '<' any-type-list '>' ] [ ':' constraint-list ] { field-decl }
    fn aggr_body(&mut self) -> Parse<(Vec<TypeVar>, Vec<Constraint>, Vec<FieldDecl>)> {
        let existentials = if self.at(Lt) { self.binders()? } else { vec![] };
        let constraints = if self.eat(Colon) { self.constraints()? } else { vec![] };
        let mut fields = vec![];
        while !matches!(self.kind(), RBrace | Eof) {
            let start = self.pos;
            if self.eat(Semi) {
                continue;
            }
            if self.field_decl(&mut fields).is_err() {
                self.sync_statement(start);
            }
        }
        fields.shrink_to_fit();
        Ok((existentials, constraints, fields))
    }

    /// field-decl ::= spec-qual-list field-declarator-list ';'
    fn field_decl(&mut self, fields: &mut Vec<FieldDecl>) -> Parse<()> {
        let start = self.span();
        if self.at(KwStaticAssert) {
            return self.static_assert().map(drop);
        }
        let specs = self.parameter_specs()?;
        if self.at(Semi) {
            self.bump();
            let (ty, attrs) = (specs.ty, specs.decl.attrs);
            fields.push(FieldDecl { name: None, ty, width: None, requires: None, attrs, span: self.since(start) });
            return Ok(());
        }
        if specs.defines && self.first_on_line() && self.starts_type(0) {
            return self.semicolon("this type definition");
        }
        let mut attrs = specs.decl.attrs.clone();
        loop {
            let field = self.field_declarator(&specs.ty, attrs, start)?;
            fields.push(field);
            if !self.eat(Comma) {
                break;
            }
            attrs = specs.decl.attrs.clone();
            attrs.extend(self.attributes()?);
        }
        self.semicolon("field declaration")
    }

    /// field-declarator ::= [ declarator [ '@requires' '(' constant-expression ')' ] ]
    ///                    | [ declarator ] ':' constant-expression
    fn field_declarator(&mut self, base: &Rc<Type>, mut attrs: Vec<Attr>, start: Span) -> Parse<FieldDecl> {
        let (mut name, mut ty) = (None, base.clone());
        if !self.at(Colon) {
            let named = self.declarator(base, Rule::Named)?;
            name = named.name.as_ref().and_then(Name::as_ident);
            if name.is_none() {
                return Err(self.expected("unqualified field name"));
            }
            ty = named.ty;
            attrs.extend(named.attrs);
        }
        let mut requires = None;
        if self.eat(AtRequires) {
            let open = self.expect(LParen)?;
            requires = Some(self.expression()?);
            self.close(RParen, open)?;
        }
        let width = if self.eat(Colon) { Some(self.conditional()?) } else { None };
        attrs.extend(self.attributes()?);
        Ok(FieldDecl { name, ty, width, requires, attrs, span: self.since(start) })
    }

    /// enum-spec ::= 'enum' qual-id '{' enumerators '}' | 'enum' qual-id | 'enum' '{' enumerators '}'
    pub(super) fn enum_spec(&mut self) -> Parse<TypeKind> {
        let start = self.bump().span;
        let mut attrs = self.attributes()?;
        let name = if self.at(LBrace) { None } else { Some(self.name("tag or `{`")?) };
        if !self.at(LBrace) {
            let Some(name) = name else { return Err(self.expected("`{`")) };
            return Ok(TypeKind::Enum(name));
        }
        let id = self.new_def();
        let open = self.bump().span;
        let items = self.enumerators()?;
        self.close(RBrace, open)?;
        attrs.extend(self.attributes()?);
        let span = self.since(start);
        Ok(TypeKind::EnumDef(Rc::new(EnumDef { id, name, items, attrs, span })))
    }

    /// enumerators ::= qual-id [ '=' constant-expression ] { ',' … } [ ',' ]
    fn enumerators(&mut self) -> Parse<Vec<Enumerator>> {
        let mut items = vec![];
        loop {
            let name = self.name("name of an enumeration constant")?;
            let id = self.tokens[self.pos - 1].name;
            self.attributes()?;
            let value = if self.eat(Assign) { Some(self.conditional()?) } else { None };
            self.scopes.declare_ordinary(id);
            items.push(Enumerator { name, value });
            if !self.eat(Comma) || self.at(RBrace) {
                return Ok(items);
            }
        }
    }

    /// datatype-spec ::= [ '@extensible' ] 'datatype' qual-id [ type-args ] [ '{' variant { ( ',' | ';' ) variant } [ ';' ] '}' ]
    ///                 | [ '@extensible' ] 'datatype' qual-id '.' qual-id [ type-args ]
    /// Releases before 0.4 wrote `tunion` and `xtunion`.
    pub(super) fn datatype_spec(&mut self) -> Parse<TypeKind> {
        let start = self.span();
        let mut extensible = self.eat(AtExtensible);
        match self.kind() {
            KwDatatype => {
                self.bump();
            }
            Identifier if matches!(self.slice(self.span()), "tunion" | "xtunion") => {
                extensible |= self.slice(self.span()) == "xtunion";
                self.bump();
            }
            _ => return Err(self.expected("`datatype` after `@extensible`")),
        }
        let name = self.name("name of the datatype")?;
        if self.eat(Dot) {
            let variant = Some(self.name("name of a variant")?);
            let args = if self.at(Lt) { self.type_args()? } else { vec![] };
            return Ok(TypeKind::Datatype { extensible, name, variant, args });
        }
        let args = if self.at(Lt) { self.type_args()? } else { vec![] };
        if !self.at(LBrace) {
            return Ok(TypeKind::Datatype { extensible, name, variant: None, args });
        }
        let params = args.iter().filter_map(|ty| self.binder(ty)).collect();
        let id = self.new_def();
        let open = self.bump().span;
        let mut variants = vec![];
        while !matches!(self.kind(), RBrace | Eof) {
            variants.push(self.variant()?);
            if !matches!(self.kind(), Semi | Comma) {
                break;
            }
            self.bump();
        }
        self.close(RBrace, open)?;
        let span = self.since(start);
        Ok(TypeKind::DatatypeDef(Rc::new(DatatypeDef { id, extensible, name, params, variants, span })))
    }

    /// variant ::= [ 'extern' | 'static' ] qual-id [ '(' parameter-list ')' ]
    fn variant(&mut self) -> Parse<Variant> {
        let start = self.span();
        let storage = match self.kind() {
            KwExtern => Some(Storage::Extern),
            KwStatic => Some(Storage::Static),
            _ => None,
        };
        if storage.is_some() {
            self.bump();
        }
        let name = self.name("name of a variant")?;
        let mut params = vec![];
        if self.at(LParen) {
            let open = self.bump().span;
            self.nest(|p| {
                loop {
                    params.push(p.parameter()?);
                    if !p.eat(Comma) {
                        return Ok(());
                    }
                }
            })?;
            self.close(RParen, open)?;
        }
        Ok(Variant { storage, name, params, span: self.since(start) })
    }
}

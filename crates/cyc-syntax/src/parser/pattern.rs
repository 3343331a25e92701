//! Patterns (section 2.8).

use super::declarator::Rule;
use super::expr::BELOW_GUARD;
use super::*;

impl Parser<'_> {
    fn new_pattern(&self, kind: PatternKind, start: Span) -> Pattern {
        Pattern { kind, span: self.since(start) }
    }

    /// case-label ::= pattern | constant expression whose leftmost leaf is a constant or identifier;
    /// also casts, sizeof, offsetof, unary + - ~ !
    pub(super) fn case_label(&mut self) -> Parse<Pattern> {
        self.nest(|p| p.case_label_unnested())
    }

    fn case_label_unnested(&mut self) -> Parse<Pattern> {
        let start = self.span();
        let is_pattern = match self.kind() {
            Underscore | Amp | AmpAmp | Star | Dollar | LBrace | StrLit | WideStrLit => true,
            Identifier => {
                let length = self.name_length(0);
                match self.nth(length) {
                    LParen | LBrace => true,
                    Identifier => self.is_word(length, "as"),
                    Lt => matches!(self.nth(length + 1), TypeVariable | Underscore),
                    _ => false,
                }
            }
            _ => false,
        };
        if is_pattern {
            return self.pattern();
        }
        let bare = self.kind();
        let id = self.token().name;
        let expr = self.label_expression()?;
        let kind = match (bare, expr.kind) {
            (Identifier, ExprKind::Name(name)) => {
                if name.as_ident().is_some() {
                    self.scopes.declare_ordinary(id);
                }
                PatternKind::Name(name)
            }
            (KwNull, ExprKind::Null) => PatternKind::Null,
            (_, kind) => PatternKind::Const(Expr { kind, span: expr.span }),
        };
        Ok(self.new_pattern(kind, start))
    }

    /// pattern ::= '_' | constant | '(' expression ')' | qual-id | identifier 'as' pattern | '&' pattern | '&&' pattern
    ///           | '*' identifier [ 'as' pattern ] | '$' '(' field-patterns ')' | qual-id '(' patterns ')'
    ///           | qual-id '{' … '}' | '{' … '}' | identifier '<' ( type-var | '_' ) '>' | 'alias' '<' type-var '>' …
    pub(super) fn pattern(&mut self) -> Parse<Pattern> {
        self.nest(|p| p.pattern_unnested())
    }

    fn pattern_unnested(&mut self) -> Parse<Pattern> {
        let start = self.span();
        let kind = match self.kind() {
            Underscore => {
                self.bump();
                PatternKind::Wild
            }
            IntLit | FloatLit | CharLit | WideCharLit => PatternKind::Const(self.constant()),
            KwNull => {
                self.bump();
                PatternKind::Null
            }
            LParen => {
                self.bump();
                let mut expr = self.expression()?;
                self.close(RParen, start)?;
                expr.span = self.since(start);
                PatternKind::Const(expr)
            }
            Amp => {
                self.bump();
                PatternKind::Pointer(Box::new(self.pattern()?))
            }
            AmpAmp => {
                self.bump();
                let inside = self.pattern()?;
                let second = Span::new(start.lo + 1, inside.span.hi);
                let inner = Pattern { kind: PatternKind::Pointer(Box::new(inside)), span: second };
                self.taller()?;
                PatternKind::Pointer(Box::new(inner))
            }
            Star => self.reference_pattern()?,
            Dollar => {
                self.bump();
                let open = self.expect(LParen)?;
                let fields = self.field_patterns(RParen)?;
                self.close(RParen, open)?;
                PatternKind::Tuple(fields)
            }
            LBrace => self.struct_pattern(None)?,
            Identifier => self.name_pattern()?,
            StrLit | WideStrLit => return Err(self.report(errors::string_pattern(start))),
            Minus if matches!(self.nth(1), IntLit | FloatLit) => {
                self.complain(errors::bare_negative(start));
                PatternKind::Const(self.binary(BELOW_GUARD)?)
            }
            _ => return Err(self.expected("pattern")),
        };
        Ok(self.new_pattern(kind, start))
    }

    /// '*' identifier [ 'as' pattern ]
    fn reference_pattern(&mut self) -> Parse<PatternKind> {
        self.bump();
        let id = self.token().name;
        let name = self.ident("variable after `*` in a pattern")?;
        self.scopes.declare_ordinary(id);
        let mut inner = None;
        if self.is_word(0, "as") {
            self.bump();
            inner = Some(Box::new(self.pattern()?));
        }
        Ok(PatternKind::Ref(name, inner))
    }

    /// The patterns that begin with a name.
    fn name_pattern(&mut self) -> Parse<PatternKind> {
        if self.is_word(0, "alias") && self.nth(1) == Lt && self.nth(2) == TypeVariable {
            return self.alias_pattern();
        }
        let id = self.token().name;
        let name = self.name("identifier")?;
        let ident = name.as_ident();
        match (self.kind(), ident) {
            (LParen, _) => {
                let open = self.bump().span;
                let (args, rest) = self.patterns()?;
                self.close(RParen, open)?;
                return Ok(PatternKind::Call(name, args, rest));
            }
            (LBrace, _) => return self.struct_pattern(Some(name)),
            (Lt, Some(ident)) if matches!(self.nth(1), TypeVariable | Underscore) => {
                let open = self.bump().span;
                let var = if self.eat(Underscore) { None } else { Some(self.type_var()?) };
                self.close_angle(open)?;
                self.scopes.declare_ordinary(id);
                return Ok(PatternKind::Tag(ident, var));
            }
            (Identifier, Some(ident)) if self.is_word(0, "as") => {
                self.bump();
                self.scopes.declare_ordinary(id);
                return Ok(PatternKind::As(ident, Box::new(self.pattern()?)));
            }
            _ => {}
        }
        if ident.is_some() {
            self.scopes.declare_ordinary(id);
        }
        Ok(PatternKind::Name(name))
    }

    /// 'alias' '<' type-var '>' type-name identifier
    fn alias_pattern(&mut self) -> Parse<PatternKind> {
        self.bump();
        let open = self.bump().span;
        let var = self.type_var()?;
        self.close_angle(open)?;
        let specs = self.type_specs()?;
        let named = self.declarator(&specs.ty, Rule::Named)?;
        self.scopes.declare_ordinary(named.id);
        let Some(name) = named.name.as_ref().and_then(Name::as_ident) else {
            return Err(self.expected("unqualified identifier"));
        };
        Ok(PatternKind::Alias { var, ty: named.ty, name })
    }

    /// [ qual-id ] '{' [ type-args ] field-patterns '}'
    fn struct_pattern(&mut self, name: Option<Name>) -> Parse<PatternKind> {
        let open = self.expect(LBrace)?;
        let args = if self.at(Lt) { self.type_args()? } else { vec![] };
        let fields = self.field_patterns(RBrace)?;
        self.close(RBrace, open)?;
        Ok(PatternKind::Struct { name, args, fields })
    }

    /// patterns ::= pattern-list [ ',' '...' ] | '...'
    fn patterns(&mut self) -> Parse<(Vec<Pattern>, bool)> {
        let mut list = vec![];
        while !self.at(RParen) {
            if self.eat(Ellipsis) {
                return Ok((list, true));
            }
            list.push(self.pattern()?);
            if !self.eat(Comma) {
                break;
            }
        }
        Ok((list, false))
    }

    /// field-patterns ::= field-pattern-list [ ',' '...' ] | '...'
    /// field-pattern  ::= [ designation ] pattern
    fn field_patterns(&mut self, closer: TokenKind) -> Parse<FieldPatterns> {
        let mut fields = FieldPatterns::default();
        while !self.at(closer) {
            if self.eat(Ellipsis) {
                fields.rest = true;
                break;
            }
            let designators = self.designation()?;
            fields.items.push((designators, self.pattern()?));
            if !self.eat(Comma) {
                break;
            }
        }
        Ok(fields)
    }
}

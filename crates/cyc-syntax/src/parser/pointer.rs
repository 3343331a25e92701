//! Pointer constructors (section 2.4).

use super::*;

/// A pointer whose target is not known yet, and its qualifiers.
pub(super) struct PointerHead {
    pub head: PtrHead,
    pub fat: Option<bool>,
    pub nullable: Option<bool>,
    pub bound: Option<Expr>,
    pub zeroterm: Option<bool>,
    pub region: Option<std::rc::Rc<Type>>,
    pub aqual: Option<std::rc::Rc<Type>>,
    pub autoreleased: bool,
    pub attrs: Vec<Attr>,
    pub quals: Quals,
    pub span: Span,
}

impl Parser<'_> {
    /// pointer  ::= ptr-head { ptr-qual } [ eff ] [ attributes ] { type-qualifier }
    /// ptr-head ::= ( '*' | '@' ) [ '{' assignment-expression '}' ] | '?'
    pub(super) fn pointer(&mut self) -> Parse<Option<PointerHead>> {
        let (head, fat, nullable) = match self.kind() {
            Star => (PtrHead::Star, None, None),
            At => (PtrHead::At, None, Some(false)),
            Question => (PtrHead::Question, Some(true), None),
            _ => return Ok(None),
        };
        let start = self.bump().span;
        let mut pointer = PointerHead {
            head,
            fat,
            nullable,
            bound: None,
            zeroterm: None,
            region: None,
            aqual: None,
            autoreleased: false,
            attrs: vec![],
            quals: Quals::default(),
            span: start,
        };
        if self.at(LBrace) {
            self.braced_bound(&mut pointer)?;
        }
        while self.pointer_qualifier(&mut pointer)? {}
        match self.kind() {
            TypeVariable => pointer.region = Some(self.pointer_region()?),
            Underscore => {
                let at = self.bump().span;
                pointer.region = Some(self.new_type(TypeKind::Hole(None), at));
            }
            _ => {}
        }
        loop {
            let at = self.pos;
            if self.at(KwAttribute) {
                pointer.attrs.extend(self.attributes()?);
            } else if self.qualifier_word(&mut pointer.quals) {
            } else if self.pointer_qualifier(&mut pointer)? {
                let token = self.tokens[at];
                self.complain(errors::qualifier_order(token.kind.text(), token.span));
            } else {
                break;
            }
        }
        pointer.span = self.since(start);
        Ok(Some(pointer))
    }

    /// '{' assignment-expression '}'
    fn braced_bound(&mut self, pointer: &mut PointerHead) -> Parse<()> {
        let open = self.bump().span;
        if self.at(TypeVariable) && self.nth(1) == RBrace {
            let token = self.bump();
            let var = self.symbol(token).as_str();
            self.complain(errors::bare_bound(token.span, var));
        } else {
            pointer.bound = Some(self.assignment()?);
        }
        let close = self.close(RBrace, open)?;
        if pointer.head == PtrHead::Question {
            pointer.bound = None;
            self.complain(errors::fat_bound(open.to(close)));
        }
        Ok(())
    }

    /// eff ::= type-variable { '+' type-variable } | '_'
    fn pointer_region(&mut self) -> Parse<std::rc::Rc<Type>> {
        self.effect()
    }

    /// ptr-qual ::= '@numelts' '(' assignment-expression ')' | '@region' '(' any-type ')' | '@effect' '(' effect ')'
    ///            | '@thin' | '@fat' | '@zeroterm' | '@nozeroterm' | '@notnull' | '@nullable'
    ///            | '@aqual' '(' aqual ')' | alias-const | '@autoreleased'
    fn pointer_qualifier(&mut self, pointer: &mut PointerHead) -> Parse<bool> {
        match self.kind() {
            AtThin => pointer.fat = Some(false),
            AtFat => pointer.fat = Some(true),
            AtNotnull => pointer.nullable = Some(false),
            AtNullable => pointer.nullable = Some(true),
            AtZeroterm => pointer.zeroterm = Some(true),
            AtNozeroterm => pointer.zeroterm = Some(false),
            AtAutoreleased => pointer.autoreleased = true,
            Identifier => match self.old_zeroterm() {
                Some(zeroterm) => pointer.zeroterm = Some(zeroterm),
                None => return Ok(false),
            },
            BackA | BackU | BackT | BackRc => {
                pointer.aqual = Some(self.aqual()?);
                return Ok(true);
            }
            AtNumelts | AtRegion | AtEffect | AtAqual => {
                self.qualifier_with_argument(pointer)?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.bump();
        Ok(true)
    }

    /// `ZEROTERM` and `NOZEROTERM` of release 0.3, where they cannot be the name declared.
    fn old_zeroterm(&self) -> Option<bool> {
        let follows =
            matches!(self.nth(1), Identifier | TypeVariable | Star | At | Question | KwConst) || self.nth(1) == RParen;
        match self.slice(self.span()) {
            "ZEROTERM" if follows => Some(true),
            "NOZEROTERM" if follows => Some(false),
            _ => None,
        }
    }

    fn qualifier_with_argument(&mut self, pointer: &mut PointerHead) -> Parse<()> {
        let which = self.bump().kind;
        let open = self.expect(LParen)?;
        match which {
            AtNumelts => pointer.bound = Some(self.assignment()?),
            AtAqual => pointer.aqual = Some(self.aqual()?),
            AtEffect => pointer.region = Some(self.effect()?),
            _ => pointer.region = Some(self.any_type()?),
        }
        self.close(RParen, open)?;
        Ok(())
    }
}

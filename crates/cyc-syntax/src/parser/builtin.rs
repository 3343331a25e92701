//! Expressions that begin with a keyword: allocation, `sizeof` and its kin, assertions, and the
//! builtins of C headers (sections 2.6 and 5.11).

use super::expr::make;
use super::*;
use std::rc::Rc;

impl Parser<'_> {
    /// 'new' ( brace-init | logical-or ) | 'rnew' '(' expression ')' … | 'qnew' '(' expression ')' …
    pub(super) fn new_expr(&mut self) -> Parse<Expr> {
        let start = self.span();
        let keyword = self.bump().kind;
        let (mut region, mut aqual) = (None, None);
        if keyword != KwNew {
            let open = self.expect(LParen)?;
            let first = self.assignment()?;
            if keyword == KwQnew {
                aqual = Some(first);
            } else {
                region = Some(first);
                aqual = if self.eat(Comma) { Some(self.assignment()?) } else { None };
            }
            self.close(RParen, open)?;
        }
        let init = match self.kind() {
            LBrace => self.brace_init()?,
            KwNew | KwRnew | KwQnew => Init::Expr(self.nest(|p| p.new_expr())?),
            _ => Init::Expr(self.binary(1)?),
        };
        Ok(make(ExprKind::New(Box::new(New { region, aqual, init })), self.since(start)))
    }

    /// The unary expressions that begin with a keyword.
    pub(super) fn keyword_expr(&mut self, start: Span) -> Parse<Expr> {
        let kind = match self.kind() {
            KwSizeof => return self.sizeof(start),
            KwAlignof => self.alignof()?,
            KwOffsetof | KwBuiltinOffsetof => self.offsetof()?,
            KwMalloc | KwRmalloc | KwRmallocInline | KwRvmalloc | KwQmalloc | KwCalloc | KwRcalloc | KwQcalloc => {
                self.alloc()?
            }
            KwNumelts => ExprKind::Numelts(Box::new(self.one_argument()?)),
            KwTagof => ExprKind::Tagof(Box::new(self.one_argument()?)),
            KwTagcheck => ExprKind::Tagcheck(Box::new(self.one_argument()?)),
            KwAssert => self.assertion(AssertKind::Dynamic)?,
            AtAssert => self.assertion(AssertKind::Static)?,
            AtAssertFalse => self.assertion(AssertKind::StaticFalse)?,
            KwValueof => {
                self.bump();
                let open = self.expect(LParen)?;
                let ty = self.any_type()?;
                self.close(RParen, open)?;
                ExprKind::Valueof(ty)
            }
            KwBuiltinVaArg | KwBuiltinTypesCompatible | KwReal | KwImag => self.builtin()?,
            KwGeneric => self.generic()?,
            _ => return Err(self.no_expression(start)),
        };
        Ok(make(kind, self.since(start)))
    }

    fn no_expression(&mut self, start: Span) -> Failed {
        if self.starts_type(0) {
            let text = self.found();
            return self.report(errors::type_as_expression(&text, start));
        }
        if self.token().kind.is_keyword() {
            let keyword = self.slice(start).to_string();
            let cyclone = self.token().kind.is_cyclone_keyword();
            return self.report(errors::keyword_as_identifier("expression", &keyword, cyclone, start));
        }
        self.expected("expression")
    }

    /// keyword '(' assignment-expression ')'
    fn one_argument(&mut self) -> Parse<Expr> {
        self.bump();
        let open = self.expect(LParen)?;
        let arg = self.assignment()?;
        self.close(RParen, open)?;
        Ok(arg)
    }

    fn assertion(&mut self, kind: AssertKind) -> Parse<ExprKind> {
        let cond = Box::new(self.one_argument()?);
        Ok(ExprKind::Assert { kind, cond })
    }

    /// 'sizeof' '(' type-name ')' | 'sizeof' unary
    fn sizeof(&mut self, start: Span) -> Parse<Expr> {
        self.bump();
        let kind = match self.sizeof_operand()? {
            Ok(ty) => ExprKind::SizeofType(ty),
            Err(operand) => ExprKind::SizeofExpr(Box::new(operand)),
        };
        Ok(make(kind, self.since(start)))
    }

    /// A type in parentheses, or an operand.
    fn sizeof_operand(&mut self) -> Parse<Result<Rc<Type>, Expr>> {
        if !(self.at(LParen) && self.starts_type(1)) {
            return self.nest(|p| p.cast()).map(Err);
        }
        let open = self.bump().span;
        let ty = self.type_name()?;
        self.close(RParen, open)?;
        if self.at(LBrace) {
            let literal = self.compound_literal(open, ty)?;
            return self.postfix_rest(literal).map(Err);
        }
        Ok(Ok(ty))
    }

    /// '_Alignof' '(' type-name ')'; GNU C also takes an expression.
    fn alignof(&mut self) -> Parse<ExprKind> {
        let start = self.bump().span;
        let ty = match self.sizeof_operand()? {
            Ok(ty) => ty,
            Err(operand) => self.new_type(TypeKind::TypeofExpr(Box::new(operand)), self.since(start)),
        };
        Ok(ExprKind::AlignofType(ty))
    }

    /// 'offsetof' '(' type-name ',' member { '.' member } ')'; C also has `[e]` among the members.
    fn offsetof(&mut self) -> Parse<ExprKind> {
        self.bump();
        let open = self.expect(LParen)?;
        let ty = self.type_name()?;
        self.expect(Comma)?;
        let mut members = vec![];
        self.member(&mut members)?;
        loop {
            match self.kind() {
                Dot => {
                    self.bump();
                    self.member(&mut members)?;
                }
                // `0.1` is one floating token; `.1` after a member likewise.
                FloatLit => self.member(&mut members)?,
                LBracket => {
                    let bracket = self.bump().span;
                    members.push(Member::Index(self.expression()?));
                    self.close(RBracket, bracket)?;
                }
                _ => break,
            }
        }
        self.close(RParen, open)?;
        Ok(ExprKind::Offsetof(ty, members))
    }

    /// member ::= field-name | integer
    fn member(&mut self, members: &mut Vec<Member>) -> Parse<()> {
        let token = self.token();
        match token.kind {
            IntLit | FloatLit => {
                let parts: Vec<&str> = self.slice(token.span).split('.').filter(|p| !p.is_empty()).collect();
                let numbers: Option<Vec<u64>> = parts.iter().map(|p| p.parse().ok()).collect();
                let Some(numbers) = numbers else { return Err(self.expected("field name or component number")) };
                members.extend(numbers.into_iter().map(|n| Member::Component(n, token.span)));
                self.bump();
            }
            _ => members.push(Member::Field(self.ident("field name or component number")?)),
        }
        Ok(())
    }

    /// 'malloc' '(' A ')' | 'rmalloc' '(' A ',' A ')' | … | 'qcalloc' '(' A ',' A ',' A ',' 'sizeof' '(' type-name ')' ')'
    fn alloc(&mut self) -> Parse<ExprKind> {
        let keyword = self.bump().kind;
        let open = self.expect(LParen)?;
        let (mut region, mut aqual) = (None, None);
        if !matches!(keyword, KwMalloc | KwCalloc) {
            region = Some(self.assignment()?);
            self.expect(Comma)?;
        }
        if matches!(keyword, KwQmalloc | KwQcalloc) {
            aqual = Some(self.assignment()?);
            self.expect(Comma)?;
        }
        let size = self.assignment()?;
        let mut elem = None;
        if matches!(keyword, KwCalloc | KwRcalloc | KwQcalloc) {
            self.expect(Comma)?;
            elem = Some(self.calloc_element()?);
        }
        self.close(RParen, open)?;
        let kind = match keyword {
            KwRmalloc | KwRcalloc => AllocKind::RMalloc,
            KwRmallocInline => AllocKind::RMallocInline,
            KwRvmalloc => AllocKind::RVMalloc,
            KwQmalloc | KwQcalloc => AllocKind::QMalloc,
            _ => AllocKind::Malloc,
        };
        Ok(ExprKind::Alloc(Box::new(Alloc { kind, region, aqual, size, elem })))
    }

    fn calloc_element(&mut self) -> Parse<Rc<Type>> {
        let start = self.span();
        if !self.eat(KwSizeof) {
            return Err(self.report(errors::calloc_sizeof(start)));
        }
        Ok(match self.sizeof_operand()? {
            Ok(ty) => ty,
            Err(operand) => self.new_type(TypeKind::TypeofExpr(Box::new(operand)), self.since(start)),
        })
    }

    /// The builtins of GNU C that take types, and `__real__ e`, `__imag__ e`.
    fn builtin(&mut self) -> Parse<ExprKind> {
        let token = self.bump();
        let name = self.ident_of(token);
        let (mut types, mut exprs) = (vec![], vec![]);
        if matches!(token.kind, KwReal | KwImag) {
            exprs.push(self.nest(|p| p.cast())?);
            return Ok(ExprKind::BuiltinWithTypes { name, types, exprs });
        }
        let open = self.expect(LParen)?;
        match token.kind {
            KwBuiltinVaArg => exprs.push(self.assignment()?),
            _ => types.push(self.type_name()?),
        }
        self.expect(Comma)?;
        types.push(self.type_name()?);
        self.close(RParen, open)?;
        Ok(ExprKind::BuiltinWithTypes { name, types, exprs })
    }

    /// '_Generic' '(' assignment-expression { ',' ( type-name | 'default' ) ':' assignment-expression } ')'
    fn generic(&mut self) -> Parse<ExprKind> {
        self.bump();
        let open = self.expect(LParen)?;
        let on = Box::new(self.assignment()?);
        let mut arms = vec![];
        while self.eat(Comma) {
            let ty = if self.eat(KwDefault) { None } else { Some(self.type_name()?) };
            self.expect(Colon)?;
            arms.push((ty, self.assignment()?));
        }
        self.close(RParen, open)?;
        Ok(ExprKind::Generic { on, arms })
    }
}

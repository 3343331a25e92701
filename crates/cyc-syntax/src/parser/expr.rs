//! Expressions down to the operators (section 2.6); operands are in `primary.rs`.

use super::*;

/// Precedence of a binary operator, tightest highest, and what it makes.
fn binary_operator(kind: TokenKind) -> Option<(u8, Operator)> {
    use Operator::*;
    Some(match kind {
        Star => (10, Arith(BinOp::Mul)),
        Slash => (10, Arith(BinOp::Div)),
        Percent => (10, Arith(BinOp::Rem)),
        Plus => (9, Arith(BinOp::Add)),
        Minus => (9, Arith(BinOp::Sub)),
        Shl => (8, Arith(BinOp::Shl)),
        Shr => (8, Arith(BinOp::Shr)),
        Lt => (7, Arith(BinOp::Lt)),
        Gt => (7, Arith(BinOp::Gt)),
        Le => (7, Arith(BinOp::Le)),
        Ge => (7, Arith(BinOp::Ge)),
        EqEq => (6, Arith(BinOp::Eq)),
        Ne => (6, Arith(BinOp::Ne)),
        Amp => (5, Arith(BinOp::BitAnd)),
        Caret => (4, Arith(BinOp::BitXor)),
        Pipe => (3, Arith(BinOp::BitOr)),
        AmpAmp => (AND, And),
        PipePipe => (OR, Or),
        _ => return None,
    })
}

const OR: u8 = 1;
const AND: u8 = 2;
/// Binds tighter than `&&`: where a pattern's guard may follow.
pub(super) const BELOW_GUARD: u8 = 3;

enum Operator {
    Arith(BinOp),
    And,
    Or,
}

fn assign_operator(kind: TokenKind) -> Option<Option<BinOp>> {
    Some(match kind {
        Assign => None,
        StarAssign => Some(BinOp::Mul),
        SlashAssign => Some(BinOp::Div),
        PercentAssign => Some(BinOp::Rem),
        PlusAssign => Some(BinOp::Add),
        MinusAssign => Some(BinOp::Sub),
        ShlAssign => Some(BinOp::Shl),
        ShrAssign => Some(BinOp::Shr),
        AmpAssign => Some(BinOp::BitAnd),
        CaretAssign => Some(BinOp::BitXor),
        PipeAssign => Some(BinOp::BitOr),
        _ => return None,
    })
}

pub(super) fn make(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

fn join(op: Operator, lhs: Expr, rhs: Expr) -> Expr {
    let span = lhs.span.to(rhs.span);
    let (lhs, rhs) = (Box::new(lhs), Box::new(rhs));
    let kind = match op {
        Operator::Arith(op) => ExprKind::Binary(op, lhs, rhs),
        Operator::And => ExprKind::And(lhs, rhs),
        Operator::Or => ExprKind::Or(lhs, rhs),
    };
    make(kind, span)
}

impl Parser<'_> {
    /// expression ::= assignment-expression { ',' assignment-expression }
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        let mut expr = self.assignment()?;
        while self.eat(Comma) {
            let next = self.assignment()?;
            let span = expr.span.to(next.span);
            expr = make(ExprKind::Comma(Box::new(expr), Box::new(next)), span);
            self.taller()?;
        }
        Ok(expr)
    }

    /// assignment-expression ::= conditional | unary assign-op assignment-expression
    ///                         | unary ':=:' assignment-expression
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        self.nest(|p| {
            let lhs = p.conditional_unnested()?;
            let kind = p.kind();
            if kind == Swap {
                p.bump();
                let rhs = p.assignment()?;
                let span = lhs.span.to(rhs.span);
                return Ok(make(ExprKind::Swap(Box::new(lhs), Box::new(rhs)), span));
            }
            let Some(op) = assign_operator(kind) else { return Ok(lhs) };
            p.bump();
            let rhs = p.assignment()?;
            let span = lhs.span.to(rhs.span);
            Ok(make(ExprKind::Assign { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, span))
        })
    }

    /// conditional ::= logical-or [ '?' expression ':' conditional ] | 'throw' conditional
    ///               | 'new' … | 'rnew' … | 'qnew' …
    pub(super) fn conditional(&mut self) -> Parse<Expr> {
        self.nest(|p| p.conditional_unnested())
    }

    fn conditional_unnested(&mut self) -> Parse<Expr> {
        match self.kind() {
            KwThrow => {
                let start = self.bump().span;
                let thrown = self.conditional()?;
                let span = start.to(thrown.span);
                Ok(make(ExprKind::Throw(Box::new(thrown)), span))
            }
            KwNew | KwRnew | KwQnew => self.new_expr(),
            _ => {
                let first = self.binary(OR)?;
                self.conditional_rest(first)
            }
        }
    }

    /// [ '?' expression ':' conditional ]; a chain `a ? b : c ? d : …` is read in a loop, and GNU C
    /// lets the middle operand out.
    pub(super) fn conditional_rest(&mut self, first: Expr) -> Parse<Expr> {
        if !self.at(Question) {
            return Ok(first);
        }
        let mut tests = vec![];
        let mut last = first;
        while self.eat(Question) {
            let middle = if self.at(Colon) { None } else { Some(Box::new(self.expression()?)) };
            self.expect(Colon)?;
            tests.push((last, middle));
            self.taller()?;
            if matches!(self.kind(), KwThrow | KwNew | KwRnew | KwQnew) {
                last = self.conditional()?;
                break;
            }
            last = self.binary(OR)?;
        }
        for (test, middle) in tests.into_iter().rev() {
            let span = test.span.to(last.span);
            last = make(ExprKind::Cond(Box::new(test), middle, Box::new(last)), span);
        }
        Ok(last)
    }

    /// logical-or … multiplicative, as in C, by precedence climbing: operators of at least `least`.
    pub(super) fn binary(&mut self, least: u8) -> Parse<Expr> {
        let lhs = self.cast()?;
        self.binary_rest(lhs, least)
    }

    pub(super) fn binary_rest(&mut self, mut lhs: Expr, least: u8) -> Parse<Expr> {
        while let Some((precedence, op)) = binary_operator(self.kind()) {
            if precedence < least {
                break;
            }
            self.bump();
            self.taller()?;
            let rhs = self.cast()?;
            let rhs = match binary_operator(self.kind()) {
                Some((next, _)) if next > precedence => self.binary_rest(rhs, precedence + 1)?,
                _ => rhs,
            };
            lhs = join(op, lhs, rhs);
        }
        Ok(lhs)
    }

    /// The constant expression of a case label, up to a guard: no `&&` at the top.
    pub(super) fn label_expression(&mut self) -> Parse<Expr> {
        let mut expr = self.binary(BELOW_GUARD)?;
        while self.eat(PipePipe) {
            let rhs = self.binary(BELOW_GUARD)?;
            expr = join(Operator::Or, expr, rhs);
            self.taller()?;
        }
        self.conditional_rest(expr)
    }

    /// cast ::= unary | '(' type-name ')' cast; beyond the reference also '(' type-name ')' 'new' …, which is not ambiguous
    pub(super) fn cast(&mut self) -> Parse<Expr> {
        if !(self.at(LParen) && self.starts_type(1)) {
            return self.unary();
        }
        let open = self.bump().span;
        let ty = self.type_name()?;
        self.close(RParen, open)?;
        if self.at(LBrace) {
            let literal = self.compound_literal(open, ty)?;
            return self.postfix_rest(literal);
        }
        let operand = match self.kind() {
            KwNew | KwRnew | KwQnew => self.nest(|p| p.new_expr())?,
            _ => self.nest(|p| p.cast())?,
        };
        let span = open.to(operand.span);
        Ok(make(ExprKind::Cast(ty, Box::new(operand)), span))
    }

    /// '(' type-name ')' '{' [ init-item-list [ ',' ] ] '}'
    pub(super) fn compound_literal(&mut self, start: Span, ty: std::rc::Rc<Type>) -> Parse<Expr> {
        let open = self.expect(LBrace)?;
        let items = self.init_items()?;
        self.close(RBrace, open)?;
        let list = InitList { items, span: self.since(open) };
        Ok(make(ExprKind::CompoundLit(ty, list), self.since(start)))
    }

    /// unary ::= postfix | ( '++' | '--' ) unary | ( '&' | '*' | '+' | '-' | '~' | '!' ) cast
    ///         | 'sizeof' … | '__extension__' unary | keyword forms
    fn unary(&mut self) -> Parse<Expr> {
        let start = self.span();
        let wrap: fn(Box<Expr>) -> ExprKind = match self.kind() {
            Amp => ExprKind::AddrOf,
            Star => ExprKind::Deref,
            Plus => |e| ExprKind::Unary(UnOp::Plus, e),
            Minus => |e| ExprKind::Unary(UnOp::Neg, e),
            Tilde => |e| ExprKind::Unary(UnOp::BitNot, e),
            Bang => |e| ExprKind::Unary(UnOp::Not, e),
            PlusPlus => |expr| ExprKind::Step { inc: true, prefix: true, expr },
            MinusMinus => |expr| ExprKind::Step { inc: false, prefix: true, expr },
            KwExtension => {
                self.bump();
                return self.nest(|p| p.cast());
            }
            KwThrow | KwNew | KwRnew | KwQnew => {
                let keyword = self.kind().text();
                return Err(self.report(errors::needs_parens(keyword, start)));
            }
            AmpAmp => return Err(self.report(errors::computed_goto(start))),
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.nest(|p| p.cast())?;
        let span = start.to(operand.span);
        Ok(make(wrap(Box::new(operand)), span))
    }

    /// postfix ::= primary | postfix '[' expression ']' | postfix '(' [ argument-list ] ')'
    ///           | postfix ( '.' | '->' ) field-name | postfix ( '++' | '--' )
    ///           | postfix '<>' | postfix '@' '<' any-type-list '>'
    fn postfix(&mut self) -> Parse<Expr> {
        let primary = self.primary()?;
        self.postfix_rest(primary)
    }

    pub(super) fn postfix_rest(&mut self, mut expr: Expr) -> Parse<Expr> {
        loop {
            let start = expr.span;
            let kind = match self.kind() {
                LBracket => {
                    let open = self.bump().span;
                    let index = self.expression()?;
                    self.close(RBracket, open)?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                LParen => {
                    let args = self.arguments()?;
                    ExprKind::Call(Box::new(expr), args)
                }
                Dot | Arrow => {
                    let arrow = self.bump().kind == Arrow;
                    let name = self.ident("field name")?;
                    ExprKind::Field { expr: Box::new(expr), name, arrow }
                }
                PlusPlus | MinusMinus => {
                    let inc = self.bump().kind == PlusPlus;
                    ExprKind::Step { inc, prefix: false, expr: Box::new(expr) }
                }
                Lt if self.nth(1) == Gt && self.span().hi == self.token_at(1).span.lo => {
                    self.bump();
                    self.bump();
                    ExprKind::NoInst(Box::new(expr))
                }
                At if self.nth(1) == Lt => {
                    self.bump();
                    let args = self.type_args()?;
                    ExprKind::Inst(Box::new(expr), args)
                }
                _ => return Ok(expr),
            };
            expr = make(kind, self.since(start));
            self.taller()?;
        }
    }

    /// '(' [ assignment-expression-list ] ')'
    fn arguments(&mut self) -> Parse<Vec<Expr>> {
        let open = self.bump().span;
        let mut args = vec![];
        if !self.at(RParen) {
            loop {
                args.push(self.assignment()?);
                if !self.eat(Comma) {
                    break;
                }
            }
        }
        self.close(RParen, open)?;
        args.shrink_to_fit();
        Ok(args)
    }
}

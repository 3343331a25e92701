//! Conditions as control flow, and values that control flow selects.

use super::Lower;
use crate::mir::*;
use cyc_check::tast::{self, Coercion, Expr, ExprKind};
use cyc_types::{Ty, TyKind};

impl<'a> Lower<'a> {
    /// Goes to `then` if the scalar is true, else to `otherwise`. No current block is left.
    pub(super) fn cond(&mut self, e: &Expr, then: BlockId, otherwise: BlockId) {
        match &e.kind {
            ExprKind::Not(inner) | ExprKind::Unary(tast::UnOp::Not, inner) => self.cond(inner, otherwise, then),
            ExprKind::And(a, b) => {
                let more = self.new_block();
                self.cond(a, more, otherwise);
                self.start(more);
                self.cond(b, then, otherwise);
            }
            ExprKind::Or(a, b) => {
                let more = self.new_block();
                self.cond(a, then, more);
                self.start(more);
                self.cond(b, then, otherwise);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.cond(second, then, otherwise);
            }
            _ => {
                let cond = self.truth(e);
                match cond.as_int() {
                    Some(0) => self.goto(otherwise, e.span),
                    Some(_) => self.goto(then, e.span),
                    None => self.terminate(Terminator::If { cond, then, otherwise }, e.span),
                }
            }
        }
    }

    /// `a && b`, `a || b` as 0 or 1 in `dst`.
    pub(super) fn logical_into(&mut self, e: &Expr, dst: Place) {
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        self.cond(e, yes, no);
        self.start(yes);
        self.assign(dst.clone(), Rvalue::Use(Operand::int(1, Ty::INT)), e.span);
        self.goto(join, e.span);
        self.start(no);
        self.assign(dst, Rvalue::Use(Operand::int(0, Ty::INT)), e.span);
        self.flow_into(join, e.span);
    }

    /// `c ? a : b` in `dst`.
    pub(super) fn conditional_into(&mut self, cond: &Expr, a: &Expr, b: &Expr, dst: Place, fresh: bool) {
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        self.cond(cond, yes, no);
        self.start(yes);
        self.into(a, dst.clone(), fresh);
        self.goto(join, a.span);
        self.start(no);
        self.into(b, dst, fresh);
        self.flow_into(join, b.span);
    }

    /// `left op right` at type `at`, where `right` holds the value of `value`. A division by one of two constants that a
    /// condition chose becomes one by each: C compilers make multiplications of these, and make none of a divisor that
    /// is in a variable.
    pub(super) fn binary(&mut self, op: BinOp, left: Operand, right: Operand, value: &Expr, at: Ty) -> Rvalue {
        let divides = matches!(op, BinOp::Div | BinOp::Rem) && self.keeps_divisors(at);
        let Some((first, second)) = self.chosen_divisors(value).filter(|_| divides) else {
            return Rvalue::Binary(op, left, right, at);
        };
        let span = value.span;
        let dst = Place::local(self.temp(at, span));
        let is_first = self.in_temp(Rvalue::Binary(BinOp::Eq, right, Operand::int(first, at), at), Ty::INT, span);
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        self.terminate(Terminator::If { cond: is_first, then: yes, otherwise: no }, span);
        self.start(yes);
        self.assign(dst.clone(), Rvalue::Binary(op, left.clone(), Operand::int(first, at), at), span);
        self.goto(join, span);
        self.start(no);
        self.assign(dst.clone(), Rvalue::Binary(op, left, Operand::int(second, at), at), span);
        self.flow_into(join, span);
        Rvalue::Use(Operand::Copy(dst))
    }

    /// GNU's `a ?: b` in `dst`: `a` is evaluated once.
    pub(super) fn or_else_into(&mut self, a: &Expr, b: &Expr, dst: Place, fresh: bool) {
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        // The value must not change between the test and the copy: nothing stands between.
        let value = self.operand(a);
        let cond = if self.pointer(a.ty).is_some() {
            self.in_temp(Rvalue::IsNonNull(value.clone()), Ty::INT, a.span)
        } else {
            value.clone()
        };
        self.terminate(Terminator::If { cond, then: yes, otherwise: no }, a.span);
        self.start(yes);
        self.assign(dst.clone(), Rvalue::Use(value), a.span);
        self.goto(join, a.span);
        self.start(no);
        self.into(b, dst, fresh);
        self.flow_into(join, b.span);
    }

    /// The two constants of `c ? m : n`, if they are such that dividing by them never fails.
    fn chosen_divisors(&self, e: &Expr) -> Option<(i128, i128)> {
        match &e.kind {
            ExprKind::Coerce(Coercion::Arith, inner) if self.keeps_divisors(e.ty) => self.chosen_divisors(inner),
            ExprKind::Cond(_, a, b) => Some((self.divisor(a)?, self.divisor(b)?)),
            _ => None,
        }
    }

    fn divisor(&self, e: &Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Coerce(Coercion::Arith, inner) if self.keeps_divisors(e.ty) => self.divisor(inner),
            ExprKind::Int(value) if (1..=i128::from(i32::MAX)).contains(value) => Some(*value),
            _ => None,
        }
    }

    /// Does a conversion to this type leave what [`Lower::divisor`] accepts as it is?
    fn keeps_divisors(&self, ty: Ty) -> bool {
        matches!(self.types().kind(ty), TyKind::Int(int) if int.bits() >= 32)
    }
}

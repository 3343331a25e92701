//! Conditions as control flow, and values that control flow selects.

use super::Lower;
use crate::mir::*;
use cyc_check::tast::{self, Expr, ExprKind};
use cyc_types::Ty;

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
}

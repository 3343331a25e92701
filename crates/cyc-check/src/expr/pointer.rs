//! Pointer arithmetic (core, section 5.3).

use crate::coerce::{KindExt, Why};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{BinOp, Expr, ExprKind};
use cyc_base::Span;
use cyc_types::{Bound, PtrTy, Ty, TyKind};

impl Checker<'_> {
    /// `p + i`, `p - i`: fat, a thin pointer is made fat first. `p - q`: elements between.
    pub(crate) fn pointer_sum(&mut self, op: BinOp, left: Expr, right: Expr, span: Span) -> Expr {
        match (self.pointer_of(left.ty), self.pointer_of(right.ty)) {
            (Some(p), Some(q)) if op == BinOp::Sub => self.pointer_difference(left, p, right, q, span),
            (Some(p), None) if self.kind_of(right.ty).is_integral() => {
                if !self.steps_over(p, left.span) {
                    return Expr::error(span);
                }
                let fat = self.unit.types.pointer(fattened(p));
                let ptr = self.coerce(left, fat, Why::Cast);
                let index = self.as_index(right);
                let kind = ExprKind::PtrAdd { ptr: Box::new(ptr), index: Box::new(index), negate: op == BinOp::Sub };
                Expr { kind, ty: fat, span }
            }
            (None, Some(_)) if op == BinOp::Add && self.kind_of(left.ty).is_integral() => {
                self.report(errors::expr::integer_first(span, left.span, right.span));
                Expr::error(span)
            }
            (Some(_), _) => self.bad_operand(right, op.text(), false),
            _ => self.bad_operand(left, op.text(), false),
        }
    }

    fn pointer_difference(&mut self, left: Expr, p: PtrTy, right: Expr, q: PtrTy, span: Span) -> Expr {
        if !self.may_equal(p.to.ty, q.to.ty) {
            let (a, b) = (self.show(left.ty), self.show(right.ty));
            self.report(errors::expr::difference(span, (left.span, &a), (right.span, &b)));
            return Expr::error(span);
        }
        if !self.steps_over(p, left.span) {
            return Expr::error(span);
        }
        // Both thin or both fat.
        let (left, right) = match (p.bound, q.bound) {
            (Bound::Fat, Bound::Thin(_)) => {
                let fat = self.unit.types.pointer(fattened(q));
                (left, self.coerce(right, fat, Why::Cast))
            }
            (Bound::Thin(_), Bound::Fat) => {
                let fat = self.unit.types.pointer(fattened(p));
                (self.coerce(left, fat, Why::Cast), right)
            }
            _ => (left, right),
        };
        Expr { kind: ExprKind::PtrDiff(Box::new(left), Box::new(right)), ty: Ty::INT, span }
    }

    /// Can a pointer move over elements of this type: is their size known and not zero?
    pub(crate) fn steps_over(&mut self, p: PtrTy, span: Span) -> bool {
        let elem = self.resolve(p.to.ty);
        if elem == Ty::ERROR {
            return false;
        }
        if matches!(self.kind_of(elem), TyKind::Infer(_)) {
            self.report(errors::expr::unknown_type(span));
            return false;
        }
        let sized = self.is_sized(elem) && self.layout_of(elem).is_none_or(|l| l.size > 0);
        if !sized {
            let found = self.show(elem);
            self.report(errors::expr::abstract_pointer(span, &found));
        }
        sized
    }
}

/// The fat pointer into the same object.
pub(crate) fn fattened(p: PtrTy) -> PtrTy {
    match p.bound {
        Bound::Fat => p,
        Bound::Thin(_) | Bound::Sized(_) => PtrTy { bound: Bound::Fat, nullable: true, ..p },
    }
}

//! `tagof` and `tagcheck` (core, sections 3.9, 3.11 and 5.12).

use crate::coerce::{Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{Expr, ExprKind, PlaceKind};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{Bound, PtrTy, Ty, TyKind};

impl Checker<'_> {
    /// `tagof(e)`, `e` a thin pointer to a datatype; a nullable one is checked.
    pub(crate) fn check_tagof(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let value = self.check_expr(operand, Want::None);
        if value.is_error() {
            return Expr::error(span);
        }
        let pointer = self.pointer_of(value.ty).filter(|p| {
            matches!(p.bound, Bound::Thin(n) if n > 0)
                && matches!(self.kind_of(p.to.ty), TyKind::Datatype(_) | TyKind::Variant(..))
        });
        let Some(pointer) = pointer else {
            let found = self.show(value.ty);
            self.report(errors::datatype::tagof_operand(value.span, &found));
            return Expr::error(span);
        };
        let sure = self.unit.types.pointer(PtrTy { nullable: false, ..pointer });
        let value = self.coerce(value, sure, Why::Operand);
        Expr { kind: ExprKind::Tagof(Box::new(value)), ty: Ty::UINT, span }
    }

    /// `tagcheck(e.m)`: 1 if `m` is the member last written, else 0.
    pub(crate) fn check_tagcheck(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let place = self.check_place(operand);
        if place.is_error() {
            return Expr::error(span);
        }
        if let PlaceKind::Field(union, index) = place.kind
            && matches!(self.kind_of(union.qty.ty), TyKind::Aggr(id) if self.unit.types.aggr(*id).tagged)
        {
            return Expr { kind: ExprKind::Tagcheck(union, index), ty: Ty::INT, span };
        }
        self.report(errors::datatype::tagcheck_operand(operand.span));
        Expr::error(span)
    }
}

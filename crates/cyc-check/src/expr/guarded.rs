//! Members of unions that have conditions (core, section 3.9): whoever reaches one checks that its condition holds, and
//! raises `Match_Exception` where it does not.

use crate::cx::Checker;
use crate::errors;
use crate::expr::is_temporary;
use crate::stmt::stmt;
use crate::tast::{BinOp, Block, Expr, ExprKind, Place, PlaceKind, StmtKind};
use cyc_base::Span;
use cyc_types::{Aqual, Bound, Condition, PtrTy, Size, Ty, TyKind};

/// `Match_Exception`, by its place among the predeclared exceptions.
const MATCH: u32 = 2;

impl Checker<'_> {
    /// The union, reached after a check that the member's condition holds.
    pub(crate) fn guarded_union(&mut self, union: Place, condition: Condition, span: Span) -> Place {
        let Some(check) = self.condition_check(&union, condition, span) else { return Place::error(span) };
        let Some(check) = check else { return union };
        if is_temporary(&union) {
            let qty = union.qty;
            let value = self.read_place(union, span);
            let ty = value.ty;
            let kind = ExprKind::Comma(Box::new(check), Box::new(value));
            return Place { qty, span, kind: PlaceKind::Temp(Box::new(Expr { kind, ty, span })) };
        }
        let qty = union.qty;
        let region = self.region_of_place(&union);
        let pointer =
            PtrTy { to: qty, nullable: false, bound: Bound::Thin(1), zeroterm: false, region, aqual: Aqual::Aliasable };
        let ty = self.unit.types.pointer(pointer);
        let address = Expr { kind: ExprKind::AddrOf(Box::new(union)), ty, span };
        let checked = Expr { kind: ExprKind::Comma(Box::new(check), Box::new(address)), ty, span };
        Place { qty, span, kind: PlaceKind::Deref(Box::new(checked)) }
    }

    /// A value for the member of a new union: that the member's condition holds is known, or checked before.
    pub(crate) fn guarded_value(&mut self, value: Expr, ty: Ty, condition: Condition) -> Expr {
        let span = value.span;
        if let TyKind::Tag(size) = *self.unit.types.kind(condition.tag)
            && let Size::Infer(_) = self.resolve_size_value(size)
            && condition.low == condition.high
        {
            let only = self.unit.types.intern(TyKind::Tag(Size::Const(condition.low)));
            self.unify(condition.tag, only, span);
        }
        let nowhere = Place { kind: PlaceKind::Temp(Box::new(Expr::error(span))), qty: ty.into(), span };
        match self.condition_check(&nowhere, condition, span) {
            None => Expr::error(span),
            Some(None) => value,
            Some(Some(check)) => {
                let ty = value.ty;
                Expr { kind: ExprKind::Comma(Box::new(check), Box::new(value)), ty, span }
            }
        }
    }

    /// The check of a condition; Some(None): it holds. None: an error was reported.
    fn condition_check(&mut self, union: &Place, condition: Condition, span: Span) -> Option<Option<Expr>> {
        let TyKind::Tag(size) = *self.unit.types.kind(condition.tag) else { return None };
        let Condition { low, high, .. } = condition;
        if let Size::Const(n) = self.resolve_size_value(size) {
            if (low..=high).contains(&n) {
                return Some(None);
            }
            self.report(errors::expr::member_never(span, n));
            return None;
        }
        let Some(value) = self.size_of_union(union, size, span) else {
            let shown = self.show(union.qty.ty);
            self.report(errors::poly::size_not_in_scope(span, &shown));
            return None;
        };
        let int = |kind| Expr { kind, ty: Ty::INT, span };
        let bound = |n: u64| Expr { kind: ExprKind::Int(i128::from(n)), ty: Ty::ULONG, span };
        let compare = |op, n| int(ExprKind::Binary(op, Box::new(value.clone()), Box::new(bound(n))));
        let outside = match (low, high) {
            _ if low == high => compare(BinOp::Ne, low),
            (0, high) => compare(BinOp::Gt, high),
            (low, u64::MAX) => compare(BinOp::Lt, low),
            _ => int(ExprKind::Or(Box::new(compare(BinOp::Lt, low)), Box::new(compare(BinOp::Gt, high)))),
        };
        let throw = stmt(StmtKind::Expr(self.throw_builtin(MATCH, span)), span);
        let then = Block { scope: None, stmts: vec![throw], span };
        let check = stmt(StmtKind::If { cond: outside, then, otherwise: None }, span);
        let scope = self.push_scope(span);
        self.pop_scope();
        let block = Block { scope: Some(scope), stmts: vec![check], span };
        let done = Box::new(Expr { kind: ExprKind::Int(0), ty: Ty::INT, span });
        Some(Some(Expr { kind: ExprKind::StmtExpr(block, done), ty: Ty::INT, span }))
    }
}

//! Comparisons (core, section 5.2).

use crate::coerce::{KindExt, Num};
use crate::cx::Checker;
use crate::errors;
use crate::tast::{BinOp, Expr, ExprKind};
use cyc_base::Span;
use cyc_types::{Kind, PtrTy, Ty, TyKind};

impl Checker<'_> {
    /// Two numbers by the usual conversions, or two pointers (one of them may be 0 or `NULL`); the result is `int`.
    pub(crate) fn compare(&mut self, op: BinOp, left: Expr, right: Expr, span: Span) -> Expr {
        match (self.pointer_of(left.ty), self.pointer_of(right.ty)) {
            _ if self.is_boxed_variable(left.ty) || self.is_boxed_variable(right.ty) => {
                self.compare_words(op, left, right, span)
            }
            (None, None) => self.compare_numbers(op, left, right, span),
            (Some(p), Some(q)) => {
                if !self.comparable(&left, p, &right, q) {
                    return self.incomparable(op, &left, &right, span);
                }
                let left = self.null_like(left, q);
                let right = self.null_like(right, p);
                Expr { kind: ExprKind::PtrCompare(op, Box::new(left), Box::new(right)), ty: Ty::INT, span }
            }
            (Some(p), None) if is_zero(self, &right) => {
                let null = self.null_of(p, right.span);
                Expr { kind: ExprKind::PtrCompare(op, Box::new(left), Box::new(null)), ty: Ty::INT, span }
            }
            (None, Some(q)) if is_zero(self, &left) => {
                let null = self.null_of(q, left.span);
                Expr { kind: ExprKind::PtrCompare(op, Box::new(null), Box::new(right)), ty: Ty::INT, span }
            }
            _ => self.incomparable(op, &left, &right, span),
        }
    }

    fn compare_numbers(&mut self, op: BinOp, left: Expr, right: Expr, span: Span) -> Expr {
        for operand in [&left, &right] {
            if !self.kind_of(operand.ty).is_arithmetic() {
                let known = !matches!(self.kind_of(operand.ty), TyKind::Infer(_));
                if known {
                    return self.incomparable(op, &left, &right, span);
                }
                let operand = Expr { kind: ExprKind::Error, ..*operand };
                return self.bad_operand(operand, op.text(), false);
            }
        }
        let (left, right) = self.usual(left, right);
        if let Some(value) = Num::of(&self.unit.types, left.ty).and_then(|_| self.fold(op, &left, &right)) {
            return Expr { kind: ExprKind::Int(value), ty: Ty::INT, span };
        }
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty: Ty::INT, span }
    }

    /// Is the type a variable or an abstract type, of kind B? Of its values it is only known that they are one word.
    pub(crate) fn is_boxed_variable(&self, ty: Ty) -> bool {
        matches!(self.kind_of(ty), TyKind::Var(_) | TyKind::Abstract(..)) && self.type_kind(ty) == Kind::B
    }

    /// Two values of one type variable of kind B: equal or not, as words (core, section 10.2).
    fn compare_words(&mut self, op: BinOp, left: Expr, right: Expr, span: Span) -> Expr {
        if !matches!(op, BinOp::Eq | BinOp::Ne) || !self.unify(left.ty, right.ty, span) {
            return self.incomparable(op, &left, &right, span);
        }
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty: Ty::INT, span }
    }

    /// May two pointers be compared? When one could be converted to the other, regions and `const` aside.
    fn comparable(&mut self, left: &Expr, p: PtrTy, right: &Expr, q: PtrTy) -> bool {
        if matches!(left.kind, ExprKind::Null) || matches!(right.kind, ExprKind::Null) {
            return true;
        }
        // What a fat pointer points to is found only when the size of the elements is known.
        if [p, q].iter().any(|ptr| ptr.bound == cyc_types::Bound::Fat && !self.is_sized(ptr.to.ty)) {
            return false;
        }
        if self.alike(p.to.ty, q.to.ty) {
            return true;
        }
        let (a, b) = (self.kind_of(p.to.ty).clone(), self.kind_of(q.to.ty).clone());
        let void = matches!(a, TyKind::Void) || matches!(b, TyKind::Void);
        void || self.one_inside_the_other(p, q)
    }

    /// The same type but for qualifiers, nullability, bounds, regions and signs: only addresses are compared.
    fn alike(&self, a: Ty, b: Ty) -> bool {
        match (self.kind_of(a), self.kind_of(b)) {
            (TyKind::Pointer(p), TyKind::Pointer(q)) => self.alike(p.to.ty, q.to.ty),
            (TyKind::Int(x), TyKind::Int(y)) => x.bits() == y.bits(),
            (TyKind::Array { elem: x, .. }, TyKind::Array { elem: y, .. }) => self.alike(x.ty, y.ty),
            _ => self.may_equal(a, b),
        }
    }

    fn one_inside_the_other(&mut self, p: PtrTy, q: PtrTy) -> bool {
        let why = crate::region::RegionReason::new(Span::NONE, crate::region::Flow::Value);
        let datatype =
            |a: &TyKind, b: &TyKind| matches!((a, b), (TyKind::Variant(d, _), TyKind::Datatype(e)) if d == e);
        let (a, b) = (self.kind_of(p.to.ty).clone(), self.kind_of(q.to.ty).clone());
        datatype(&a, &b)
            || datatype(&b, &a)
            || (self.unit.types.is_char(q.to.ty) && self.unit.types.bits_only(p.to.ty))
            || (self.unit.types.is_char(p.to.ty) && self.unit.types.bits_only(q.to.ty))
            || self.is_subtype(p.to, q.to, why)
            || self.is_subtype(q.to, p.to, why)
    }

    /// `NULL` takes the type of what it is compared with.
    fn null_like(&mut self, expr: Expr, other: PtrTy) -> Expr {
        match expr.kind {
            ExprKind::Null => self.null_of(other, expr.span),
            _ => expr,
        }
    }

    fn null_of(&mut self, other: PtrTy, span: Span) -> Expr {
        let ty = self.unit.types.pointer(PtrTy { nullable: true, ..other });
        Expr { kind: ExprKind::Null, ty, span }
    }

    fn incomparable(&mut self, op: BinOp, left: &Expr, right: &Expr, span: Span) -> Expr {
        let (a, b) = (self.show(left.ty), self.show(right.ty));
        self.report(errors::expr::incomparable(span, op.text(), (left.span, &a), (right.span, &b)));
        Expr::error(span)
    }
}

fn is_zero(cx: &Checker, expr: &Expr) -> bool {
    expr.as_int() == Some(0) && matches!(cx.kind_of(expr.ty), TyKind::Int(_))
}

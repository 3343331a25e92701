//! Assignment, compound assignment, `++` and `--`, swap (core, sections 5.3 and 5.6).

use crate::coerce::{KindExt, Want, Why};
use crate::cx::Checker;
use crate::errors;
use crate::expr::arith::{integral_only, promoted};
use crate::expr::{is_temporary, place_name};
use crate::region::{Flow, RegionReason};
use crate::tast::{BinOp, Expr, ExprKind, Place};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{Bound, PtrTy, Ty, TyKind};

impl Checker<'_> {
    /// `lv = e`: the value, converted to the place's type, is stored, and is the value of the whole.
    pub(crate) fn check_assign(&mut self, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Expr {
        let place = self.check_lvalue(lhs, "the left side of `=` must be the place of a variable or object");
        if place.is_error() || !self.writable(&place, true) {
            self.check_expr(rhs, Want::None);
            return Expr::error(span);
        }
        let ty = place.qty.ty;
        let why = Why::Assign(place_name(self, &place));
        let value = self.check_rvalue_to(rhs, ty, why);
        if value.is_error() {
            return Expr::error(span);
        }
        let ty = self.unit.types.without_subset(self.resolve(ty));
        Expr { kind: ExprKind::Assign { place: Box::new(place), value: Box::new(value) }, ty, span }
    }

    /// May something be stored there? `whole`: a struct may be.
    pub(crate) fn writable(&mut self, place: &Place, whole: bool) -> bool {
        let ty = self.resolve(place.qty.ty);
        let problem = match self.unit.types.kind(ty) {
            _ if place.qty.is_const => {
                let name = place_name(self, place);
                let declared = self.declaration_of(place);
                errors::expr::write_const(place.span, name, declared)
            }
            TyKind::Array { .. } | TyKind::OpenArray { .. } => errors::expr::assign_array(place.span),
            TyKind::Function(_) => errors::expr::assign_function(place.span),
            TyKind::Aggr(_) | TyKind::Tuple(_) | TyKind::Variant(..)
                if !whole || self.unit.types.has_const_member(ty) =>
            {
                let found = self.show(ty);
                errors::expr::assign_const_member(place.span, &found)
            }
            _ if !self.is_sized(ty) => {
                let found = self.show(ty);
                errors::expr::abstract_pointer(place.span, &found)
            }
            _ => {
                self.require_place(place);
                return true;
            }
        };
        self.report(problem);
        false
    }

    /// Where the variable at the root of a place was declared.
    fn declaration_of(&self, place: &Place) -> Option<Span> {
        use crate::tast::PlaceKind::*;
        match &place.kind {
            Local(id) => Some(self.func.local(*id).span),
            Global(id) => Some(self.unit.global(*id).span),
            Field(inner, _) | Component(inner, _) | Element(inner, _) if inner.qty.is_const => {
                self.declaration_of(inner)
            }
            _ => None,
        }
    }

    /// `lv op= e`, `lv` evaluated once.
    pub(crate) fn check_assign_op(&mut self, op: BinOp, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Expr {
        let place = self.check_lvalue(lhs, "the left side of an assignment must be the place of a variable or object");
        let value = self.check_expr(rhs, Want::None);
        if place.is_error() || value.is_error() || !self.writable(&place, false) {
            return Expr::error(span);
        }
        if let Some(ptr) = self.pointer_of(place.qty.ty) {
            return self.pointer_step(op, place, ptr, value, span);
        }
        self.arith_step(op, place, value, false, span)
    }

    /// `place op= value` on numbers: computed at the type of the usual conversions.
    fn arith_step(&mut self, op: BinOp, place: Place, value: Expr, post: bool, span: Span) -> Expr {
        let ty = self.unit.types.without_subset(self.resolve(place.qty.ty));
        let integral = integral_only(op);
        let (at_place, at_value) = (self.kind_of(ty), self.kind_of(value.ty));
        let fits = |kind: &TyKind| kind.is_integral() || (kind.is_float() && !integral);
        if !fits(at_place) || !fits(at_value) {
            let bad = if fits(at_place) { (value.ty, value.span) } else { (ty, place.span) };
            let operator = format!("{}=", op.text());
            return self.bad_operand(Expr { kind: ExprKind::Error, ty: bad.0, span: bad.1 }, &operator, integral);
        }
        let left = match self.bit_field(&place) {
            Some(width) if width < 32 => Ty::INT,
            _ => promoted(&self.unit.types, ty),
        };
        let (at, value) = match op {
            BinOp::Shl | BinOp::Shr => (left, self.promote(value)),
            _ => {
                let value = if self.kind_of(value.ty).is_integral() { self.promote(value) } else { value };
                let at = self.common_number(left, value.ty);
                (at, self.coerce(value, at, Why::Operand))
            }
        };
        Expr { kind: ExprKind::AssignOp { op, place: Box::new(place), value: Box::new(value), at, post }, ty, span }
    }

    /// `p += i`, `p -= i`: fat pointers move freely, thin zero-terminated ones forward only.
    fn pointer_step(&mut self, op: BinOp, place: Place, ptr: PtrTy, value: Expr, span: Span) -> Expr {
        if !matches!(op, BinOp::Add | BinOp::Sub) || !self.kind_of(value.ty).is_integral() {
            let operator = format!("{}=", op.text());
            let bad = if matches!(op, BinOp::Add | BinOp::Sub) {
                value
            } else {
                Expr { kind: ExprKind::Error, ty: place.qty.ty, span: place.span }
            };
            return self.bad_operand(bad, &operator, false);
        }
        let index = self.as_index(value);
        self.move_pointer(place, ptr, index, op == BinOp::Sub, false, span)
    }

    fn move_pointer(&mut self, place: Place, ptr: PtrTy, index: Expr, negate: bool, post: bool, span: Span) -> Expr {
        let forward = !negate && self.eval_int(&index).is_none_or(|i| i >= 0);
        let problem = match ptr.bound {
            Bound::Fat => None,
            Bound::Thin(_) | Bound::Sized(_) if !ptr.zeroterm => {
                Some(errors::expr::thin_step as fn(Span, &str) -> cyc_base::Diagnostic)
            }
            Bound::Thin(_) | Bound::Sized(_) if !forward => {
                Some(errors::expr::backward_step as fn(Span, &str) -> cyc_base::Diagnostic)
            }
            Bound::Thin(_) | Bound::Sized(_) => None,
        };
        if let Some(problem) = problem {
            let found = self.show(place.qty.ty);
            self.report(problem(span, &found));
            return Expr::error(span);
        }
        // A longer bound would promise elements that are no longer ahead.
        if let Bound::Thin(n) = ptr.bound
            && n > 1
        {
            let found = self.show(place.qty.ty);
            self.report(errors::expr::thin_step(span, &found));
            return Expr::error(span);
        }
        if !self.steps_over(ptr, place.span) {
            return Expr::error(span);
        }
        if ptr.zeroterm && ptr.bound != Bound::Fat {
            // A step looks at what it steps over.
            self.require_live(ptr.region, crate::region::Use::Access, place.span);
        }
        let ty = self.unit.types.without_subset(self.resolve(place.qty.ty));
        Expr { kind: ExprKind::PtrStep { place: Box::new(place), index: Box::new(index), negate, post }, ty, span }
    }

    /// `++lv`, `lv--` …
    pub(crate) fn check_step(&mut self, inc: bool, prefix: bool, operand: &ast::Expr, span: Span) -> Expr {
        let text = if inc {
            "`++` needs the place of a variable or object"
        } else {
            "`--` needs the place of a variable or object"
        };
        let place = self.check_lvalue(operand, text);
        if place.is_error() || !self.writable(&place, false) {
            return Expr::error(span);
        }
        let one = Expr { kind: ExprKind::Int(1), ty: Ty::INT, span };
        match self.pointer_of(place.qty.ty) {
            Some(ptr) => self.move_pointer(place, ptr, one, !inc, !prefix, span),
            None => self.arith_step(if inc { BinOp::Add } else { BinOp::Sub }, place, one, !prefix, span),
        }
    }

    /// `a :=: b`: exchanges two places of one pointer type.
    pub(crate) fn check_swap(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let (left, right) = (self.check_place(a), self.check_place(b));
        if left.is_error() || right.is_error() {
            return Expr::error(span);
        }
        if let Some(value) = [&left, &right].into_iter().find(|place| is_temporary(place)) {
            self.report(errors::expr::swap_of_value(value.span));
            return Expr::error(span);
        }
        let boxed = |cx: &Self, ty| match cx.kind_of(ty) {
            TyKind::Pointer(_) | TyKind::Enum(_) => true,
            TyKind::Int(int) => int.bits() >= 32,
            _ => cx.is_boxed_variable(ty),
        };
        let bits = self.bit_field(&left).or(self.bit_field(&right)).is_some();
        let fits = boxed(self, left.qty.ty) && boxed(self, right.qty.ty) && !bits;
        if fits && (self.reject_misaligned(&left) || self.reject_misaligned(&right)) {
            return Expr::error(span);
        }
        if fits && !(self.writable(&left, false) && self.writable(&right, false)) {
            return Expr::error(span);
        }
        // What either place holds flows into the other.
        let why = RegionReason::new(span, Flow::Swap);
        if !fits || !self.equal_types(left.qty.ty, right.qty.ty, why) {
            let (x, y) = (self.show(left.qty.ty), self.show(right.qty.ty));
            self.report(errors::expr::bad_swap(span, (left.span, &x), (right.span, &y)));
            return Expr::error(span);
        }
        Expr { kind: ExprKind::Swap(Box::new(left), Box::new(right)), ty: Ty::VOID, span }
    }
}

//! Address-of (core, section 5.5).

use crate::cx::Checker;
use crate::errors;
use crate::expr::is_temporary;
use crate::expr::pointer::fattened;
use crate::tast::{Expr, ExprKind, LocalId, Place, PlaceKind};
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{Aqual, Bound, PtrTy, TyKind};

impl Checker<'_> {
    /// `&lv`: a non-null pointer to one object, in the region where it lives. `&*e` is `e`, `&f` is
    /// `f` for a function, `&p[i]` is `p + i` for a fat `p`.
    pub(crate) fn check_address_of(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let place = self.check_place(operand);
        if place.is_error() {
            return Expr::error(span);
        }
        match place.kind {
            PlaceKind::Temp(value) if matches!(value.kind, ExprKind::FunctionAddr(..)) => *value,
            _ if is_temporary(&place) => {
                self.report(errors::expr::not_an_lvalue(operand.span, "`&` needs the place of a variable or object"));
                Expr::error(span)
            }
            PlaceKind::Deref(pointer) if !self.is_restricted(pointer.ty) => *pointer,
            PlaceKind::Index(pointer, index) if self.is_fat(&pointer) && !self.is_restricted(pointer.ty) => {
                let ty = self.resolve(pointer.ty);
                Expr { kind: ExprKind::PtrAdd { ptr: pointer, index, negate: false }, ty, span }
            }
            kind => self.address(Place { kind, ..place }, span),
        }
    }

    fn is_fat(&self, expr: &Expr) -> bool {
        self.pointer_of(expr.ty).is_some_and(|p| p == fattened(p))
    }

    fn address(&mut self, place: Place, span: Span) -> Expr {
        if self.bit_field(&place).is_some() {
            self.report(errors::expr::bit_field_address(span));
            return Expr::error(span);
        }
        if let Some(local) = self.register_variable(&place) {
            let (name, declared) = (self.func.local(local).name, self.func.local(local).span);
            self.report(errors::expr::register_address(span, name, declared));
            return Expr::error(span);
        }
        if self.reject_tagged_address(&place) || self.reject_misaligned(&place) || !self.check_union_read(&place) {
            return Expr::error(span);
        }
        let zeroterm = self.in_zeroterm(&place);
        let region = self.region_of_place(&place);
        let ty = self.unit.types.pointer(PtrTy {
            to: place.qty,
            nullable: false,
            bound: Bound::Thin(1),
            zeroterm,
            region,
            aqual: Aqual::Aliasable,
        });
        Expr { kind: ExprKind::AddrOf(Box::new(place)), ty, span }
    }

    /// The `register` variable that the place is, or is a part of.
    fn register_variable(&self, place: &Place) -> Option<LocalId> {
        match &place.kind {
            PlaceKind::Local(id) => self.func.registers.contains(id).then_some(*id),
            PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) | PlaceKind::Element(inner, _) => {
                self.register_variable(inner)
            }
            PlaceKind::Global(_) | PlaceKind::Deref(_) | PlaceKind::Index(..) | PlaceKind::Temp(_) => None,
        }
    }

    /// The address of a member of a packed struct: a pointer promises that its object is aligned as its type says.
    pub(crate) fn reject_misaligned(&mut self, place: &Place) -> bool {
        let natural = self.layout_of(place.qty.ty).map_or(1, |layout| layout.align);
        let found = self.alignment_of(place);
        if natural > found {
            let shown = self.show(place.qty.ty);
            self.report(errors::expr::misaligned_address(place.span, &shown, natural, found));
        }
        natural > found
    }

    /// The alignment that a place has for sure.
    fn alignment_of(&self, place: &Place) -> u64 {
        let natural = |ty| self.layout_of(ty).map_or(u64::MAX, |layout| layout.align);
        let step = |bytes: u64| bytes & bytes.wrapping_neg();
        match &place.kind {
            PlaceKind::Field(inner, index) => {
                let offset = match self.kind_of(inner.qty.ty) {
                    TyKind::Aggr(id) => self.unit.types.field_offset(*id, *index),
                    _ => None,
                };
                let part = offset.filter(|offset| *offset != 0).map_or(u64::MAX, step);
                self.alignment_of(inner).min(part)
            }
            PlaceKind::Component(inner, _) => self.alignment_of(inner).min(natural(place.qty.ty)),
            PlaceKind::Element(array, _) => {
                let size = self.layout_of(place.qty.ty).map_or(u64::MAX, |layout| step(layout.size.max(1)));
                self.alignment_of(array).min(size)
            }
            PlaceKind::Local(_)
            | PlaceKind::Global(_)
            | PlaceKind::Deref(_)
            | PlaceKind::Index(..)
            | PlaceKind::Temp(_) => natural(place.qty.ty),
        }
    }

    /// Is the place an element of a zero-terminated sequence? Then so is what begins there.
    fn in_zeroterm(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Element(array, _) => matches!(self.kind_of(array.qty.ty), TyKind::Array { zeroterm: true, .. }),
            PlaceKind::Index(pointer, _) => self.pointer_of(pointer.ty).is_some_and(|p| p.zeroterm),
            _ => false,
        }
    }
}

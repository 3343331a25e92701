//! Lvalues, with the checks that reaching them needs (core, section 5.4).

use super::Lower;
use crate::mir::*;
use cyc_base::Span;
use cyc_check::tast::{self, Expr, ExprKind, PlaceKind};
use cyc_types::{Bound, PtrTy, Ty, TyKind};

/// What a write to a place must check: the final zero of a zero-terminated sequence stays zero.
pub(super) enum Guard {
    None,
    Pointer { ptr: Operand, index: Operand },
    Array { index: Operand, len: u64 },
}

impl Guard {
    /// The same for the place as it is now: it may have been reached again since.
    pub(super) fn at(self, place: &Place) -> Guard {
        let Some((step, way)) = place.proj.split_last() else { return self };
        match (self, step) {
            (Guard::Pointer { .. }, Proj::Deref(index)) => Guard::Pointer {
                ptr: Operand::Copy(Place { base: place.base, proj: way.to_vec() }),
                index: index.clone().unwrap_or(Operand::int(0, Ty::INT)),
            },
            (Guard::Array { len, .. }, Proj::Element(index)) => Guard::Array { index: index.clone(), len },
            (guard @ (Guard::None | Guard::Pointer { .. } | Guard::Array { .. }), _) => guard,
        }
    }
}

impl<'a> Lower<'a> {
    pub(super) fn place(&mut self, place: &tast::Place) -> Place {
        self.guarded_place(place).0
    }

    /// The place, and what a write to it must check.
    pub(super) fn guarded_place(&mut self, place: &tast::Place) -> (Place, Guard) {
        let plain = |place| (place, Guard::None);
        match &place.kind {
            PlaceKind::Local(local) => plain(Place::local(self.local_of(*local))),
            PlaceKind::Global(global) => plain(Place::global(*global)),
            PlaceKind::Deref(pointer) => self.deref(pointer, None, place.span),
            PlaceKind::Index(pointer, index) => self.deref(pointer, Some(index), place.span),
            PlaceKind::Element(array, index) => self.element(array, Some(index), place.span),
            PlaceKind::Field(inner, index) if self.is_tagged(inner.qty.ty) => {
                let union = self.place(inner);
                self.check_member(&union, *index, place.span);
                plain(union.then(Proj::Field(*index)))
            }
            PlaceKind::Field(inner, index) => plain(self.place(inner).then(Proj::Field(*index))),
            PlaceKind::Component(inner, index) => plain(self.place(inner).then(Proj::Field(*index))),
            PlaceKind::Temp(value) => {
                let temp = self.temp(value.ty, value.span);
                self.into(value, Place::local(temp), true);
                plain(Place::local(temp))
            }
        }
    }

    /// `a[i]` on an array place.
    fn element(&mut self, array: &tast::Place, index: Option<&Expr>, span: Span) -> (Place, Guard) {
        let TyKind::Array { len, zeroterm, .. } = *self.types().kind(array.qty.ty) else {
            unreachable!("the checker gives Element an array")
        };
        let len = len.unwrap_or(0);
        let array = self.place(array);
        let at = self.point();
        let index = match index {
            Some(index) => self.operand(index),
            None => Operand::int(0, Ty::INT),
        };
        let array = self.protect_place(array, at, span);
        if !index.as_int().is_some_and(|i| 0 <= i && (i as u128) < len as u128) {
            self.check(CheckKind::Index { index: index.clone(), len }, CheckReason::Subscript, span);
        }
        let guard = if zeroterm { Guard::Array { index: index.clone(), len } } else { Guard::None };
        (array.then(Proj::Element(index)), guard)
    }

    /// `*p` or `p[i]`: null and bounds checks by the pointer's type.
    fn deref(&mut self, pointer: &Expr, index: Option<&Expr>, span: Span) -> (Place, Guard) {
        // What is checked before a member of a union is reached.
        if let ExprKind::Comma(check, address) = &pointer.kind
            && let ExprKind::AddrOf(inner) = &address.kind
            && index.is_none()
            && self.pointer(pointer.ty).is_some_and(|ptr| ptr.to.ty == inner.qty.ty)
        {
            self.effect(check);
            return self.guarded_place(inner);
        }
        // `*&x` is `x`, and `(&a)[i]` of an array that decayed is its element.
        if let ExprKind::AddrOf(inner) = &pointer.kind {
            let to = self.pointer(pointer.ty).map(|ptr| ptr.to.ty);
            match self.types().kind(inner.qty.ty) {
                TyKind::Array { elem, len: Some(_), .. } if Some(elem.ty) == to => {
                    return self.element(inner, index, span);
                }
                _ if index.is_none() && Some(inner.qty.ty) == to => return self.guarded_place(inner),
                _ => {}
            }
        }
        let ty = pointer.ty;
        let Some(ptr) = self.pointer(ty) else { unreachable!("the checker dereferences pointers only") };
        let pointer = self.evaluate(pointer);
        let index = index.map(|index| self.operand(index));
        let pointer = self.protect_pointer(pointer, span);
        let place = self.fat_once(pointer, ty, span);
        let operand = Operand::Copy(place.clone());
        let zero = Operand::int(0, Ty::INT);
        let why = if index.is_some() { CheckReason::Subscript } else { CheckReason::Deref };
        self.access_checks(&operand, ptr, index.clone().unwrap_or(zero.clone()), why, span);
        let guard = if ptr.zeroterm {
            Guard::Pointer { ptr: operand, index: index.clone().unwrap_or(zero) }
        } else {
            Guard::None
        };
        let index = index.filter(|index| index.as_int() != Some(0));
        (place.then(Proj::Deref(index)), guard)
    }

    /// The checks before element `index` of a pointer is touched.
    pub(super) fn access_checks(
        &mut self,
        operand: &Operand,
        ptr: PtrTy,
        index: Operand,
        why: CheckReason,
        span: Span,
    ) {
        let bound = match ptr.bound {
            Bound::Fat => {
                let check = CheckKind::FatBounds { ptr: operand.clone(), index, count: 1 };
                return self.check(check, why, span);
            }
            Bound::Thin(bound) => bound,
            // No length that is known here: nothing is within it.
            Bound::Sized(_) => 0,
        };
        if ptr.nullable {
            self.check(CheckKind::NonNull(operand.clone()), why, span);
        }
        if index.as_int().is_some_and(|i| 0 <= i && (i as u128) < bound as u128) {
            return;
        }
        if ptr.zeroterm {
            self.check(CheckKind::ZeroScan { ptr: operand.clone(), index }, CheckReason::ZeroTermination, span);
        } else {
            self.check(CheckKind::Index { index, len: bound }, why, span);
        }
    }

    /// The check before `value` is written to a place with this guard.
    pub(super) fn check_write(&mut self, guard: Guard, value: &Operand, span: Span) {
        // Zero may be written anywhere.
        let is_zero = value.as_int() == Some(0) || matches!(value, Operand::Const(Const::Null(_) | Const::Zero(_)));
        if is_zero {
            return;
        }
        let why = CheckReason::ZeroTermination;
        match guard {
            Guard::None => {}
            Guard::Pointer { ptr, index } => {
                self.check(CheckKind::ZeroWrite { ptr, index, value: value.clone() }, why, span);
            }
            Guard::Array { index, len } => {
                if index.as_int().is_some_and(|i| i + 1 != len as i128) {
                    return;
                }
                self.check(CheckKind::ZeroLast { index, len, value: value.clone() }, why, span);
            }
        }
    }

    /// `&place` as an operand.
    pub(super) fn address_of(&mut self, place: &tast::Place, ty: Ty, span: Span) -> Operand {
        let place = self.place(place);
        let address = self.rvalue_address(place, ty, span);
        self.settled(address, ty, span)
    }

    pub(super) fn rvalue_address(&mut self, place: Place, ty: Ty, _span: Span) -> Rvalue {
        // `&*p` is `p` (the checks of the dereference have been made).
        if let (Some(Proj::Deref(None)), true) = (place.proj.last(), !matches!(place.base, Base::Global(_))) {
            let mut pointer = place.clone();
            pointer.proj.pop();
            if self.same_in_c(self.place_ty(&pointer).ty(), ty) {
                return Rvalue::Use(Operand::Copy(pointer));
            }
        }
        if let Some(local) = place.within_local() {
            self.body.locals[local.0 as usize].address_taken = true;
        }
        let constant = matches!(place.base, Base::Global(_))
            && place.proj.iter().all(|step| match step {
                Proj::Field(_) => true,
                Proj::Element(index) => index.as_int().is_some(),
                Proj::Deref(_) | Proj::Variant(..) => false,
            });
        if constant { Rvalue::Use(Operand::Const(Const::Global(place, ty))) } else { Rvalue::AddrOf(place, ty) }
    }
}

//! Unique paths (memory, section 4.4) and addresses (section 4.10).
//!
//! A unique path begins at a parameter, local or pattern variable and goes on by fields and through pointers that are
//! surely the only ones to their objects. Nobody else can reach what lies at its end, so that moving it away is seen by
//! everybody who could use it: by this function.

use crate::cx::Checker;
use crate::errors;
use crate::tast::*;
use cyc_base::Span;
use cyc_types::{Ty, TyKind};

/// The step of a path that is not unique.
pub(crate) struct NotUnique {
    pub span: Span,
    pub why: Step,
}

pub(crate) enum Step {
    /// A global or static variable, by its name.
    Global(String),
    Subscript,
    /// Through a pointer of the shown type.
    Pointer(String),
    Union,
    /// The value of something that only passes on what another place holds.
    Value,
}

impl Checker<'_> {
    /// Reports E-PATH unless the place is a unique path.
    pub(super) fn require_unique_path(&mut self, place: &Place, span: Span) {
        if let Err(at) = self.unique_path(place) {
            let shown = self.show(place.qty.ty);
            self.report(errors::moves::not_unique(span, &shown, &at));
        }
    }

    /// Is the place a unique path? Else the step that is not.
    pub(crate) fn unique_path(&self, place: &Place) -> Result<(), NotUnique> {
        let not = |why| Err(NotUnique { span: place.span, why });
        match &place.kind {
            PlaceKind::Local(_) => Ok(()),
            PlaceKind::Global(id) => not(Step::Global(self.unit.global(*id).name.to_string())),
            PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => match self.kind_of(inner.qty.ty) {
                TyKind::Aggr(id) if self.unit.types.aggr(*id).is_union && !self.unit.types.aggr(*id).tagged => {
                    not(Step::Union)
                }
                _ => self.unique_path(inner),
            },
            PlaceKind::Element(..) | PlaceKind::Index(..) => not(Step::Subscript),
            PlaceKind::Deref(pointer) => self.unique_through(pointer),
            PlaceKind::Temp(_) => Ok(()),
        }
    }

    /// The same for what a pointer points to.
    fn unique_through(&self, pointer: &Expr) -> Result<(), NotUnique> {
        let not = |why| Err(NotUnique { span: pointer.span, why });
        if !self.is_unique(pointer.ty) {
            return not(Step::Pointer(self.show(pointer.ty)));
        }
        match &pointer.kind {
            ExprKind::Read(place) => self.unique_path(place),
            ExprKind::Coerce(Coercion::NotNull | Coercion::Retype | Coercion::FatNotNull, inner)
                if self.pointer_of(inner.ty).map(|p| p.to.ty) == self.pointer_of(pointer.ty).map(|p| p.to.ty) =>
            {
                self.unique_through(inner)
            }
            _ => not(Step::Value),
        }
    }

    fn is_unique(&self, ty: Ty) -> bool {
        self.unit.types.is_unique_pointer(self.resolve(ty), &self.func.params)
    }

    /// Reports E-ADDR if the address of the place must not be known.
    pub(super) fn check_addressable(&mut self, place: &Place, span: Span) {
        // The elements of an array are not followed, so that its address, whole, hides nothing.
        let variable = matches!(place.kind, PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Temp(_));
        let array = matches!(self.kind_of(place.qty.ty), TyKind::Array { .. });
        if self.carries_restricted(place.qty.ty) && !(variable && array) && !self.outside_paths(place) {
            let shown = self.show(place.qty.ty);
            self.report(errors::moves::address_of_restricted(span, &shown));
        } else if let Some(pointer) = self.restricted_step(place) {
            let shown = self.show(pointer.ty);
            let at = pointer.span;
            self.report(errors::moves::address_behind_restricted(span, at, &shown));
        }
    }

    /// Does the place lie where no unique path leads, so that nothing is known of it, and it is never moved as a whole?
    fn outside_paths(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Element(..) | PlaceKind::Index(..) => {
                matches!(self.kind_of(place.qty.ty), TyKind::Array { .. }) && self.unique_path(place).is_err()
            }
            PlaceKind::Local(_)
            | PlaceKind::Global(_)
            | PlaceKind::Deref(_)
            | PlaceKind::Field(..)
            | PlaceKind::Component(..)
            | PlaceKind::Temp(_) => false,
        }
    }

    /// The innermost pointer on the way to the place, if it must not be copied.
    fn restricted_step<'p>(&self, place: &'p Place) -> Option<&'p Expr> {
        match &place.kind {
            PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) | PlaceKind::Element(inner, _) => {
                self.restricted_step(inner)
            }
            PlaceKind::Deref(pointer) | PlaceKind::Index(pointer, _) => {
                if let ExprKind::AddrOf(inner) = &pointer.kind {
                    return self.restricted_step(inner);
                }
                self.is_restricted(pointer.ty).then_some(&**pointer)
            }
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Temp(_) => None,
        }
    }
}

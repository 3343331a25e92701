//! Pointers to objects that may be freed while they are held (memory, section 4.11).
//!
//! The judgement: an object that is given back one by one is reached by one read of its pointer, directly before it is used,
//! since every call may free it. Of `p[f()]` the pointer is read after the call. What a conditional, comma, cast or statement
//! expression passes on has been read when it is evaluated, and stands in no place to be read from again: no call may come
//! between. What a call or an allocation gives is nobody else's, and waits.

use crate::cx::Checker;
use crate::errors;
use crate::tast::operands::Way;
use crate::tast::operands::parts::{self, Part};
use crate::tast::*;
use crate::visit::Visitor;
use cyc_base::Span;

/// Finds the first call.
struct Calls(Option<Span>);

impl Visitor for Calls {
    fn expr(&mut self, e: &Expr) {
        if matches!(e.kind, ExprKind::Call { .. } | ExprKind::Asm(_)) {
            self.0 = self.0.or(Some(e.span));
        }
        self.parts_of_expr(e);
    }
}

/// The first call in an expression.
pub(super) fn call_in(e: &Expr) -> Option<Span> {
    let mut calls = Calls(None);
    calls.expr(e);
    calls.0
}

/// The first call on the way to a place.
pub(super) fn call_in_place(place: &Place) -> Option<Span> {
    let mut calls = Calls(None);
    calls.place(Way::Around, place, place.span);
    calls.0
}

impl Checker<'_> {
    /// Reports a pointer on the way to the place that is held during a later call.
    pub(super) fn check_not_held(&mut self, place: &Place, call: Option<Span>) {
        if let (Some(call), Some(pointer)) = (call, self.held_in_place(place)) {
            let shown = self.show(pointer.ty);
            self.report(errors::moves::held_during_call(pointer.span, call, &shown));
        }
    }

    /// The same for a pointer that is followed.
    pub(super) fn check_pointer_not_held(&mut self, pointer: &Expr, call: Option<Span>) {
        if let (Some(call), Some(pointer)) = (call, self.held(pointer)) {
            let shown = self.show(pointer.ty);
            self.report(errors::moves::held_during_call(pointer.span, call, &shown));
        }
    }

    fn held_in_place<'e>(&self, place: &'e Place) -> Option<&'e Expr> {
        match &place.kind {
            PlaceKind::Deref(pointer) | PlaceKind::Index(pointer, _) => self.held(pointer),
            PlaceKind::Element(inner, _) | PlaceKind::Field(inner, _) | PlaceKind::Component(inner, _) => {
                self.held_in_place(inner)
            }
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Temp(_) => None,
        }
    }

    /// The pointer that is held when this one has been evaluated: itself, or one on the way to where it is read.
    fn held<'e>(&self, pointer: &'e Expr) -> Option<&'e Expr> {
        if let ExprKind::AddrOf(place) = &pointer.kind {
            return self.held_in_place(place);
        }
        if !self.is_restricted(pointer.ty) {
            return None;
        }
        if let ExprKind::Read(place) = &pointer.kind {
            return self.held_in_place(place);
        }
        passes_on(pointer).then_some(pointer)
    }
}

/// May the value of the expression be that of a place, which keeps it?
fn passes_on(e: &Expr) -> bool {
    let mut found = false;
    parts::expr(e, &mut |part| {
        found |= match part {
            Part::Place(way, _) => way.is_value(),
            Part::Expr(role, value) => role.is_value() && passes_on(value),
            Part::Stmt(_) | Part::Block(_) | Part::Pattern(_) | Part::Local(_) | Part::Global(..) => false,
            Part::Ty(_) | Part::Args(_) | Part::Aggr(_) | Part::Datatype(_) | Part::Subset(_) => false,
        }
    });
    found
}

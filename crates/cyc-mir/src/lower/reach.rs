//! Places that were reached before something else was evaluated: what of the way to them is kept.
//!
//! The judgement: a place is the one that it was when it was evaluated (core, section 5.7), so indices on the way and the
//! pointer that is followed last are copied. But a copy of a pointer that must not be copied is no owner: what is evaluated
//! since may free the object. Such a pointer is read where the place is used, by one load that is checked anew (memory,
//! section 4.11); flow analysis then sees if it was moved away. What keeps its value is the last pointer on the way before
//! these that may be copied.

use super::{Evaluated, Lower, Point};
use crate::mir::*;
use crate::types::{PlaceTy, operand_ty};
use cyc_base::Span;
use cyc_types::Ty;

impl<'a> Lower<'a> {
    /// The place as it is when something that was evaluated since `at` has been done.
    pub(super) fn protect_place(&mut self, place: Place, at: Point, span: Span) -> Place {
        if self.written.len() == at.written {
            return place;
        }
        let whole = self.unfolded(&place);
        if self.way_changes(&whole, at) {
            return self.reach_again(whole, at, span);
        }
        self.recheck_members(&place, span);
        place
    }

    /// The place as it was at `at`, where nothing but stores happened since: no object can be gone.
    pub(super) fn fixed_place(&mut self, place: Place, mut at: Point, span: Span) -> Place {
        if !self.way_changes(&place, at) {
            return place;
        }
        let last = place.proj.iter().rposition(|step| matches!(step, Proj::Deref(_)));
        let (start, steps) = self.kept_way(place, last, &mut at, span);
        Place { base: start.base, proj: steps }
    }

    /// May what was written since lead the way to a place elsewhere?
    fn way_changes(&self, place: &Place, at: Point) -> bool {
        place.proj.iter().enumerate().any(|(i, step)| match step {
            Proj::Deref(index) => {
                index.as_ref().is_some_and(|index| self.operand_changes(index, at.written))
                    || self.place_changes(place.base, &place.proj[..i], at.written)
            }
            Proj::Element(index) => self.operand_changes(index, at.written),
            Proj::Field(_) | Proj::Variant(..) => false,
        })
    }

    /// A pointer that is followed after something else was evaluated.
    pub(super) fn protect_pointer(&mut self, pointer: Evaluated, span: Span) -> Operand {
        match &pointer.operand {
            Operand::Copy(place) if self.is_restricted(pointer.ty) => {
                let whole = self.unfolded(place);
                if self.place_changes(whole.base, &whole.proj, pointer.at.written) {
                    return Operand::Copy(self.reach_again(whole, pointer.at, span));
                }
                pointer.operand
            }
            Operand::Copy(_) | Operand::Const(_) => self.protect(pointer, span),
        }
    }

    /// Must pointers of the type not be copied?
    fn is_restricted(&self, ty: Ty) -> bool {
        self.types().is_alias_restricted(ty, &self.body.vars)
    }

    /// The place by the pointers in memory, where fat ones on the way were read into temporaries.
    fn unfolded(&self, place: &Place) -> Place {
        let mut whole = place.clone();
        while let Base::Local(local) = whole.base
            && let Some(origin) = self.looked_at.get(&local)
        {
            whole = Place { base: origin.base, proj: [&origin.proj[..], &whole.proj[..]].concat() };
        }
        whole
    }

    /// Keeps of the way what may be kept, as it was at `at`, and goes the rest once more, with its checks.
    fn reach_again(&mut self, place: Place, mut at: Point, span: Span) -> Place {
        let kept = self.last_kept(&place);
        let (start, steps) = self.kept_way(place, kept, &mut at, span);
        let mut reached = start;
        for (i, step) in steps.into_iter().enumerate() {
            let ty = self.place_ty(&reached);
            match (&step, ty) {
                (Proj::Deref(index), PlaceTy::Of(qty)) if i > 0 || self.is_restricted(qty.ty) => {
                    reached = self.follow(Operand::Copy(reached), qty.ty, index.as_ref(), span);
                }
                (Proj::Field(member), PlaceTy::Of(qty)) if self.is_tagged(qty.ty) => {
                    self.check_member(&reached, *member, span);
                }
                (Proj::Deref(_) | Proj::Field(_) | Proj::Element(_) | Proj::Variant(..), _) => {}
            }
            reached = reached.then(step);
        }
        reached
    }

    /// The step by the last pointer that keeps its value.
    fn last_kept(&self, place: &Place) -> Option<usize> {
        (0..place.proj.len()).rev().find(|i| {
            let pointer = Place { base: place.base, proj: place.proj[..*i].to_vec() };
            match (&place.proj[*i], self.place_ty(&pointer)) {
                (Proj::Deref(_), PlaceTy::Of(qty)) => !self.is_restricted(qty.ty),
                (Proj::Deref(_) | Proj::Field(_) | Proj::Element(_) | Proj::Variant(..), _) => false,
            }
        })
    }

    /// The way from the pointer that step `from` follows, or from the variable: where it begins, and its steps. The pointer
    /// and indices are copied at `at`.
    fn kept_way(&mut self, place: Place, from: Option<usize>, at: &mut Point, span: Span) -> (Place, Vec<Proj>) {
        let start = match from {
            None => Place { base: place.base, proj: vec![] },
            Some(i) => {
                let pointer = Place { base: place.base, proj: place.proj[..i].to_vec() };
                let ty = self.place_ty(&pointer).ty();
                Place::local(self.copied_at(Operand::Copy(pointer), ty, at, span))
            }
        };
        let mut steps = place.proj[from.unwrap_or(0)..].to_vec();
        for step in &mut steps {
            let (Proj::Deref(Some(index)) | Proj::Element(index)) = step else { continue };
            if let Operand::Copy(_) = index {
                let ty = operand_ty(self.unit, &self.body.locals, index);
                *index = Operand::local(self.copied_at(index.clone(), ty, at, span));
            }
        }
        (start, steps)
    }

    /// A temporary that gets the operand at that point, which moves on.
    fn copied_at(&mut self, operand: Operand, ty: Ty, at: &mut Point, span: Span) -> Local {
        let temp = self.temp(ty, span);
        self.insert(*at, StmtKind::Assign(Place::local(temp), Rvalue::Use(operand)), span);
        at.index += 1;
        temp
    }

    /// The pointer as a place to go on from, after the checks of its use.
    fn follow(&mut self, pointer: Operand, ty: Ty, index: Option<&Operand>, span: Span) -> Place {
        let place = self.fat_once(pointer, ty, span);
        let Some(ptr) = self.pointer(ty) else { unreachable!("only pointers are followed") };
        let (why, index) = match index {
            Some(index) => (CheckReason::Subscript, index.clone()),
            None => (CheckReason::Deref, Operand::int(0, Ty::INT)),
        };
        self.access_checks(&Operand::Copy(place.clone()), ptr, index, why, span);
        place
    }

    /// An operand as a place to go on from; a fat pointer in memory is read once, into a temporary.
    pub(super) fn fat_once(&mut self, operand: Operand, ty: Ty, span: Span) -> Place {
        match operand {
            Operand::Copy(place) if place.as_local().is_none() && crate::types::is_fat(self.types(), ty) => {
                let temp = self.temp(ty, span);
                self.assign(Place::local(temp), Rvalue::Use(Operand::Copy(place.clone())), span);
                if self.is_restricted(ty) {
                    self.looked_at.insert(temp, place);
                }
                Place::local(temp)
            }
            operand @ (Operand::Copy(_) | Operand::Const(_)) => self.as_place(operand, ty, span),
        }
    }
}

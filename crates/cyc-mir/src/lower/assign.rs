//! Assignment, compound assignment, swap (core, sections 5.6 and 5.7): the right operand first, then
//! the place, then the store.

use super::Lower;
use super::place::Guard;
use crate::mir::*;
use crate::types::PlaceTy;
use cyc_base::Span;
use cyc_check::tast::{self, Expr, PlaceKind};
use cyc_types::{Ty, TyKind};

impl<'a> Lower<'a> {
    /// `place = value`; the operand is the value stored.
    pub(super) fn assignment(&mut self, place: &tast::Place, value: &Expr, span: Span) -> Operand {
        if let PlaceKind::Local(_) | PlaceKind::Global(_) = place.kind {
            // Reaching the place takes no step that the order could matter for.
            let place = self.place(place);
            self.store_at(value, place.clone(), false, span);
            return Operand::Copy(place);
        }
        if let PlaceKind::Field(inner, member) = &place.kind
            && self.is_tagged(inner.qty.ty)
        {
            return self.assign_member(inner, *member, value, span);
        }
        let value = self.evaluate(value);
        let volatile = place.qty.is_volatile;
        let (place, guard) = self.guarded_place(place);
        let value = self.protect(value, span);
        self.check_write(guard, &value, span);
        let narrowed = self.is_bit_field(&place);
        self.assign(place.clone(), Rvalue::Use(value.clone()), span);
        if narrowed && !volatile { Operand::Copy(place) } else { value }
    }

    fn is_bit_field(&self, place: &Place) -> bool {
        let Some((Proj::Field(index), outer)) = place.proj.split_last() else { return false };
        let outer = Place { base: place.base, proj: outer.to_vec() };
        let PlaceTy::Of(qty) = self.place_ty(&outer) else { return false };
        match self.types().kind(qty.ty) {
            TyKind::Aggr(id) => self.types().fields(*id).is_some_and(|fields| fields[*index as usize].bits.is_some()),
            _ => false,
        }
    }

    /// `place op= value`: computed at type `at`. The operand, if `wanted`, is the old value (`post`) or the new one.
    pub(super) fn assign_op(
        &mut self,
        op: BinOp,
        place: &tast::Place,
        value: &Expr,
        at: Ty,
        post: bool,
        wanted: bool,
        span: Span,
    ) -> Operand {
        let ty = place.qty.ty;
        let right = self.evaluate(value);
        let (place, guard) = self.guarded_place(place);
        let right = self.protect(right, span);
        let now = Operand::Copy(place.clone());
        let old = if post && wanted { Some(self.in_temp(Rvalue::Use(now.clone()), ty, span)) } else { None };
        let left = self.arith(old.clone().unwrap_or(now.clone()), ty, at);
        let left = self.settled(left, at, span);
        let mut result = self.binary(op, left, right, value, at);
        if at != ty {
            let wide = self.in_temp(result, at, span);
            result = Rvalue::Arith(wide, at, ty);
        }
        result = self.in_subsets(result, ty, span);
        if !matches!(guard, Guard::None) {
            let value = self.in_temp(result, ty, span);
            self.check_write(guard, &value, span);
            result = Rvalue::Use(value);
        }
        self.assign(place, result, span);
        old.unwrap_or(now)
    }

    /// `a :=: b`: the address of the one, the address of the other, each once, then the exchange (memory, section 4.5).
    pub(super) fn swap(&mut self, a: &tast::Place, b: &tast::Place, span: Span) {
        let (left, left_guard) = self.guarded_place(a);
        let at = self.point();
        let (right, right_guard) = self.guarded_place(b);
        let left = self.protect_place(left, at, span);
        // Both places are found before either changes: `p :=: p->next` writes the `next` that `p` led to.
        let at = self.point();
        self.note_write(&left);
        let right = self.fixed_place(right, at, span);
        let left_guard = left_guard.at(&left);
        self.check_write(left_guard, &Operand::Copy(right.clone()), span);
        self.check_write(right_guard, &Operand::Copy(left.clone()), span);
        self.note_write(&right);
        self.push(StmtKind::Swap(left, right), span);
    }

    /// `asm` with its operands: inputs and places are evaluated in the order written.
    pub(super) fn asm(&mut self, asm: &tast::Asm, span: Span) {
        let outputs: Vec<_> = asm
            .outputs
            .iter()
            .map(|(name, constraint, place)| {
                let place = self.place(place);
                (*name, constraint.clone(), place, self.point())
            })
            .collect();
        let inputs: Vec<_> =
            asm.inputs.iter().map(|(name, constraint, e)| (*name, constraint.clone(), self.evaluate(e))).collect();
        let mut inputs: Vec<_> = inputs.into_iter().rev().map(|(n, c, e)| (n, c, self.protect(e, span))).collect();
        inputs.reverse();
        let mut outputs: Vec<_> =
            outputs.into_iter().rev().map(|(n, c, place, at)| (n, c, self.protect_place(place, at, span))).collect();
        outputs.reverse();
        for (_, _, place) in &outputs {
            self.note_write(place);
        }
        self.written.push(super::Written::Memory);
        let lowered = Asm {
            volatile: asm.volatile,
            template: asm.template.clone(),
            outputs,
            inputs,
            clobbers: asm.clobbers.clone(),
        };
        self.push(StmtKind::Asm(lowered.into()), span);
    }
}

//! Tagged unions (core, section 3.9): reaching into a member checks the tag, assigning a member sets it.

use super::Lower;
use crate::mir::*;
use crate::types::{PlaceTy, base_ty, step};
use cyc_base::Span;
use cyc_check::tast::Expr;
use cyc_types::{Ty, TyKind};

impl<'a> Lower<'a> {
    pub(super) fn is_tagged(&self, ty: Ty) -> bool {
        matches!(self.types().kind(ty), TyKind::Aggr(id) if self.types().aggr(*id).tagged)
    }

    /// Is `member` the one that the union's tag names? An `int`.
    pub(super) fn is_member(&mut self, union: Place, member: u32, span: Span) -> Rvalue {
        let tag = self.in_temp(Rvalue::Tag(union), Ty::UINT, span);
        Rvalue::Binary(BinOp::Eq, tag, Operand::int(i128::from(member) + 1, Ty::UINT), Ty::UINT)
    }

    /// The check before a part of a member is reached.
    pub(super) fn check_member(&mut self, union: &Place, member: u32, span: Span) {
        let is = self.is_member(union.clone(), member, span);
        let is = self.in_temp(is, Ty::INT, span);
        self.check(CheckKind::Member(is), CheckReason::TaggedMember, span);
    }

    /// Checks the tags on the way to a place once more: something was evaluated since it was reached that may have
    /// written another member.
    pub(super) fn recheck_members(&mut self, place: &Place, span: Span) {
        let mut ty = base_ty(self.unit, &self.body.locals, place.base);
        for (i, proj) in place.proj.iter().enumerate() {
            if let (Proj::Field(member), PlaceTy::Of(qty)) = (proj, ty)
                && self.is_tagged(qty.ty)
            {
                let union = Place { base: place.base, proj: place.proj[..i].to_vec() };
                self.check_member(&union, *member, span);
            }
            ty = step(self.types(), ty, proj);
        }
    }

    /// `union.member = value`: the union as a whole gets the value, and with it the tag.
    pub(super) fn assign_member(
        &mut self,
        union: &cyc_check::tast::Place,
        member: u32,
        value: &Expr,
        span: Span,
    ) -> Operand {
        let ty = value.ty;
        let value = self.evaluate(value);
        let place = self.place(union);
        let value = match self.protect(value, span) {
            // It may be another member of the same union, read as the answer after the store.
            Operand::Copy(from) if from.as_local().is_none() => {
                self.in_temp(Rvalue::Use(Operand::Copy(from)), ty, span)
            }
            value @ (Operand::Copy(_) | Operand::Const(_)) => value,
        };
        self.assign(place, Rvalue::Aggregate(union.qty.ty, vec![(member, value.clone())]), span);
        value
    }

    /// A value of a tagged union with one member, stored where nobody looks before it is complete.
    pub(super) fn member_into(&mut self, ty: Ty, member: u32, value: &Expr, dst: Place, span: Span) {
        if let TyKind::Array { .. } = self.types().kind(value.ty) {
            // C has no array values: the elements go to their place, then the tag.
            self.into(value, dst.clone().then(Proj::Field(member)), true);
            return self.push(StmtKind::SetTag(dst, member), span);
        }
        let value = self.operand(value);
        self.assign(dst, Rvalue::Aggregate(ty, vec![(member, value)]), span);
    }
}

//! Patterns (core, section 7): tests from left to right, then the bindings.

use super::Lower;
use crate::mir::*;
use crate::types::is_fat;
use cyc_base::Span;
use cyc_check::tast::{self, LocalId, Pattern, PatternKind};
use cyc_types::{Ty, TyKind};

/// The variables of a pattern in the order of their occurrence.
pub(super) fn variables(pattern: &Pattern, out: &mut Vec<LocalId>) {
    match &pattern.kind {
        PatternKind::Bind(local) => out.push(*local),
        PatternKind::As(local, inner) => {
            out.push(*local);
            variables(inner, out);
        }
        PatternKind::Pointer(inner) | PatternKind::Member(_, _, inner) => variables(inner, out),
        PatternKind::Tuple(parts) => parts.iter().for_each(|part| variables(part, out)),
        PatternKind::Struct(_, fields) => fields.iter().for_each(|(_, part)| variables(part, out)),
        PatternKind::Variant { args, .. } => args.iter().for_each(|part| variables(part, out)),
        PatternKind::Wild
        | PatternKind::Int(_)
        | PatternKind::Range(..)
        | PatternKind::Float(_)
        | PatternKind::Null => {}
    }
}

impl<'a> Lower<'a> {
    /// `let pattern = init;`
    pub(super) fn let_stmt(&mut self, pattern: &Pattern, init: &tast::Expr, refutable: bool, span: Span) {
        if let PatternKind::Bind(local) = pattern.kind {
            return self.store_at(init, Place::local(Local(local.0)), true, span);
        }
        let value = self.operand(init);
        let place = self.as_place(value, init.ty, span);
        let fail = self.new_block();
        self.match_pattern(pattern, place, fail);
        if refutable {
            let done = self.new_block();
            self.goto(done, span);
            self.start(fail);
            self.check(CheckKind::Match, CheckReason::NoMatch, span);
            self.terminate(Terminator::Unreachable, span);
            self.start(done);
        }
    }

    /// Goes on when the value at `place` matches, its variables bound; else to `fail`.
    pub(super) fn match_pattern(&mut self, pattern: &Pattern, place: Place, fail: BlockId) {
        let mut bindings = vec![];
        self.test(pattern, place, fail, &mut bindings);
        for (local, place, span) in bindings {
            let to = self.body.locals[local.0 as usize].qty.ty;
            let from = self.place_ty(&place).ty();
            let array = matches!(self.types().kind(from), TyKind::Array { .. });
            let value = if array && self.pointer(to).is_some() {
                self.rvalue_address(place, to, span)
            } else {
                Rvalue::Use(Operand::Copy(place))
            };
            self.assign(Place::local(local), value, span);
        }
    }

    fn test(&mut self, pattern: &Pattern, place: Place, fail: BlockId, bindings: &mut Vec<(Local, Place, Span)>) {
        let span = pattern.span;
        let ty = pattern.ty;
        match &pattern.kind {
            PatternKind::Wild => {}
            PatternKind::Bind(local) => bindings.push((Local(local.0), place, span)),
            PatternKind::As(local, inner) => {
                bindings.push((Local(local.0), place.clone(), span));
                self.test(inner, place, fail, bindings);
            }
            PatternKind::Int(value) => {
                let value = Operand::int(*value, ty);
                self.require(Rvalue::Binary(BinOp::Eq, Operand::Copy(place), value, ty), fail, span);
            }
            PatternKind::Range(from, to) => {
                let (from, to) = (Operand::int(*from, ty), Operand::int(*to, ty));
                self.require(Rvalue::Binary(BinOp::Ge, Operand::Copy(place.clone()), from, ty), fail, span);
                self.require(Rvalue::Binary(BinOp::Le, Operand::Copy(place), to, ty), fail, span);
            }
            PatternKind::Float(digits) => {
                let value = Operand::Const(Const::Float(*digits, ty));
                self.require(Rvalue::Binary(BinOp::Eq, Operand::Copy(place), value, ty), fail, span);
            }
            PatternKind::Null => {
                let some = self.in_temp(Rvalue::IsNonNull(Operand::Copy(place)), Ty::INT, span);
                self.require(Rvalue::Unary(UnOp::Not, some, Ty::INT), fail, span);
            }
            PatternKind::Pointer(inner) => {
                if is_fat(self.types(), ty) {
                    let count = self.in_temp(Rvalue::FatNumelts(Operand::Copy(place.clone())), Ty::ULONG, span);
                    let none = Operand::int(0, Ty::ULONG);
                    self.require(Rvalue::Binary(BinOp::Ne, count, none, Ty::ULONG), fail, span);
                } else if self.pointer(ty).is_none_or(|ptr| ptr.nullable) {
                    self.require(Rvalue::IsNonNull(Operand::Copy(place.clone())), fail, span);
                }
                self.test(inner, place.then(Proj::Deref(None)), fail, bindings);
            }
            PatternKind::Member(_, member, inner) => {
                let is = self.is_member(place.clone(), *member, span);
                self.require(is, fail, span);
                self.test(inner, place.then(Proj::Field(*member)), fail, bindings);
            }
            PatternKind::Tuple(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    self.test(part, place.clone().then(Proj::Field(i as u32)), fail, bindings);
                }
            }
            PatternKind::Struct(_, fields) => {
                for (i, part) in fields {
                    self.test(part, place.clone().then(Proj::Field(*i)), fail, bindings);
                }
            }
            PatternKind::Variant { datatype, variant, args } => {
                let mut inside = place.clone();
                if matches!(self.types().kind(ty), TyKind::Datatype(_)) {
                    self.require(Rvalue::IsVariant(place, *datatype, *variant), fail, span);
                    inside = inside.then(Proj::Variant(*datatype, *variant));
                }
                for (i, part) in args.iter().enumerate() {
                    self.test(part, inside.clone().then(Proj::Field(i as u32)), fail, bindings);
                }
            }
        }
    }

    /// Goes on if the condition holds, else to `fail`.
    fn require(&mut self, cond: Rvalue, fail: BlockId, span: Span) {
        let cond = self.in_temp(cond, Ty::INT, span);
        let more = self.new_block();
        self.terminate(Terminator::If { cond, then: more, otherwise: fail }, span);
        self.start(more);
    }
}

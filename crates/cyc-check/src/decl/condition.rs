//! `@requires` on the members of a union (core, section 3.9).
//!
//! The judgement: either every member of an untagged union has a condition or none has. A condition compares one type-level
//! integer, the same for all members, with constants (`==`, `<`, `<=`, `>`, `>=`, joined by `&&`), so that it holds of the
//! integers of one interval; those of the members are disjoint. So the integer, which never changes, tells which member the
//! union has for all of its life: a member is reached only where its condition holds, by writing as by reading.

use crate::cx::Checker;
use crate::errors;
use crate::types::Position;
use cyc_syntax::ast::{self, BinOp, ExprKind};
use cyc_types::{Condition, Field, Size, TyKind};

impl Checker<'_> {
    /// The condition of a member, with its place; None if it has none, or one that is in error.
    pub(super) fn member_condition(&mut self, decl: &ast::FieldDecl) -> Option<Condition> {
        let written = decl.requires.as_ref()?;
        let found = self.interval(written);
        match found {
            Some((size @ Size::Var(_), low, high)) if low <= high => {
                let tag = self.unit.types.intern(TyKind::Tag(size));
                Some(Condition { tag, low, high })
            }
            Some((Size::Error, ..)) => None,
            _ => {
                self.report(errors::types::member_condition_form(written.span));
                None
            }
        }
    }

    /// The integer and the bounds within which the condition holds.
    fn interval(&mut self, e: &ast::Expr) -> Option<(Size, u64, u64)> {
        match &e.kind {
            ExprKind::And(a, b) => {
                let (size, low, high) = self.interval(a)?;
                let (other, from, to) = self.interval(b)?;
                (size == other).then_some((size, low.max(from), high.min(to)))
            }
            ExprKind::Binary(op, a, b) => {
                let (size, op, bound) = match (self.is_size(a), self.is_size(b)) {
                    (true, false) => (self.size_expr(a, Position::Field), *op, self.const_int(b)?),
                    (false, true) => (self.size_expr(b, Position::Field), mirrored(*op), self.const_int(a)?),
                    _ => return None,
                };
                let bound = u64::try_from(bound).ok()?;
                let (low, high) = match op {
                    BinOp::Eq => (bound, bound),
                    BinOp::Le => (0, bound),
                    BinOp::Lt => (0, bound.checked_sub(1)?),
                    BinOp::Ge => (bound, u64::MAX),
                    BinOp::Gt => (bound.checked_add(1)?, u64::MAX),
                    _ => return None,
                };
                Some((size, low, high))
            }
            _ => None,
        }
    }

    /// Have all members conditions, or none, and which exclude each other?
    pub(super) fn check_conditions(&mut self, def: &ast::AggrDef, fields: &[Field]) {
        let Some(first) = def.fields.iter().find_map(|f| f.requires.as_ref()) else { return };
        if !def.is_union || def.tagged || def.name.is_none() {
            self.report(errors::types::member_condition_elsewhere(first.span));
            return;
        }
        if let Some(free) = def.fields.iter().find(|f| f.requires.is_none()) {
            self.report(errors::types::member_without_condition(free.span, first.span));
        }
        for (i, field) in fields.iter().enumerate() {
            let Some(condition) = &field.when else { continue };
            let clash = |other: &&Field| {
                let other = other.when.as_ref();
                other.is_some_and(|other| {
                    other.tag != condition.tag || other.low <= condition.high && condition.low <= other.high
                })
            };
            if let Some(other) = fields[..i].iter().find(clash) {
                self.report(errors::types::member_conditions_overlap(field.span, other.span));
                return;
            }
        }
    }
}

/// The comparison with its operands exchanged.
fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Gt => BinOp::Lt,
        BinOp::Le => BinOp::Ge,
        BinOp::Ge => BinOp::Le,
        op => op,
    }
}

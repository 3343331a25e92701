//! What tests and checks establish.

use super::Bounds;
use super::facts::Facts;
use super::terms::{Kind, Term, ZERO};
use cyc_mir::mir::*;
use cyc_mir::types::int_shape;
use cyc_types::{Bound, Ty};
use smallvec::SmallVec;

/// A comparison of two integers.
#[derive(Clone, Copy)]
pub(super) struct Comparison<'m> {
    pub op: BinOp,
    pub a: &'m Operand,
    pub b: &'m Operand,
}

/// The comparison that holds when this one does not.
fn opposite(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Ge,
        BinOp::Ge => BinOp::Lt,
        BinOp::Gt => BinOp::Le,
        BinOp::Le => BinOp::Gt,
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        other => other,
    }
}

/// The right side that a local got in the block, before statement `end`, if what it reads has not been written since.
pub(super) fn definition<'m>(body: &Body, block: &'m Block, end: usize, local: Local) -> Option<(usize, &'m Rvalue)> {
    for (index, stmt) in block.stmts[..end].iter().enumerate().rev() {
        let StmtKind::Assign(place, rvalue) = &stmt.kind else { continue };
        if place.as_local() == Some(local) {
            return unchanged(body, &block.stmts[index + 1..end], local, rvalue).then_some((index, rvalue));
        }
    }
    None
}

/// Do the statements, and the assignment to `written` before them, leave alone what the right side reads? (Only steps that are easily judged count.)
fn unchanged(body: &Body, between: &[Stmt], written: Local, rvalue: &Rvalue) -> bool {
    let mut reads = SmallVec::<[Local; 4]>::new();
    let mut memory = false;
    rvalue.for_each_operand(&mut |operand| {
        if let Operand::Copy(place) = operand {
            crate::place::each_local_of(place, &mut |local| reads.push(local));
            memory |= place.through_pointer() || matches!(place.base, Base::Global(_));
        }
    });
    if reads.contains(&written) {
        return false;
    }
    memory |= reads.iter().any(|local| body.locals[local.0 as usize].address_taken);
    between.iter().all(|stmt| match &stmt.kind {
        StmtKind::Check(_) | StmtKind::Removed(..) => true,
        StmtKind::Assign(place, _) => match place.within_local() {
            Some(local) => !(reads.contains(&local) || memory && body.locals[local.0 as usize].address_taken),
            None => !memory,
        },
        StmtKind::Uninit(_)
        | StmtKind::Call { .. }
        | StmtKind::Alloc(_)
        | StmtKind::Swap(..)
        | StmtKind::SetTag(..)
        | StmtKind::Asm(_)
        | StmtKind::PushRegion { .. }
        | StmtKind::PopRegion(_)
        | StmtKind::OpenKey { .. }
        | StmtKind::CloseKey(_)
        | StmtKind::EndLoan(_)
        | StmtKind::Dead(_)
        | StmtKind::PopHandler(_) => false,
    })
}

impl Bounds<'_> {
    /// What is known on an edge out of the block. False: it is never taken.
    pub(super) fn taken(&mut self, body: &Body, facts: &mut Facts, block: &Block, edge: usize) -> bool {
        match &block.term {
            // (A branch on a constant has one edge.)
            Terminator::If { cond: cond @ Operand::Copy(_), .. } => {
                let (end, holds) = (block.stmts.len(), edge == 0);
                let comparison = self.comparison(body, block, end, cond);
                if self.truth(body, facts, cond, comparison) == Some(!holds) {
                    return false;
                }
                self.assume(body, facts, block, end, (cond, comparison), holds);
            }
            Terminator::Switch { on, cases, .. } => {
                if let (Some((value, _)), Some((term, by))) = (cases.get(edge), self.operand(body, on))
                    && let Some(c) = i64::try_from(*value).ok().and_then(|value| value.checked_sub(by))
                {
                    facts.equate(&self.terms, term, ZERO, c);
                }
                if edge < cases.len() && cases[edge].0 != 0 {
                    self.not_zero(body, facts, block, block.stmts.len(), on);
                }
            }
            Terminator::If { .. }
            | Terminator::Goto(_)
            | Terminator::Try { .. }
            | Terminator::Throw(_)
            | Terminator::Rethrow(_)
            | Terminator::Return(_)
            | Terminator::MissingReturn
            | Terminator::Unreachable => return true,
        }
        facts.settle_casts(&self.terms, &mut self.search.borrow_mut());
        self.settle_counts(body, facts);
        true
    }

    /// Where `numelts` is not 0, it is the index after the last, and 0 is in bounds.
    fn settle_counts(&mut self, body: &Body, facts: &mut Facts) {
        let mut counts = SmallVec::<[Term; 4]>::new();
        for term in facts.terms() {
            if self.terms.kind(term) == Kind::Count && !counts.contains(&term) {
                counts.push(term);
            }
        }
        for count in counts {
            let Some(place) = self.terms.place(count).cloned() else { continue };
            if self.at_most(facts, ZERO, count, -1)
                && let Some(low) = self.terms.get(body, Kind::Low, &place)
                && let Some(high) = self.terms.get(body, Kind::High, &place)
            {
                facts.learn(&self.terms, low, ZERO, 0);
                facts.equate(&self.terms, high, count, 0);
            }
        }
    }

    /// The comparison whose outcome an operand holds, and whether it is the outcome or its opposite.
    pub(super) fn comparison<'m>(
        &self,
        body: &Body,
        block: &'m Block,
        end: usize,
        cond: &'m Operand,
    ) -> Option<(Comparison<'m>, bool)> {
        let Operand::Copy(place) = cond else { return None };
        let (at, rvalue) = definition(body, block, end, place.as_local()?)?;
        match rvalue {
            Rvalue::Binary(op, a, b, ty) if compares(*op) && self.is_integer(*ty) => {
                Some((Comparison { op: *op, a, b }, true))
            }
            Rvalue::Unary(UnOp::Not, inner, _) => {
                let (comparison, holds) = self.comparison(body, block, at, inner)?;
                Some((comparison, !holds))
            }
            Rvalue::Use(inner) => self.comparison(body, block, at, inner),
            _ => None,
        }
    }

    fn is_integer(&self, ty: Ty) -> bool {
        int_shape(&self.terms.unit.types, ty).is_some_and(|(bits, _)| bits <= 64)
    }

    /// `cond`, evaluated before statement `end` and the outcome of that comparison, is true or false.
    fn assume(
        &mut self,
        body: &Body,
        facts: &mut Facts,
        block: &Block,
        end: usize,
        (cond, comparison): (&Operand, Option<(Comparison, bool)>),
        truth: bool,
    ) {
        if let Some((comparison, holds)) = comparison {
            self.compared(body, facts, block, end, comparison, holds == truth);
        }
        if truth {
            self.not_zero(body, facts, block, end, cond);
        } else if let Some((term, by)) = self.operand(body, cond) {
            facts.equate(&self.terms, term, ZERO, -by);
        }
    }

    fn compared(
        &mut self,
        body: &Body,
        facts: &mut Facts,
        block: &Block,
        end: usize,
        Comparison { op, a, b }: Comparison,
        holds: bool,
    ) {
        let op = if holds { op } else { opposite(op) };
        if let (Some((s, by)), Some((t, off))) = (self.operand(body, a), self.operand(body, b))
            && let Some(apart) = off.checked_sub(by)
        {
            // `s + by op t + off`
            match op {
                BinOp::Lt => facts.learn(&self.terms, s, t, apart.saturating_sub(1)),
                BinOp::Le => facts.learn(&self.terms, s, t, apart),
                BinOp::Gt => facts.learn(&self.terms, t, s, apart.saturating_neg().saturating_sub(1)),
                BinOp::Ge => facts.learn(&self.terms, t, s, apart.saturating_neg()),
                BinOp::Eq => facts.equate(&self.terms, s, t, apart),
                _ => {
                    // Not equal: an end of what is known moves.
                    if self.bound(facts, s, t) == Some(apart) {
                        facts.learn(&self.terms, s, t, apart.saturating_sub(1));
                    }
                    if self.bound(facts, t, s) == apart.checked_neg() {
                        facts.learn(&self.terms, t, s, apart.saturating_neg().saturating_sub(1));
                    }
                }
            }
        }
        for (one, other) in [(a, b), (b, a)] {
            let differs = match op {
                BinOp::Ne => other.as_int() == Some(0),
                BinOp::Eq => other.as_int().is_some_and(|value| value != 0),
                // (Of a number only the zero-terminated sequence that it is an element of learns by this.)
                _ if !self.terms.scans => false,
                _ => {
                    let (low, high) = self.interval(body, facts, one);
                    low.is_some_and(|low| low > 0) || high.is_some_and(|high| high < 0)
                }
            };
            if differs {
                self.not_zero(body, facts, block, end, one);
            }
        }
    }

    /// The operand is not zero; if it is an element of a zero-terminated sequence, that goes on behind it.
    fn not_zero(&mut self, body: &Body, facts: &mut Facts, block: &Block, end: usize, operand: &Operand) {
        let Operand::Copy(place) = operand else { return };
        if let Some((term, _)) = self.operand(body, operand) {
            if self.at_most(facts, ZERO, term, 0) {
                facts.learn(&self.terms, ZERO, term, -1);
            } else if self.at_most(facts, term, ZERO, 0) {
                facts.learn(&self.terms, term, ZERO, -1);
            }
        }
        if !self.terms.scans {
            return;
        }
        self.element_not_zero(body, facts, place);
        let Some((at, rvalue)) = place.as_local().and_then(|local| definition(body, block, end, local)) else { return };
        match rvalue {
            Rvalue::Use(inner) => self.not_zero(body, facts, block, at, inner),
            Rvalue::Arith(inner, from, to) if self.is_integer(*from) && self.is_integer(*to) => {
                self.not_zero(body, facts, block, at, inner);
            }
            _ => {}
        }
    }

    fn element_not_zero(&mut self, body: &Body, facts: &mut Facts, place: &Place) {
        let Some((Proj::Deref(index), pointer)) = place.proj.split_last() else { return };
        let pointer = Place { base: place.base, proj: pointer.to_vec() };
        let Some(reach) = self.terms.get(body, Kind::Reach, &pointer) else { return };
        let (term, by) = match index {
            None => (ZERO, 0),
            Some(index) => match self.operand(body, index) {
                Some(at) => at,
                None => return,
            },
        };
        // The first zero is not before this element (the access has been checked), nor is it this one.
        if self.at_most(facts, ZERO, term, by) && self.at_most(facts, term, reach, by.saturating_neg()) {
            facts.learn(&self.terms, term, reach, by.saturating_neg().saturating_sub(1));
        }
    }

    // ------------------------------------------------------------ checks

    /// The check, statement `index` of the block, has succeeded.
    pub(super) fn succeeded(&mut self, body: &Body, facts: &mut Facts, block: &Block, index: usize, check: &CheckKind) {
        match check {
            CheckKind::Index { index, len } => {
                if let Some((term, by)) = self.operand(body, index)
                    && let Ok(len) = i64::try_from(*len)
                {
                    facts.learn(&self.terms, term, ZERO, len.saturating_sub(1).saturating_sub(by));
                    facts.learn(&self.terms, ZERO, term, by);
                }
            }
            CheckKind::FatBounds { ptr: Operand::Copy(ptr), index, count } => {
                self.in_bounds(body, facts, ptr, index, *count);
            }
            CheckKind::ZeroScan { ptr: Operand::Copy(ptr), index } => {
                if let Some((term, by)) = self.operand(body, index) {
                    facts.learn(&self.terms, ZERO, term, by);
                    if let Some(reach) = self.terms.get(body, Kind::Reach, ptr) {
                        facts.learn(&self.terms, term, reach, by.saturating_neg());
                    }
                }
            }
            CheckKind::ZeroStep { ptr: Operand::Copy(ptr) } => {
                if let Some(reach) = self.terms.get(body, Kind::Reach, ptr) {
                    facts.learn(&self.terms, ZERO, reach, -1);
                }
            }
            CheckKind::Assert(cond) => {
                let comparison = self.comparison(body, block, index, cond);
                self.assume(body, facts, block, index, (cond, comparison), true);
            }
            _ => return,
        }
        facts.settle_casts(&self.terms, &mut self.search.borrow_mut());
    }

    /// The elements `index .. index + count` of a fat pointer are in bounds.
    fn in_bounds(&mut self, body: &Body, facts: &mut Facts, ptr: &Place, index: &Operand, count: u64) {
        let [Some(low), Some(high)] = [Kind::Low, Kind::High].map(|kind| self.terms.get(body, kind, ptr)) else {
            return;
        };
        let (Some((term, by)), Ok(count)) = (self.operand(body, index), i64::try_from(count)) else { return };
        // The check adds position and index modulo 2^64; that is their sum unless the index is enormous.
        let (least, most) = self.interval(body, facts, index);
        let enormous = 1 << 62;
        if !(least.is_some_and(|i| i >= -enormous) && most.is_some_and(|i| i <= enormous)) {
            return;
        }
        let room = by.saturating_neg().saturating_sub(count);
        // Facts that follow already would only make the set larger.
        if self.at_most(facts, low, term, by) && self.at_most(facts, term, high, room) {
            return;
        }
        facts.learn(&self.terms, low, term, by);
        facts.learn(&self.terms, term, high, room);
        if self.at_most(facts, low, ZERO, 0)
            && self.at_most(facts, ZERO, high, 0)
            && let Some(count) = self.terms.get(body, Kind::Count, ptr)
        {
            facts.equate(&self.terms, count, high, 0);
        }
    }

    /// Is the pointer thin (so that its target's zero, not its bounds, ends the sequence)?
    pub(super) fn is_thin(&self, body: &Body, ptr: &Operand) -> bool {
        let ty = crate::place::operand_type(self.terms.unit, body, ptr);
        self.terms.unit.types.as_pointer(ty).is_some_and(|ptr| ptr.bound != Bound::Fat)
    }
}

pub(super) fn compares(op: BinOp) -> bool {
    matches!(op, BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne)
}

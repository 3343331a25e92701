//! Which checks follow from the facts, and why.

use super::Bounds;
use super::facts::Facts;
use super::terms::{Kind, ZERO};
use super::tests::Comparison;
use cyc_mir::mir::*;

impl Bounds<'_> {
    /// Why the check before statement `at` of the block always succeeds, if that is known.
    pub(super) fn proof(
        &mut self,
        body: &Body,
        facts: &Facts,
        block: &Block,
        at: usize,
        check: &CheckKind,
    ) -> Option<Fact> {
        let holds = match check {
            CheckKind::Index { index, len } => {
                let (low, high) = self.interval(body, facts, index);
                low.is_some_and(|low| low >= 0) && high.is_some_and(|high| u64::try_from(high).is_ok_and(|h| h < *len))
            }
            CheckKind::FatBounds { ptr: Operand::Copy(ptr), index, count } => {
                self.fat_holds(body, facts, ptr, index, *count)
            }
            CheckKind::FatOrNull { ptr: Operand::Copy(ptr), count } => {
                self.fat_holds(body, facts, ptr, &Operand::int(0, cyc_types::Ty::INT), *count)
            }
            CheckKind::ZeroScan { ptr: Operand::Copy(ptr), index } => self.reaches(body, facts, ptr, index, 0),
            CheckKind::ZeroStep { ptr: Operand::Copy(ptr) } => {
                self.reaches(body, facts, ptr, &Operand::int(0, cyc_types::Ty::INT), 1)
            }
            CheckKind::ZeroWrite { ptr: ptr @ Operand::Copy(place), index, .. } if self.is_thin(body, ptr) => {
                self.reaches(body, facts, place, index, 1)
            }
            CheckKind::ZeroWrite { ptr: Operand::Copy(ptr), index, .. } => self.fat_holds(body, facts, ptr, index, 2),
            CheckKind::ZeroLast { index, len, .. } => {
                let last = i64::try_from(*len).ok().and_then(|len| len.checked_sub(1));
                self.interval(body, facts, index).1.zip(last).is_some_and(|(high, last)| high < last)
            }
            CheckKind::Assert(cond) => {
                let comparison = self.comparison(body, block, at, cond);
                return (self.truth(body, facts, cond, comparison)?).then_some(Fact::Holds);
            }
            _ => false,
        };
        let zero = matches!(check, CheckKind::ZeroScan { .. } | CheckKind::ZeroStep { .. });
        holds.then_some(if zero { Fact::BeforeZero } else { Fact::InBounds })
    }

    /// Are elements `index .. index + count` of a fat pointer in bounds?
    fn fat_holds(&mut self, body: &Body, facts: &Facts, ptr: &Place, index: &Operand, count: u64) -> bool {
        let (Some((term, by)), Ok(count)) = (self.operand(body, index), i64::try_from(count)) else { return false };
        let room = by.saturating_neg().saturating_sub(count);
        if let Some(high) = self.terms.get(body, Kind::High, ptr)
            && let Some(low) = self.terms.get(body, Kind::Low, ptr)
            && self.at_most(facts, term, high, room)
            && self.at_most(facts, low, term, by)
        {
            return true;
        }
        // Not negative and below `numelts`.
        self.terms
            .get(body, Kind::Count, ptr)
            .is_some_and(|numelts| self.at_most(facts, term, numelts, room) && self.at_most(facts, ZERO, term, by))
    }

    /// Is there no zero among the elements up to `index + more`, that one not included?
    fn reaches(&mut self, body: &Body, facts: &Facts, ptr: &Place, index: &Operand, more: i64) -> bool {
        let Some((term, by)) = self.operand(body, index) else { return false };
        let Some(reach) = self.terms.get(body, Kind::Reach, ptr) else { return false };
        self.at_most(facts, ZERO, term, by)
            && self.at_most(facts, term, reach, by.saturating_neg().saturating_sub(more))
    }

    /// What is known of the two sides of a comparison, for a message.
    pub(super) fn known(
        &mut self,
        body: &Body,
        facts: &Facts,
        block: &Block,
        at: usize,
        cond: &Operand,
    ) -> Option<String> {
        let (Comparison { a, b, .. }, _) = self.comparison(body, block, at, cond)?;
        let mut parts = vec![];
        for side in [a, b] {
            let Operand::Copy(place) = side else { continue };
            let Some(name) = crate::place::describe(self.terms.unit, body, place) else { continue };
            let of_type = super::terms::int_range(self.terms.unit, crate::place::type_of(self.terms.unit, body, place));
            let range = self.interval(body, facts, side);
            parts.push(match range {
                (Some(low), Some(high)) if of_type != Some(range) => format!("`{name}` is from {low} to {high}"),
                (Some(low), None) if low != 0 => format!("`{name}` is at least {low}"),
                _ => format!("nothing of `{name}` alone"),
            });
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Whether a condition, the outcome of that comparison, is known to be true or to be false.
    pub(super) fn truth(
        &mut self,
        body: &Body,
        facts: &Facts,
        cond: &Operand,
        comparison: Option<(Comparison, bool)>,
    ) -> Option<bool> {
        let (low, high) = self.interval(body, facts, cond);
        if low.is_some_and(|low| low > 0) || high.is_some_and(|high| high < 0) {
            return Some(true);
        }
        if (low, high) == (Some(0), Some(0)) {
            return Some(false);
        }
        let (Comparison { op, a, b }, positive) = comparison?;
        let (s, by) = self.operand(body, a)?;
        let (t, off) = self.operand(body, b)?;
        // `a - b` lies between these.
        let apart = by.checked_sub(off)?;
        let high = self.bound(facts, s, t).and_then(|c| c.checked_add(apart));
        let low = self.bound(facts, t, s).and_then(i64::checked_neg).and_then(|c| c.checked_add(apart));
        let below = |c: i64| high.is_some_and(|high| high < c);
        let above = |c: i64| low.is_some_and(|low| low > c);
        let known = match op {
            BinOp::Lt if below(0) => true,
            BinOp::Lt if above(-1) => false,
            BinOp::Le if below(1) => true,
            BinOp::Le if above(0) => false,
            BinOp::Gt if above(0) => true,
            BinOp::Gt if below(1) => false,
            BinOp::Ge if above(-1) => true,
            BinOp::Ge if below(0) => false,
            BinOp::Eq | BinOp::Ne if below(0) || above(0) => op == BinOp::Ne,
            BinOp::Eq | BinOp::Ne if below(1) && above(-1) => op == BinOp::Eq,
            _ => return None,
        };
        Some(known == positive)
    }
}

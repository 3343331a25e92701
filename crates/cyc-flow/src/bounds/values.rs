//! What an assignment says about the new value: its distance from other terms. Operations wrap; a distance is given
//! only where the facts show that this one does not.

use super::facts::Facts;
use super::terms::{Kind, Term, ZERO, int_range};
use super::{Bounds, Interval};
use crate::place;
use cyc_mir::mir::*;
use cyc_mir::types::{int_shape, is_fat, same_in_c};
use cyc_types::{Bound, Ty};

/// The new number `x` of a place: `low <= x - of <= high`.
pub(super) struct Distance {
    of: Term,
    low: Option<i64>,
    high: Option<i64>,
}

impl Distance {
    fn exactly(of: Term, by: i64) -> Distance {
        Distance { of, low: Some(by), high: Some(by) }
    }

    fn between((low, high): Interval) -> Distance {
        Distance { of: ZERO, low, high }
    }
}

/// `a + b` of ends that are known; None if unknown or too large to matter.
fn sum(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}

fn negative(a: Option<i64>) -> Option<i64> {
    a?.checked_neg()
}

impl Bounds<'_> {
    /// Records in `facts` what is known of the numbers of the new value, under the names of [`Kind::new_value`]; which
    /// kinds of numbers these are.
    pub(super) fn new_value(
        &mut self,
        body: &Body,
        facts: &mut Facts,
        place: &Place,
        rvalue: &Rvalue,
    ) -> &'static [Kind] {
        let unit = self.terms.unit;
        // That a value is not zero concerns the sequences in memory, whatever the place.
        let in_memory = place.through_pointer() || matches!(place.base, Base::Global(_));
        let concerns_memory = in_memory && !self.terms.in_memory().is_empty();
        if !self.terms.concern(place) && !concerns_memory {
            return &[];
        }
        let ty = place::type_of(unit, body, place);
        if int_shape(&unit.types, ty).is_some() {
            let mut distances = std::mem::take(&mut self.distances);
            self.number(body, facts, rvalue, ty, &mut distances);
            for distance in distances.drain(..) {
                self.record(facts, Kind::Value, distance);
            }
            self.distances = distances;
            return &[Kind::Value];
        }
        if is_fat(&unit.types, ty) {
            self.fat(body, facts, rvalue, ty);
            return &[Kind::Low, Kind::High, Kind::Count];
        }
        if self.terms.get(body, Kind::Reach, place).is_some()
            && let Some(distance) = self.reach(body, facts, rvalue, ty)
        {
            self.record(facts, Kind::Reach, distance);
            return &[Kind::Reach];
        }
        &[]
    }

    pub(super) fn record(&mut self, facts: &mut Facts, kind: Kind, Distance { of, low, high }: Distance) {
        let new = kind.new_value();
        if let Some(high) = high {
            facts.learn(&self.terms, new, of, high);
        }
        if let Some(low) = negative(low) {
            facts.learn(&self.terms, of, new, low);
        }
    }

    // ------------------------------------------------------------ integers

    /// The distances of a new integer from other numbers, into `out`.
    fn number(&mut self, body: &Body, facts: &mut Facts, rvalue: &Rvalue, ty: Ty, out: &mut Vec<Distance>) {
        let truth = Distance::between((Some(0), Some(1)));
        match rvalue {
            Rvalue::Use(a) => out.extend(self.converted(body, facts, a, ty)),
            Rvalue::Arith(a, _, to) if *to == ty => out.extend(self.converted(body, facts, a, ty)),
            Rvalue::Binary(op, a, b, at) => match op {
                BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => out.push(truth),
                _ if *at == ty => self.arithmetic(body, facts, *op, (a, b), ty, out),
                _ => {}
            },
            Rvalue::Unary(UnOp::Not, ..)
            | Rvalue::IsNonNull(_)
            | Rvalue::IsVariant(..)
            | Rvalue::PtrCompare(BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne, ..) => {
                out.push(truth)
            }
            Rvalue::Unary(UnOp::Neg, a, at) if *at == ty => {
                let (low, high) = self.interval(body, facts, a);
                out.extend(self.fitting((negative(high), negative(low)), ty));
            }
            Rvalue::FatNumelts(Operand::Copy(ptr)) if ty == Ty::ULONG => {
                let count = self.terms.get(body, Kind::Count, ptr);
                out.extend(count.map(|count| Distance::exactly(count, 0)));
            }
            _ => {}
        }
    }

    /// An interval, if all of it is of the type: then nothing wraps.
    fn fitting(&self, interval: Interval, ty: Ty) -> Option<Distance> {
        self.fits(interval, ty).then(|| Distance::between(interval))
    }

    fn fits(&self, (low, high): Interval, ty: Ty) -> bool {
        let Some((min, max)) = int_range(self.terms.unit, ty) else { return false };
        // A range that is missing an end reaches beyond `i64`.
        let (Some(low), Some(high)) = (low, high) else { return false };
        min.is_none_or(|min| min <= low) && max.is_none_or(|max| high <= max)
    }

    /// A conversion between integer types.
    fn converted(&mut self, body: &Body, facts: &mut Facts, a: &Operand, ty: Ty) -> Option<Distance> {
        let unit = self.terms.unit;
        let from = place::operand_type(unit, body, a);
        let (Some((from_bits, from_signed)), Some((bits, signed))) =
            (int_shape(&unit.types, from), int_shape(&unit.types, ty))
        else {
            return None;
        };
        let (term, by) = self.operand(body, a)?;
        let always = from_signed == signed && from_bits <= bits || !from_signed && from_bits < bits;
        if always || self.fits(self.interval_at(facts, (term, by)), ty) {
            return Some(Distance::exactly(term, by));
        }
        if !signed && from_signed && from_bits <= bits && bits <= 64 && by == 0 && term != ZERO {
            facts.learn_cast(Kind::Value.new_value(), term);
        }
        None
    }

    fn arithmetic(
        &mut self,
        body: &Body,
        facts: &Facts,
        op: BinOp,
        (a, b): (&Operand, &Operand),
        ty: Ty,
        out: &mut Vec<Distance>,
    ) {
        if matches!(op, BinOp::BitOr | BinOp::BitXor | BinOp::Shl) {
            return;
        }
        let (x, y) = (self.interval(body, facts, a), self.interval(body, facts, b));
        // The distance from an operand is the other operand, or less.
        let mut from = |this: &mut Self, operand: &Operand, (low, high): Interval| {
            if let Some((of, by)) = this.operand(body, operand).filter(|(of, _)| *of != ZERO) {
                out.push(Distance { of, low: sum(low, Some(by)), high: sum(high, Some(by)) });
            }
        };
        let result = match op {
            BinOp::Add => {
                let result = (sum(x.0, y.0), sum(x.1, y.1));
                if self.fits(result, ty) {
                    from(self, a, y);
                    from(self, b, x);
                }
                result
            }
            BinOp::Sub => {
                let apart = self.apart(body, facts, a, b);
                let result = (greater(sum(x.0, negative(y.1)), apart.0), lesser(sum(x.1, negative(y.0)), apart.1));
                if self.fits(result, ty) {
                    from(self, a, (negative(y.1), negative(y.0)));
                }
                result
            }
            BinOp::Mul => corners(x, y, i64::checked_mul),
            BinOp::Div if y.0.is_some_and(|low| low >= 1) => {
                if x.0.is_some_and(|low| low >= 0) {
                    // Dividing something by two or more leaves less of it.
                    let less = x.0 >= Some(1) && y.0 >= Some(2);
                    from(self, a, (None, Some(-i64::from(less))));
                }
                corners(x, y, i64::checked_div)
            }
            BinOp::Rem if y.0.is_some_and(|low| low >= 1) => {
                let most = y.1.and_then(|high| high.checked_sub(1));
                if x.0.is_some_and(|low| low >= 0) {
                    from(self, a, (None, Some(0)));
                    from(self, b, (None, Some(-1)));
                    (Some(0), lesser(most, x.1))
                } else {
                    (negative(most), most)
                }
            }
            BinOp::BitAnd => {
                let masks = [(a, x), (b, y)].into_iter().filter(|(_, interval)| interval.0.is_some_and(|low| low >= 0));
                let mut high = None;
                let mut any = false;
                for (mask, interval) in masks {
                    any = true;
                    high = lesser(high, interval.1);
                    from(self, mask, (None, Some(0)));
                }
                if any { (Some(0), high) } else { (None, None) }
            }
            BinOp::Shr if y.0 == y.1 && y.0.is_some_and(|by| (0..64).contains(&by)) => {
                if x.0.is_some_and(|low| low >= 0) {
                    from(self, a, (None, Some(0)));
                }
                let by = y.0.unwrap_or(0);
                let (bits, _) = int_shape(&self.terms.unit.types, ty).unwrap_or((64, true));
                if by >= i64::from(bits) { (None, None) } else { (x.0.map(|v| v >> by), x.1.map(|v| v >> by)) }
            }
            _ => (None, None),
        };
        // What is not known to stay in the type may have wrapped; the operations below cannot wrap.
        let cannot_wrap = matches!(op, BinOp::Div | BinOp::Rem | BinOp::BitAnd | BinOp::Shr);
        if cannot_wrap || self.fits(result, ty) {
            out.push(Distance::between(result));
        }
    }

    /// What is known of `a - b` by relations between the two.
    fn apart(&mut self, body: &Body, facts: &Facts, a: &Operand, b: &Operand) -> Interval {
        let (Some((s, by)), Some((t, off))) = (self.operand(body, a), self.operand(body, b)) else {
            return (None, None);
        };
        let Some(more) = by.checked_sub(off) else { return (None, None) };
        let high = sum(self.bound(facts, s, t), Some(more));
        let low = sum(negative(self.bound(facts, t, s)), Some(more));
        (low, high)
    }

    /// An integer operand as a term and a distance from it.
    pub(super) fn operand(&mut self, body: &Body, operand: &Operand) -> Option<(Term, i64)> {
        match operand {
            Operand::Const(Const::Int(value, _)) => Some((ZERO, i64::try_from(*value).ok()?)),
            Operand::Copy(place) => Some((self.terms.get(body, Kind::Value, place)?, 0)),
            Operand::Const(_) => None,
        }
    }

    /// The least and the greatest value an integer operand can have.
    pub(super) fn interval(&mut self, body: &Body, facts: &Facts, operand: &Operand) -> Interval {
        match self.operand(body, operand) {
            Some(at) => self.interval_at(facts, at),
            None => {
                let ty = place::operand_type(self.terms.unit, body, operand);
                int_range(self.terms.unit, ty).unwrap_or((None, None))
            }
        }
    }

    /// The least and the greatest value of `term + by`.
    fn interval_at(&self, facts: &Facts, (term, by): (Term, i64)) -> Interval {
        if term == ZERO {
            return (Some(by), Some(by));
        }
        let high = sum(self.bound(facts, term, ZERO), Some(by));
        let low = sum(negative(self.bound(facts, ZERO, term)), Some(by));
        (low, high)
    }

    // ------------------------------------------------------------ pointers

    /// Are positions of the two fat pointers counted in the same elements?
    fn same_elements(&self, a: Ty, b: Ty) -> bool {
        let types = &self.terms.unit.types;
        match (types.as_pointer(a), types.as_pointer(b)) {
            (Some(a), Some(b)) => a.bound == b.bound && same_in_c(types, a.to.ty, b.to.ty),
            _ => false,
        }
    }

    fn fat(&mut self, body: &Body, facts: &mut Facts, rvalue: &Rvalue, ty: Ty) {
        let start = Distance::exactly(ZERO, 0);
        match rvalue {
            Rvalue::Use(Operand::Const(Const::Null(_) | Const::Zero(_))) => {
                self.record(facts, Kind::High, Distance::exactly(ZERO, 0));
                self.record(facts, Kind::Count, Distance::exactly(ZERO, 0));
                self.record(facts, Kind::Low, start);
            }
            Rvalue::Use(Operand::Copy(from)) | Rvalue::Retype(Operand::Copy(from), _)
                if self.same_elements(place::type_of(self.terms.unit, body, from), ty) =>
            {
                self.moved(body, facts, from, (Some(0), Some(0)));
            }
            Rvalue::FatAdd { ptr: Operand::Copy(from), index, negate } => {
                let (low, high) = self.interval(body, facts, index);
                let by = if *negate { (negative(high), negative(low)) } else { (low, high) };
                if self.stays_countable(body, facts, from, by) {
                    self.moved(body, facts, from, by);
                }
            }
            Rvalue::FatMake { ptr, len, .. } => {
                let from = place::operand_type(self.terms.unit, body, ptr);
                let sure = self.terms.unit.types.as_pointer(from).is_some_and(|ptr| !ptr.nullable);
                let most = self.interval(body, facts, len).1;
                self.record(facts, Kind::Low, start);
                if let Some((of, by)) = self.operand(body, len)
                    && most.is_some_and(|most| most <= self.terms.most_elements())
                {
                    let low = sure.then_some(by);
                    self.record(facts, Kind::High, Distance { of, low, high: Some(by) });
                    self.record(facts, Kind::High, Distance { of: ZERO, low: Some(0), high: None });
                    facts.equate(&self.terms, Kind::Count.new_value(), Kind::High.new_value(), 0);
                }
            }
            Rvalue::FatDropZero(Operand::Copy(from), _) => {
                let [Some(low), Some(high)] = [Kind::Low, Kind::High].map(|kind| self.terms.get(body, kind, from))
                else {
                    return;
                };
                // The length gets less by one unless it is 0.
                let some = self.bound(facts, low, high).is_some_and(|c| c <= -1);
                let most = Some(if some { -1 } else { 0 });
                self.record(facts, Kind::Low, Distance::exactly(low, 0));
                self.record(facts, Kind::High, Distance { of: high, low: Some(-1), high: most });
            }
            _ => {}
        }
    }

    /// The new pointer is `from`, moved by some number of elements, and its position has not wrapped.
    fn moved(&mut self, body: &Body, facts: &mut Facts, from: &Place, by: Interval) {
        let back = (negative(by.1), negative(by.0));
        let [low, high, count] = [Kind::Low, Kind::High, Kind::Count].map(|kind| self.terms.get(body, kind, from));
        for (kind, term) in [(Kind::Low, low), (Kind::High, high)] {
            if let Some(of) = term {
                self.record(facts, kind, Distance { of, low: back.0, high: back.1 });
            }
        }
        if let Some(of) = count.filter(|_| by == (Some(0), Some(0))) {
            self.record(facts, Kind::Count, Distance::exactly(of, 0));
        }
    }

    /// Does the position of `from`, moved by `by`, fit its width?
    fn stays_countable(&mut self, body: &Body, facts: &Facts, from: &Place, by: Interval) -> bool {
        let [Some(low), Some(high)] = [Kind::Low, Kind::High].map(|kind| self.terms.get(body, kind, from)) else {
            return false;
        };
        let (Some(least), Some(most)) = by else { return false };
        let (min, max) = if self.terms.wide() { (i64::MIN, i64::MAX) } else { (-0x8000_0000, 0x7fff_ffff) };
        // The position is `-Low`; it is at most the length when `High` is not negative.
        let position = (negative(self.bound(facts, low, ZERO)), self.bound(facts, ZERO, low));
        let fits_below = sum(position.0, Some(least)).is_some_and(|at| at >= min);
        let fits_above = sum(position.1, Some(most)).is_some_and(|at| at <= max)
            || self.bound(facts, ZERO, high).is_some_and(|c| most.checked_add(c).is_some_and(|c| c <= 0));
        fits_below && fits_above
    }

    /// The distance of the first zero of a thin zero-terminated pointer.
    fn reach(&mut self, body: &Body, facts: &Facts, rvalue: &Rvalue, ty: Ty) -> Option<Distance> {
        match rvalue {
            Rvalue::Use(Operand::Copy(from)) | Rvalue::Retype(Operand::Copy(from), _) => {
                let from_ty = place::type_of(self.terms.unit, body, from);
                let of = self.terms.get(body, Kind::Reach, from)?;
                let thin = |ty| self.terms.unit.types.as_pointer(ty).is_some_and(|ptr| ptr.bound != Bound::Fat);
                let types = &self.terms.unit.types;
                let (a, b) = (types.as_pointer(from_ty)?, types.as_pointer(ty)?);
                (thin(from_ty) && same_in_c(types, a.to.ty, b.to.ty)).then(|| Distance::exactly(of, 0))
            }
            Rvalue::ThinAdd { ptr: Operand::Copy(from), index, negate: false } => {
                let of = self.terms.get(body, Kind::Reach, from)?;
                let (low, high) = self.interval(body, facts, index);
                // Steps over elements that are not zero.
                let (term, by) = self.operand(body, index)?;
                let inside = sum(self.bound(facts, term, of), Some(by)).is_some_and(|c| c <= 0);
                let forward = low.is_some_and(|low| low >= 0);
                (inside && forward).then(|| Distance { of, low: negative(high), high: negative(low) })
            }
            _ => None,
        }
    }
}

fn lesser(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn greater(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// The interval of an operation that is monotone in each operand.
fn corners(x: Interval, y: Interval, op: impl Fn(i64, i64) -> Option<i64>) -> Interval {
    let (Some(a), Some(b), Some(c), Some(d)) = (x.0, x.1, y.0, y.1) else { return (None, None) };
    let all = [op(a, c), op(a, d), op(b, c), op(b, d)];
    match all {
        [Some(p), Some(q), Some(r), Some(s)] => (Some(p.min(q).min(r).min(s)), Some(p.max(q).max(r).max(s))),
        _ => (None, None),
    }
}

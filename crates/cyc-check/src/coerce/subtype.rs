//! Structural subtyping of pointer targets (core, section 4.3; memory, section 2.6): a pointer to a longer object used
//! as a pointer to a prefix of it, and pointers within it, where they are `const`, as pointers to prefixes again.

use crate::cx::Checker;
use crate::region::RegionReason;
use cyc_types::{Aqual, Bound, Fold, PtrTy, QTy, Region, Ty, TyKind, Types};

/// One part of a flattened type, at its place.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Atom {
    qty: QTy,
    /// In bits from the start of the object.
    offset: u64,
    bits: Option<u32>,
}

/// A question of subtyping: it is answered first, and what the answer demands of regions is recorded then.
struct Question {
    why: RegionReason,
    record: bool,
    /// Alias qualifiers are not looked at.
    any_qualifier: bool,
    /// Pairs that are being compared, and hold while they are (rule 3 of memory, section 2.6).
    assumed: Vec<(QTy, QTy)>,
}

/// Makes types equal that differ in alias qualifiers and regions only.
struct WithoutQualifiers;

impl Fold for WithoutQualifiers {
    fn aqual(&mut self, _: &Types, _: Aqual) -> Aqual {
        Aqual::Aliasable
    }

    fn region(&mut self, _: &Types, _: Region) -> Region {
        Region::Heap
    }
}

/// Types that grow with every step are given up here.
const DEEPEST: usize = 64;

impl Checker<'_> {
    /// Is the object `from` also a `to`, as far as `to` goes? Regions within become equal, but those of pointers in
    /// `const` positions (memory, section 2.6): these may point to subtypes, and into what lives longer.
    pub(crate) fn is_subtype(&mut self, from: QTy, to: QTy, why: RegionReason) -> bool {
        self.asked_twice(why, |cx, question| cx.subtype(from, to, question))
    }

    /// May a pointer `p` be read as a `q` wherever it lies, nothing being stored there as a `q`? The representation is
    /// the same.
    pub(crate) fn is_covariant(&mut self, p: PtrTy, q: PtrTy, why: RegionReason) -> bool {
        self.asked_twice(why, |cx, question| cx.depth_subtype(p, q, question))
    }

    fn asked_twice(&mut self, why: RegionReason, ask: impl Fn(&mut Self, &mut Question) -> bool) -> bool {
        let question = |record| Question { why, record, any_qualifier: false, assumed: vec![] };
        ask(self, &mut question(false)) && ask(self, &mut question(true))
    }

    /// Is it only for alias qualifiers within that a pointer to `from` is no pointer to `to`?
    pub(super) fn differs_in_qualifiers(&mut self, from: QTy, to: QTy) -> bool {
        let plain =
            |cx: &Self, qty: QTy| QTy { ty: cx.unit.types.fold(cx.final_type(qty.ty), &mut WithoutQualifiers), ..qty };
        let (from, to) = (plain(self, from), plain(self, to));
        let why = RegionReason::new(cyc_base::Span::NONE, crate::region::Flow::Value);
        let mut question = Question { why, record: false, any_qualifier: true, assumed: vec![] };
        self.may_equal(from.ty, to.ty) || self.subtype(from, to, &mut question)
    }

    fn subtype(&mut self, from: QTy, to: QTy, question: &mut Question) -> bool {
        let (from, to) = (QTy { ty: self.resolve(from.ty), ..from }, QTy { ty: self.resolve(to.ty), ..to });
        if from.is_const && !to.is_const {
            return false;
        }
        if !self.splits(from.ty) && !self.splits(to.ty) {
            return self.part_fits(from, to, false, question);
        }
        if question.assumed.contains(&(from, to)) {
            return true;
        }
        if question.assumed.len() > DEEPEST {
            return false;
        }
        if let Some(first) = self.leading(from, to) {
            return !question.record || self.unify(first, to.ty, question.why.span);
        }
        question.assumed.push((from, to));
        let (mut source, mut target) = (vec![], vec![]);
        if !self.flatten(from, 0, &mut source) || !self.flatten(to, 0, &mut target) {
            return false;
        }
        // The target may itself be an atom of the source that could be split: compare at equal depth.
        if target.len() > source.len() {
            return false;
        }
        let (object, seen) = (self.layout_of(from.ty), self.layout_of(to.ty));
        // Copying a whole `to` reaches its end, and may rely on its alignment.
        if object.zip(seen).is_some_and(|(object, seen)| seen.size > object.size || seen.align > object.align) {
            return false;
        }
        // Assigning a whole `to` may overwrite its padding: nothing of `from` may lie there.
        let end = seen.map_or(0, |l| l.size * 8);
        if !to.is_const && source.get(target.len()).is_some_and(|next| next.offset < end) {
            return false;
        }
        source.iter().zip(&target).all(|(s, t)| {
            (s.offset, s.bits) == (t.offset, t.bits)
                && (t.qty.is_const || !s.qty.is_const)
                && self.part_fits(s.qty, t.qty, true, question)
        })
    }

    /// The first field of the object, or of its first field and so on, if it is a `to`: where it lies and what follows it
    /// depends on no layout, so that type variables may be among the fields.
    fn leading(&self, from: QTy, to: QTy) -> Option<Ty> {
        if matches!(self.kind_of(to.ty), TyKind::Infer(_)) {
            return None;
        }
        let mut at = from;
        for _ in 0..DEEPEST {
            let first = match self.kind_of(at.ty) {
                TyKind::Tuple(parts) => *parts.first()?,
                TyKind::Aggr(id) => {
                    let aggr = self.unit.types.aggr(*id);
                    let first = self.unit.types.fields(*id)?.first()?;
                    if aggr.is_union || !aggr.exists.is_empty() || first.bits.is_some() {
                        return None;
                    }
                    first.qty
                }
                _ => return None,
            };
            at = QTy { is_const: at.is_const || first.is_const, ..first };
            if (to.is_const || !at.is_const) && self.may_equal(at.ty, to.ty) {
                return Some(at.ty);
            }
        }
        None
    }

    /// Equal, a number of the same width, a variant for its sum, or in a `const` position a pointer by the depth rule.
    /// `part`: of a larger object.
    fn part_fits(&mut self, s: QTy, t: QTy, part: bool, question: &mut Question) -> bool {
        let span = question.why.span;
        if part && self.may_equal(s.ty, t.ty) {
            return !question.record || self.unify(s.ty, t.ty, span);
        }
        if self.same_number(s.ty, t.ty) {
            return true;
        }
        if part && let Some(sum) = self.sum_of_variant(s.ty, t.ty) {
            return !question.record || self.unify(sum, t.ty, span);
        }
        match (self.pointer_of(s.ty), self.pointer_of(t.ty)) {
            (Some(p), Some(q)) => t.is_const && self.depth_subtype(p, q, question),
            _ => false,
        }
    }

    /// The depth rule (memory, section 2.6): `p` seen as a `q` that is never written. What must not be copied may be seen
    /// as `RESTRICTED`, and as nothing else: nothing is moved by looking at it through another type.
    fn depth_subtype(&mut self, p: PtrTy, q: PtrTy, question: &mut Question) -> bool {
        let bounds = match (p.bound, q.bound) {
            (Bound::Fat, Bound::Fat) => true,
            (Bound::Thin(n), Bound::Thin(m)) => n >= m,
            _ => false,
        };
        let (have, want) = (self.resolve_aqual_value(p.aqual), self.resolve_aqual_value(q.aqual));
        let constant = matches!(have, Aqual::Aliasable | Aqual::Unique | Aqual::Refcnt);
        let inferred = matches!(have, Aqual::Infer(_)) || matches!(want, Aqual::Infer(_));
        let fits = bounds
            && (have == want || inferred || constant && want == Aqual::Restricted || question.any_qualifier)
            && p.zeroterm == q.zeroterm
            && (q.nullable || !p.nullable)
            && (q.to.is_const || !p.to.is_const);
        // The first use fixes what is still to be inferred.
        if !fits || question.record && inferred && !self.equate_aquals(have, want, question.why) {
            return false;
        }
        let below = if self.may_equal(p.to.ty, q.to.ty) {
            !question.record || self.unify(p.to.ty, q.to.ty, question.why.span)
        } else {
            q.bound == Bound::Thin(1) && !q.zeroterm && self.subtype(p.to, q.to, question)
        };
        if below && question.record {
            self.pointer_flow(q.aqual, p.region, q.region, question.why);
        }
        below
    }

    /// `datatype D` for a `datatype D.V` at the end of an object that is seen as one that ends in a `datatype D`.
    fn sum_of_variant(&self, from: Ty, to: Ty) -> Option<Ty> {
        let (TyKind::Variant(d, _), TyKind::Datatype(e)) = (self.kind_of(from), self.kind_of(to)) else { return None };
        let sum = self.unit.types.intern(TyKind::Datatype(*d));
        (self.unit.types.same_datatype_def(*d, *e) && self.may_equal(sum, to)).then_some(sum)
    }

    /// Is the type replaced by its parts when it is flattened? Not one that hides types: what it hides must go with all the
    /// parts that speak of it, so that it is overwritten as a whole only.
    fn splits(&self, ty: Ty) -> bool {
        match self.kind_of(ty) {
            TyKind::Tuple(_) => true,
            TyKind::Aggr(id) => {
                let aggr = self.unit.types.aggr(*id);
                !aggr.is_union && aggr.exists.is_empty() && aggr.fields.is_some()
            }
            _ => false,
        }
    }

    /// Appends the atoms of a type that lies `at` bits from the start; false if its layout is not known.
    fn flatten(&mut self, qty: QTy, at: u64, out: &mut Vec<Atom>) -> bool {
        let parts: Vec<(QTy, Option<u32>)> = match self.kind_of(qty.ty) {
            TyKind::Tuple(parts) => parts.iter().map(|p| (*p, None)).collect(),
            TyKind::Aggr(id) if self.splits(qty.ty) => {
                let fields = self.unit.types.fields(*id).unwrap_or_default();
                fields.iter().map(|f| (f.qty, f.bits)).collect()
            }
            _ => {
                out.push(Atom { qty, offset: at, bits: None });
                return true;
            }
        };
        let Some(offsets) = self.part_offsets(qty.ty) else { return false };
        for ((part, bits), offset) in parts.into_iter().zip(offsets) {
            let part = QTy { is_const: part.is_const || qty.is_const, ..part };
            let offset = at + offset;
            match bits {
                Some(_) => out.push(Atom { qty: part, offset, bits }),
                None if !self.flatten(part, offset, out) => return false,
                None => {}
            }
        }
        true
    }

    /// Where the parts of a struct or tuple begin, in bits.
    fn part_offsets(&self, ty: Ty) -> Option<Vec<u64>> {
        let bits = |offsets: &[(u64, u8)]| offsets.iter().map(|(byte, bit)| byte * 8 + u64::from(*bit)).collect();
        match self.kind_of(ty) {
            TyKind::Tuple(parts) => Some(bits(&self.unit.types.tuple_layout(parts)?.offsets)),
            TyKind::Aggr(id) => Some(bits(&self.unit.types.aggr_layout(*id)?.offsets)),
            _ => None,
        }
    }

    /// Integers of one width, whatever their sign and name.
    pub(super) fn same_number(&self, a: Ty, b: Ty) -> bool {
        use super::Num;
        let (a, b) = (self.resolve(a), self.resolve(b));
        let bits = |ty| match self.unit.types.kind(ty) {
            TyKind::Int(_) => Num::of(&self.unit.types, ty).map(|n| n.bits),
            _ => None,
        };
        let subset = |ty| self.unit.types.subset_of(ty).map(|(_, id)| id);
        bits(a).is_some() && bits(a) == bits(b) && subset(a) == subset(b)
    }
}

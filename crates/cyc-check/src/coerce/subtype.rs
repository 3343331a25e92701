//! Structural subtyping of pointer targets (core, section 4.3): a pointer to a longer object used
//! as a pointer to a prefix of it.

use crate::cx::Checker;
use crate::region::RegionReason;
use cyc_types::{QTy, Ty, TyKind};

/// One part of a flattened type, at its place.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Atom {
    qty: QTy,
    /// In bits from the start of the object.
    offset: u64,
    bits: Option<u32>,
}

impl Checker<'_> {
    /// Is the object `from` also a `to`, as far as `to` goes? Regions within become equal.
    pub(crate) fn is_subtype(&mut self, from: QTy, to: QTy, why: RegionReason) -> bool {
        if !self.splits(from.ty) && !self.splits(to.ty) {
            return self.same_number(from.ty, to.ty) && (to.is_const || !from.is_const);
        }
        let (mut source, mut target) = (vec![], vec![]);
        if !self.flatten(from, 0, &mut source) || !self.flatten(to, 0, &mut target) {
            return false;
        }
        // The target may itself be an atom of the source that could be split: compare at equal depth.
        if target.len() > source.len() {
            return false;
        }
        // Assigning a whole `to` may overwrite its padding: nothing of `from` may lie there.
        let end = self.layout_of(to.ty).map_or(0, |l| l.size * 8);
        if !to.is_const && source.get(target.len()).is_some_and(|next| next.offset < end) {
            return false;
        }
        let fits = source.iter().zip(&target).all(|(s, t)| {
            (s.offset, s.bits) == (t.offset, t.bits)
                && (t.qty.is_const || !s.qty.is_const)
                && (self.may_equal(s.qty.ty, t.qty.ty)
                    || self.same_number(s.qty.ty, t.qty.ty)
                    || self.sum_of_variant(s.qty.ty, t.qty.ty).is_some())
        });
        if fits {
            for (s, t) in source.iter().zip(&target) {
                let part = self.sum_of_variant(s.qty.ty, t.qty.ty).unwrap_or(s.qty.ty);
                self.unify(part, t.qty.ty, why.span);
            }
        }
        fits
    }

    /// `datatype D` for a `datatype D.V` at the end of an object that is seen as one that ends in a `datatype D`.
    fn sum_of_variant(&self, from: Ty, to: Ty) -> Option<Ty> {
        let (TyKind::Variant(d, _), TyKind::Datatype(e)) = (self.kind_of(from), self.kind_of(to)) else { return None };
        let sum = self.unit.types.intern(TyKind::Datatype(*d));
        (self.unit.types.same_datatype_def(*d, *e) && self.may_equal(sum, to)).then_some(sum)
    }

    /// Is the type replaced by its parts when it is flattened?
    fn splits(&self, ty: Ty) -> bool {
        match self.kind_of(ty) {
            TyKind::Tuple(_) => true,
            TyKind::Aggr(id) => {
                let aggr = self.unit.types.aggr(*id);
                !aggr.is_union && aggr.fields.is_some()
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
    fn same_number(&self, a: Ty, b: Ty) -> bool {
        use super::Num;
        let (a, b) = (self.resolve(a), self.resolve(b));
        let bits = |ty| match self.unit.types.kind(ty) {
            TyKind::Int(_) => Num::of(&self.unit.types, ty).map(|n| n.bits),
            _ => None,
        };
        bits(a).is_some() && bits(a) == bits(b)
    }
}

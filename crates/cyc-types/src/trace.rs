//! Where pointers may lie in an object: what a collector is told (memory, section 10.3). Whatever is not known to hold none
//! counts as a pointer.

use crate::ty::*;

/// What eight bytes of an object may hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Word {
    /// Padding, or numbers of four bytes: hardly an address. (Those of objects lie between 2^42 and 2^47, and in few pieces of that:
    /// the upper number would have to be one of some hundred values, and the lower one small.)
    Small,
    /// Numbers that could look like an address.
    Number,
    Pointer,
}

/// Larger objects are not described word by word.
const MOST_WORDS: u64 = 1 << 12;

/// The words of a type while its parts are gone through.
struct Map {
    words: Vec<Word>,
}

impl Map {
    /// `size` bytes from `offset` hold numbers.
    fn number(&mut self, offset: u64, size: u64) {
        let small = size == 4 || offset.is_multiple_of(8) && size < 4;
        self.cover(offset, size, if small { Word::Small } else { Word::Number });
    }

    fn cover(&mut self, offset: u64, size: u64, as_what: Word) {
        for i in offset / 8..(offset + size).div_ceil(8) {
            if let Some(word) = self.words.get_mut(i as usize) {
                *word = as_what.max(*word);
            }
        }
    }
}

impl Types {
    /// What each word of an object of the type may hold. None: any may hold a pointer, or the object's size is not known.
    pub fn words(&self, ty: Ty) -> Option<Vec<Word>> {
        let size = self.layout(ty)?.size;
        if size.div_ceil(8) > MOST_WORDS {
            return (!self.may_point(ty)).then(Vec::new);
        }
        let mut map = Map { words: vec![Word::Small; size.div_ceil(8) as usize] };
        self.map(ty, 0, &mut map)?;
        // Words that repeat must be whole.
        let points = map.words.contains(&Word::Pointer);
        (!points || size.is_multiple_of(8)).then_some(map.words)
    }

    fn map(&self, ty: Ty, offset: u64, map: &mut Map) -> Option<()> {
        let size = self.layout(ty)?.size;
        match self.kind(ty) {
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) | TyKind::Enum(_) => {
                map.number(offset, size);
            }
            TyKind::Tag(_) | TyKind::AqualHandle(_) => map.number(offset, size),
            TyKind::Pointer(PtrTy { bound: Bound::Fat, .. }) => {
                map.cover(offset, 8, Word::Pointer);
                map.number(offset + 8, size - 8);
            }
            TyKind::Pointer(_) | TyKind::Abstract(..) | TyKind::Handle(_) | TyKind::VaList => {
                map.cover(offset, size, Word::Pointer);
            }
            TyKind::Array { elem, len, .. } => {
                let step = self.layout(elem.ty)?.size;
                for i in 0..(*len)? {
                    self.map(elem.ty, offset + i * step, map)?;
                }
            }
            TyKind::Tuple(parts) => {
                let layout = self.tuple_layout(parts)?;
                for (part, (at, _)) in parts.iter().zip(&layout.offsets) {
                    self.map(part.ty, offset + at, map)?;
                }
            }
            TyKind::Aggr(id) if self.aggr(*id).is_union => {
                let what = if self.may_point(ty) { Word::Pointer } else { Word::Number };
                map.cover(offset, size, what);
            }
            TyKind::Aggr(id) => self.map_struct(*id, offset, map)?,
            TyKind::Variant(id, variant) => {
                let tag = if self.datatype(*id).extensible { 8 } else { 4 };
                let mut at = tag;
                map.number(offset, tag);
                for field in self.variant_fields(*id, *variant)? {
                    let layout = self.layout(field.ty)?;
                    at = at.next_multiple_of(layout.align);
                    self.map(field.ty, offset + at, map)?;
                    at += layout.size;
                }
            }
            TyKind::Void | TyKind::Datatype(_) | TyKind::Function(_) | TyKind::Var(_) | TyKind::OpenArray { .. } => {
                return None;
            }
            TyKind::Infer(_) | TyKind::Error => return None,
        }
        Some(())
    }

    fn map_struct(&self, id: AggrId, offset: u64, map: &mut Map) -> Option<()> {
        let id = self.packed_aggr(id);
        let layout = self.aggr_layout(id)?;
        for (field, (at, _)) in self.fields(id)?.iter().zip(&layout.offsets) {
            let at = offset + at;
            match field.bits {
                Some(_) => map.cover(at, self.layout(field.qty.ty)?.size, Word::Number),
                None => self.map(field.qty.ty, at, map)?,
            }
        }
        Some(())
    }

    /// May an object of the type hold a pointer?
    pub fn may_point(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) | TyKind::Enum(_) => false,
            TyKind::Tag(_) | TyKind::AqualHandle(_) => false,
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => self.may_point(elem.ty),
            TyKind::Tuple(parts) => parts.iter().any(|part| self.may_point(part.ty)),
            TyKind::Aggr(id) => {
                let fields = self.fields(self.packed_aggr(*id));
                fields.is_none_or(|fields| fields.iter().any(|field| self.may_point(field.qty.ty)))
            }
            _ => true,
        }
    }

    /// May an object of the type hold an array, so that C code comes to have a pointer just past its end?
    pub fn may_hold_array(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Array { .. } | TyKind::OpenArray { .. } | TyKind::Var(_) | TyKind::Datatype(_) | TyKind::Void => {
                true
            }
            TyKind::Tuple(parts) => parts.iter().any(|part| self.may_hold_array(part.ty)),
            TyKind::Aggr(id) => {
                let fields = self.fields(self.packed_aggr(*id));
                fields.is_none_or(|fields| fields.iter().any(|field| self.may_hold_array(field.qty.ty)))
            }
            TyKind::Variant(id, variant) => {
                let fields = self.variant_fields(*id, *variant);
                fields.is_none_or(|fields| fields.iter().any(|field| self.may_hold_array(field.ty)))
            }
            _ => false,
        }
    }
}

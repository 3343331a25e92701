//! Sizes, alignments and offsets, in bytes, as gcc and clang lay objects out for x86-64 System V.

use crate::ty::*;
use std::rc::Rc;

/// Size and alignment of a type, in bytes. The size is a multiple of the alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
}

impl Layout {
    const fn scalar(size: u64) -> Layout {
        Layout { size, align: size }
    }
}

/// A thin pointer: one word.
pub const THIN_POINTER: Layout = Layout::scalar(8);

/// Words of a fat pointer, as `runtime/include/cyc_fat.h` has them by default.
pub const FAT_WORDS: u8 = 2;

/// The largest object: sizes must fit a signed 64-bit integer.
pub const MAX_SIZE: u64 = i64::MAX as u64;

/// The layout of a struct, union or tuple.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AggrLayout {
    pub whole: Layout,
    /// Offset of each field: bytes, and for bit-fields the bit within that byte.
    pub offsets: Vec<(u64, u8)>,
}

impl IntTy {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            IntTy::Char | IntTy::SChar | IntTy::UChar => 8,
            IntTy::Short | IntTy::UShort => 16,
            IntTy::Int | IntTy::UInt => 32,
            IntTy::Long | IntTy::ULong | IntTy::LongLong | IntTy::ULongLong => 64,
            IntTy::Int128 | IntTy::UInt128 => 128,
        }
    }

    /// Does the type hold negative values? (Plain `char` does, as on x86-64.)
    pub fn signed(self) -> bool {
        use IntTy::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    /// The value reduced to what the type holds, as C's conversion does on two's complement.
    pub fn wrap(self, value: i128) -> i128 {
        let bits = self.bits();
        if bits == 128 {
            return value;
        }
        let low = value & ((1i128 << bits) - 1);
        if self.signed() && low >> (bits - 1) & 1 == 1 { low - (1i128 << bits) } else { low }
    }

    /// Can the type hold the value?
    pub fn holds(self, value: i128) -> bool {
        self.wrap(value) == value && (self.signed() || value >= 0 || self.bits() < 128)
    }
}

impl FloatTy {
    pub fn layout(self) -> Layout {
        match self {
            FloatTy::Float => Layout::scalar(4),
            FloatTy::Double => Layout::scalar(8),
            FloatTy::LongDouble | FloatTy::Float128 => Layout::scalar(16),
        }
    }
}

impl Types {
    /// The alignment of a type, if it is stricter than what the run time gives each object.
    pub fn strict_alignment(&self, ty: Ty) -> Option<u64> {
        const GIVEN: u64 = 16;
        self.layout(ty).map(|layout| layout.align).filter(|align| *align > GIVEN)
    }

    /// Size and alignment; None for types without known size (void, functions, incomplete types,
    /// datatypes) and for objects larger than [`MAX_SIZE`].
    pub fn layout(&self, ty: Ty) -> Option<Layout> {
        match self.kind(ty) {
            TyKind::Void | TyKind::Function(_) | TyKind::Datatype(_) | TyKind::OpenArray { .. } => None,
            TyKind::Infer(_) | TyKind::Error => None,
            // A variable's size is that of what it is instantiated with.
            TyKind::Var(_) => None,
            TyKind::Abstract(id, _) => (self.abstract_type(*id).kind == crate::Kind::B).then_some(THIN_POINTER),
            TyKind::Tag(_) | TyKind::Handle(_) | TyKind::AqualHandle(_) => Some(THIN_POINTER),
            TyKind::Bool => Some(Layout::scalar(1)),
            TyKind::Int(int) => Some(Layout::scalar(int.bits() as u64 / 8)),
            TyKind::Float(float) => Some(float.layout()),
            TyKind::Complex(float) => {
                let part = float.layout();
                Some(Layout { size: 2 * part.size, align: part.align })
            }
            TyKind::VaList => Some(Layout { size: 24, align: 8 }),
            TyKind::Enum(_) if !self.is_complete(ty) => None,
            TyKind::Enum(id) => Some(Layout::scalar(self.enumeration(*id).underlying.bits() as u64 / 8)),
            TyKind::Pointer(PtrTy { bound: Bound::Fat, .. }) => {
                Some(Layout { size: 8 * u64::from(self.fat_words), align: 8 })
            }
            TyKind::Pointer(_) => Some(THIN_POINTER),
            TyKind::Array { elem, len, .. } => {
                let elem = self.layout(elem.ty)?;
                let size = elem.size.checked_mul((*len)?).filter(|s| *s <= MAX_SIZE)?;
                Some(Layout { size, align: elem.align })
            }
            TyKind::Tuple(parts) => Some(self.tuple_layout(parts)?.whole),
            TyKind::Aggr(_) if !self.is_complete(ty) => None,
            TyKind::Aggr(id) => Some(self.aggr_layout(*id)?.whole),
            TyKind::Variant(datatype, variant) => {
                let Layout { size, align } = self.variant_fields_layout(*datatype, *variant)?;
                let align = align.max(self.datatype_align(*datatype));
                Some(Layout { size: size.checked_next_multiple_of(align)?, align })
            }
        }
    }

    /// A variant's tag and components, as C lays them out in sequence.
    fn variant_fields_layout(&self, datatype: DatatypeId, variant: u32) -> Option<Layout> {
        let mut fields = vec![self.tag_layout(datatype)];
        for field in self.variant_fields(datatype, variant)? {
            fields.push(self.layout(field.ty)?);
        }
        Some(in_sequence(&fields)?.whole)
    }

    /// What every object of a datatype begins with.
    fn tag_layout(&self, datatype: DatatypeId) -> Layout {
        if self.datatype(datatype).extensible { THIN_POINTER } else { Layout::scalar(4) }
    }

    /// The alignment of every variant of a datatype, in bytes: that of the strictest, so that a struct that ends in
    /// the datatype has it in the same place whatever the variant. Variants of an extensible datatype are not
    /// all known; one that is stricter than a word is not at home in such a struct.
    pub fn datatype_align(&self, datatype: DatatypeId) -> u64 {
        if self.datatype(datatype).extensible {
            return THIN_POINTER.align;
        }
        let variants = 0..self.datatype(datatype).variants.len() as u32;
        variants.filter_map(|v| self.variant_fields_layout(datatype, v)).map(|l| l.align).max().unwrap_or(4)
    }

    /// Size and alignment of one member of a `@tagged union` with its tag, and the offset of the value within:
    /// each is `struct { int tag; T value; }` (core, appendix D).
    pub fn member_layout(&self, ty: Ty) -> Option<(Layout, u64)> {
        let layout = in_sequence(&[Layout::scalar(4), self.layout(ty)?])?;
        Some((layout.whole, layout.offsets[1].0))
    }

    pub fn tuple_layout(&self, parts: &[QTy]) -> Option<AggrLayout> {
        let parts: Option<Vec<Layout>> = parts.iter().map(|p| self.layout(p.ty)).collect();
        in_sequence(&parts?)
    }

    /// The layout of a complete struct or union; computed once.
    pub fn aggr_layout(&self, id: AggrId) -> Option<Rc<AggrLayout>> {
        if let Some(known) = self.layouts.borrow().get(&id) {
            return Some(known.clone());
        }
        let layout = Rc::new(self.place_fields(id)?);
        self.layouts.borrow_mut().insert(id, layout.clone());
        Some(layout)
    }

    fn place_fields(&self, id: AggrId) -> Option<AggrLayout> {
        let (aggr, fields) = (self.aggr(id), self.fields(id)?);
        let mut placer = Placer { bit: 0, end: 0, align: 1, is_union: aggr.is_union };
        let mut offsets = vec![];
        for (i, field) in fields.iter().enumerate() {
            let layout = match self.kind(field.qty.ty) {
                // A flexible array member: no size of its own.
                TyKind::Array { elem, len: None, .. } | TyKind::OpenArray { elem, .. }
                    if i + 1 == fields.len() && !aggr.is_union =>
                {
                    Layout { size: 0, align: self.layout(elem.ty)?.align }
                }
                TyKind::Datatype(id) => Layout { align: self.datatype_align(*id), ..self.tag_layout(*id) },
                TyKind::Aggr(inner) if self.ends_open(field.qty.ty) => self.aggr_layout(*inner)?.whole,
                _ if aggr.tagged => {
                    let (member, value) = self.member_layout(field.qty.ty)?;
                    placer.field(member, aggr.packed || field.packed, field.align)?;
                    offsets.push((value, 0));
                    continue;
                }
                _ => self.layout(field.qty.ty)?,
            };
            let packed = aggr.packed || field.packed;
            let at = match field.bits {
                Some(width) => placer.bit_field(layout, width, packed, field.align, field.name.is_some())?,
                None => placer.field(layout, packed, field.align)?,
            };
            offsets.push((at / 8, (at % 8) as u8));
        }
        let align = placer.align.max(aggr.align.unwrap_or(1) as u64);
        let size = placer.end.max(placer.bit).div_ceil(8);
        let size = size.checked_next_multiple_of(align).filter(|s| *s <= MAX_SIZE)?;
        Some(AggrLayout { whole: Layout { size, align }, offsets })
    }

    /// The offset in bytes of a field that is not a bit-field.
    pub fn field_offset(&self, id: AggrId, field: u32) -> Option<u64> {
        if self.fields(id)?.get(field as usize)?.bits.is_some() {
            return None;
        }
        Some(self.aggr_layout(id)?.offsets[field as usize].0)
    }
}

/// Layout of a struct of plain fields.
fn in_sequence(fields: &[Layout]) -> Option<AggrLayout> {
    let mut placer = Placer { bit: 0, end: 0, align: 1, is_union: false };
    let offsets: Option<Vec<_>> = fields.iter().map(|f| Some((placer.field(*f, false, None)? / 8, 0))).collect();
    let size = placer.bit.div_ceil(8).checked_next_multiple_of(placer.align).filter(|s| *s <= MAX_SIZE)?;
    Some(AggrLayout { whole: Layout { size, align: placer.align }, offsets: offsets? })
}

/// Puts one field after the other. Positions are in bits.
struct Placer {
    /// The first bit not used yet.
    bit: u64,
    /// The end of the longest member of a union.
    end: u64,
    align: u64,
    is_union: bool,
}

impl Placer {
    fn place(&mut self, start: u64, bits: u64) -> Option<u64> {
        let end = start.checked_add(bits).filter(|e| *e <= MAX_SIZE)?;
        match self.is_union {
            true => self.end = self.end.max(end),
            false => self.bit = end,
        }
        Some(start)
    }

    fn field(&mut self, layout: Layout, packed: bool, aligned: Option<u32>) -> Option<u64> {
        let align = field_align(layout.align, packed, aligned);
        self.align = self.align.max(align);
        let start = self.bit.checked_next_multiple_of(align * 8)?;
        self.place(start, layout.size.checked_mul(8)?)
    }

    /// A bit-field may not straddle a boundary of its type's size, unless packed; width 0 moves on to
    /// the next such boundary. Unnamed ones do not count for the alignment of the whole.
    fn bit_field(
        &mut self,
        layout: Layout,
        width: u32,
        packed: bool,
        aligned: Option<u32>,
        named: bool,
    ) -> Option<u64> {
        let unit = layout.size * 8;
        let width = width as u64;
        let mut start = self.bit;
        if let Some(n) = aligned {
            start = start.checked_next_multiple_of(n as u64 * 8)?;
        }
        if width == 0 || (!packed && start % unit + width > unit) {
            start = start.checked_next_multiple_of(layout.align * 8)?;
        }
        if named {
            self.align = self.align.max(field_align(layout.align, packed, aligned));
        }
        self.place(start, width)
    }
}

fn field_align(natural: u64, packed: bool, aligned: Option<u32>) -> u64 {
    let least = if packed { 1 } else { natural };
    least.max(aligned.unwrap_or(1) as u64)
}

//! The types of places and operands, found by walking them.

use crate::mir::{Base, Const, LocalDecl, Operand, Place, Proj};
use cyc_check::tast::TypedUnit;
use cyc_types::{Bound, DatatypeId, IntTy, PtrTy, QTy, Ty, TyKind, Types};

/// The type of a place. A variant inside a datatype object need not have an interned type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceTy {
    Of(QTy),
    Variant(DatatypeId, u32),
}

impl PlaceTy {
    /// The type, `Ty::ERROR` for a bare variant.
    pub fn ty(self) -> Ty {
        match self {
            PlaceTy::Of(qty) => qty.ty,
            PlaceTy::Variant(..) => Ty::ERROR,
        }
    }
}

/// The type after one more step.
pub fn step(types: &Types, from: PlaceTy, proj: &Proj) -> PlaceTy {
    let error = QTy::from(Ty::ERROR);
    let qty = match (proj, from) {
        (Proj::Variant(datatype, variant), _) => return PlaceTy::Variant(*datatype, *variant),
        (Proj::Field(index), PlaceTy::Variant(datatype, variant)) => {
            types.variant_fields(datatype, variant).map_or(error, |fields| fields[*index as usize])
        }
        (Proj::Field(index), PlaceTy::Of(qty)) => match types.kind(qty.ty) {
            TyKind::Aggr(id) => {
                types.fields(types.packed_aggr(*id)).map_or(error, |fields| fields[*index as usize].qty)
            }
            TyKind::Tuple(parts) => parts[*index as usize],
            TyKind::Variant(datatype, variant) => {
                types.variant_fields(*datatype, *variant).map_or(error, |fields| fields[*index as usize])
            }
            _ => error,
        },
        (Proj::Deref(_), from) => types.as_pointer(from.ty()).map_or(error, |ptr| ptr.to),
        (Proj::Element(_), from) => match types.kind(from.ty()) {
            TyKind::Array { elem, .. } => *elem,
            _ => error,
        },
    };
    PlaceTy::Of(qty)
}

/// The type of what `base` names.
pub fn base_ty(unit: &TypedUnit, locals: &[LocalDecl], base: Base) -> PlaceTy {
    PlaceTy::Of(match base {
        Base::Local(local) => locals[local.0 as usize].qty,
        Base::Global(global) => unit.global(global).qty,
    })
}

pub fn place_ty(unit: &TypedUnit, locals: &[LocalDecl], place: &Place) -> PlaceTy {
    place.proj.iter().fold(base_ty(unit, locals, place.base), |ty, proj| step(&unit.types, ty, proj))
}

pub fn operand_ty(unit: &TypedUnit, locals: &[LocalDecl], operand: &Operand) -> Ty {
    match operand {
        Operand::Copy(place) => place_ty(unit, locals, place).ty(),
        Operand::Const(constant) => const_ty(constant),
    }
}

pub fn const_ty(constant: &Const) -> Ty {
    match constant {
        Const::Int(_, ty)
        | Const::Float(_, ty)
        | Const::Null(ty)
        | Const::Str(_, ty)
        | Const::WideStr(_, ty)
        | Const::Function(_, _, ty)
        | Const::Global(_, ty)
        | Const::Variant(.., ty)
        | Const::Zero(ty) => *ty,
        Const::SizeOf(_) | Const::AlignOf(_) => Ty::ULONG,
    }
}

/// Do two types have the same C type, so that a conversion between them is nothing in C?
/// Regions, nullability, bounds of thin pointers, conditions (`@subset`) and `const` do not exist there.
pub fn same_in_c(types: &Types, a: Ty, b: Ty) -> bool {
    let (a, b) = (types.without_subset(a), types.without_subset(b));
    if a == b {
        return true;
    }
    let all = |a: &[QTy], b: &[QTy]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_in_c(types, a.ty, b.ty));
    match (types.kind(a), types.kind(b)) {
        (TyKind::Pointer(p), TyKind::Pointer(q)) => {
            (p.bound == Bound::Fat) == (q.bound == Bound::Fat)
                && p.to.is_volatile == q.to.is_volatile
                && same_in_c(types, p.to.ty, q.to.ty)
        }
        (TyKind::Array { elem: a, len: m, .. }, TyKind::Array { elem: b, len: n, .. }) => {
            m == n && same_in_c(types, a.ty, b.ty)
        }
        (TyKind::Tuple(a), TyKind::Tuple(b)) => {
            a.len() == b.len()
                && a.iter().zip(b.iter()).all(|(a, b)| same_in_c(types, types.erase(a.ty), types.erase(b.ty)))
        }
        (TyKind::Aggr(a), TyKind::Aggr(b)) => {
            types.same_aggr_def(*a, *b) && types.erased_aggr(*a) == types.erased_aggr(*b)
        }
        (TyKind::Variant(a, v), TyKind::Variant(b, w)) => {
            v == w && types.same_datatype_def(*a, *b) && types.erased_datatype(*a) == types.erased_datatype(*b)
        }
        (TyKind::Datatype(a), TyKind::Datatype(b)) => types.same_datatype_def(*a, *b),
        (TyKind::Abstract(a, _), TyKind::Abstract(b, _)) => a == b,
        (TyKind::Tag(_), TyKind::Tag(_))
        | (TyKind::Handle(_), TyKind::Handle(_))
        | (TyKind::AqualHandle(_), TyKind::AqualHandle(_)) => true,
        // Pointers to both are tables of instances, or there is no instance to choose.
        (TyKind::Function(a), TyKind::Function(b)) if a.is_shaped() || b.is_shaped() => a.is_shaped() && b.is_shaped(),
        (TyKind::Function(a), TyKind::Function(b)) => {
            a.varargs == b.varargs && same_in_c(types, a.ret, b.ret) && all(&a.params, &b.params)
        }
        _ => false,
    }
}

pub fn is_fat(types: &Types, ty: Ty) -> bool {
    matches!(types.kind(ty), TyKind::Pointer(PtrTy { bound: Bound::Fat, .. }))
}

/// Width and signedness of an integer type of C on the LP64 target.
pub fn int_shape(types: &Types, ty: Ty) -> Option<(u32, bool)> {
    let int = match types.kind(ty) {
        TyKind::Int(int) => *int,
        TyKind::Enum(id) => types.enumeration(*id).underlying,
        _ => return None,
    };
    Some(match int {
        IntTy::Char | IntTy::SChar => (8, true),
        IntTy::UChar => (8, false),
        IntTy::Short => (16, true),
        IntTy::UShort => (16, false),
        IntTy::Int => (32, true),
        IntTy::UInt => (32, false),
        IntTy::Long | IntTy::LongLong => (64, true),
        IntTy::ULong | IntTy::ULongLong => (64, false),
        IntTy::Int128 => (128, true),
        IntTy::UInt128 => (128, false),
    })
}

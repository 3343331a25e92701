//! What a type's values may be: the judgements that other rules lean on.

use crate::kind::{Kind, Var};
use crate::ty::*;
use rustc_hash::FxHashSet;

impl Types {
    /// Does the type consist of numbers only, so that any bits are a value of it? Such objects may be
    /// read uninitialised and through untagged unions (core, sections 3.9 and 9.1).
    pub fn bits_only(&self, ty: Ty) -> bool {
        self.every_atom(ty, &mut FxHashSet::default(), &|_, kind| {
            matches!(kind, TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) | TyKind::Enum(_))
        })
    }

    /// Are all-zero bits a value of the type (core, section 5.11)?
    pub fn admits_zero(&self, ty: Ty) -> bool {
        self.every_atom(ty, &mut FxHashSet::default(), &|_, kind| match kind {
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) | TyKind::Enum(_) => true,
            TyKind::Pointer(ptr) => ptr.nullable,
            _ => false,
        })
    }

    /// Is every atom of the type, through arrays, tuples and aggregates, as `good` wants it? In a
    /// union one member decides for zero, but all are asked: the stricter answer is always safe.
    fn every_atom(&self, ty: Ty, seen: &mut FxHashSet<AggrId>, good: &dyn Fn(Ty, &TyKind) -> bool) -> bool {
        if self.subset_of(ty).is_some() {
            return false;
        }
        match self.kind(ty) {
            TyKind::Error => true,
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => self.every_atom(elem.ty, seen, good),
            TyKind::Tuple(parts) => parts.iter().all(|p| self.every_atom(p.ty, seen, good)),
            TyKind::Aggr(id) => {
                let Some(fields) = self.fields(*id) else { return false };
                // Not every bit pattern is a tag, and zero is none.
                if self.aggr(*id).tagged {
                    return false;
                }
                // Asked before: that answer stands or falls with the whole.
                !seen.insert(*id) || fields.iter().all(|f| self.every_atom(f.qty.ty, seen, good))
            }
            kind => good(ty, kind),
        }
    }

    /// May sequences of this element type be zero-terminated (core, section 3.6)?
    pub fn can_zeroterm(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_) | TyKind::Error => true,
            TyKind::Pointer(ptr) => ptr.nullable && ptr.bound != Bound::Fat,
            _ => false,
        }
    }

    /// `char`, `signed char` or `unsigned char`: pointers to these are zero-terminated unless they say otherwise.
    pub fn is_char(&self, ty: Ty) -> bool {
        matches!(ty, Ty::CHAR | Ty::SCHAR | Ty::UCHAR)
    }

    /// Does the type have a `const` member at any depth, so that it cannot be assigned as a whole?
    pub fn has_const_member(&self, ty: Ty) -> bool {
        self.const_member(ty, &mut FxHashSet::default(), &|_| false)
    }

    /// May an object of the type have a `const` part, so that nobody may overwrite the whole? Others may see that part as
    /// something of a narrower type (memory, section 2.6). `replaceable`: variables of types that have none.
    pub fn has_fixed_part(&self, ty: Ty, replaceable: &dyn Fn(Var) -> bool) -> bool {
        self.const_member(ty, &mut FxHashSet::default(), &|kind| match kind {
            TyKind::Var(var) => !replaceable(*var),
            TyKind::Abstract(id, _) => self.abstract_type(*id).kind != Kind::B,
            TyKind::Aggr(_) | TyKind::Datatype(_) | TyKind::Variant(..) => true,
            TyKind::Void | TyKind::Function(_) | TyKind::Infer(_) => true,
            _ => false,
        })
    }

    /// `unknown`: the answer for a part that is not looked into.
    fn const_member(&self, ty: Ty, seen: &mut FxHashSet<Ty>, unknown: &dyn Fn(&TyKind) -> bool) -> bool {
        match self.kind(ty) {
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => {
                elem.is_const || self.const_member(elem.ty, seen, unknown)
            }
            TyKind::Tuple(parts) => parts.iter().any(|p| p.is_const || self.const_member(p.ty, seen, unknown)),
            kind @ TyKind::Variant(datatype, variant) => match self.variant_fields(*datatype, *variant) {
                None => unknown(kind),
                Some(fields) => {
                    seen.insert(ty) && fields.iter().any(|f| f.is_const || self.const_member(f.ty, seen, unknown))
                }
            },
            TyKind::Aggr(id) if self.fields(*id).is_some() => {
                let fields = self.fields(*id).unwrap_or(&[]);
                // Asked before: that answer stands or falls with the whole.
                seen.insert(ty) && fields.iter().any(|f| f.qty.is_const || self.const_member(f.qty.ty, seen, unknown))
            }
            kind => unknown(kind),
        }
    }

    /// May the type, of unknown size, end a struct, which then is of unknown size too (core, sections 3.9 and 3.11)?
    /// Its alignment is known. (An array without length that ends a struct, as C has it, counts as empty.)
    pub fn ends_open(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Datatype(id) => self.datatype(*id).defined,
            TyKind::OpenArray { .. } => true,
            TyKind::Aggr(id) => self.fields(*id).is_some() && !self.aggr(*id).is_union && !self.is_complete(ty),
            _ => false,
        }
    }

    /// Can values of the type be held in variables: is it neither void, nor a function, nor of unknown size?
    pub fn is_complete(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Void | TyKind::Function(_) | TyKind::Datatype(_) | TyKind::OpenArray { .. } => false,
            TyKind::Array { elem, len, .. } => len.is_some() && self.is_complete(elem.ty),
            TyKind::Aggr(id) => match self.fields(*id) {
                None => false,
                Some(fields) => !fields.last().is_some_and(|last| self.ends_open(last.qty.ty)),
            },
            TyKind::Enum(id) => self.enumeration(*id).items.is_some(),
            _ => true,
        }
    }
}

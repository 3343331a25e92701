//! Alias qualifiers as judgements (memory, sections 0.4, 3.2 and 3.3): which values must not be copied.
//!
//! `params` are the variables of the function whose body the type stands in ([`Var::Param`]).

use crate::kind::{Aqual, TyParam, Var};
use crate::ty::*;
use rustc_hash::FxHashSet;

impl Types {
    /// The constant that bounds a qualifier from above.
    pub fn aqual_bound(&self, aqual: Aqual, params: &[TyParam]) -> Aqual {
        let declared = |var| match var {
            Var::Param(i) => params.get(i as usize).map_or(Aqual::Aliasable, |p| p.bound),
            // Bound by a type, not by the body: such a type has no values here.
            Var::Bound { .. } | Var::Own(_) => Aqual::Aliasable,
        };
        match aqual {
            Aqual::Var(var) => self.aqual_bound(declared(var), params),
            Aqual::Of(ty) => match self.kind(ty) {
                TyKind::Var(var) => self.aqual_bound(declared(*var), params),
                _ => Aqual::Aliasable,
            },
            Aqual::Infer(_) | Aqual::Error | Aqual::Autoreleased => Aqual::Aliasable,
            constant => constant,
        }
    }

    /// Is the type alias-restricted: a pointer or type variable whose values must not be copied?
    pub fn is_alias_restricted(&self, ty: Ty, params: &[TyParam]) -> bool {
        match self.kind(ty) {
            TyKind::Pointer(_) | TyKind::Var(_) => self.aqual_bound(self.aqual_of(ty), params) != Aqual::Aliasable,
            _ => false,
        }
    }

    /// Is the type a pointer that is the only one to its object, so that paths may go through it?
    pub fn is_unique_pointer(&self, ty: Ty, params: &[TyParam]) -> bool {
        self.as_pointer(ty).is_some_and(|ptr| self.aqual_bound(ptr.aqual, params) == Aqual::Unique)
    }

    /// Does a value of the type contain an alias-restricted one: itself, a part, or an element? Pointers are not looked
    /// through.
    pub fn carries_restricted(&self, ty: Ty, params: &[TyParam]) -> bool {
        self.carries(ty, params, &mut FxHashSet::default())
    }

    fn carries(&self, ty: Ty, params: &[TyParam], seen: &mut FxHashSet<AggrId>) -> bool {
        match self.kind(ty) {
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => self.carries(elem.ty, params, seen),
            TyKind::Tuple(parts) => parts.iter().any(|p| self.carries(p.ty, params, seen)),
            TyKind::Variant(id, variant) => {
                self.variant_fields(*id, *variant).unwrap_or_default().iter().any(|f| self.carries(f.ty, params, seen))
            }
            TyKind::Aggr(id) if seen.insert(*id) => {
                let fields = self.fields(self.packed_aggr(*id)).unwrap_or_default();
                fields.iter().any(|f| self.carries(f.qty.ty, params, seen))
            }
            _ => self.is_alias_restricted(ty, params),
        }
    }
}

//! The order of regions: `a ⊑ b`, "whenever all of `b` is live, all of `a` is" (memory, section 2.6).
//!
//! The facts it rests on, by the names of the reference:
//! - O1: the heap outlives everything;
//! - O2: what is in the capability where a block, a lexical region or an alias is entered outlives it: the function's
//!   effect outlives the function's own scope, a scope those within it;
//! - O3: an opened region outlives the scopes entered while it is open, and nothing but the heap is known to outlive it;
//! - O4: declared constraints, and those of what was unpacked;
//!
//! and transitivity. Everything here speaks of known regions: what is to be inferred is the solver's business.

use super::{RegionCx, ScopeKind};
use crate::cx::{Checker, FnCx};
use cyc_types::{Constraint, Region, ScopeId, TyKind, Types, Var};

/// The regions of one function.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    pub types: &'a Types,
    pub func: &'a FnCx,
    pub regions: &'a RegionCx,
}

impl Checker<'_> {
    pub(super) fn order(&self) -> Order<'_> {
        Order { types: &self.unit.types, func: &self.func, regions: &self.func.regions }
    }
}

impl Order<'_> {
    /// `longer ⊑ shorter`. Both may be sets: each region of the first outlives one of the second.
    pub fn outlives(self, longer: Region, shorter: Region) -> bool {
        self.holds(longer, shorter, &mut vec![])
    }

    /// `asked`: the questions that are being answered; one that leads back to itself is no reason.
    fn holds(self, longer: Region, shorter: Region, asked: &mut Vec<(Region, Region)>) -> bool {
        match (longer, shorter) {
            (Region::Heap | Region::Error, _) | (_, Region::Error) => return true,
            (a, b) if a == b => return true,
            (Region::Set(_), _) => return self.types.atoms(longer).into_iter().all(|a| self.holds(a, shorter, asked)),
            (_, Region::Set(_)) => return self.types.atoms(shorter).into_iter().any(|b| self.holds(longer, b, asked)),
            (Region::Of(ty), _) if !self.is_variable(ty) => {
                return self.holds(self.types.regions_of(self.resolve(ty)), shorter, asked);
            }
            (_, Region::Of(ty)) if !self.is_variable(ty) => {
                return self.holds(longer, self.types.regions_of(self.resolve(ty)), asked);
            }
            _ => {}
        }
        if asked.contains(&(longer, shorter)) {
            return false;
        }
        asked.push((longer, shorter));
        let holds = match shorter {
            Region::Scope(scope) => self.live_in(longer, scope),
            _ => false,
        } || self.by_constraint(longer, shorter, asked);
        asked.pop();
        holds
    }

    /// O4: `longer` is one of those that outlive some `s`, which outlives `shorter`.
    fn by_constraint(self, longer: Region, shorter: Region, asked: &mut Vec<(Region, Region)>) -> bool {
        self.regions.facts.iter().any(|fact| match *fact {
            Constraint::Outlives(e, s) => self.types.atoms(e).contains(&longer) && self.holds(s, shorter, asked),
            _ => false,
        })
    }

    /// O2 and O3: is the region in the capability everywhere within the scope, constraints apart?
    fn live_in(self, region: Region, scope: ScopeId) -> bool {
        match region {
            Region::Scope(outer) => return self.func.encloses(self.func.extent(outer), scope),
            Region::Current => return true,
            _ => {}
        }
        let opened = |s: ScopeId| match self.func.scope(s).kind {
            ScopeKind::Open(of) => self.types.atoms(of).contains(&region),
            _ => false,
        };
        for around in self.func.scopes_around(scope) {
            if opened(around) {
                return true;
            }
            // The effect that a nested function writes is all that it may use, beside the blocks around it.
            if let Some(effect) = self.func.nested.effect_of(around) {
                return effect.contains(&region);
            }
        }
        self.regions.effect.contains(&region) || self.is_own_of_nested(region, scope)
    }

    /// Is the region bound by a nested function around the scope, or that of such a type? It is in the effect then.
    fn is_own_of_nested(self, region: Region, scope: ScopeId) -> bool {
        let var = match region {
            Region::Of(ty) => match self.types.kind(self.resolve(ty)) {
                TyKind::Var(var) => Some(*var),
                _ => None,
            },
            _ => region.var(),
        };
        let Some(Var::Param(index)) = var else { return false };
        self.func.nested.scope_of(index).is_some_and(|own| self.func.encloses(own, scope))
    }

    /// May the region be named in the scope?
    pub fn in_scope(self, region: Region, scope: ScopeId) -> bool {
        match region {
            Region::Scope(outer) => self.func.encloses(self.func.extent(outer), scope),
            Region::Param(index) => {
                let of = self.regions.unpacked.iter().rev().find(|(first, _)| *first <= index);
                of.is_none_or(|(_, unpacked)| self.func.encloses(*unpacked, scope))
            }
            Region::App(_, args) => {
                let mut args = self.types.args(args).iter();
                args.all(|arg| !matches!(arg, cyc_types::Arg::Region(r) if !self.in_scope(*r, scope)))
            }
            Region::Set(_) => self.types.atoms(region).into_iter().all(|atom| self.in_scope(atom, scope)),
            // Each call chooses another: outside the function type it has no meaning.
            Region::Bound { .. } | Region::Caller => false,
            Region::Heap | Region::Current | Region::Own(_) | Region::Infer(_) | Region::Of(_) | Region::Error => true,
        }
    }

    /// Does the name stand for exactly one region, whatever it is instantiated with (memory, section 2.5)?
    pub fn is_single(self, region: Region) -> bool {
        match region {
            Region::Heap | Region::Error => true,
            Region::Scope(scope) => matches!(self.func.scope(scope).kind, ScopeKind::Block | ScopeKind::Lexical),
            // A constructor's region is one for each argument.
            Region::App(_, args) => {
                let mut args = self.types.args(args).iter();
                args.all(|arg| matches!(arg, cyc_types::Arg::Region(r) if self.is_single(*r)))
            }
            _ => self.regions.facts.contains(&Constraint::Single(region)),
        }
    }

    /// Have the two no region in common?
    pub fn disjoint(self, a: Region, b: Region) -> bool {
        if a == b {
            return a == Region::Error;
        }
        let declared = |a, b| {
            self.regions.facts.iter().any(|fact| match *fact {
                Constraint::Disjoint(e, s) => self.types.atoms(e).contains(&a) && self.types.atoms(s).contains(&b),
                _ => false,
            })
        };
        let new = |region| {
            // A scope's region did not exist before it was entered.
            matches!(region, Region::Scope(s) if matches!(self.func.scope(s).kind, ScopeKind::Block | ScopeKind::Lexical))
        };
        match (a, b) {
            (Region::Error, _) | (_, Region::Error) => true,
            (Region::Scope(x), Region::Scope(y)) => x != y && new(a) && new(b),
            (_, Region::Heap | Region::Current | Region::Param(_)) if new(a) => self.older(b, a),
            (Region::Heap | Region::Current | Region::Param(_), _) if new(b) => self.older(a, b),
            (Region::App(..), Region::Heap) | (Region::Heap, Region::App(..)) => true,
            _ => declared(a, b) || declared(b, a),
        }
    }

    /// Did the region exist before the scope was entered? What was unpacked within it may be the scope's own region.
    fn older(self, region: Region, scope: Region) -> bool {
        match (region, scope) {
            (Region::Param(_), Region::Scope(scope)) => self.in_scope(region, scope),
            _ => true,
        }
    }

    fn resolve(self, ty: cyc_types::Ty) -> cyc_types::Ty {
        self.func.infer.resolve(self.types, ty)
    }

    /// Is the type a variable whose regions are known by no other name?
    fn is_variable(self, ty: cyc_types::Ty) -> bool {
        matches!(self.types.kind(self.resolve(ty)), TyKind::Var(_) | TyKind::Infer(_))
    }
}

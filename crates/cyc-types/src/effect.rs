//! The effects of function types (memory, sections 2.4 and 2.5).

use crate::fold::Fold;
use crate::kind::{Constraint, Var};
use crate::region::Region;
use crate::ty::*;

impl Types {
    /// The effect of a function type as atoms, without the heap; variables that it binds are as in its components. One that
    /// is not written: every region that occurs in the parameters, the result and the constraints, and the regions of
    /// every type variable.
    pub fn effect_of(&self, function: &FnTy) -> Vec<Region> {
        if let Some(effect) = function.effect {
            return self.atoms(effect);
        }
        let mut mentioned = Mentioned { atoms: vec![], inside: 0 };
        let extra = match &function.varargs {
            Varargs::Typed { elem, .. } => Some(elem.ty),
            Varargs::None | Varargs::C => None,
        };
        for ty in function.params.iter().map(|p| p.ty).chain(extra).chain([function.ret]) {
            self.fold(ty, &mut mentioned);
        }
        let mut atoms = mentioned.atoms;
        for constraint in &function.constraints {
            match *constraint {
                Constraint::Outlives(a, b) | Constraint::Disjoint(a, b) => {
                    atoms.extend(self.atoms(a));
                    atoms.extend(self.atoms(b));
                }
                Constraint::Single(a) => atoms.extend(self.atoms(a)),
                Constraint::Bound { .. } => {}
            }
        }
        atoms.retain(|atom| *atom != Region::Heap);
        atoms.sort();
        atoms.dedup();
        atoms
    }

    /// The effect of a function type as it is seen from around it: without what it binds itself, for which its callers
    /// answer.
    pub(crate) fn effect_from_outside(&self, function: &FnTy) -> Vec<Region> {
        let outside = |atom: Region| match atom.var() {
            Some(Var::Bound { depth, index }) => Some(Region::Bound { depth: depth.checked_sub(1)?, index }),
            _ => Some(atom),
        };
        let free = |atom: &Region| match atom {
            Region::Of(ty) => !matches!(self.kind(*ty), TyKind::Var(Var::Bound { .. })),
            _ => true,
        };
        self.effect_of(function).into_iter().filter(free).filter_map(outside).collect()
    }
}

/// Collects the regions that occur in the components of a function type, and those of the variables that occur; not
/// what function types within them bind.
struct Mentioned {
    atoms: Vec<Region>,
    /// Function types around the part that is looked at.
    inside: u32,
}

impl Mentioned {
    /// The variable as the components of the outermost function type would name it; None: bound within.
    fn outside(&self, var: Var) -> Option<Var> {
        match var {
            Var::Bound { depth, index } => Some(Var::Bound { depth: depth.checked_sub(self.inside)?, index }),
            var => Some(var),
        }
    }
}

impl Fold for Mentioned {
    fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
        match types.kind(ty) {
            TyKind::Infer(_) => self.atoms.push(Region::Of(ty)),
            TyKind::Var(var) => {
                if let Some(var) = self.outside(*var) {
                    self.atoms.push(Region::Of(types.intern(TyKind::Var(var))));
                }
            }
            _ => return None,
        }
        Some(ty)
    }

    fn region(&mut self, _: &Types, atom: Region) -> Region {
        match atom.var() {
            Some(var) => self.atoms.extend(self.outside(var).map(Region::from)),
            // Bound by a function type, and in the capability of every call.
            None if atom == Region::Caller => {}
            None => self.atoms.push(atom),
        }
        atom
    }

    fn enter(&mut self) {
        self.inside += 1;
    }

    fn leave(&mut self) {
        self.inside -= 1;
    }
}

//! Effects, constraints and the current region in function types (memory, sections 2.4, 2.5 and 2.9).

use super::Position;
use crate::cx::Checker;
use crate::errors;
use cyc_base::Span;
use cyc_syntax::ast;
use cyc_types::{Constraint, Fold, Region, Ty, Types};

impl Checker<'_> {
    /// The effect clause of a function type, if it has one: a set of regions. The heap and the current region are in
    /// every effect.
    pub(super) fn resolve_effect(&mut self, function: &ast::FnType, at: Position) -> Option<Region> {
        let effect = self.resolve_region(function.effect.as_ref()?, at);
        let atoms = self.unit.types.atoms(effect);
        Some(self.unit.types.effect(atoms.into_iter().filter(|atom| !matches!(atom, Region::Heap | Region::Caller))))
    }

    /// `e <= s`, `e | s` and `single(e)`; those of alias qualifiers are not resolved here.
    pub(crate) fn resolve_constraints(&mut self, written: &[ast::Constraint], at: Position) -> Vec<Constraint> {
        let mut out = vec![];
        for constraint in written {
            let resolved = match constraint {
                ast::Constraint::Outlives(a, b) => {
                    Constraint::Outlives(self.resolve_region(a, at), self.resolve_region(b, at))
                }
                ast::Constraint::Disjoint(a, b) => {
                    Constraint::Disjoint(self.resolve_region(a, at), self.resolve_region(b, at))
                }
                ast::Constraint::Single(a) => Constraint::Single(self.resolve_region(a, at)),
                ast::Constraint::AqualBound(..) => continue,
            };
            out.push(resolved);
        }
        out
    }

    /// `` `C ``: bound by the function type around; in a body the innermost lexical region.
    pub(super) fn resolve_current(&mut self, at: Position, span: Span) -> Region {
        if self.binders.in_function() {
            return Region::Caller;
        }
        match at {
            Position::Local | Position::Cast if self.func.inside => self.current_region(),
            _ => {
                self.report(errors::effect::current_outside(span));
                Region::Error
            }
        }
    }

    /// A component of a called function's type, its current region being that of this point.
    pub(crate) fn at_current_region(&self, ty: Ty) -> Ty {
        self.unit.types.fold(ty, &mut Here { here: self.current_region(), inside: 0 })
    }
}

/// Puts a region in the place of the current one; function types within bind their own.
struct Here {
    here: Region,
    inside: u32,
}

impl Fold for Here {
    fn region(&mut self, _: &Types, atom: Region) -> Region {
        if atom == Region::Caller && self.inside == 0 { self.here } else { atom }
    }
    fn enter(&mut self) {
        self.inside += 1;
    }
    fn leave(&mut self) {
        self.inside -= 1;
    }
}

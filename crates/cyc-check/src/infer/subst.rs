//! Replaces type variables throughout a typed function.

use crate::cx::Checker;
use crate::visit::Rewriter;
use cyc_types::{AggrId, Args, DatatypeId, Ty, TyKind};

/// Puts in the values of type variables.
pub(super) struct Values<'a, 'b>(pub &'a Checker<'b>);

impl Values<'_, '_> {
    /// The kind of a type with its variables replaced.
    fn kind(&self, kind: TyKind) -> &TyKind {
        let types = &self.0.unit.types;
        types.kind(self.0.final_type(types.intern(kind)))
    }
}

impl Rewriter for Values<'_, '_> {
    fn ty(&mut self, ty: &mut Ty) {
        *ty = self.0.final_type(*ty);
    }

    fn args(&mut self, args: &mut Args) {
        *args = self.0.final_args(*args);
    }

    fn aggr(&mut self, id: &mut AggrId) {
        if let TyKind::Aggr(found) = self.kind(TyKind::Aggr(*id)) {
            *id = *found;
        }
    }

    fn datatype(&mut self, id: &mut DatatypeId) {
        if let TyKind::Datatype(found) = self.kind(TyKind::Datatype(*id)) {
            *id = *found;
        }
    }
}

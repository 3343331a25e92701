//! `@tagged union` (core, section 3.9).

use crate::cx::Checker;
use crate::errors;
use cyc_base::Span;
use cyc_types::{Field, Ty, TyKind};

impl Checker<'_> {
    /// A mention of a union: that it is tagged need not be said again. The type, or the error type after a report.
    pub(crate) fn mention_tagged(&mut self, ty: Ty, tagged: bool, span: Span) -> Ty {
        match self.unit.types.kind(ty) {
            TyKind::Aggr(_) if tagged => self.agree_on_tagged(ty, true, span),
            _ => ty,
        }
    }

    /// Does a declaration or definition say `@tagged` exactly where the union is tagged? A union that is only declared
    /// becomes what is said of it first. The type, or the error type after a report.
    pub(crate) fn agree_on_tagged(&mut self, ty: Ty, tagged: bool, span: Span) -> Ty {
        let TyKind::Aggr(id) = *self.unit.types.kind(ty) else { return ty };
        let aggr = self.unit.types.aggr(id);
        if aggr.tagged == tagged {
            return ty;
        }
        if !aggr.is_union {
            self.report(errors::datatype::tagged_struct(span));
            return Ty::ERROR;
        }
        if aggr.fields.is_none() && tagged {
            self.unit.types.aggr_mut(id).tagged = true;
            return ty;
        }
        let (name, before) = (aggr.name, aggr.span);
        self.report(errors::datatype::tagged_differently(span, name, before, tagged));
        Ty::ERROR
    }

    /// Members of a tagged union lie each beside the tag: bit-fields have no place there.
    pub(super) fn check_tagged_members(&mut self, fields: &[Field]) {
        for field in fields.iter().filter(|f| f.bits.is_some()) {
            self.report(errors::datatype::tagged_bit_field(field.span));
        }
    }
}

//! Where a value leaves or enters a polymorphic position: fields, components, parameters and results whose type in C is the
//! representative of a shape rather than the value's own.

use crate::body::Function;
use crate::ctree::Expr;
use crate::types::CTypes;
use cyc_mir::types::PlaceTy;
use cyc_types::{Ty, TyKind};

impl CTypes<'_> {
    /// The value, of C type `from`, as one of C type `to`: the same bits, or for a number of four bytes in a word the
    /// number widened or cut off. Structs that differ here do not differ in C.
    pub fn retyped(&self, value: Expr, from: Ty, to: Ty) -> Expr {
        let types = self.types();
        let number = |ty: Ty| match types.kind(ty) {
            TyKind::Int(_) | TyKind::Enum(_) | TyKind::Bool => types.layout(ty).map(|layout| layout.size),
            _ => None,
        };
        let function = |ty: Ty| types.as_pointer(ty).is_some_and(|ptr| types.as_function(ptr.to.ty).is_some());
        if from == to || types.shape(from).is_none() || types.shape(to).is_none() {
            return value;
        }
        let text = self.text(to);
        if *text == *self.text(from) {
            return value;
        }
        let value = match (number(from), number(to)) {
            (Some(size), None) if size < 8 => Expr::cast("long".into(), value),
            (None, Some(size)) if size < 8 => Expr::cast("long".into(), value),
            (None, None) if function(from) && function(to) => Expr::cast("cyc_code".into(), value),
            _ => value,
        };
        Expr::cast(text, value)
    }

    /// Does a part of an object have another type in C than its own? Then the declared one.
    pub fn declared_otherwise(&self, of: PlaceTy, index: u32, own: Ty) -> Option<Ty> {
        self.declared_field(of, index).filter(|declared| *declared != own && self.text(*declared) != self.text(own))
    }
}

impl Function<'_, '_> {
    /// The part `index` of something of type `of`, as an lvalue of its own type.
    pub(crate) fn as_own(&self, part: Expr, of: PlaceTy, index: u32, own: PlaceTy) -> Expr {
        let PlaceTy::Of(qty) = own else { return part };
        match self.cx.types.declared_otherwise(of, index, qty.ty) {
            Some(_) => Expr::unary("*", Expr::cast(self.cx.types.pointer_to(qty), Expr::unary("&", part))),
            None => part,
        }
    }

    /// The same as a value.
    pub(crate) fn read_part(&self, part: Expr, of: PlaceTy, index: u32, own: PlaceTy) -> Expr {
        match self.cx.types.declared_otherwise(of, index, own.ty()) {
            Some(declared) if self.types().shape(own.ty()).is_some() => self.cx.types.retyped(part, declared, own.ty()),
            _ => self.as_own(part, of, index, own),
        }
    }

    /// A value that becomes the part `index` of an aggregate.
    pub(crate) fn part_of(&self, value: Expr, from: Ty, of: Ty, index: u32) -> Expr {
        match self.cx.types.declared_field(PlaceTy::Of(of.into()), index) {
            Some(declared) => self.cx.types.retyped(value, from, declared),
            None => value,
        }
    }
}

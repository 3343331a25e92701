//! Numbers that tell elements: subscripts, steps of pointers, counts. All have 64 bits when they are compared with bounds;
//! what has more must not lose the part that tells how far outside it is.

use crate::coerce::{Num, Why};
use crate::cx::Checker;
use crate::tast::{Coercion, Expr};
use cyc_types::Ty;

impl Checker<'_> {
    /// An integer as a subscript or a step: promoted.
    pub(crate) fn as_index(&mut self, expr: Expr) -> Expr {
        if self.is_wide(&expr) { self.narrowed(expr, Ty::LONG) } else { self.promote(expr) }
    }

    /// An integer as a count: `unsigned long`. A negative one is larger than any memory.
    pub(crate) fn as_count(&mut self, expr: Expr) -> Expr {
        if self.is_wide(&expr) { self.narrowed(expr, Ty::ULONG) } else { self.coerce(expr, Ty::ULONG, Why::Cast) }
    }

    fn is_wide(&self, expr: &Expr) -> bool {
        Num::of(&self.unit.types, self.resolve(expr.ty)).is_some_and(|num| num.bits > 64)
    }

    fn narrowed(&mut self, expr: Expr, to: Ty) -> Expr {
        let fits = |value: i128| Num::of(&self.unit.types, to).is_some_and(|num| num.wrap(value) == value);
        match expr.as_int() {
            Some(value) if fits(value) => self.coerce(expr, to, Why::Cast),
            _ => expr.coerced(Coercion::Index, to),
        }
    }
}

//! Calls of functions that overwrite a whole object without knowing its type, as C's `memcpy` does: `overwrites(n)`.
//!
//! Judgement: what is overwritten as a whole has no `const` part at any depth, for somebody may see that part as something of
//! a narrower type (memory, section 2.6). Assignments are judged where they stand, by `Checker::writable`; of a type variable
//! the callers answer for it.

use crate::cx::Checker;
use crate::errors;
use crate::tast::Expr;
use cyc_types::{Arg, FnTy, TyKind, Var};

impl Checker<'_> {
    /// Notes what a call of the function overwrites, to be judged when the types are known.
    pub(super) fn note_overwritten(&mut self, function: &FnTy, args: &[Expr]) {
        for n in &function.attrs.overwrites {
            let Some(arg) = args.get(*n as usize - 1) else { continue };
            if let Some(ptr) = self.pointer_of(arg.ty) {
                self.func.overwritten.push((ptr.to.ty, arg.span));
            }
        }
    }

    /// The body of a function that is `overwrites(n)` may overwrite what a variable stands for that parameter `n` points to.
    /// `args` are the names that the variables it binds have in the body.
    pub(crate) fn trust_overwritten(&mut self, function: &FnTy, args: &[Arg]) {
        for n in &function.attrs.overwrites {
            let param = function.params.get(*n as usize - 1).and_then(|p| self.unit.types.as_pointer(p.ty));
            if let Some(TyKind::Var(Var::Bound { depth: 0, index })) = param.map(|ptr| self.unit.types.kind(ptr.to.ty))
                && let Some(Arg::Type(own)) = args.get(*index as usize)
                && let TyKind::Var(own) = self.unit.types.kind(*own)
            {
                self.func.replaceable.push(*own);
            }
        }
    }

    /// Reports what the function overwrites though it may have parts that must stay.
    pub(crate) fn check_overwritten(&mut self) {
        for (ty, span) in std::mem::take(&mut self.func.overwritten) {
            let ty = self.final_type(ty);
            // A value of one word has no parts.
            let replaceable = |var| {
                self.func.replaceable.contains(&var)
                    || self.declared_param(var).is_none_or(|param| param.kind == cyc_types::Kind::B)
            };
            if ty == cyc_types::Ty::ERROR || !self.unit.types.has_fixed_part(ty, &replaceable) {
                continue;
            }
            let shown = self.show(ty);
            self.report(match self.unit.types.has_const_member(ty) {
                true => errors::expr::overwrites_const(span, &shown),
                false => errors::expr::overwrites_unknown(span, &shown),
            });
        }
    }
}

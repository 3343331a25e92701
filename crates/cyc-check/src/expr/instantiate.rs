//! Instantiation of polymorphic functions that are values (core, sections 3.13 and 5.16).

use crate::cx::Checker;
use crate::tast::{Coercion, Expr, ExprKind};
use cyc_types::{Arg, FnTy, PtrTy, Ty, TyKind};

/// Does the function bind variables of types, so that its code depends on what they stand for? (Regions, integers
/// and qualifiers leave no trace in code.)
pub(crate) fn has_shapes(function: &FnTy) -> bool {
    function.vars.iter().any(|v| v.kind.is_type())
}

impl Checker<'_> {
    /// The function type with its variables replaced; it binds none any more.
    pub(crate) fn instantiated(&mut self, function: &FnTy, args: &[Arg]) -> Ty {
        let types = &self.unit.types;
        let whole = types.intern(TyKind::Function(std::rc::Rc::new(FnTy { vars: vec![], ..function.clone() })));
        // The components stand one function type deep.
        types.substitute_bound(whole, args)
    }

    /// A pointer to a polymorphic function as a pointer to its instance.
    pub(crate) fn instantiate_pointer(&mut self, pointer: Expr, function: &FnTy, args: Vec<Arg>) -> Expr {
        let to = self.instantiated(function, &args);
        let Some(ptr) = self.pointer_of(pointer.ty) else { return pointer };
        let ty = self.unit.types.pointer(PtrTy { to: to.into(), ..ptr });
        let args = self.unit.types.intern_args(args);
        match pointer.kind {
            ExprKind::FunctionAddr(id, _) => Expr { kind: ExprKind::FunctionAddr(id, args), ty, span: pointer.span },
            _ => pointer.coerced(Coercion::Instantiate(args), ty),
        }
    }
}

//! Formats that are computed (core, section 11.2): nothing is known of the arguments, so a function that checks them as
//! it goes is called instead. `printf(fmt, x)` becomes a call of `vprintf`, with `x` injected into its datatype.

use crate::cx::Checker;
use crate::scope::Entity;
use crate::tast::GlobalId;
use cyc_base::Symbol;
use cyc_syntax::ast::{self, Root};
use cyc_types::{Bound, FnTy, TyKind, Varargs};
use std::rc::Rc;

impl Checker<'_> {
    /// The function that a call of the C function `id` with a computed format means, and its type with injected
    /// arguments. None when the format is checked here, or when the library has no such function.
    pub(crate) fn checked_while_run(
        &mut self,
        id: GlobalId,
        function: &FnTy,
        args: &[ast::Expr],
    ) -> Option<(GlobalId, Rc<FnTy>)> {
        let (kind, format, first) = function.attrs.format?;
        let text = args.get((format as usize).checked_sub(1)?)?;
        if function.varargs != Varargs::C || first == 0 || self.known_format(kind, text) {
            return None;
        }
        let global = self.unit.global(id);
        let name = Symbol::new(&format!("v{}", global.name));
        let path: &[Symbol] = if global.namespace.as_str().is_empty() { &[] } else { &[global.namespace] };
        let namespace = self.names.namespace(Root::Cyclone, path)?;
        let Entity::Global(sibling) = self.names.value_within(namespace, name)? else { return None };
        let injecting = self.injecting(sibling, function)?;
        self.unit.globals[sibling.0 as usize].used = true;
        Some((sibling, Rc::new(injecting)))
    }

    /// The type of the function `id` with its last parameter, a fat pointer to pointers to a datatype, as injected
    /// arguments; None if it is not one that takes what `function` takes.
    fn injecting(&self, id: GlobalId, function: &FnTy) -> Option<FnTy> {
        let mut ty = self.unit.types.as_function(self.unit.global(id).qty.ty)?.as_ref().clone();
        let last = self.pointer_of(ty.params.pop()?.ty).filter(|p| p.bound == Bound::Fat)?;
        self.injected_datatype(last.to.ty)?;
        let alike = ty.params.len() == function.params.len() && ty.varargs == Varargs::None;
        let same_result = match (self.kind_of(ty.ret), self.kind_of(function.ret)) {
            (TyKind::Pointer(p), TyKind::Pointer(q)) => p.to == q.to && p.bound == q.bound && p.zeroterm == q.zeroterm,
            _ => ty.ret == function.ret,
        };
        ty.varargs = Varargs::Typed { elem: last.to, inject: true };
        (alike && same_result).then_some(ty)
    }
}

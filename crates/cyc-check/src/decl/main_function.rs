//! The type of `main` (core, section 12.4).

use crate::cx::Checker;
use crate::errors;
use crate::scope::NamespaceId;
use crate::tast::{GlobalId, Linkage};
use crate::types::Position;
use cyc_base::Span;
use cyc_syntax::ast::{self, Ident};
use cyc_types::{Bound, FnTy, QTy, Ty, TyKind, Varargs};

impl Checker<'_> {
    /// The written type of a global. Where that of `main` names no region, it means the heap.
    pub(super) fn resolve_global(&mut self, written: &ast::Type, ident: Ident, namespace: NamespaceId) -> QTy {
        self.binders.in_heap = ident.name.as_str() == "main" && namespace == NamespaceId::ROOT;
        let qty = self.resolve_type(written, Position::Global);
        self.binders.in_heap = false;
        qty
    }

    /// `int main()`, `int main(int argc)`, `int main(int argc, char ??argv)`; `argv` may have `const`,
    /// `@notnull`, zero-termination and regions as it likes.
    pub(super) fn check_main(&mut self, id: GlobalId, ident: Ident, function: &FnTy, params: &[Span]) {
        if self.unit.global(id).linkage == Linkage::Internal {
            self.report(errors::decl::main_is_not_the_start(ident, "static"));
            return;
        }
        if function.params.len() > 2 {
            self.report(errors::decl::main_too_many_arguments(params.get(2).copied().unwrap_or(ident.span)));
            return;
        }
        let argc = function.params.first().is_none_or(|p| p.ty == Ty::INT);
        let argv = function.params.get(1).is_none_or(|p| self.is_argv(*p));
        let closed = function.varargs == Varargs::None;
        let ret = function.ret == Ty::INT || function.ret == Ty::VOID;
        if !argc || !argv || !ret || !closed {
            let ty = self.unit.types.intern(TyKind::Function(function.clone().into()));
            let shown = self.show_declared(ty.into(), "main");
            self.report(errors::decl::bad_main(ident, &shown));
        } else if function.ret == Ty::VOID {
            self.report(errors::decl::void_main(ident.span));
        }
    }

    /// A fat pointer to fat pointers to characters.
    fn is_argv(&self, qty: QTy) -> bool {
        let fat = |ty: Ty| self.unit.types.as_pointer(ty).filter(|p| p.bound == Bound::Fat);
        fat(qty.ty).and_then(|outer| fat(outer.to.ty)).is_some_and(|inner| inner.to.ty == Ty::CHAR)
    }
}

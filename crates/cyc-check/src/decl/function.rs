//! Function definitions: the prototype, then the body with its parameters, regions and inference.

use super::global::NewGlobal;
use super::storage_name;
use crate::cx::{Checker, FnCx};
use crate::errors;
use crate::expr::vararg::vararg_pointer;
use crate::scope::{Entity, NamespaceId};
use crate::tast::{Function, GlobalId, Linkage};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, Storage, TypeKind};
use cyc_types::{Arg, FnTy, QTy, Region, ScopeId, Ty, TyKind, Var, Varargs};
use std::rc::Rc;

impl Checker<'_> {
    /// A function with its body. In C text the body is the C compiler's business.
    pub(super) fn check_function(&mut self, function: &ast::Function) {
        let Some((ident, namespace)) = self.declared_name(&function.name) else { return };
        let Some((id, ty)) = self.declare_function(function, ident, namespace) else {
            if self.names.value(ident.name).is_none() {
                self.in_namespace(namespace, |c| c.names.declare_value(ident.name, Entity::Error, ident.span));
            }
            return;
        };
        if self.decls.c_text {
            return;
        }
        if let Some(before) = self.decls.definitions.insert(id, ident.span) {
            self.report(errors::decl::function_defined_twice(ident, before));
            return;
        }
        let params = Self::written_parameters(function);
        if self.unit.global(id).c_name.is_some_and(|name| name.as_str() == "main") {
            let spans: Vec<Span> = params.iter().map(|p| p.span).collect();
            self.check_main(id, ident, &ty, &spans);
        }
        self.declare_contract(id, ident, &function.ty);
        self.check_body(id, ident, &ty, &params, &function.body);
    }

    /// The prototype that a definition gives.
    fn declare_function(
        &mut self,
        function: &ast::Function,
        ident: Ident,
        namespace: NamespaceId,
    ) -> Option<(GlobalId, Rc<FnTy>)> {
        let specs = &function.specs;
        let storage = specs.storage.map(|s| s.0);
        if !self.decls.c_text && (self.decls.extern_c || storage == Some(Storage::ExternC)) {
            self.report(errors::decl::body_in_extern_c(ident));
            return None;
        }
        if let Some((storage @ (Storage::Auto | Storage::Register | Storage::Typedef | Storage::Abstract), span)) =
            specs.storage
        {
            self.report(errors::decl::storage_not_allowed(span, storage_name(storage), "a function with a body"));
        }
        self.decls.keeps_contract = true;
        let qty = self.resolve_global(&function.ty, ident, namespace);
        self.decls.keeps_contract = false;
        let attrs = self.declaration_attributes(&[&specs.attrs]);
        let ty = self.apply_function_attributes(qty.ty, &[&specs.attrs]);
        self.check_start_function(ident, ty, &attrs);
        let ty = self.apply_noreturn(ty, specs.noreturn);
        let ty = self.as_declared_before(ident, namespace, ty);
        if ty == Ty::ERROR {
            return None;
        }
        // The parser has seen to it that what has a body is declared as a function.
        let fn_ty = self.unit.types.as_function(ty).cloned()?;
        let is_static = storage == Some(Storage::Static);
        let linkage = if is_static { Linkage::Internal } else { Linkage::Public };
        let is_main = ident.name.as_str() == "main" && namespace == NamespaceId::ROOT;
        let c_name = (is_main || self.decls.extern_c).then_some(ident.name);
        let (thread_local, inline, is_function) = (false, specs.inline, true);
        let qty = ty.into();
        let new = NewGlobal { ident, qty, linkage, is_static, c_name, thread_local, inline, attrs, is_function };
        let id = self.in_namespace(namespace, |c| c.declare_global(new))?;
        Some((id, fn_ty))
    }

    /// The type with its variables in the order of the declaration before, if that is all in which they differ.
    fn as_declared_before(&self, ident: Ident, namespace: NamespaceId, ty: Ty) -> Ty {
        let before = self.decls.linked.get(&(namespace, ident.name)).map(|id| self.unit.global(*id).qty.ty);
        before.map_or(ty, |before| self.in_order_of(ty, before))
    }

    pub(super) fn in_order_of(&self, ty: Ty, before: Ty) -> Ty {
        if self.unit.types.equivalent(ty, before) {
            return ty;
        }
        let ordered = self.unit.types.in_order_of(ty, before);
        ordered.filter(|ordered| self.unit.types.equivalent(*ordered, before)).unwrap_or(ty)
    }

    /// The body: parameters and the outermost declarations share the function's own scope, whose
    /// region is called after the function; bound regions are `Region::Param`s.
    fn check_body(&mut self, id: GlobalId, ident: Ident, ty: &Rc<FnTy>, params: &[ast::Param], body: &ast::Block) {
        let (types, outer) = self.enter_function(ident, ty, body.span);
        let ret = self.func.ret;
        self.declare_parameters(ident.name, params, &types);
        if ret != Ty::VOID {
            self.require_sized(ret, ident.span, "the result of a function");
        }
        let mut checked = self.check_function_body(body);
        self.finish_inference(&mut checked);
        self.require_sent_from_heap(&checked);
        self.solve_regions();
        self.check_alias_bounds();
        self.check_overwritten();
        self.find_moves(&mut checked);
        let mut nested = std::mem::take(&mut self.func.nested.functions);
        nested.iter_mut().for_each(|inner| self.find_moves(&mut inner.body));
        self.names.pop();
        let func = std::mem::replace(&mut self.func, outer);
        let function = Function {
            global: id,
            params: types.len() as u32,
            labels: func.label_names(),
            borrowed: func.borrows.into_iter().map(|borrow| borrow.reached.unwrap_or_default()).collect(),
            vars: func.params,
            locals: func.locals,
            ret: func.ret,
            body: checked,
            span: ident.span,
            end: closing_brace(body),
        };
        self.lift_nested(function, nested);
    }

    /// Begins a body of the function, or what stands for one, with a scope of its own; `span` is all of it. The types of
    /// the parameters in it, and what was being checked before.
    pub(super) fn enter_function(&mut self, ident: Ident, ty: &Rc<FnTy>, span: Span) -> (Vec<QTy>, FnCx) {
        let args: Vec<Arg> = ty.vars.iter().zip(0..).map(|(v, i)| v.arg(Var::Param(i), &self.unit.types)).collect();
        let (types, ret) = self.parameter_types(ty, &args, ScopeId(0));
        let mut inner = FnCx::new(ident.name, true, span);
        inner.ty = Some(ty.clone());
        inner.ret = ret;
        inner.params = ty.vars.clone();
        let outer = std::mem::replace(&mut self.func, inner);
        self.names.push();
        self.declare_variables();
        self.assume_effect(ty);
        self.trust_overwritten(ty, &args);
        (types, outer)
    }

    /// The types of the parameters in the body, that of the extra arguments last, and the result type. `own` is the
    /// function's outermost block.
    pub(super) fn parameter_types(&mut self, ty: &FnTy, args: &[Arg], own: ScopeId) -> (Vec<QTy>, Ty) {
        let (mut types, ret) = self.instantiate(ty, args);
        if let Varargs::Typed { elem, .. } = ty.varargs {
            let elem = QTy { ty: self.unit.types.substitute(elem.ty, args), ..elem };
            types.push(self.unit.types.pointer(vararg_pointer(elem, Region::Scope(own))).into());
        }
        (types, ret)
    }

    /// The parameters as they are written, that of the extra arguments last.
    pub(super) fn written_parameters(function: &ast::Function) -> Vec<ast::Param> {
        let TypeKind::Function(written) = &function.ty.kind else { return vec![] };
        let extra = match &written.varargs {
            ast::Varargs::Typed { param, .. } => Some(&**param),
            _ => None,
        };
        written.params.iter().chain(extra).cloned().collect()
    }

    /// The function's own variables, by name; those that were invented for parameters come last and hide nothing.
    pub(super) fn declare_variables(&mut self) {
        for (i, param) in self.func.params.clone().iter().enumerate() {
            if self.names.tyvar(param.name).is_none_or(|known| known as usize > i) {
                self.names.declare_tyvar(param.name, i as u32);
            }
        }
    }

    pub(super) fn declare_parameters(&mut self, function: Symbol, params: &[ast::Param], types: &[QTy]) {
        for (i, qty) in types.iter().enumerate() {
            let param = params.get(i);
            let span = param.map_or(Span::NONE, |p| p.span);
            self.require_sized(qty.ty, span, "a parameter");
            match param.and_then(|p| p.name) {
                // A repeated name was reported with the prototype.
                Some(name) if self.names.value_here(name.name).is_some() => {
                    self.add_local(name.name, *qty, false, name.span);
                }
                Some(name) => {
                    self.declare_local(name, *qty);
                }
                None => {
                    self.report(errors::decl::unnamed_parameter(span, function));
                    self.temp_local("unnamed", *qty, span);
                }
            }
        }
    }

    /// The type of the function a global is, if it is one.
    pub fn function_type(&self, id: GlobalId) -> Option<Rc<FnTy>> {
        match self.unit.types.kind(self.unit.global(id).qty.ty) {
            TyKind::Function(function) => Some(function.clone()),
            _ => None,
        }
    }
}

/// Where a missing `return` is reported.
pub(super) fn closing_brace(body: &ast::Block) -> Span {
    Span::new(body.span.hi.saturating_sub(1), body.span.hi)
}

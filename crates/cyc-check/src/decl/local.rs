//! Declarations in function bodies.

use super::storage_name;
use crate::coerce::Why;
use crate::cx::Checker;
use crate::errors;
use crate::scope::Entity;
use crate::tast::{Expr, ExprKind, Linkage, LocalId, Stmt, StmtKind};
use crate::types::Position;
use crate::types::back_end::Carrier;

use cyc_syntax::ast::{self, Ident, Storage, TypeKind};
use cyc_types::{QTy, Ty, TyKind};

impl Checker<'_> {
    /// A declaration in a function's body (not `let`, `region` or a static assertion), as the
    /// statements that bring its variables to life.
    pub fn check_local_decl(
        &mut self,
        specs: &ast::DeclSpecs,
        base: &ast::Type,
        vars: &[ast::Declarator],
    ) -> Vec<Stmt> {
        if vars.is_empty() {
            self.check_lone_specifiers(specs, base);
            return vec![];
        }
        let mut stmts = vec![];
        for var in vars {
            match specs.storage {
                Some((Storage::Typedef, _)) => self.declare_typedef(specs, var),
                Some((Storage::Extern | Storage::ExternC, _)) => self.declare_outside(specs, var),
                Some((Storage::Static, _)) => self.check_static_local(specs, var),
                Some((storage @ Storage::Abstract, span)) => {
                    self.report(errors::decl::storage_not_allowed(span, storage_name(storage), "a local variable"));
                }
                _ if matches!(var.ty.kind, TypeKind::Function(_)) => self.declare_outside(specs, var),
                _ => stmts.extend(self.check_local_var(specs, var)),
            }
        }
        stmts
    }

    /// `extern T x;` or a prototype in a block: names what is defined at the top level.
    fn declare_outside(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator) {
        let Some((ident, _)) = self.declared_name(&var.name) else { return };
        let Some(mut new) = self.new_global(specs, var, ident) else {
            self.names.declare_value(ident.name, Entity::Error, ident.span);
            return;
        };
        new.linkage = Linkage::Extern;
        if var.init.is_some() {
            self.report(errors::decl::extern_initialized(ident));
        }
        // The same thing as a visible global of that name, if there is one.
        let known = match self.names.value(ident.name) {
            Some(Entity::Global(id)) if self.unit.global(id).name == ident.name => Some(id),
            _ => None,
        };
        match known {
            Some(id) => {
                let before = self.names.value_here(ident.name);
                if before.is_none() {
                    self.names.declare_value(ident.name, Entity::Global(id), ident.span);
                }
                if self.declare_global(new).is_none() {
                    self.names.declare_value(ident.name, Entity::Error, ident.span);
                }
            }
            None => {
                self.declare_global(new);
            }
        }
    }

    /// `static T x = constant;` in a block: one object for all calls.
    fn check_static_local(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator) {
        let Some((ident, _)) = self.declared_name(&var.name) else { return };
        let Some(new) = self.new_global(specs, var, ident) else {
            self.names.declare_value(ident.name, Entity::Error, ident.span);
            return;
        };
        self.warn_of_hidden(ident);
        let open_array =
            var.init.is_some() && matches!(self.unit.types.kind(new.qty.ty), TyKind::Array { len: None, .. });
        if !open_array && !new.is_function && !self.require_sized(new.qty.ty, var.ty.span, "a variable") {
            self.names.declare_value(ident.name, Entity::Error, ident.span);
            return;
        }
        if new.is_function {
            self.report(errors::decl::storage_not_allowed(specs.span, "static", "a function declared in a block"));
            return;
        }
        let id = self.declare_static_local(new);
        match &var.init {
            Some(init) => self.initialize_global(id, ident, init),
            None => self.require_zero(id, ident),
        }
    }

    /// A variable of the block. It is in scope in its own initialiser.
    fn check_local_var(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator) -> Option<Stmt> {
        let (ident, _) = self.declared_name(&var.name)?;
        if specs.thread_local {
            self.report(errors::decl::thread_local_misplaced(ident.span));
        }
        let lists: [&[ast::Attr]; 2] = [&specs.attrs, &var.attrs];
        let qty = self.resolve_type(&var.ty, Position::Local);
        let attrs = self.declaration_attributes(&lists);
        let mut qty = self.apply_mode(qty, attrs.mode);
        qty.ty = self.apply_function_attributes(qty.ty, &lists);
        let open_array = matches!(self.unit.types.kind(qty.ty), TyKind::Array { len: None, .. });
        if open_array && var.init.is_none() {
            self.report(errors::decl::length_unknown(ident));
            qty.ty = Ty::ERROR;
        } else if !open_array && !self.require_sized(qty.ty, var.ty.span, "a variable") {
            qty.ty = Ty::ERROR;
        }
        let local = self.declare_local(ident, qty);
        let typedef_align = self.typedef_align(&var.ty);
        self.check_carried(&attrs, Carrier::Local);
        let mut attrs = attrs;
        let align = attrs.align.max(typedef_align);
        attrs.text.extend(align.and_then(|n| self.alignment(n, qty.ty, var.span)));
        self.func.local_mut(local).attrs = attrs.c_text();
        if matches!(specs.storage, Some((Storage::Register, _))) {
            self.func.registers.insert(local);
        }
        let around = self.func.initialising.len();
        self.func.initialising.push((local, false));
        let init = self.local_init(local, ident, var, qty, open_array).or_else(|| self.promised_zero(ident, qty));
        let zero_last = init.is_none() && self.ends_with_zero(ident, qty);
        let names_itself = self.func.initialising.drain(around..).any(|(_, named)| named);
        Some(Stmt { kind: StmtKind::Local { local, init, zero_last, names_itself }, span: var.span })
    }

    fn local_init(
        &mut self,
        local: LocalId,
        ident: Ident,
        var: &ast::Declarator,
        qty: QTy,
        open_array: bool,
    ) -> Option<Expr> {
        let init = var.init.as_ref()?;
        let value = self.init_value(init, qty, Why::Init(ident.name, ident.span));
        if open_array {
            self.func.local_mut(local).qty.ty = value.ty;
        }
        Some(value)
    }

    /// A variable without initialiser that holds, below its outermost type, an array whose final zero
    /// is promised: it is zeroed, or must be initialised.
    fn promised_zero(&mut self, ident: Ident, qty: QTy) -> Option<Expr> {
        let inner = match *self.unit.types.kind(qty.ty) {
            TyKind::Array { elem, .. } => elem.ty,
            _ => qty.ty,
        };
        if !self.holds_zeroterm(inner) {
            return None;
        }
        if !self.unit.types.admits_zero(qty.ty) {
            let shown = self.show_q(qty);
            self.report(errors::decl::array_initializer_required(ident, &shown));
            return Some(Expr::error(ident.span));
        }
        Some(Expr { kind: ExprKind::Zero, ty: qty.ty, span: ident.span })
    }

    /// A local without initialiser: if it is an array its elements must be plain numbers, since
    /// assignments to elements are not tracked. Does the compiler store the zero that ends it?
    fn ends_with_zero(&mut self, ident: Ident, qty: QTy) -> bool {
        let TyKind::Array { mut elem, zeroterm, len } = *self.unit.types.kind(qty.ty) else { return false };
        while let TyKind::Array { elem: inner, .. } = *self.unit.types.kind(elem.ty) {
            elem = inner;
        }
        if !self.unit.types.bits_only(elem.ty) {
            let shown = self.show_q(qty);
            self.report(errors::decl::array_initializer_required(ident, &shown));
            return false;
        }
        zeroterm && len.is_some_and(|n| n > 0)
    }

    /// The alignment that a typedef asks for, in bytes: it is not part of the type that it stands for.
    pub(super) fn typedef_align(&mut self, ty: &ast::Type) -> Option<u32> {
        let TypeKind::Typedef { name, .. } = &ty.kind else { return None };
        self.lookup_typedef(name).and_then(|id| self.names.typedef(id).align)
    }
}

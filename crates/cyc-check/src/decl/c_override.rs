//! `cyclone_override`: Cyclone types for what the C text of an `extern "C include"` declares (core, section 13.2).
//!
//! A declaration here must be represented as the one in C. That of a function or variable takes the place of C's; so does a
//! struct or union, whose fields get other types in all that mentions it. A typedef counts from here on.

use crate::cx::Checker;
use crate::errors;
use crate::scope::Entity;
use cyc_syntax::ast::{self, ItemKind, TypeKind};
use cyc_types::{AggrId, Bound, Field, FnTy, IntTy, QTy, Ty, TyKind};

impl Checker<'_> {
    pub(super) fn check_overrides(&mut self, items: &[ast::Item]) {
        for item in items {
            let ItemKind::Decl(decl @ ast::Decl::Vars { specs, base, vars }) = &item.kind else {
                self.report(errors::decl::not_an_override(item.span));
                continue;
            };
            match &base.kind {
                TypeKind::AggrDef(_) if vars.is_empty() => {
                    self.decls.overriding = true;
                    self.check_global_decl(decl);
                    self.decls.overriding = false;
                }
                _ if vars.is_empty() => self.report(errors::decl::not_an_override(item.span)),
                _ => vars.iter().for_each(|var| self.check_override(specs, var)),
            }
        }
    }

    fn check_override(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator) {
        let Some(ident) = var.name.as_ident() else { return };
        if matches!(specs.storage, Some((ast::Storage::Typedef, _))) {
            return self.check_typedef_override(specs, var, ident);
        }
        let Some(new) = self.new_global(specs, var, ident) else { return };
        let Some((Entity::Global(id), _)) = self.names.value_here(ident.name) else {
            self.report(errors::decl::unreadable_c_export(ident.span, ident.name));
            return;
        };
        let old = self.unit.global(id);
        let fits = match (self.unit.types.kind(old.qty.ty), self.unit.types.kind(new.qty.ty)) {
            (TyKind::Function(f), TyKind::Function(g)) => {
                self.same_functions(f, g, |p, q| self.is_count(p, q) || self.same_representation(p, q))
            }
            _ => self.same_representation(old.qty, new.qty),
        };
        if !fits {
            let (now, before, at) = (self.show_q(new.qty), self.show_q(old.qty), old.span);
            self.report(errors::decl::override_incompatible(ident, &now, at, &before));
            return;
        }
        self.unit.globals[id.0 as usize].qty = new.qty;
    }

    fn same_functions(&self, f: &FnTy, g: &FnTy, same_parameter: impl Fn(QTy, QTy) -> bool) -> bool {
        f.varargs == g.varargs
            && f.params.len() == g.params.len()
            && self.same_representation(f.ret.into(), g.ret.into())
            && f.params.iter().zip(&g.params).all(|(p, q)| same_parameter(*p, *q))
    }

    /// A tag where the C function takes an integer: the call converts it, and one that does not fit becomes less.
    fn is_count(&self, c: QTy, cyclone: QTy) -> bool {
        let types = &self.unit.types;
        matches!(types.kind(cyclone.ty), TyKind::Tag(_))
            && matches!(types.kind(c.ty), TyKind::Int(IntTy::UInt | IntTy::ULong | IntTy::ULongLong))
    }

    /// Do the types look the same to C, apart from `const`?
    fn same_representation(&self, c: QTy, cyclone: QTy) -> bool {
        let types = &self.unit.types;
        match (types.kind(c.ty), types.kind(cyclone.ty)) {
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                q.bound != Bound::Fat
                    && (p.to.ty == Ty::VOID || q.to.ty == Ty::VOID || self.same_representation(p.to, q.to))
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                self.same_functions(f, g, |p, q| self.same_representation(p, q))
            }
            (TyKind::Array { elem: p, len: m, .. }, TyKind::Array { elem: q, len: n, .. }) => {
                m == n && self.same_representation(*p, *q)
            }
            (TyKind::Array { elem: p, len: None, .. }, TyKind::OpenArray { elem: q, .. }) => {
                self.same_representation(*p, *q)
            }
            (TyKind::Int(a), TyKind::Int(b)) => a.bits() == b.bits(),
            _ => c.ty == cyclone.ty,
        }
    }

    /// A typedef: what it was in C, and then.
    fn check_typedef_override(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator, ident: ast::Ident) {
        let meaning = |c: &Self| match c.names.value_here(ident.name) {
            Some((Entity::Typedef(id), span)) => Some((c.names.typedef(id).qty, span)),
            _ => None,
        };
        let Some((old, at)) = meaning(self) else {
            self.report(errors::decl::unreadable_c_export(ident.span, ident.name));
            return;
        };
        self.declare_typedef(specs, var);
        let Some((new, _)) = meaning(self).filter(|(new, _)| new.ty != Ty::ERROR) else { return };
        if !self.same_representation(old, new) {
            let (now, before) = (self.show_q(new), self.show_q(old));
            self.report(errors::decl::override_incompatible(ident, &now, at, &before));
        }
    }

    /// Are the fields those of the struct or union in C, but for types that look the same to C? The first that is not.
    pub(super) fn field_unlike_c(&self, id: AggrId, fields: &[Field]) -> Option<Option<Field>> {
        let old = self.unit.types.fields(id).unwrap_or_default();
        let same = |a: &Field, b: &Field| {
            (a.name, a.bits, a.align, a.packed) == (b.name, b.bits, b.align, b.packed)
                && (self.same_representation(a.qty, b.qty)
                    || self.is_count(a.qty, b.qty) && self.layout(a.qty.ty) == self.layout(b.qty.ty))
        };
        let unlike = fields.iter().enumerate().find(|(i, field)| !old.get(*i).is_some_and(|old| same(old, field)));
        match unlike {
            Some((_, field)) => Some(Some(field.clone())),
            None => (fields.len() < old.len()).then_some(None),
        }
    }
}

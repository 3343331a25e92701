//! `extern "C include"`: C text whose declarations become visible (core, section 13.2).

use crate::cx::Checker;
use crate::errors;
use crate::scope::Entity;
use crate::tast::{CText, GlobalId};
use cyc_base::Symbol;
use cyc_syntax::ast::{self, Export};
use cyc_types::{Bound, FnTy, IntTy, QTy, Ty, TyKind};
use rustc_hash::FxHashSet;

impl Checker<'_> {
    /// Types, enumerators and typedefs of the C text become visible; functions and variables only if
    /// they are exported. What cannot be read as a Cyclone declaration is passed over silently, for
    /// C headers are full of it, unless it is exported.
    pub(super) fn check_extern_c_include(&mut self, include: &ast::ExternCInclude) {
        if let Some(item) = include.items.iter().find(|i| matches!(i.kind, ast::ItemKind::ExternC(_))) {
            self.report(errors::decl::cyclone_in_c_text(item.span, include.c_text));
            return;
        }
        self.unit.c_texts.push(CText::Include(include.c_text));
        let outer = (self.decls.c_text, self.decls.extern_c);
        (self.decls.c_text, self.decls.extern_c) = (true, true);
        let first = self.unit.globals.len();
        let said = std::mem::take(&mut self.diags);
        self.check_items(&include.items);
        self.diags = said;
        self.decls.c_text = false;
        self.check_overrides(&include.overrides);
        self.decls.extern_c = outer.1;
        self.decls.c_text = outer.0;
        self.hide_unexported(include, first);
    }

    /// Cyclone types that replace those of C declarations.
    fn check_overrides(&mut self, items: &[ast::Item]) {
        for item in items {
            let ast::ItemKind::Decl(ast::Decl::Vars { specs, vars, .. }) = &item.kind else {
                self.report(errors::unsupported(item.span, "this item in `cyclone_override`"));
                continue;
            };
            if vars.is_empty() || matches!(specs.storage, Some((ast::Storage::Typedef, _))) {
                self.report(errors::unsupported(item.span, "a type in `cyclone_override`"));
                continue;
            }
            for var in vars {
                self.check_override(specs, var);
            }
        }
    }

    fn check_override(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator) {
        let Some(ident) = var.name.as_ident() else { return };
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
            (TyKind::Int(a), TyKind::Int(b)) => a.bits() == b.bits(),
            _ => c.ty == cyclone.ty,
        }
    }

    fn hide_unexported(&mut self, include: &ast::ExternCInclude, first: usize) {
        let hidden: FxHashSet<Symbol> = include.hide.iter().map(|i| i.name).collect();
        let exported: Option<FxHashSet<Symbol>> = match &include.export {
            Some(Export::All) => None,
            Some(Export::Names(names)) => Some(names.iter().map(|n| n.name).collect()),
            None => Some(FxHashSet::default()),
        };
        if let Some(Export::Names(names)) = &include.export {
            for name in names {
                if !matches!(self.names.value(name.name), Some(Entity::Global(_))) {
                    self.report(errors::decl::unreadable_c_export(name.span, name.name));
                }
            }
        }
        for index in first..self.unit.globals.len() {
            let name = self.unit.globals[index].name;
            let visible = exported.as_ref().is_none_or(|e| e.contains(&name)) && !hidden.contains(&name);
            if !visible && self.names.value(name) == Some(Entity::Global(GlobalId(index as u32))) {
                self.names.forget_value(name, Entity::Global(GlobalId(index as u32)));
                self.decls.linked.remove(&(self.names.target(), name));
            }
        }
    }
}

//! Typedefs (core, section 3.15).

use crate::cx::Checker;
use crate::errors;
use crate::scope::{Entity, Typedef, TypedefId};
use crate::types::Position;
use cyc_syntax::ast::{self, Ident, TypeKind};
use cyc_types::{QTy, Ty, TyKind};

impl Checker<'_> {
    /// `typedef T name;`: an abbreviation. A repetition must mean the same type.
    pub(super) fn declare_typedef(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator) {
        let Some((ident, namespace)) = self.declared_name(&var.name) else { return };
        self.in_namespace(namespace, |c| c.declare_typedef_here(specs, var, ident));
    }

    fn declare_typedef_here(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator, ident: Ident) {
        if let TypeKind::Hole(_) = var.ty.kind {
            self.report(errors::unsupported(var.ty.span, "an abstract typedef"));
            self.names.declare_value(ident.name, Entity::Error, ident.span);
            return;
        }
        if let Some(binder) = var.binders.iter().flatten().next() {
            self.report(errors::unsupported(binder.span, "a typedef with type parameters"));
            self.names.declare_value(ident.name, Entity::Error, ident.span);
            return;
        }
        if let Some(init) = &var.init {
            let _ = init;
            self.report(errors::decl::initialized_function(ident, "a typedef"));
        }
        let lists: [&[ast::Attr]; 2] = [&specs.attrs, &var.attrs];
        if let Some(vector) = lists.iter().copied().flatten().find(|a| a.name.as_str() == "vector_size") {
            self.report(errors::unsupported(vector.span, "a vector type"));
            self.names.declare_value(ident.name, Entity::Error, ident.span);
            return;
        }
        let qty = self.resolve_type(&var.ty, Position::Typedef);
        let attrs = self.declaration_attributes(&lists);
        let align = attrs.align.max(self.typedef_align(&var.ty));
        let mut qty = self.apply_mode(qty, attrs.mode);
        qty.ty = self.apply_function_attributes(qty.ty, &lists);
        match self.names.value_here(ident.name) {
            Some((Entity::Typedef(id), before)) => {
                let (old, from_c) = (self.names.typedef(id).qty, self.names.typedef(id).from_c_text);
                let same = self.unit.types.equivalent(old.ty, qty.ty)
                    && (old.is_const, old.is_volatile) == (qty.is_const, qty.is_volatile);
                if !same && from_c && !self.decls.c_text {
                    // Cyclone's own typedef takes the name.
                    self.add_typedef(ident, qty, align);
                    return;
                }
                if !same && old.ty != Ty::ERROR && qty.ty != Ty::ERROR {
                    let (new, old) = (self.show_q(qty), self.show_q(old));
                    self.report(errors::decl::redefined_typedef(ident, &new, before, &old));
                }
                return;
            }
            Some((Entity::Error, _)) | None => {}
            Some((other, before)) => {
                let old = self.describe_entity(other);
                self.report(errors::decl::another_kind_of_name(ident, "a typedef", before, old));
                return;
            }
        }
        if let TyKind::Aggr(id) = *self.unit.types.kind(qty.ty) {
            let aggr = self.unit.types.aggr_mut(id);
            if aggr.anonymous && aggr.from_c_text {
                aggr.c_typedef.get_or_insert(ident.name);
            }
        }
        self.add_typedef(ident, qty, align);
    }

    fn add_typedef(&mut self, ident: Ident, qty: QTy, align: Option<u32>) {
        let id = TypedefId(self.names.typedefs.len() as u32);
        let from_c_text = self.decls.c_text;
        self.names.typedefs.push(Typedef { name: ident.name, qty, align, from_c_text, span: ident.span });
        self.names.declare_value(ident.name, Entity::Typedef(id), ident.span);
        if self.decls.extern_c {
            self.names.declare_c_value(ident.name, Entity::Typedef(id), ident.span);
        }
    }

    /// What a name is, for messages.
    pub(crate) fn describe_entity(&self, entity: Entity) -> &'static str {
        match entity {
            Entity::Local(_) => "a local variable",
            Entity::Global(id) if self.unit.global(id).is_function => "a function",
            Entity::Global(_) => "a variable",
            Entity::Typedef(_) => "a typedef",
            Entity::Enumerator { .. } => "an enumeration constant",
            Entity::Variant(..) => "a constructor of a datatype",
            Entity::Error => "something in error",
        }
    }
}

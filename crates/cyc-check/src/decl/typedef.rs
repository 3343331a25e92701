//! Typedefs (core, section 3.15).

use crate::cx::Checker;
use crate::errors;
use crate::scope::{Entity, Typedef, TypedefId};
use crate::types::{Binders, Position};
use cyc_base::Span;
use cyc_syntax::ast::{self, Ident, TypeKind};
use cyc_types::{Abstract, AbstractId, Aqual, Kind, QTy, Region, Ty, TyKind, TyParam};

fn kinds(params: &[TyParam]) -> Vec<Kind> {
    params.iter().map(|p| p.kind).collect()
}

impl Checker<'_> {
    /// `typedef T name;`: an abbreviation. A repetition must mean the same type.
    pub(super) fn declare_typedef(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator) {
        let Some((ident, namespace)) = self.declared_name(&var.name) else { return };
        self.in_namespace(namespace, |c| c.declare_typedef_here(specs, var, ident));
    }

    fn declare_typedef_here(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator, ident: Ident) {
        if let Some(init) = &var.init {
            let _ = init;
            self.report(errors::decl::initialized_function(ident, "a typedef"));
        }
        let lists: [&[ast::Attr]; 2] = [&specs.attrs, &var.attrs];
        if let Some(vector) = lists.iter().copied().flatten().find(|a| a.name.as_str() == "vector_size") {
            self.report(errors::only_in_c(vector.span, "a vector type"));
            self.names.declare_value(ident.name, Entity::Error, ident.span);
            return;
        }
        let list: &[ast::TypeVar] = var.binders.as_deref().unwrap_or_default();
        let uses = self.uses(|walk| walk.any(&var.ty, None));
        let params = self.declare_params(list, &uses, Aqual::Restricted);
        if let TypeKind::Hole(kind) = var.ty.kind {
            return self.declare_abstract(ident, kind, params);
        }
        for unused in list.iter().filter(|v| v.kind.is_none() && !uses.names().any(|(name, _)| name == v.name)) {
            self.report(errors::poly::unused_parameter(unused.span, unused.name));
        }
        let unbounded = params.iter().map(|param| param.name);
        let unbounded = unbounded.filter(|name| !list.iter().any(|v| v.name == *name && v.alias.is_some())).collect();
        let mut own = Binders::of_definition(params);
        own.unbounded = unbounded;
        let around = std::mem::replace(&mut self.binders, own);
        let qty = self.resolve_type(&var.ty, Position::Typedef);
        let params = std::mem::replace(&mut self.binders, around).own;
        let attrs = self.declaration_attributes(&lists);
        let align = attrs.align.max(self.typedef_align(&var.ty));
        let mut qty = self.apply_mode(qty, attrs.mode);
        qty.ty = self.apply_function_attributes(qty.ty, &lists);
        match self.names.value_here(ident.name) {
            Some((Entity::Typedef(id), before)) => {
                let typedef = self.names.typedef(id);
                let (old, from_c, old_kinds) = (typedef.qty, typedef.from_c_text, kinds(&typedef.params));
                let same = self.unit.types.equivalent(old.ty, qty.ty)
                    && (old.is_const, old.is_volatile) == (qty.is_const, qty.is_volatile)
                    && old_kinds == kinds(&params);
                if !same && from_c && !self.decls.c_text {
                    // Cyclone's own typedef takes the name.
                    self.add_typedef(ident, params, qty, align);
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
        self.add_typedef(ident, params, qty, align);
    }

    fn add_typedef(&mut self, ident: Ident, params: Vec<TyParam>, qty: QTy, align: Option<u32>) {
        let id = TypedefId(self.names.typedefs.len() as u32);
        let from_c_text = self.decls.c_text;
        let (name, span) = (ident.name, ident.span);
        self.names.typedefs.push(Typedef { name, params, qty, region: None, align, from_c_text, span });
        self.names.declare_value(ident.name, Entity::Typedef(id), ident.span);
        if self.decls.extern_c {
            self.names.declare_c_value(ident.name, Entity::Typedef(id), ident.span);
        }
    }

    /// `` typedef _::K t<`a,…>; ``: a type, or a region constructor, of which nothing is known. K is B if it is not written.
    fn declare_abstract(&mut self, ident: Ident, kind: Option<ast::KindName>, params: Vec<TyParam>) {
        let kind = match kind {
            None => Kind::B,
            Some(name) => match self.named_kind(name) {
                Some(kind @ (Kind::I | Kind::Q)) => {
                    self.report(errors::poly::not_a_type_kind(name, kind));
                    return self.names.declare_value(ident.name, Entity::Error, ident.span);
                }
                Some(kind) => kind,
                None => return self.names.declare_value(ident.name, Entity::Error, ident.span),
            },
        };
        if let Some((entity, before)) = self.names.value_here(ident.name) {
            return self.repeat_abstract(ident, entity, before, kind, &params);
        }
        let args = self.unit.types.own_args(&params);
        let id = AbstractId(self.unit.types.abstracts.len() as u32);
        let (name, span) = (ident.name, ident.span);
        self.unit.types.abstracts.push(Abstract { name, params: params.clone(), kind, span });
        let (ty, region) = match kind {
            Kind::E => (Ty::ERROR, Some(Region::App(id, args))),
            _ => (self.unit.types.intern(TyKind::Abstract(id, args)), None),
        };
        let typedef = TypedefId(self.names.typedefs.len() as u32);
        let from_c_text = false;
        self.names.typedefs.push(Typedef { name, params, qty: ty.into(), region, align: None, from_c_text, span });
        self.names.declare_value(name, Entity::Typedef(typedef), span);
    }

    /// An abstract typedef may be repeated as it is.
    fn repeat_abstract(&mut self, ident: Ident, entity: Entity, before: Span, kind: Kind, params: &[TyParam]) {
        let Entity::Typedef(id) = entity else {
            if entity != Entity::Error {
                let old = self.describe_entity(entity);
                self.report(errors::decl::another_kind_of_name(ident, "a typedef", before, old));
            }
            return;
        };
        let typedef = self.names.typedef(id);
        let abstract_id = match (typedef.region, self.unit.types.kind(typedef.qty.ty)) {
            (Some(Region::App(id, _)), _) => Some(id),
            (_, TyKind::Abstract(id, _)) => Some(*id),
            _ => None,
        };
        let same = abstract_id.is_some_and(|id| self.unit.types.abstract_type(id).kind == kind);
        if !same || kinds(&typedef.params) != kinds(params) {
            let old = self.show_q(typedef.qty);
            self.report(errors::decl::redefined_typedef(ident, "_", before, &old));
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

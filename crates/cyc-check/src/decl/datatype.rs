//! Datatypes: closed and extensible sums (core, section 3.11).

use crate::cx::Checker;
use crate::errors;
use crate::scope::{Entity, NamespaceId};
use crate::types::argument::Applied;
use crate::types::{Binders, Position};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, Storage};
use cyc_types::{Aqual, Datatype, DatatypeId, QTy, Ty, TyKind, TyParam, Variant, VariantLinkage};
use std::rc::Rc;

impl Checker<'_> {
    /// `datatype D`, or `datatype D.V`. Outside of functions an unknown datatype is declared by being mentioned;
    /// `@extensible` without a body is such a declaration too.
    pub(crate) fn resolve_datatype(
        &mut self,
        extensible: bool,
        name: &ast::Name,
        variant: Option<&ast::Name>,
        args: &[Rc<ast::Type>],
        at: Position,
    ) -> Ty {
        let Ok(found) = self.lookup_datatype(name) else { return Ty::ERROR };
        let id = match found {
            Some(id) => id,
            None if self.func.inside || variant.is_some() || name.as_ident().is_none() => {
                self.report(errors::types::unknown_datatype(name.span, name.name));
                return Ty::ERROR;
            }
            None => self.new_datatype(name.name, vec![], name.span),
        };
        if extensible && !self.make_extensible(id, name.span) {
            return Ty::ERROR;
        }
        let datatype = self.unit.types.datatype(id);
        let (params, declared) = (datatype.params.clone(), datatype.span);
        let what = Self::applied_name("datatype", name.name);
        let applied = Applied { what: &what, params: &params, declared, span: name.span };
        let Some(args) = self.resolve_args(applied, args, at) else { return Ty::ERROR };
        let id = self.unit.types.datatype_instance(id, args);
        let Some(variant) = variant else { return self.unit.types.intern(TyKind::Datatype(id)) };
        match self.variant_named(id, variant) {
            Some(index) => self.unit.types.intern(TyKind::Variant(id, index)),
            None => {
                self.report(errors::types::unknown_variant(variant.span, name.name, variant.name));
                Ty::ERROR
            }
        }
    }

    /// The variant of that name: the visible constructor, else the only one so called.
    fn variant_named(&mut self, id: DatatypeId, name: &ast::Name) -> Option<u32> {
        if let Some(Entity::Variant(datatype, index)) = self.lookup(name)
            && self.unit.types.same_datatype_def(datatype, id)
        {
            return Some(index);
        }
        let variants = &self.unit.types.datatype(id).variants;
        let mut so_called = (0..).zip(variants).filter(|(_, v)| v.name == name.name).map(|(i, _)| i);
        so_called.next().filter(|_| so_called.next().is_none())
    }

    /// A datatype of which only the name is known.
    fn new_datatype(&mut self, name: Symbol, params: Vec<TyParam>, span: Span) -> DatatypeId {
        let id = self.unit.types.declare_datatype(Datatype {
            name: self.names.qualified(name),
            params,
            extensible: false,
            variants: vec![],
            defined: false,
            span,
        });
        self.names.declare_datatype(name, id, span);
        id
    }

    /// A datatype that was only mentioned becomes extensible; a closed one stays what it is.
    fn make_extensible(&mut self, id: DatatypeId, span: Span) -> bool {
        let datatype = self.unit.types.datatype(id);
        if datatype.extensible {
            return true;
        }
        let (name, before, open) = (datatype.name, datatype.span, !datatype.defined && datatype.variants.is_empty());
        if !open {
            self.report(errors::datatype::closed_and_extensible(span, name, before));
            return false;
        }
        let datatype = self.unit.types.datatype_mut(id);
        datatype.extensible = true;
        datatype.defined = true;
        true
    }

    /// `datatype D { V; W(T, …); }`: gives a closed datatype its variants, once, or adds variants to an
    /// extensible one. An identical repetition is allowed.
    pub(crate) fn define_datatype(&mut self, def: &ast::DatatypeDef) -> Ty {
        if let Some(&known) = self.decls.defined.get(&def.id) {
            return known;
        }
        if let Some(problem) = self.unsupported_datatype(def) {
            self.report(problem);
            self.decls.defined.insert(def.id, Ty::ERROR);
            return Ty::ERROR;
        }
        let span = def.name.span;
        let params = self.datatype_params(&def.params, &def.variants);
        let Some(id) = self.datatype_to_define(def, &params) else { return Ty::ERROR };
        let ty = self.unit.types.intern(TyKind::Datatype(id));
        self.decls.defined.insert(def.id, ty);
        if def.extensible && !self.make_extensible(id, span) {
            return Ty::ERROR;
        }
        // Function types around the definition do not bind anything in it.
        let around = std::mem::replace(&mut self.binders, Binders::of_definition(params));
        // That it is extensible need not be said again.
        let extensible = self.unit.types.datatype(id).extensible;
        match self.unit.types.datatype(id).defined && !extensible {
            true => self.repeat_datatype(def, id),
            false => self.add_variants(def, id, extensible),
        }
        self.binders = around;
        ty
    }

    /// The datatype that a definition is for: that of the current namespace, or the one that a qualified name or `exn`
    /// means. A new one if there is none.
    fn datatype_to_define(&mut self, def: &ast::DatatypeDef, params: &[TyParam]) -> Option<DatatypeId> {
        let name = &def.name;
        let extends = name.name.as_str() == "exn" || def.extensible && name.as_ident().is_none();
        if extends {
            return match self.lookup_datatype(name) {
                Ok(Some(id)) => Some(id),
                Ok(None) => {
                    self.report(errors::types::unknown_datatype(name.span, name.name));
                    None
                }
                Err(_) => None,
            };
        }
        let (ident, namespace) = self.declared_name(name)?;
        self.in_namespace(namespace, |c| c.datatype_here(ident, namespace, params))
    }

    /// The datatype of a namespace, declared if it is new; its parameters must agree with those of before.
    fn datatype_here(&mut self, ident: Ident, namespace: NamespaceId, params: &[TyParam]) -> Option<DatatypeId> {
        let Some(id) = self.names.datatype_within(namespace, ident.name) else {
            return Some(self.new_datatype(ident.name, params.to_vec(), ident.span));
        };
        let datatype = self.unit.types.datatype(id);
        let kinds = |list: &[TyParam]| list.iter().map(|p| p.kind).collect::<Vec<_>>();
        if kinds(&datatype.params) == kinds(params) {
            return Some(id);
        }
        let (before, old) = (datatype.span, datatype.params.clone());
        self.report(errors::poly::parameters_differ(ident.span, ident.name, params, before, &old));
        None
    }

    /// The parameters of a datatype, their kinds from the components of its variants.
    fn datatype_params(&mut self, list: &[ast::TypeVar], variants: &[ast::Variant]) -> Vec<TyParam> {
        let uses = self.uses(|walk| variants.iter().flat_map(|v| &v.params).for_each(|p| walk.value(&p.ty)));
        let mut params = self.declare_params(list, &uses, Aqual::Aliasable);
        self.reject_unsized_params(&mut params, list, "a datatype");
        params
    }

    /// `` datatype D<`a,`r::E>; ``: declares the datatype; the kinds that are not B must be written.
    pub(crate) fn forward_datatype(&mut self, extensible: bool, name: &ast::Name, args: &[Rc<ast::Type>]) {
        if extensible {
            return self.report(errors::datatype::extensible_parameters(name.span, name.name));
        }
        let Some(list) = self.binder_list(args) else { return };
        let params = self.datatype_params(&list, &[]);
        let Some((ident, namespace)) = self.declared_name(name) else { return };
        self.in_namespace(namespace, |c| c.datatype_here(ident, namespace, &params));
    }

    /// The datatype of a constructor at arguments that are still to be found.
    pub(crate) fn fresh_datatype(&mut self, datatype: DatatypeId, span: Span) -> DatatypeId {
        let params = self.unit.types.datatype(datatype).params.clone();
        if params.is_empty() {
            return datatype;
        }
        let before = self.func.alias_bounds.len();
        let args = self.fresh_args(&params, span);
        self.func.alias_bounds[before..].iter_mut().for_each(|bound| bound.datatype = true);
        let args = self.unit.types.intern_args(args);
        self.unit.types.datatype_instance(datatype, args)
    }

    fn unsupported_datatype(&mut self, def: &ast::DatatypeDef) -> Option<cyc_base::Diagnostic> {
        let span = def.name.span;
        if self.func.inside {
            return Some(errors::datatype::in_function(span, def.name.name));
        }
        if !def.params.is_empty() && def.extensible {
            return Some(errors::datatype::extensible_parameters(span, def.name.name));
        }
        if def.variants.is_empty() && !def.extensible {
            return Some(errors::datatype::no_variants(span, def.name.name));
        }
        None
    }

    /// The names of new variants are known while their components are read: these may point to one.
    fn add_variants(&mut self, def: &ast::DatatypeDef, id: DatatypeId, extensible: bool) {
        let first = self.unit.types.datatype(id).variants.len() as u32;
        if !extensible {
            self.unit.types.datatype_mut(id).span = def.name.span;
        }
        let mut new = vec![];
        for written in &def.variants {
            let Some((ident, _)) = self.declared_name(&written.name) else { continue };
            let linkage = self.variant_linkage(extensible, written);
            match self.names.value_here(ident.name) {
                Some((Entity::Variant(known, index), before)) if known == id => {
                    if !extensible || index >= first {
                        self.report(errors::datatype::variant_twice(ident, before));
                    }
                    new.push((index, written, linkage, index < first));
                }
                _ => {
                    let index = self.declare_variant_name(id, ident, linkage);
                    new.push((index, written, linkage, false));
                }
            }
        }
        self.decls.defining_variants.push((id, first));
        for (index, written, linkage, repeats) in new {
            let fields = self.variant_components(written);
            if repeats {
                self.repeat_variant(id, index, written, &fields, linkage);
            } else {
                self.unit.types.datatype_mut(id).variants[index as usize].fields = fields;
            }
        }
        self.decls.defining_variants.pop();
        self.unit.types.datatype_mut(id).defined = true;
    }

    fn declare_variant_name(&mut self, id: DatatypeId, ident: Ident, linkage: VariantLinkage) -> u32 {
        let namespace = self.names.path(self.names.target());
        let variants = &mut self.unit.types.datatype_mut(id).variants;
        let index = variants.len() as u32;
        variants.push(Variant { name: ident.name, fields: vec![], linkage, namespace, span: ident.span });
        if let Some((other, before)) = self.names.value_here(ident.name) {
            let old = self.describe_entity(other);
            self.report(errors::decl::another_kind_of_name(ident, "a constructor of a datatype", before, old));
        } else {
            self.names.declare_value(ident.name, Entity::Variant(id, index), ident.span);
        }
        index
    }

    /// `extern` and `static` belong to variants of extensible datatypes only.
    fn variant_linkage(&mut self, extensible: bool, variant: &ast::Variant) -> VariantLinkage {
        match variant.storage {
            Some(_) if !extensible => {
                self.report(errors::datatype::storage_of_closed(variant.span, variant.name.name));
                VariantLinkage::Public
            }
            Some(Storage::Static) => VariantLinkage::Internal,
            Some(_) => VariantLinkage::Extern,
            None => VariantLinkage::Public,
        }
    }

    /// The components of a variant: values of known size that may be copied, since patterns copy them (memory, section
    /// 3.6); names are ignored.
    fn variant_components(&mut self, variant: &ast::Variant) -> Vec<QTy> {
        let mut fields = vec![];
        for param in &variant.params {
            let mut qty = self.resolve_type(&param.ty, Position::Field);
            let good = self.require_closed(qty.ty, param.ty.span)
                && self.require_sized(qty.ty, param.ty.span, "a component of a variant");
            if !good {
                qty.ty = Ty::ERROR;
            } else if self.carries_restricted(qty.ty) {
                let shown = self.show(qty.ty);
                self.report(errors::moves::in_datatype(param.ty.span, &shown));
                qty.ty = Ty::ERROR;
            }
            fields.push(qty);
        }
        fields
    }

    /// A closed datatype defined again: the same variants in the same order.
    fn repeat_datatype(&mut self, def: &ast::DatatypeDef, id: DatatypeId) {
        let written: Vec<(Symbol, Vec<QTy>)> =
            def.variants.iter().map(|v| (v.name.name, self.variant_components(v))).collect();
        let old = self.unit.types.datatype(id);
        let same = old.variants.len() == written.len()
            && old
                .variants
                .iter()
                .zip(&written)
                .all(|(v, (name, fields))| v.name == *name && self.same_components(&v.fields, fields));
        if !same {
            let before = old.span;
            self.report(errors::decl::redefined_type(def.name.span, &format!("datatype {}", def.name.name), before));
        }
    }

    fn same_components(&self, a: &[QTy], b: &[QTy]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| a.is_const == b.is_const && self.unit.types.equivalent(a.ty, b.ty))
    }

    /// A variant of an extensible datatype declared again: the same components; `extern` gives way to a definition.
    fn repeat_variant(
        &mut self,
        id: DatatypeId,
        index: u32,
        variant: &ast::Variant,
        fields: &[QTy],
        linkage: VariantLinkage,
    ) {
        use VariantLinkage::{Extern, Internal};
        let old = &self.unit.types.datatype(id).variants[index as usize];
        let (before, was) = (old.span, old.linkage);
        let same = self.same_components(&old.fields, fields);
        if !same || (was == Internal) != (linkage == Internal) {
            self.report(errors::datatype::variant_differs(variant.name.span, variant.name.name, before, same));
        } else if was == Extern {
            self.unit.types.datatype_mut(id).variants[index as usize].linkage = linkage;
        }
    }

    /// Is the variant one whose definition is being read, so that its size is not known yet?
    pub(crate) fn is_being_defined(&self, datatype: DatatypeId, variant: u32) -> bool {
        let open =
            |(id, first): &(DatatypeId, u32)| self.unit.types.same_datatype_def(*id, datatype) && variant >= *first;
        self.decls.defining_variants.iter().any(open)
    }
}

//! Global variables and prototypes; redeclaration (core, section 12.1).

use super::storage_name;
use crate::coerce::Why;
use crate::cx::Checker;
use crate::errors;
use crate::scope::{Entity, NamespaceId};
use crate::tast::{Global, GlobalId, Linkage};
use crate::types::back_end::Carrier;
use crate::types::{DeclAttrs, Position};
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident, Storage};
use cyc_types::{FnAttrs, FnTy, QTy, Ty, TyKind};
use std::rc::Rc;

/// A declaration of a global, before it is compared with earlier ones.
pub(super) struct NewGlobal {
    pub ident: Ident,
    pub qty: QTy,
    pub linkage: Linkage,
    /// `static` was written; without it a function keeps the linkage of its earlier declaration.
    pub is_static: bool,
    pub c_name: Option<Symbol>,
    pub thread_local: bool,
    pub inline: bool,
    pub attrs: DeclAttrs,
    pub is_function: bool,
}

impl Checker<'_> {
    /// `specs d1, d2 = e, …;` at the top level.
    pub(super) fn check_global_vars(&mut self, specs: &ast::DeclSpecs, base: &ast::Type, vars: &[ast::Declarator]) {
        if vars.is_empty() {
            self.check_lone_specifiers(specs, base);
            return;
        }
        for var in vars {
            match specs.storage {
                Some((Storage::Typedef, _)) => self.declare_typedef(specs, var),
                Some((storage @ (Storage::Auto | Storage::Register), span)) => {
                    let place = "a declaration outside a function";
                    self.report(errors::decl::storage_not_allowed(span, storage_name(storage), place));
                }
                Some((Storage::Abstract, span)) => {
                    self.report(errors::decl::storage_not_allowed(span, "abstract", "a variable"));
                }
                _ => self.check_global_var(specs, var),
            }
        }
    }

    /// `struct S {…};`, `enum E {…};`, `struct S;`: only the type matters.
    pub(super) fn check_lone_specifiers(&mut self, specs: &ast::DeclSpecs, base: &ast::Type) {
        let mut aggr = None;
        match &base.kind {
            ast::TypeKind::AggrDef(def) => {
                let ty = self.define_aggr(def, &base.attrs);
                self.check_abstract(specs, base, ty);
            }
            ast::TypeKind::Aggr { is_union, tagged, name, args } if !args.is_empty() => {
                aggr = self.forward_aggr(*is_union, *tagged, name, args);
            }
            ast::TypeKind::Datatype { extensible, name, variant: None, args } if !args.is_empty() => {
                self.forward_datatype(*extensible, name, args);
            }
            _ => {
                let ty = self.resolve_type(base, Position::Typedef).ty;
                self.check_abstract(specs, base, ty);
                if let TyKind::Aggr(id) = self.unit.types.kind(ty) {
                    aggr = Some(*id);
                }
            }
        }
        let attrs = self.thread_safe_attribute(&specs.attrs, aggr);
        self.declaration_attributes(&[&attrs]);
        let declares = match &base.kind {
            ast::TypeKind::Aggr { .. } | ast::TypeKind::Enum(_) | ast::TypeKind::Datatype { .. } => true,
            ast::TypeKind::AggrDef(def) => def.name.is_some(),
            ast::TypeKind::EnumDef(_) | ast::TypeKind::DatatypeDef(_) | ast::TypeKind::Error => true,
            _ => false,
        };
        if !declares && !self.decls.c_text {
            self.report(errors::decl::declares_nothing(specs.span.to(base.span)));
        }
    }

    /// `abstract struct S {…};`: other units know `S` as incomplete. Only a definition outside functions can be abstract.
    fn check_abstract(&mut self, specs: &ast::DeclSpecs, base: &ast::Type, ty: Ty) {
        let Some((Storage::Abstract, span)) = specs.storage else { return };
        let defines = matches!(base.kind, ast::TypeKind::AggrDef(_) | ast::TypeKind::DatatypeDef(_));
        if !defines || self.names.level() > 0 {
            self.report(errors::decl::abstract_without_definition(span));
        } else if let TyKind::Aggr(id) = self.unit.types.kind(ty) {
            self.unit.abstract_types.insert(*id);
        }
    }

    fn check_global_var(&mut self, specs: &ast::DeclSpecs, var: &ast::Declarator) {
        let Some((ident, namespace)) = self.declared_name(&var.name) else { return };
        self.decls.keeps_contract = matches!(var.ty.kind, ast::TypeKind::Function(_));
        let new = self.new_global(specs, var, ident);
        self.decls.keeps_contract = false;
        let Some(new) = new else {
            self.in_namespace(namespace, |c| c.names.declare_value(ident.name, Entity::Error, ident.span));
            return;
        };
        let (is_extern, is_function, qty) = (new.linkage == Linkage::Extern, new.is_function, new.qty);
        let open_array = matches!(self.unit.types.kind(qty.ty), TyKind::Array { len: None, .. });
        if !is_function && !is_extern && !open_array && !self.require_sized(qty.ty, var.ty.span, "a variable") {
            self.in_namespace(namespace, |c| c.names.declare_value(ident.name, Entity::Error, ident.span));
            return;
        }
        let Some(id) = self.in_namespace(namespace, |c| c.declare_global(new)) else { return };
        if is_function {
            if let Some(init) = &var.init {
                let _ = init;
                self.report(errors::decl::initialized_function(ident, "a function"));
            }
            self.declare_contract(id, ident, &var.ty);
            return;
        }
        match &var.init {
            Some(_) if is_extern => self.report(errors::decl::extern_initialized(ident)),
            Some(init) => self.initialize_global(id, ident, init),
            None if is_extern => {}
            None => self.require_zero(id, ident),
        }
    }

    /// What a declarator at the top level declares; None if its type is in error.
    pub(super) fn new_global(
        &mut self,
        specs: &ast::DeclSpecs,
        var: &ast::Declarator,
        ident: Ident,
    ) -> Option<NewGlobal> {
        let lists: [&[ast::Attr]; 2] = [&specs.attrs, &var.attrs];
        let qty = self.resolve_global(&var.ty, ident, self.names.target());
        let mut attrs = self.declaration_attributes(&lists);
        let mut qty = self.apply_mode(qty, attrs.mode);
        qty.ty = self.apply_function_attributes(qty.ty, &lists);
        qty.ty = self.apply_noreturn(qty.ty, specs.noreturn);
        if !self.require_closed(qty.ty, var.ty.span) {
            return None;
        }
        let is_function = matches!(self.unit.types.kind(qty.ty), TyKind::Function(_));
        if !is_function {
            let align = attrs.align.max(self.typedef_align(&var.ty));
            attrs.text.extend(align.and_then(|n| self.alignment(n, qty.ty, var.span)));
        }
        let storage = specs.storage.map(|s| s.0);
        let in_c = self.decls.extern_c || storage == Some(Storage::ExternC);
        let linkage = match storage {
            Some(Storage::Static) => Linkage::Internal,
            Some(Storage::Extern | Storage::ExternC) => Linkage::Extern,
            _ if is_function || (in_c && var.init.is_none()) => Linkage::Extern,
            _ => Linkage::Public,
        };
        if !in_c && !self.options.allow_asm {
            self.reject_symbol_names(var, &attrs);
        }
        self.check_start_function(ident, qty.ty, &attrs);
        if !is_function && linkage != Linkage::Internal && !in_c {
            self.reject_variable_main(ident);
        }
        let asm_name = var.asm_name.as_ref().map(|name| Symbol::new(&String::from_utf8_lossy(name)));
        let c_name = asm_name.or(in_c.then_some(ident.name));
        let (thread_local, inline) = (specs.thread_local, specs.inline);
        let is_static = storage == Some(Storage::Static);
        (qty.ty != Ty::ERROR).then_some(NewGlobal {
            ident,
            qty,
            linkage,
            is_static,
            c_name,
            thread_local,
            inline,
            attrs,
            is_function,
        })
    }

    /// A declaration that chooses its symbol itself could name anything, of any type: only for C.
    fn reject_symbol_names(&mut self, var: &ast::Declarator, attrs: &DeclAttrs) {
        if var.asm_name.is_some() || attrs.text.iter().any(|attr| attr.name.as_str() == "alias") {
            self.report(errors::decl::symbol_outside_extern_c(var.span));
        }
    }

    /// The program starts at the function `main` of the root namespace: no variable has its symbol.
    fn reject_variable_main(&mut self, ident: Ident) {
        let top_level = self.names.level() == 0 && self.names.target() == NamespaceId::ROOT;
        if ident.name.as_str() == "main" && top_level {
            self.report(errors::decl::main_is_not_the_start(ident, "a variable"));
        }
    }

    /// What runs before `main` or after it gets no arguments.
    pub(super) fn check_start_function(&mut self, ident: Ident, ty: Ty, attrs: &DeclAttrs) {
        let Some(attr) = attrs.text.iter().find(|attr| matches!(attr.name.as_str(), "constructor" | "destructor"))
        else {
            return;
        };
        if self.unit.types.as_function(ty).is_none_or(|f| !f.params.is_empty()) {
            self.report(errors::decl::constructor_with_parameters(ident, attr.name));
        }
    }

    fn carrier(&self, new: &NewGlobal) -> Carrier {
        let is_static = new.linkage == Linkage::Internal;
        if new.is_function {
            return Carrier::Function { is_static };
        }
        let mut qty = new.qty;
        while let (false, TyKind::Array { elem, .. }) = (qty.is_const, self.unit.types.kind(qty.ty)) {
            qty = *elem;
        }
        Carrier::Variable { is_static, thread_local: new.thread_local, is_const: qty.is_const }
    }

    /// A weak declaration without definition may have the address 0, which nothing would check.
    pub(super) fn check_weak_globals(&mut self) {
        let undefined =
            |g: &&Global| g.linkage == Linkage::Extern && g.c_name.is_none() && g.attrs.iter().any(|a| a == "weak");
        let found: Vec<Ident> =
            self.unit.globals.iter().filter(undefined).map(|g| Ident { name: g.name, span: g.span }).collect();
        for ident in found {
            self.report(errors::decl::weak_without_definition(ident));
        }
    }

    /// `_Noreturn` as the attribute that it stands for.
    pub(super) fn apply_noreturn(&mut self, ty: Ty, noreturn: bool) -> Ty {
        match self.unit.types.as_function(ty) {
            Some(function) if noreturn && !function.attrs.noreturn => {
                let mut new = (**function).clone();
                new.attrs.noreturn = true;
                self.unit.types.intern(TyKind::Function(new.into()))
            }
            _ => ty,
        }
    }

    /// Enters a global into the unit, or joins it with its earlier declaration, with which it must agree.
    pub(super) fn declare_global(&mut self, new: NewGlobal) -> Option<GlobalId> {
        self.check_carried(&new.attrs, self.carrier(&new));
        let found = self.names.value_here(new.ident.name);
        let key = (self.names.target(), new.ident.name);
        let id = match found {
            None | Some((Entity::Error, _)) => {
                if let Some(&id) = self.decls.linked.get(&key) {
                    let agrees = self.join_declarations(id, &new);
                    let entity = if agrees { Entity::Global(id) } else { Entity::Error };
                    self.names.declare_value(new.ident.name, entity, new.ident.span);
                    return agrees.then_some(id);
                }
                let id = self.add_global(&new);
                self.decls.linked.insert(key, id);
                self.names.declare_value(new.ident.name, Entity::Global(id), new.ident.span);
                if new.c_name == Some(new.ident.name) {
                    self.names.declare_c_value(new.ident.name, Entity::Global(id), new.ident.span);
                }
                return Some(id);
            }
            // C text beside a Cyclone declaration of the same C name: each keeps its own type.
            Some((Entity::Global(id), _)) if self.decls.c_text && !self.unit.global(id).from_c_text => {
                self.add_global(&new);
                return None;
            }
            Some((Entity::Global(id), _)) => id,
            Some((other, before)) => {
                let what = if new.is_function { "a function" } else { "a variable" };
                let old = self.describe_entity(other);
                self.report(errors::decl::another_kind_of_name(new.ident, what, before, old));
                return None;
            }
        };
        self.join_declarations(id, &new).then_some(id)
    }

    /// A function that the program does not write, made here and used by its address.
    pub(super) fn add_made_function(&mut self, name: Symbol, ty: Ty, span: Span) -> GlobalId {
        let id = self.add_global(&NewGlobal {
            ident: Ident { name, span },
            qty: ty.into(),
            linkage: Linkage::Internal,
            is_static: true,
            c_name: None,
            thread_local: false,
            inline: false,
            attrs: DeclAttrs::default(),
            is_function: true,
        });
        self.unit.globals[id.0 as usize].used = true;
        self.unit.addressed.insert(id);
        id
    }

    pub(super) fn add_global(&mut self, new: &NewGlobal) -> GlobalId {
        let id = GlobalId(self.unit.globals.len() as u32);
        self.unit.globals.push(Global {
            name: new.ident.name,
            namespace: self.names.path(self.names.target()),
            c_name: new.c_name,
            from_c_text: self.decls.c_text,
            qty: new.qty,
            linkage: new.linkage,
            thread_local: new.thread_local,
            inline: new.inline,
            attrs: new.attrs.c_text(),
            init: None,
            is_function: new.is_function,
            used: false,
            span: new.ident.span,
        });
        id
    }

    /// Types must be equal, linkage compatible; a length or a definition that only one of them has is kept.
    fn join_declarations(&mut self, id: GlobalId, new: &NewGlobal) -> bool {
        let old = self.unit.global(id);
        let (old_span, old_linkage) = (old.span, old.linkage);
        let (old_qty, new_qty) = match old.c_name {
            Some(_) => self.with_promises_of_c(old.qty, new.qty),
            None => (old.qty, new.qty),
        };
        let new_qty = QTy { ty: self.in_order_of(new_qty.ty, old_qty.ty), ..new_qty };
        let quals = |q: QTy| (q.is_const, q.is_volatile);
        if !self.unit.types.equivalent(old_qty.ty, new_qty.ty) || quals(old_qty) != quals(new_qty) {
            if self.unit.types.differ_in_attributes_only(old_qty.ty, new_qty.ty) {
                let differ = self.attributes_that_differ(new_qty.ty, old_qty.ty);
                self.report(errors::decl::attributes_differ(new.ident, old_span, &differ));
                return true;
            }
            let name = new.ident.name.as_str();
            let (now, before) = (self.show_declared(new_qty, name), self.show_declared(old_qty, name));
            self.report(errors::decl::conflicting_types(new.ident, &now, old_span, &before));
            return false;
        }
        let what = if new.is_function { "function" } else { "variable" };
        let was_static = old_linkage == Linkage::Internal;
        if new.is_static && !was_static
            || was_static && !new.is_static && !new.is_function && new.linkage == Linkage::Public
        {
            self.report(errors::decl::linkage_mismatch(new.ident, what, new.is_static, old_span));
            return false;
        }
        let longer = match (self.unit.types.kind(old_qty.ty), self.unit.types.kind(new_qty.ty)) {
            (TyKind::Array { len: None, .. }, TyKind::Array { len: Some(_), .. }) => new_qty,
            // The definition's own names of regions and qualifiers of parameters count in its body.
            (TyKind::Function(_), _) if new.linkage == Linkage::Public => new_qty,
            _ => old_qty,
        };
        let global = &mut self.unit.globals[id.0 as usize];
        global.qty = longer;
        if global.linkage == Linkage::Extern {
            global.linkage = new.linkage;
        }
        global.c_name = global.c_name.or(new.c_name);
        global.thread_local |= new.thread_local;
        global.inline |= new.inline;
        for text in new.attrs.c_text() {
            if !global.attrs.contains(&text) {
                global.attrs.push(text);
            }
        }
        true
    }

    /// What one declaration of a function of C promises about threads and the heap holds where another says nothing: old
    /// programs declare functions again that our headers know better.
    fn with_promises_of_c(&self, a: QTy, b: QTy) -> (QTy, QTy) {
        let types = &self.unit.types;
        let (Some(f), Some(g)) = (types.as_function(a.ty), types.as_function(b.ty)) else { return (a, b) };
        let no_heap = f.attrs.no_heap || g.attrs.no_heap;
        let single_threaded = f.attrs.single_threaded || g.attrs.single_threaded;
        let promising = |function: &FnTy, qty: QTy| {
            let attrs = FnAttrs { no_heap, single_threaded, ..function.attrs.clone() };
            QTy { ty: types.intern(TyKind::Function(Rc::new(FnTy { attrs, ..function.clone() }))), ..qty }
        };
        (promising(f, a), promising(g, b))
    }

    /// A global's initialiser: a constant of its type, which may tell an array's length.
    pub(super) fn initialize_global(&mut self, id: GlobalId, ident: Ident, init: &ast::Init) {
        if let Some(before) = self.decls.definitions.insert(id, ident.span) {
            self.report(errors::decl::variable_defined_twice(ident, before));
            return;
        }
        let qty = self.unit.global(id).qty;
        let value = self.init_value(init, qty, Why::Init(ident.name, ident.span));
        let mut value = self.finish_global_init(value);
        self.finish_expr(&mut value);
        if matches!(self.unit.types.kind(qty.ty), TyKind::Array { len: None, .. }) {
            self.unit.globals[id.0 as usize].qty.ty = value.ty;
        }
        self.require_constant(&value);
        self.unit.globals[id.0 as usize].init = Some(value);
    }

    /// Without initialiser a global is zero, which its type must admit.
    pub(super) fn require_zero(&mut self, id: GlobalId, ident: Ident) {
        let qty = self.unit.global(id).qty;
        if matches!(self.unit.types.kind(qty.ty), TyKind::Array { len: None, .. }) {
            self.report(errors::decl::length_unknown(ident));
        } else if self.unit.types.is_complete(qty.ty) && !self.unit.types.admits_zero(qty.ty) {
            let shown = self.show_q(qty);
            self.report(errors::decl::initializer_required(ident, &shown));
        }
    }

    /// The name of a `static` local in the object file: it must not meet any other of the unit.
    pub(super) fn static_local_name(&mut self, name: Symbol) -> Symbol {
        let stem = Symbol::new(&format!("{}${name}", self.func.name));
        let count = self.decls.statics.entry(stem).or_insert(0);
        *count += 1;
        if *count == 1 { stem } else { Symbol::new(&format!("{stem}${count}")) }
    }

    /// A `static` local: a global that only its block can name.
    pub(super) fn declare_static_local(&mut self, new: NewGlobal) -> GlobalId {
        self.check_carried(&new.attrs, self.carrier(&new));
        let ident = new.ident;
        let id = self.add_global(&new);
        let name = self.static_local_name(ident.name);
        self.unit.globals[id.0 as usize].name = name;
        self.names.declare_value(ident.name, Entity::Global(id), ident.span);
        id
    }
}

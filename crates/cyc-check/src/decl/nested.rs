//! Functions within functions (GNU C; core, section 3.13).
//!
//! A nested function is checked as a block of the function around it, so that its uses of the variables around it,
//! their types and their regions are those of any inner block. `lift.rs` then makes it a function of the unit.

use super::function::closing_brace;
use super::lift::Uses;
use crate::cx::{Checker, Hidden};
use crate::errors;
use crate::scope::Entity;
use crate::tast::*;
use crate::types::Position;
use crate::types::back_end::Carrier;
use cyc_base::{Span, Symbol};
use cyc_syntax::ast::{self, Ident};
use cyc_types::{Arg, Constraint, FnTy, Kind, Region, ScopeId, Ty, TyParam, Var};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// The nested functions of the function being checked.
#[derive(Default, Debug)]
pub(crate) struct NestedCx {
    /// In the order in which their bodies end.
    pub functions: Vec<Nested>,
    /// The outermost blocks of the nested functions that bind variables, by their place among the parameters of the whole.
    scopes: FxHashMap<u32, ScopeId>,
    /// The effects of nested functions that write one, by their outermost blocks.
    effects: FxHashMap<ScopeId, Vec<Region>>,
    /// What stands for `` `C `` in nested functions, as parameters of the whole, by their outermost blocks.
    currents: FxHashMap<ScopeId, u32>,
    /// The blocks that declare the nested functions that use variables around them.
    homes: FxHashMap<GlobalId, ScopeId>,
}

impl NestedCx {
    /// The effect that the nested function with this outermost block writes.
    pub fn effect_of(&self, scope: ScopeId) -> Option<&[Region]> {
        self.effects.get(&scope).map(Vec::as_slice)
    }

    /// The parameter of the whole that is `` `C `` in the nested function with this outermost block.
    pub fn current_of(&self, scope: ScopeId) -> Option<u32> {
        self.currents.get(&scope).copied()
    }

    /// The outermost block of the nested function that binds a variable, if one does.
    pub fn scope_of(&self, param: u32) -> Option<ScopeId> {
        self.scopes.get(&param).copied()
    }

    /// The region of a pointer to a function: the block that declares it if it is nested and uses variables around it.
    pub fn region_of(&self, function: GlobalId) -> Region {
        self.homes.get(&function).map_or(Region::Heap, |scope| Region::Scope(*scope))
    }
}

/// A nested function, checked as a part of the function around it.
#[derive(Debug)]
pub(crate) struct Nested {
    pub global: GlobalId,
    pub name: Symbol,
    /// Its locals and those of functions nested in it, parameters first.
    pub locals: Range<u32>,
    /// How many of them are parameters, the extra arguments included.
    pub params: u32,
    /// How many parameters stand before the extra arguments.
    pub fixed: usize,
    pub ret: Ty,
    /// The variables that it binds, among the parameters of the whole.
    pub own: Range<u32>,
    pub body: Block,
    pub labels: Vec<Symbol>,
    /// Does it use variables around it, itself or through the functions that it calls?
    pub captures: bool,
    pub span: Span,
    pub end: Span,
}

impl Checker<'_> {
    /// `T f(params) { … }` in a block.
    pub(crate) fn check_nested_function(&mut self, function: &ast::Function) {
        let Some((ident, _)) = self.declared_name(&function.name) else { return };
        if let Some((storage, span)) = function.specs.storage {
            self.report(errors::decl::storage_not_allowed(span, super::storage_name(storage), "a nested function"));
        }
        match self.names.value_here(ident.name) {
            Some((Entity::Global(id), before)) if self.unit.global(id).is_function => {
                self.report(errors::decl::nested_function_twice(ident, before));
            }
            _ => self.warn_of_hidden(ident),
        }
        let outer = std::mem::replace(&mut self.binders.nested, true);
        let qty = self.resolve_type(&function.ty, Position::Global);
        self.binders.nested = outer;
        let attrs = self.declaration_attributes(&[&function.specs.attrs]);
        self.check_carried(&attrs, Carrier::Nested);
        let ty = self.apply_function_attributes(qty.ty, &[&function.specs.attrs]);
        let Some(fn_ty) = self.unit.types.as_function(ty).cloned() else {
            self.names.declare_value(ident.name, Entity::Error, ident.span);
            return;
        };
        let id = self.declare_static_local(super::global::NewGlobal {
            ident,
            qty: ty.into(),
            linkage: Linkage::Internal,
            is_static: true,
            c_name: None,
            thread_local: false,
            inline: function.specs.inline,
            attrs,
            is_function: true,
        });
        // In its own body it counts as one that does.
        self.func.nested.homes.insert(id, self.func.current);
        self.check_nested_body(id, ident, &fn_ty, function);
    }

    /// The body, a block within the present one.
    fn check_nested_body(&mut self, id: GlobalId, ident: Ident, ty: &Rc<FnTy>, function: &ast::Function) {
        let body = &function.body;
        let first = self.func.locals.len() as u32;
        let scope = self.push_labelled_scope(Some(ident), body.span);
        let known = self.func.params.len() as u32;
        let args = self.bind_own(ty, known, scope, ident.span);
        let (types, ret) = self.parameter_types(ty, &args, scope);
        let outer_ret = std::mem::replace(&mut self.func.ret, ret);
        let outer_name = std::mem::replace(&mut self.func.name, ident.name);
        let outer_jumps = std::mem::take(&mut self.func.jumps);
        self.declare_parameters(ident.name, &Self::written_parameters(function), &types);
        if ret != Ty::VOID {
            self.require_sized(ret, ident.span, "the result of a function");
        }
        let stmts = self.check_stmts(&body.items);
        self.finish_jumps();
        let labels = self.func.label_names();
        self.func.jumps = outer_jumps;
        self.func.name = outer_name;
        self.func.ret = outer_ret;
        self.pop_scope();
        let locals = first..self.func.locals.len() as u32;
        let body = Block { scope: Some(scope), stmts, span: body.span };
        let uses = Uses::of(&body);
        let homes = &mut self.func.nested.homes;
        let captures = uses.locals.iter().any(|local| !locals.contains(&local.0))
            || uses.functions().any(|callee| *callee != id && homes.contains_key(callee));
        if !captures {
            homes.remove(&id);
        }
        self.func.nested.functions.push(Nested {
            global: id,
            name: ident.name,
            locals,
            params: types.len() as u32,
            fixed: ty.params.len(),
            ret,
            own: known..known + ty.vars.len() as u32,
            body,
            labels,
            captures,
            span: ident.span,
            end: closing_brace(&function.body),
        });
    }

    /// Its variables and its current region, from `known` on, are fresh parameters of the whole; what its prototype says of them is known. Those that
    /// are no regions count as hidden: no type from around it may mention them.
    fn bind_own(&mut self, ty: &FnTy, known: u32, scope: ScopeId, span: Span) -> Vec<Arg> {
        self.func.params.extend(&ty.vars);
        let mut args: Vec<Arg> = vec![];
        for (i, var) in (known..).zip(&ty.vars) {
            self.func.nested.scopes.insert(i, scope);
            self.names.declare_tyvar(var.name, i);
            args.push(var.arg(Var::Param(i), &self.unit.types));
            if var.kind != Kind::E {
                let born = self.func.infer.age();
                self.func.hidden.push(Hidden { index: i, scope, born, span });
            }
        }
        let current = self.func.params.len() as u32;
        self.func.params.push(TyParam::region(Symbol::new("`C")));
        self.func.nested.scopes.insert(current, scope);
        self.func.nested.currents.insert(scope, current);
        if let Some(effect) = ty.effect {
            let effect = self.unit.types.substitute_region(effect, &args);
            let mut atoms = self.unit.types.atoms(effect);
            atoms.push(Region::Param(current));
            self.func.nested.effects.insert(scope, atoms);
        }
        let constraints: Vec<Constraint> =
            ty.constraints.iter().map(|c| self.unit.types.substitute_constraint(*c, &args)).collect();
        self.assume_unpacked(known, constraints);
        self.trust_overwritten(ty, &args);
        args
    }
}

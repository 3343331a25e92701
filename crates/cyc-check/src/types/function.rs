//! Function types: parameters, results, and the regions they bind (core, sections 3.5, 3.13 and 10.3).

use super::Position;
use crate::cx::Checker;
use crate::errors;
use cyc_base::Symbol;
use cyc_syntax::ast::{self, TypeKind};
use cyc_types::{Aqual, Arg, Bound, FnAttrs, FnTy, Kind, PtrTy, QTy, Region, Size, Ty, TyKind, TyParam, Varargs};
use std::rc::Rc;

/// A function has an instance in C for each choice of the shapes of its variables of kind B (ADR 2): 64 at most.
const MOST_BOXED_VARIABLES: usize = 6;

impl Checker<'_> {
    /// `T f<binders>(params…)`. A prototype binds the regions of its parameters; a function type
    /// elsewhere binds only what it lists.
    pub(super) fn resolve_function(
        &mut self,
        function: &ast::FnType,
        at: Position,
        prototype: bool,
        attrs: &[ast::Attr],
    ) -> Ty {
        self.unsupported_clauses(function);
        let vars = self.function_binders(function, prototype);
        self.binders.enter(vars, prototype);
        let tags = self.binders.tags.len();
        self.binders.tags.extend(function.params.iter().filter_map(tag_parameter));
        let inner = if prototype { Position::Param } else { at };
        let params = self.resolve_params(&function.params, inner);
        let varargs = self.resolve_varargs(&function.varargs, inner, &function.params);
        let result = if inner == Position::Param { Position::Result } else { at };
        let ret = self.resolve_at(&function.ret, result, false).ty;
        let effect = self.resolve_effect(function, inner);
        let constraints = self.resolve_constraints(&function.constraints, inner);
        let vars = self.binders.leave();
        self.binders.tags.truncate(tags);
        let boxed = vars.iter().filter(|var| var.kind == Kind::B).count();
        if boxed > MOST_BOXED_VARIABLES {
            self.report(errors::poly::too_many_variables(function.ret.span, boxed, MOST_BOXED_VARIABLES));
            return Ty::ERROR;
        }
        if matches!(self.unit.types.kind(ret), TyKind::Array { .. } | TyKind::Function(_)) {
            self.report(errors::types::bad_result(function.ret.span, &self.show(ret)));
            return Ty::ERROR;
        }
        let Some(params) = params else { return Ty::ERROR };
        let mut fn_attrs = FnAttrs::default();
        self.function_attributes(&function.attrs, &params, &mut fn_attrs);
        self.function_attributes(attrs, &params, &mut fn_attrs);
        let Some(varargs) = varargs else { return Ty::ERROR };
        self.unit.types.intern(TyKind::Function(Rc::new(FnTy {
            vars,
            ret,
            params,
            varargs,
            effect,
            constraints,
            attrs: fn_attrs,
        })))
    }

    fn unsupported_clauses(&mut self, function: &ast::FnType) {
        let kept = std::mem::take(&mut self.decls.keeps_contract);
        if let Some(contract) = function.contracts.first()
            && !kept
        {
            self.report(errors::contract::not_used_here(contract.span));
        }
    }

    /// The variables that a function type binds: those it lists; a prototype without list binds every variable that
    /// occurs free in it, in order of occurrence.
    fn function_binders(&mut self, function: &ast::FnType, prototype: bool) -> Vec<TyParam> {
        let uses = self.uses(|walk| walk.signature(function));
        let mut vars = match &function.binders {
            Some(list) => {
                let mut vars = self.declare_params(list, &uses, Aqual::Aliasable);
                self.reject_unsized_params(&mut vars, list, "a function");
                return vars;
            }
            None if !prototype => return vec![],
            None => vec![],
        };
        for (name, span) in uses.names() {
            let outside = self.binders.lookup(name).is_some() || (self.binders.nested && self.known_in_body(name));
            if outside {
                continue;
            }
            let mut param = uses.param(name, Aqual::Aliasable);
            if param.kind == Kind::M {
                self.report(errors::poly::abstracts_memory(span, name, "a function"));
                param.kind = Kind::B;
            }
            vars.push(param);
        }
        vars
    }

    /// Does the body around know the name, as a variable or as a block's region?
    fn known_in_body(&self, name: Symbol) -> bool {
        self.names.tyvar(name).is_some() || self.named_region(name).is_some()
    }

    /// The parameters' types, adjusted; None if one of them is in error.
    fn resolve_params(&mut self, params: &[ast::Param], at: Position) -> Option<Vec<QTy>> {
        let outer = self.binders.hint;
        let mut types = vec![];
        let mut good = true;
        for (i, param) in params.iter().enumerate() {
            self.binders.hint = param.name.map(|n| n.name);
            let qty = self.resolve_param(param, at);
            let same_name = |name: &ast::Ident| params[..i].iter().filter_map(|p| p.name).find(|n| n.name == name.name);
            if let Some((name, before)) = param.name.and_then(|name| Some((name, same_name(&name)?))) {
                self.report(errors::decl::duplicate_parameter(name, before.span));
            }
            if self.unit.types.kind(qty.ty) == &TyKind::Void {
                self.report(errors::types::void_parameter(param.span));
                good = false;
            }
            if matches!(self.unit.types.kind(qty.ty), TyKind::Var(_) | TyKind::Abstract(..)) {
                good &= self.require_sized(qty.ty, param.span, "a parameter");
            }
            good &= qty.ty != Ty::ERROR;
            types.push(qty);
        }
        self.binders.hint = outer;
        good.then_some(types)
    }

    /// What may follow the parameters; None if its type is in error.
    fn resolve_varargs(&mut self, varargs: &ast::Varargs, at: Position, params: &[ast::Param]) -> Option<Varargs> {
        let (inject, param) = match varargs {
            ast::Varargs::None => return Some(Varargs::None),
            ast::Varargs::C => return Some(Varargs::C),
            ast::Varargs::Typed { inject, param } => (*inject, param),
        };
        let before = params.iter().filter_map(|p| p.name).find(|n| param.name.is_some_and(|name| name.name == n.name));
        if let (Some(name), Some(before)) = (param.name, before) {
            self.report(errors::decl::duplicate_parameter(name, before.span));
        }
        let outer = std::mem::replace(&mut self.binders.hint, param.name.map(|n| n.name));
        let elem = self.resolve_param(param, at);
        self.binders.hint = outer;
        if elem.ty == Ty::ERROR || !self.require_sized(elem.ty, param.span, "an argument") {
            return None;
        }
        if inject && self.injected_datatype(elem.ty).is_none() {
            let shown = self.show_q(elem);
            self.report(errors::types::inject_needs_datatype(param.span, &shown));
            return None;
        }
        Some(Varargs::Typed { elem: QTy::from(elem.ty), inject })
    }

    /// A parameter's type: `T x[]` means `T ?x`, `T x[n]` means `T @{n} x`, a function is a non-null
    /// pointer to it.
    fn resolve_param(&mut self, param: &ast::Param, at: Position) -> QTy {
        let written = &*param.ty;
        if let TypeKind::Array { elem, len, zeroterm } = &written.kind {
            return self.array_param(elem, len.as_deref(), *zeroterm, at, written);
        }
        if let Some(ty) = self.introducing_param(param, at) {
            return ty.into();
        }
        let qty = self.resolve_at(written, at, false);
        let adjusted = match self.unit.types.kind(qty.ty).clone() {
            // A nested function does not live for ever.
            TyKind::Function(_) => PtrTy {
                to: qty.ty.into(),
                nullable: false,
                bound: Bound::Thin(1),
                zeroterm: false,
                region: self.default_region(at, param.span),
                aqual: Aqual::Aliasable,
            },
            // An array by way of a typedef.
            TyKind::Array { elem, len, zeroterm } => {
                let region = self.default_region(at, param.span);
                array_pointer(elem, len.map(Bound::Thin), zeroterm, region)
            }
            _ => return qty,
        };
        self.unit.types.pointer(adjusted).into()
    }

    /// `tag_t n` and `region_t r` without argument: of a variable named after the parameter.
    fn introducing_param(&mut self, param: &ast::Param, at: Position) -> Option<Ty> {
        let var = introduced(param)?;
        let (found, declared) = self.find_variable(&var, at)?;
        Some(match (&param.ty.kind, declared.kind) {
            (TypeKind::Tag(_), Kind::I) => self.unit.types.intern(TyKind::Tag(Size::Var(found))),
            (TypeKind::RegionHandle(_), Kind::E) => self.unit.types.intern(TyKind::Handle(found.into())),
            _ => {
                self.report(errors::poly::wrong_kind(var.span, var.name, declared.kind, "another kind"));
                Ty::ERROR
            }
        })
    }

    fn array_param(
        &mut self,
        elem: &Rc<ast::Type>,
        len: Option<&ast::Expr>,
        zeroterm: Option<bool>,
        at: Position,
        written: &ast::Type,
    ) -> QTy {
        let elem = self.resolve_at(elem, at, false);
        if !self.require_sized(elem.ty, written.span, "an array element") {
            return Ty::ERROR.into();
        }
        let bound = match len {
            None => None,
            Some(e) if self.is_size(e) => match self.size_expr(e, at) {
                Size::Error => return Ty::ERROR.into(),
                size => Some(Bound::sized(size)),
            },
            Some(e) => match self.const_int(e) {
                Some(n) if n >= 0 => Some(Bound::Thin(n.min(i128::from(u64::MAX)) as u64)),
                _ => {
                    self.report(errors::types::array_length_not_constant(e.span));
                    return Ty::ERROR.into();
                }
            },
        };
        let region = self.default_region(at, written.span);
        // `T x[]` and `T x[n]` are the pointers `T ?x` and `T @{n} x`, zero-termination and all.
        let zeroterm = zeroterm.unwrap_or_else(|| self.unit.types.is_char(elem.ty));
        if zeroterm && !self.unit.types.can_zeroterm(elem.ty) {
            self.report(errors::types::cannot_zeroterm(written.span, &self.show_q(elem)));
            return Ty::ERROR.into();
        }
        let ptr = self.unit.types.pointer(array_pointer(elem, bound, zeroterm, region));
        self.qualify(ptr.into(), written.quals)
    }

    /// A function's type with its bound variables replaced: at a call by what they are instantiated with,
    /// in its own body by `Var::Param`.
    pub fn instantiate(&mut self, function: &FnTy, args: &[Arg]) -> (Vec<QTy>, Ty) {
        let here = |cx: &Self, ty| cx.at_current_region(cx.unit.types.substitute(ty, args));
        let params = function.params.iter().map(|p| QTy { ty: here(self, p.ty), ..*p }).collect();
        (params, here(self, function.ret))
    }
}

/// The variable that a parameter without written argument introduces.
pub(super) fn introduced(param: &ast::Param) -> Option<ast::TypeVar> {
    let (TypeKind::Tag(None) | TypeKind::RegionHandle(None), Some(name)) = (&param.ty.kind, param.name) else {
        return None;
    };
    Some(ast::TypeVar { name: Symbol::new(&format!("`{}", name.name)), kind: None, alias: None, span: name.span })
}

/// A parameter that is a tag: its name, and that of its integer.
fn tag_parameter(param: &ast::Param) -> Option<(Symbol, Symbol)> {
    let name = param.name?.name;
    match &param.ty.kind {
        TypeKind::Tag(Some(of)) => match &of.kind {
            TypeKind::Var(var) => Some((name, var.name)),
            _ => None,
        },
        TypeKind::Tag(None) => introduced(param).map(|var| (name, var.name)),
        _ => None,
    }
}

fn array_pointer(elem: QTy, bound: Option<Bound>, zeroterm: bool, region: Region) -> PtrTy {
    let (bound, nullable) = match bound {
        None => (Bound::Fat, true),
        Some(bound) => (bound, false),
    };
    PtrTy { to: elem, nullable, bound, zeroterm, region, aqual: Aqual::Aliasable }
}

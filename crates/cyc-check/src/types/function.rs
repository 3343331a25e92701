//! Function types: parameters, results, and the regions they bind (core, sections 3.5, 3.13 and 10.3).

use super::Position;
use crate::cx::Checker;
use crate::errors;
use cyc_base::Symbol;
use cyc_syntax::ast::{self, TypeKind};
use cyc_types::{Aqual, Arg, Bound, FnAttrs, FnTy, PtrTy, QTy, Region, Ty, TyKind, TyParam, Varargs};
use std::rc::Rc;

/// The function types around the type being resolved, innermost last.
#[derive(Default, Debug)]
pub(crate) struct Binders {
    frames: Vec<Frame>,
    /// The parameter being resolved, which invented regions are named after.
    hint: Option<Symbol>,
}

#[derive(Debug)]
struct Frame {
    regions: Vec<Bound_>,
    /// A prototype: pointers without region get a fresh one bound here.
    prototype: bool,
    /// Without an explicit list of binders: names that occur free are bound here.
    open: bool,
}

#[derive(Clone, Copy, Debug)]
struct Bound_ {
    name: Symbol,
    /// Not written: the program cannot name it.
    invented: bool,
}

impl Binders {
    fn at(&self, frame: usize, index: usize) -> Region {
        Region::Bound { depth: (self.frames.len() - 1 - frame) as u32, index: index as u32 }
    }

    /// The region variable that a function type around binds by this name.
    pub(super) fn lookup(&self, name: Symbol) -> Option<Region> {
        for (i, frame) in self.frames.iter().enumerate().rev() {
            if let Some(index) = frame.regions.iter().position(|b| !b.invented && b.name == name) {
                return Some(self.at(i, index));
            }
        }
        None
    }

    /// Binds a name that occurs free at the prototype around, if there is one without explicit binders.
    pub(super) fn bind(&mut self, name: Symbol) -> Option<Region> {
        let frame = self.frames.iter().position(|f| f.prototype && f.open)?;
        Some(self.add(frame, Bound_ { name, invented: false }))
    }

    /// A region for a parameter's pointer that names none.
    pub(super) fn fresh(&mut self) -> Region {
        let Some(frame) = self.frames.iter().position(|f| f.prototype) else { return Region::Heap };
        let name = match self.hint {
            Some(hint) => Symbol::new(&format!("`{hint}")),
            None => Symbol::new("`_"),
        };
        self.add(frame, Bound_ { name, invented: true })
    }

    fn add(&mut self, frame: usize, bound: Bound_) -> Region {
        let regions = &mut self.frames[frame].regions;
        regions.push(bound);
        let index = regions.len() - 1;
        self.at(frame, index)
    }
}

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
        let mut regions = vec![];
        for var in function.binders.iter().flatten() {
            if self.region_binder(var) {
                regions.push(Bound_ { name: var.name, invented: false });
            }
        }
        self.binders.frames.push(Frame { regions, prototype, open: function.binders.is_none() });
        let inner = if prototype { Position::Param } else { at };
        let params = self.resolve_params(&function.params, inner);
        let varargs = self.resolve_varargs(&function.varargs, inner, &function.params);
        let result = if inner == Position::Param { Position::Result } else { at };
        let ret = self.resolve_at(&function.ret, result, false).ty;
        let frame = self.binders.frames.pop();
        let vars = frame.map_or(vec![], |f| f.regions.iter().map(|b| TyParam::region(b.name)).collect());
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
            effect: None,
            constraints: vec![],
            attrs: fn_attrs,
        })))
    }

    fn unsupported_clauses(&mut self, function: &ast::FnType) {
        if let Some(effect) = &function.effect {
            self.report(errors::unsupported(effect.span, "an effect clause"));
        }
        if !function.constraints.is_empty() {
            self.report(errors::unsupported(function.span, "a region constraint"));
        }
        if let Some(contract) = function.contracts.first() {
            self.report(errors::unsupported(contract.span, "a contract"));
        }
    }

    /// A binder of a function type: only region variables as yet.
    fn region_binder(&mut self, var: &ast::TypeVar) -> bool {
        if matches!(var.name.as_str(), "`H" | "`C" | "`U" | "`RC") {
            self.report(errors::types::reserved_region(var.span, var.name));
            return false;
        }
        match var.kind.map(|k| k.name.as_str()) {
            Some("A" | "B" | "M" | "I" | "Q" | "UA" | "UB" | "UM" | "TA" | "TB" | "TM" | "CA" | "CB" | "CM") => {
                self.report(errors::unsupported(var.span, "a type variable"));
                false
            }
            _ => self.region_kind(var),
        }
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
        let qty = self.resolve_at(written, at, false);
        let adjusted = match self.unit.types.kind(qty.ty).clone() {
            TyKind::Function(_) => {
                let region = Region::Heap; // code lives for ever
                PtrTy {
                    to: qty.ty.into(),
                    nullable: false,
                    bound: Bound::Thin(1),
                    zeroterm: false,
                    region,
                    aqual: Aqual::Aliasable,
                }
            }
            // An array by way of a typedef.
            TyKind::Array { elem, len, zeroterm } => {
                let region = self.default_region(at, param.span);
                array_pointer(elem, len, zeroterm, region)
            }
            _ => return qty,
        };
        self.unit.types.pointer(adjusted).into()
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
            Some(e) => match self.const_int(e) {
                Some(n) if n >= 0 => Some(n.min(i128::from(u64::MAX)) as u64),
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
        if function.vars.is_empty() {
            return (function.params.clone(), function.ret);
        }
        let params = function.params.iter().map(|p| QTy { ty: self.unit.types.substitute(p.ty, args), ..*p }).collect();
        (params, self.unit.types.substitute(function.ret, args))
    }
}

fn array_pointer(elem: QTy, len: Option<u64>, zeroterm: bool, region: Region) -> PtrTy {
    let (bound, nullable) = match len {
        None => (Bound::Fat, true),
        Some(n) => (Bound::Thin(n), false),
    };
    PtrTy { to: elem, nullable, bound, zeroterm, region, aqual: Aqual::Aliasable }
}
